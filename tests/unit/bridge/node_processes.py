"""Processes of Node that a test started, found by a file among their arguments."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

PATIENCE_S = 60.0


def running(file: Path) -> list[int]:
    """Return the processes that have this file among their arguments, without zombies."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # The process has ended meanwhile.
        if str(file).encode() in words:
            found.append(int(folder.name))
    return found


def left_over(files: Sequence[Path], patience_s: float = PATIENCE_S) -> list[int]:
    """Return the processes that still run after `patience_s` seconds."""
    deadline = time.monotonic() + patience_s
    while (found := [pid for file in files for pid in running(file)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found
