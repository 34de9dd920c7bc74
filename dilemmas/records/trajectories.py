"""Trajectories: compressed arrays of every step of a grid game, one file per episode.

Equal arrays give equal bytes. Files hold no Python objects, so that reading one executes no code.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from common.archives import UNREADABLE, read_arrays
from common.plain_files import is_plain
from dilemmas.errors import RecordError

NAME = "trajectory.npz"
Arrays = Mapping[str, npt.NDArray[Any]]


def write_trajectory(run: Path, episode: int, arrays: Arrays) -> str:
    """Atomically save an episode's arrays, and return the file's path relative to the run directory.

    Args:
        run: Directory of the run.
        episode: Number of the episode.
        arrays: Arrays by name.

    Raises:
        RecordError: The file cannot be written.
    """
    path = run / "episodes" / str(episode) / NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{NAME}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                fields: Any = {key: np.asarray(array) for key, array in arrays.items()}
                np.savez_compressed(file, **fields)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise RecordError(f"cannot write {path}: {error.strerror}") from None
    return path.relative_to(run).as_posix()


def read_trajectory(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Read the arrays of a trajectory file.

    Raises:
        RecordError: The file is no trajectory.
    """
    try:
        if not is_plain(path):
            raise ValueError("it is no plain file")
        return read_arrays(path)
    except UNREADABLE as error:
        reason = " ".join(str(error).split())[:120]
        raise RecordError(f"{path}: not a trajectory of a grid game ({reason})") from None
