"""Bounded reading of array archives (`.npz`), because a small file may claim arrays larger than memory."""

from __future__ import annotations

import io
import math
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

MAX_BYTES = 1 << 29
"""Maximum bytes of all arrays of an archive together."""
MAX_ARRAYS = 100_000
UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, EOFError, RecursionError, MemoryError, SyntaxError, NotImplementedError,
    RuntimeError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
"""Errors of `read_arrays` for an invalid archive."""


def read_arrays(path: Path, most: int = MAX_BYTES) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file by name. No more memory is allocated than the file's data needs.

    Raises one of `UNREADABLE`.
    """
    with path.open("rb") as file, zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if len(members) > MAX_ARRAYS or sum(each.file_size for each in members) > most:
            raise ValueError(f"it holds more than {most >> 20} MB, or {MAX_ARRAYS} arrays")
        return {each.filename.removesuffix(".npy"): _array(archive.read(each)) for each in members}


def _array(data: bytes) -> npt.NDArray[Any]:
    """Return the array of an archive member. Raises ValueError if its header contradicts its data."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in readers:
        raise ValueError(f"version {version} of arrays is unknown")
    shape, by_columns, dtype = readers[version](file)
    if dtype.hasobject:
        raise ValueError("it holds objects, not numbers")
    rest = len(data) - file.tell()
    if math.prod(int(each) for each in shape) * dtype.itemsize != rest:
        raise ValueError(f"an array of shape {tuple(shape)} is not what its {rest} bytes hold")
    flat = np.frombuffer(data, dtype, offset=file.tell()) if rest else np.empty(0, dtype)
    return flat.reshape(shape, order="F" if by_columns else "C").copy()
