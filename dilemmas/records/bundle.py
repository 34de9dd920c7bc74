"""A bundle for a paper: records with manifests and reports in one archive; the same bytes each time, no key in it."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from common.plain_files import open_plain
from common.segments import PACKED, blocks, unpack
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.folders import check_folder
from dilemmas.records.manifest import MANIFEST, read_manifest, record_files

SUFFIXES = (".zip", ".tar.gz", ".tgz")
REPORTS = ("*.html", "*.csv", "plots/*", "figures/**/*", "minds/**/*")
"""What is made from a record, for those who read."""
PIECE = 1 << 20
"""Bytes of a file that are held at a time."""
OVERLAP = 4096
"""Bytes of a key at most."""
BIG = 1 << 30
"""Bytes from which on a zip entry says its size in 64 bits: packed it may be larger."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file: an archive says what it holds, not when it was made."""
_LIKE_A_KEY = re.compile(rb"(?<![A-Za-z0-9])(?:sk-|sk_|hf_|gsk_|AIza)[A-Za-z0-9_-]{20,}")
_BEGINS_A_KEY = (b"sk-", b"sk_", b"hf_", b"gsk_", b"AIza")
_README = """Records of studies with Accord (accord-mc {version}), a folder each.

`accord verify FOLDER` says whether a record is whole, and with --replay whether playing it again gives the same.
`accord view FOLDER` shows it. manifest.json has versions, seeds, models, and the SHA-256 of each file.
"""


def export(directories: Sequence[Path], to: Path, version: str) -> list[str]:
    """Write the bundle; returns the names in it. Raises UsageError for what is no study, and for a key in a record."""
    kind = next((suffix for suffix in SUFFIXES if to.name.endswith(suffix)), None)
    if kind is None:
        raise UsageError(f"{to}: not a name of a bundle: end it in {' or '.join(SUFFIXES)}")
    names = [directory.resolve().name for directory in directories]
    if len(set(names)) != len(names):
        raise UsageError(f"two studies are called {names[0]!r}: rename one, since each is a folder of the bundle")
    found: dict[str, Path | bytes] = {"README.txt": _README.format(version=version).encode()}
    for directory, name in zip(directories, names, strict=True):
        check_folder(directory, ())
        read_manifest(directory)
        for path in _chosen(directory):
            _check_single(path)
            found[f"{name}/{path.relative_to(directory).as_posix()}"] = path
    _check_keys(found)
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        (_zip if kind == ".zip" else _tar)(to, found)
    except OSError as error:
        raise RecordError(f"cannot write {to}: {error.strerror}; choose another file with --to") from None
    return sorted(found)


def _check_single(path: Path) -> None:
    """Check that a file has one name: another one may lie outside of the record. Raises RecordError."""
    if path.lstat().st_nlink > 1:
        raise RecordError(
            f"{path}: has a second name (a hard link), which may be outside of the record: copy the record with "
            "'cp -r --no-preserve=links', and export the copy"
        )


def _chosen(directory: Path) -> Iterator[Path]:
    yield directory / MANIFEST
    yield from record_files(directory)
    for pattern in REPORTS:
        yield from (path for path in sorted(directory.glob(pattern)) if path.is_file())


def _check_keys(found: dict[str, Path | bytes]) -> None:
    """Whether no file holds an API key: one of this environment, or what looks like one. Raises UsageError."""
    own = [value.encode() for name, value in os.environ.items() if name.endswith("_API_KEY") and len(value) >= 8]
    for name, source in found.items():
        for text in _texts(source):
            if any(key in text for key in own) or _like_a_key(text):
                raise UsageError(f"{name} holds what looks like an API key: take it out before you share the record")


def _like_a_key(text: bytes) -> bool:
    # Most texts hold none of these words, which is found in a fraction of the time.
    return any(word in text for word in _BEGINS_A_KEY) and _LIKE_A_KEY.search(text) is not None


def _texts(source: Path | bytes) -> Iterator[bytes]:
    """Yield the file as it is, in pieces that overlap, and where it is packed what it holds, a member at a time. Raises
    OSError for a packed file that is no segment."""
    with _opened(source) as file:
        kept = b""
        while piece := file.read(PIECE):
            yield kept + piece
            kept = piece[-OVERLAP:]
        if isinstance(source, Path) and source.name.endswith(PACKED):
            yield from (unpack(file, block) for block in blocks(file))


def _opened(source: Path | bytes) -> BinaryIO:
    return io.BytesIO(source) if isinstance(source, bytes) else open_plain(source)


def _zip(to: Path, found: dict[str, Path | bytes]) -> None:
    with zipfile.ZipFile(to, "w") as archive:
        for name in sorted(found):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            with _opened(found[name]) as file, archive.open(entry, "w", force_zip64=_size(file) >= BIG) as packed:
                shutil.copyfileobj(file, packed, PIECE)


def _tar(to: Path, found: dict[str, Path | bytes]) -> None:
    with (
        to.open("wb") as whole,
        gzip.GzipFile("", "wb", 9, whole, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for name in sorted(found):
            with _opened(found[name]) as file:
                entry = tarfile.TarInfo(name)
                entry.size = _size(file)
                archive.addfile(entry, file)


def _size(file: BinaryIO) -> int:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return size
