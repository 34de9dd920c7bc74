"""Safety checks on the folders of records, and search for records below a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from common.plain_files import make_folder, walk_plain
from dilemmas.errors import RecordError

MADE = ("plots", "minds", "figures", "report.html", "view.sqlite")
"""Files and folders generated from a record.

Nothing reads them again, and `check_places` checks them before they are written.
"""


def check_folder(directory: Path, left_out: Iterable[str] = MADE) -> None:
    """Raise RecordError unless a record consists of plain files and folders only.

    Links, pipes and devices are refused. Names in `left_out` are skipped.
    """
    if not directory.is_dir():
        return
    try:
        for _ in walk_plain(directory, left_out):
            pass
    except OSError as error:
        raise _refused(error, directory) from None


def check_places(directory: Path, folders: Iterable[str]) -> None:
    """Raise OSError unless everything in `folders` below `directory` can be replaced without leaving it.

    Links, pipes and devices are refused.
    """
    for name in folders:
        if os.path.lexists(directory / name):
            make_folder(directory / name, directory)
            for _ in walk_plain(directory / name):
                pass


def find_below(directory: Path, name: str) -> Iterator[Path]:
    """Yield the folders at or below `directory` that have an entry called `name`, in order, without following links."""
    for folder, folders, files in os.walk(directory, followlinks=False):
        folders.sort()
        if name in files:
            yield Path(folder)


def task_folder(sweep: Path, task: str) -> Path:
    """Return the path of the record of a finished task in a sweep's folder.

    Args:
        sweep: Folder of the sweep.
        task: Id of the task.
    """
    return sweep / "tasks" / task[:2] / task


def _refused(error: OSError, directory: Path) -> RecordError:
    return RecordError(f"{error.filename or directory}: {error.strerror or error}")
