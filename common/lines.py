"""Files of lines that processes append to: read one line at a time, whatever their size."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

from common.segments import raw_lines


class RawLine(NamedTuple):
    """One line of a file."""

    number: int
    """From 1; empty lines count."""
    data: bytes
    """Without its end."""
    whole: bool
    """False for a last line without an end: the process that wrote it may have been killed meanwhile."""


def read_lines(path: Path) -> Generator[RawLine]:
    """The lines of that file that are not empty, those of its segments first (`common.segments`); one at a time is
    held. Raises OSError."""
    for number, raw in enumerate(raw_lines(path), start=1):
        data = raw.removesuffix(b"\n")
        if data:
            yield RawLine(number, data, len(data) < len(raw))
