"""Line files that other processes append to, read one line at a time whatever their size."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

from common.segments import raw_lines


class RawLine(NamedTuple):
    """One line of a file."""

    number: int
    """Line number, from 1; empty lines count."""
    data: bytes
    """The line without its line feed."""
    whole: bool
    """False for a last line without an end: the process that wrote it may have been killed meanwhile."""


def read_lines(path: Path) -> Generator[RawLine]:
    """Yield the non-empty lines of a file, its segments first (`common.segments`), holding one line at a time
    is held. Raises OSError."""
    for number, raw in enumerate(raw_lines(path), start=1):
        data = raw.removesuffix(b"\n")
        if data:
            yield RawLine(number, data, len(data) < len(raw))
