"""Who plays a task: a file whose time goes on as long as its player lives.

Machines of a cluster share no process table, and not every network folder has locks that reach across machines. So a
lease is a file, made in one step, that its holder touches again and again. One that was not touched for a while is
nobody's. Times are the folder's own, so that machines with different clocks agree. On its own machine a holder that has
ended is known to have ended at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self

from dilemmas.records.locking import Holder

BEAT_S = 5.0
"""Seconds between two touches."""
STALE_S = 60.0
"""A lease that was not touched for so long is nobody's; a busy machine may be late."""


class Lease:
    """The sole right to play a task, while it is held."""

    def __init__(self, path: Path, holder: Holder, beat_s: float) -> None:
        self._path, self._mine = path, holder
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, args=(beat_s,), daemon=True, name=f"lease {path.name}")
        self._thread.start()

    @property
    def held(self) -> bool:
        """Whether it is still this holder's: a machine that slept may have lost it."""
        return _holder(self._path) == self._mine

    def close(self) -> None:
        """Give it back; twice does no harm."""
        self._ended.set()
        self._thread.join()
        if self.held:
            self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _beat(self, beat_s: float) -> None:
        while not self._ended.wait(beat_s):
            if not self.held:
                return
            with contextlib.suppress(OSError):
                os.utime(self._path)


def take(path: Path, *, beat_s: float = BEAT_S, stale_s: float = STALE_S) -> Lease | None:
    """The lease, or None while somebody else holds it. Raises OSError when the folder cannot be written."""
    mine = Holder.here()
    if _made(path, mine):
        return Lease(path, mine, beat_s)
    found = _holder(path)
    if not (found is not None and found.is_gone) and not _is_stale(path, mine, stale_s):
        return None
    # Of several that find it stale, one renames it away; whoever moved a live one puts it back.
    aside = path.with_name(f".{path.name}.{mine.nonce}")
    with contextlib.suppress(FileNotFoundError):
        path.rename(aside)
        if _holder(aside) == found:
            aside.unlink()
        else:
            aside.rename(path)
    return Lease(path, mine, beat_s) if _made(path, mine) else None


def _made(path: Path, holder: Holder) -> bool:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        return False
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(holder), file)
    return True


def _is_stale(path: Path, holder: Holder, stale_s: float) -> bool:
    """Whether it is old by the folder's own clock, or gone."""
    probe = path.with_name(f".now.{holder.nonce}")
    try:
        probe.touch()
        return probe.stat().st_mtime - path.stat().st_mtime > stale_s
    except FileNotFoundError:
        return True
    finally:
        probe.unlink(missing_ok=True)


def _holder(path: Path) -> Holder | None:
    """Who that file names; None where there is none, or nobody that can be read yet."""
    try:
        return Holder(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
