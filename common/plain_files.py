"""Plain files in folders that somebody else may have made, such as a record that was received.

A link in such a folder may lead to any file of this machine, and a pipe or a device there never ends. Everything that
reads or writes in a record goes through this module, so that nothing in a record is followed out of it. Links above
the folder are the user's own and stay usable.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

MAX_TEXT = 64 << 20
"""Bytes of a file that is read as a whole."""
MAX_LINE = 64 << 20
"""Bytes of one line of a log."""


class PlainFileError(OSError):
    """A file of a record that cannot be used as it is: a link, a pipe, or larger than any that Accord writes."""


def is_plain(path: Path) -> bool:
    """Return whether a regular file is at that path, and no link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Return whether a folder is at that path, and no link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except (OSError, ValueError):
        return False


def open_plain(path: Path, mode: str = "rb") -> BinaryIO:
    """Open a regular file (`rb`, `r+b` or `ab`). Raises OSError for a link, a pipe, a device or a folder."""
    return cast(BinaryIO, open(path, mode, opener=_opener))


def _opener(name: str, flags: int) -> int:
    """Open without following a link or waiting for the other end of a pipe. Raises OSError."""
    try:
        descriptor = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise _refusal(Path(name)) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _refusal(Path(name))
    return descriptor


def open_to_append(path: Path) -> BinaryIO:
    """Open a log for appending. A file with a second name is replaced by a copy first, so that the other name keeps
    what it has. Raises OSError."""
    return open_plain(unshared(path) if os.path.lexists(path) else path, "ab")


def unshared(path: Path) -> Path:
    """Return the path after replacing a file with several hard links by a copy, so that writes change no other file.

    Raises OSError.
    """
    if not is_plain(path) or path.lstat().st_nlink == 1:
        return path
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open_plain(path) as source, open(handle, "wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
        Path(name).chmod(0o644)
        return Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_bytes(path: Path, most: int = MAX_TEXT) -> bytes:
    """Return what a regular file holds. Raises OSError, also for a file of more than `most` bytes."""
    with open_plain(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise PlainFileError(errno.EINVAL, f"it has more than {most >> 20} MB", str(path))
    return data


def read_text(path: Path, most: int = MAX_TEXT) -> str:
    """Return the text in a regular file. Raises OSError as `read_bytes`, ValueError for what is not UTF-8."""
    return read_bytes(path, most).decode("utf-8")


def plain_lines(file: BinaryIO) -> Generator[bytes]:
    """Yield the lines of an open file. Raises OSError for a line of more than `MAX_LINE` bytes."""
    while line := file.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            raise PlainFileError(errno.EINVAL, f"a line has more than {MAX_LINE >> 20} MB", str(file.name))
        yield line


def walk_plain(folder: Path, left_out: Iterable[str] = ()) -> Iterator[Path]:
    """Yield every file below a folder, in order. Raises OSError for the first link, pipe, device or socket.

    Entries directly in `folder` whose names are `left_out` are not looked at.
    """
    out = set(left_out)
    with os.scandir(folder) as found:
        entries = sorted((each for each in found if each.name not in out), key=lambda each: each.name)
    for each in entries:
        path = folder / each.name
        if each.is_dir(follow_symlinks=False):
            yield from walk_plain(path)
        elif each.is_file(follow_symlinks=False):
            yield path
        else:
            raise _refusal(path)


def make_folder(folder: Path, within: Path) -> None:
    """Make a folder at or below `within`. Raises OSError where a link stands in between."""
    within.mkdir(parents=True, exist_ok=True)
    place = within
    for part in folder.relative_to(within).parts:
        place /= part
        with contextlib.suppress(FileExistsError):
            place.mkdir()
        if not is_folder(place):
            raise _refusal(place)


def _refusal(path: Path) -> PlainFileError:
    what = "a link, which is not followed out of its folder" if path.is_symlink() else "no plain file"
    return PlainFileError(errno.EINVAL, f"{path.name} is {what}: put a copy in its place", str(path))
