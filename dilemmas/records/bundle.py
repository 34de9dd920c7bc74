"""Export of studies into one reproducible archive: records, manifests and reports, free of API keys."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from common.plain_files import is_plain, open_plain, read_text, walk_plain
from common.segments import PACKED, blocks, unpack
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.folders import check_folder
from dilemmas.records.manifest import MANIFEST, read_manifest, record_files

SUFFIXES = (".zip", ".tar.gz", ".tgz")
LEAGUE = "league.json"
"""File with the results of a league, in the place of a manifest."""
MAX_LEAGUE = 1 << 28
"""Maximum size of a league's results, in bytes."""
REPORTS = ("*.html", "*.csv", "plots/*", "figures/**/*", "minds/**/*")
"""Files generated from a record, added for human readers."""
PIECE = 1 << 20
"""Number of bytes read at a time."""
OVERLAP = 4096
"""Maximum length of an API key, in bytes: consecutive pieces overlap by it."""
BIG = 1 << 30
"""Size in bytes from which a zip entry uses 64-bit sizes, since compression may enlarge it."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Fixed modification date of every entry, which keeps archives reproducible."""
_LIKE_A_KEY = re.compile(rb"(?<![A-Za-z0-9])(?:sk-|sk_|hf_|gsk_|AIza)[A-Za-z0-9_-]{20,}")
_BEGINS_A_KEY = (b"sk-", b"sk_", b"hf_", b"gsk_", b"AIza")
_README = """Records of studies with Accord (accord-mc {version}), a folder each.

`accord verify FOLDER` says whether a record is whole, and with --replay whether playing it again gives the same.
`accord view FOLDER` shows it. manifest.json has versions, seeds, models, and the SHA-256 of each file.
"""


def export(directories: Sequence[Path], to: Path, version: str) -> list[str]:
    """Write the studies in `directories` as one archive.

    Args:
        directories: Directories of studies, each with a manifest.json.
        to: Path of the archive; its suffix chooses zip or tar.gz.
        version: Version of Accord, for the README inside.

    Returns:
        The names of the archive's entries, sorted.

    Raises:
        UsageError: The suffix is unknown, two studies share a name, a directory is no study or league, or a file holds
            an API key.
        RecordError: A record is not plain files, or the archive cannot be written.
    """
    kind = next((suffix for suffix in SUFFIXES if to.name.endswith(suffix)), None)
    if kind is None:
        raise UsageError(f"{to}: unknown kind of archive: choose a name that ends in {' or '.join(SUFFIXES)}")
    names = [directory.resolve().name for directory in directories]
    if len(set(names)) != len(names):
        raise UsageError(f"two studies are called {names[0]!r}: rename one, since each becomes a folder of the archive")
    found: dict[str, Path | bytes] = {"README.txt": _README.format(version=version).encode()}
    for directory, name in zip(directories, names, strict=True):
        check_folder(directory, ())
        if not is_plain(directory / LEAGUE):
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
    """Raise RecordError if `path` has a second hard link, which may lie outside the record."""
    if path.lstat().st_nlink > 1:
        raise RecordError(
            f"{path}: has a second name (a hard link), which may be outside of the record: copy the record with "
            "'cp -r --no-preserve=links', and export the copy"
        )


def _chosen(directory: Path) -> Iterator[Path]:
    if is_plain(directory / LEAGUE):
        yield from _of_league(directory)
        return
    yield directory / MANIFEST
    yield from record_files(directory)
    for pattern in REPORTS:
        yield from (path for path in sorted(directory.glob(pattern)) if path.is_file())


def _of_league(directory: Path) -> Iterator[Path]:
    """Yield the results of a league and the files whose hashes they have. Raises RecordError."""
    try:
        told = json.loads(read_text(directory / LEAGUE, MAX_LEAGUE))["files"]
        names = {*map(str, told), LEAGUE}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise RecordError(f"{directory / LEAGUE} cannot be read: it is no league of this version of Accord") from None
    # Names in a league from somebody else may lead out of its folder, so that only files found in it are taken.
    yield from (path for path in walk_plain(directory) if path.relative_to(directory).as_posix() in names)


def _check_keys(found: dict[str, Path | bytes]) -> None:
    """Raise UsageError if a file holds a key of this environment, or text that looks like an API key."""
    own = own_keys()
    for name, source in found.items():
        for text in _texts(source):
            if holds_key(text, own):
                raise UsageError(f"{name} holds what looks like an API key: take it out before you share the record")


def own_keys() -> tuple[bytes, ...]:
    """Return the API keys of this environment."""
    return tuple(value.encode() for name, value in os.environ.items() if name.endswith("_API_KEY") and len(value) >= 8)


def holds_key(text: bytes, own: Sequence[bytes]) -> bool:
    """Return True if the text holds one of the environment's `own` keys, or what looks like an API key."""
    if any(key in text for key in own):
        return True
    # A plain substring search rules most texts out in a fraction of the regex's time.
    return any(word in text for word in _BEGINS_A_KEY) and _LIKE_A_KEY.search(text) is not None


def _texts(source: Path | bytes) -> Iterator[bytes]:
    """Yield a file's bytes in overlapping pieces, then the unpacked content of a packed segment, one block at a time.

    Raises OSError for a packed file that is not a segment.
    """
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
