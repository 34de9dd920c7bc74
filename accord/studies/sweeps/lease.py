"""Leases of tasks: files whose holders keep touching them.

Machines of a cluster share no process table, and not every network folder has locks across machines. A lease is a file,
created atomically, that its holder touches repeatedly; one that was not touched for a while has expired. Times are the
folder's own, so that machines with different clocks agree. On its own machine the end of a holder is noticed at once.

Files are numbered. A process that finds all of them expired creates the next one, and holds the lease if no other file
has appeared meanwhile. Of several at once at most one succeeds, and a file is never moved or overwritten.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self

from dilemmas.records.locking import Holder, read_holder

BEAT_S = 5.0
"""Seconds between two touches."""
STALE_S = 60.0
"""A lease that was not touched for so long is nobody's; a busy machine may be late."""
Files = Mapping[int, Holder | None]
"""Number of a file -> who it names; None for nobody that can be read."""


class TaskLease:
    """The sole right to play a task, while it is held."""

    def __init__(self, path: Path, number: int, holder: Holder, beat_s: float, *, inherited: bool) -> None:
        self.inherited = inherited
        """True if somebody had it before who may still live: on another machine, or asleep."""
        self._path, self._number, self._mine = path, number, holder
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, args=(beat_s,), daemon=True, name=f"lease {path.name}")
        self._thread.start()

    @property
    def held(self) -> bool:
        """True if it is still this holder's: a machine that slept may have lost it."""
        files = _files(self._path)
        return bool(files) and max(files) == self._number and files[self._number] == self._mine

    def close(self) -> None:
        """Give it back; twice does no harm."""
        self._ended.set()
        self._thread.join()
        if read_holder(_file(self._path, self._number)) == self._mine:
            _file(self._path, self._number).unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _beat(self, beat_s: float) -> None:
        file = _file(self._path, self._number)
        while not self._ended.wait(beat_s):
            if not self.held:
                return
            with contextlib.suppress(OSError):
                os.utime(file)


def take(path: Path, *, beat_s: float = BEAT_S, stale_s: float = STALE_S) -> TaskLease | None:
    """Return the lease of that name, or None while somebody else holds it.

    Raises OSError when the folder is not writable.
    """
    mine = Holder.here()
    found = _files(path)
    for number, holder in found.items():
        if not (holder is not None and holder.is_gone) and not _is_stale(_file(path, number), mine, stale_s):
            return None
    number = max(found, default=0) + 1
    if not _made(_file(path, number), mine):
        return None
    now = {each: holder for each, holder in _files(path).items() if each != number}
    if not now.items() <= found.items():
        # Somebody else has come: whoever sees the other gives way, and tries again later.
        _file(path, number).unlink(missing_ok=True)
        return None
    for each in now:
        _file(path, each).unlink(missing_ok=True)
    inherited = any(holder is None or not holder.is_gone for holder in found.values())
    return TaskLease(path, number, mine, beat_s, inherited=inherited)


def _file(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")


def _files(path: Path) -> Files:
    """Return all files of that lease."""
    numbers = [each.name.removeprefix(f"{path.name}.") for each in path.parent.glob(f"{path.name}.*")]
    return {int(number): read_holder(_file(path, int(number))) for number in numbers if number.isdecimal()}


def _made(file: Path, holder: Holder) -> bool:
    """Make the file with its content in one step; False where there is one."""
    staging = file.with_name(f".{file.name}.{holder.nonce}")
    staging.write_text(json.dumps(asdict(holder)), encoding="utf-8")
    try:
        os.link(staging, file)
    except FileExistsError:
        return False
    except OSError:
        return _made_without_links(file, holder)
    finally:
        staging.unlink()
    return True


def _made_without_links(file: Path, holder: Holder) -> bool:
    """Return as `_made`, in folders that have no links: there is a moment at which nobody is named yet."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        return False
    with open(descriptor, "w", encoding="utf-8") as stream:
        json.dump(asdict(holder), stream)
    return True


def _is_stale(file: Path, holder: Holder, stale_s: float) -> bool:
    """Return whether it is old by the folder's own clock, or gone."""
    probe = file.with_name(f".now.{holder.nonce}")
    try:
        probe.touch()
        return probe.stat().st_mtime - file.stat().st_mtime > stale_s
    except FileNotFoundError:
        return True
    finally:
        probe.unlink(missing_ok=True)
