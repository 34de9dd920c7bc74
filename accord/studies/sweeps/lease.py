"""Leases of tasks: files that their holders touch at intervals.

Machines of a cluster share no process table, and not every network file system has locks across machines. A lease is a
file that is created atomically and touched by its holder; it expires when it has not been touched for `STALE_S`. Times
are those of the file system, so that the machines' clocks do not matter. On the holder's own machine its end is noticed
at once.

Files of a lease are numbered. A process that finds all of them expired creates the next one. It holds the lease if no
other file has appeared meanwhile. Of several concurrent processes at most one succeeds. Files are never moved or
overwritten.
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
"""Seconds between two touches of a held lease."""
STALE_S = 60.0
"""Seconds without a touch after which a lease has expired; far above `BEAT_S`, since a busy machine may be late."""
Files = Mapping[int, Holder | None]
"""Number of a file -> holder named in it; None if the file is unreadable."""


class TaskLease:
    """Exclusive right to play a task, while `held`."""

    def __init__(self, path: Path, number: int, holder: Holder, beat_s: float, *, inherited: bool) -> None:
        self.inherited = inherited
        """True if an earlier holder may still be alive, on another machine or suspended."""
        self._path, self._number, self._mine = path, number, holder
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, args=(beat_s,), daemon=True, name=f"lease {path.name}")
        self._thread.start()

    @property
    def held(self) -> bool:
        """True if this holder still has the lease; a suspended machine may have lost it."""
        files = _files(self._path)
        return bool(files) and max(files) == self._number and files[self._number] == self._mine

    def close(self) -> None:
        """Release the lease. Calling it twice is harmless."""
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


def acquire_lease(path: Path, *, beat_s: float = BEAT_S, stale_s: float = STALE_S) -> TaskLease | None:
    """Return the lease at a path, or None while another process holds it.

    Raises OSError if the folder is not writable.
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
        # A concurrent process has created a file too: each process that sees the other withdraws and retries later.
        _file(path, number).unlink(missing_ok=True)
        return None
    for each in now:
        _file(path, each).unlink(missing_ok=True)
    inherited = any(holder is None or not holder.is_gone for holder in found.values())
    return TaskLease(path, number, mine, beat_s, inherited=inherited)


def _file(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")


def _files(path: Path) -> Files:
    """Return all files of a lease."""
    numbers = [each.name.removeprefix(f"{path.name}.") for each in path.parent.glob(f"{path.name}.*")]
    return {int(number): read_holder(_file(path, int(number))) for number in numbers if number.isdecimal()}


def _made(file: Path, holder: Holder) -> bool:
    """Create a file with its content atomically; return False if it exists."""
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
    """Create a file as `_made` does, on file systems without hard links; it is empty for a moment."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        return False
    with open(descriptor, "w", encoding="utf-8") as stream:
        json.dump(asdict(holder), stream)
    return True


def _is_stale(file: Path, holder: Holder, stale_s: float) -> bool:
    """Return whether a file was not touched for `stale_s` by the file system's clock, or is gone."""
    probe = file.with_name(f".now.{holder.nonce}")
    try:
        probe.touch()
        return probe.stat().st_mtime - file.stat().st_mtime > stale_s
    except FileNotFoundError:
        return True
    finally:
        probe.unlink(missing_ok=True)
