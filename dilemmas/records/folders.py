"""Folders of records: what is looked for in them, and where something may be written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from common.plain_files import make_folder, walk_plain
from dilemmas.errors import RecordError

MADE = ("plots", "minds", "figures", "report.html", "view.sqlite")
"""Files and folders that are made from a record: nothing reads them again, and they are checked when they are written
(`check_places`)."""


def check_folder(directory: Path, left_out: Iterable[str] = MADE) -> None:
    """Check that a record holds plain files and folders alone. Raises RecordError for a link, a pipe or a device."""
    if not directory.is_dir():
        return
    try:
        for _ in walk_plain(directory, left_out):
            pass
    except OSError as error:
        raise _refused(error, directory) from None


def check_places(directory: Path, folders: Iterable[str]) -> None:
    """Check that what stands in these folders below `directory` can be removed and written over without leaving them.
    Raises OSError for a link, a pipe or a device."""
    for name in folders:
        if os.path.lexists(directory / name):
            make_folder(directory / name, directory)
            for _ in walk_plain(directory / name):
                pass


def find_below(directory: Path, name: str) -> Iterator[Path]:
    """Yield the folders at or below `directory` that have an entry of that name, in order. No link is followed."""
    for folder, folders, files in os.walk(directory, followlinks=False):
        folders.sort()
        if name in files:
            yield Path(folder)


def _refused(error: OSError, directory: Path) -> RecordError:
    return RecordError(f"{error.filename or directory}: {error.strerror or error}")
