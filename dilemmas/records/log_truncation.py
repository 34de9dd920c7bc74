"""Truncation of the logs of an interrupted run, segments included.

At every moment the log on disk starts like the old one and contains all lines to keep. A kill in the middle is
therefore harmless: the next process truncates again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from common.plain_files import open_plain, open_to_append, plain_lines, unshared
from common.segments import PACKED, finished, open_segment, segment_lines, segment_path
from dilemmas.records.rotating import RotatingLog, replace_by_empty, tidy

_PART = 1 << 20
"""Number of bytes copied at a time."""


def truncate_log(path: Path, keep: int | None, rest: Path | None, limit: int | None = None) -> None:
    """Truncate a log to its first lines.

    Args:
        path: Plain tail of the log; its segments lie beside it.
        keep: Number of lines to keep; None keeps all complete lines.
        rest: Log to which removed lines are appended; None discards them.
        limit: Segment size of `rest`, in bytes.

    Raises OSError.
    """
    tidy(path)
    segments = finished(path)
    if keep is not None:
        for number, segment in enumerate(segments, start=1):
            kept, length, whole = _kept_part(segment, keep)
            if not whole:
                if rest is not None:
                    _move(segments[number - 1 :], path, length, rest, limit)
                _drop(segments, number, path, length)
                return
            keep -= kept
    _cut_tail(path, keep, rest)


def _cut_tail(path: Path, keep: int | None, rest: Path | None) -> None:
    with open_plain(unshared(path), "r+b") as log:
        length, ended = _length(log, keep)
        if not ended:
            # The last line was read as an event and lacks only its newline.
            log.seek(0, os.SEEK_END)
            log.write(b"\n")
        elif length < log.seek(0, os.SEEK_END):
            if rest is not None:
                log.seek(length)
                _append_all(log, rest)
            log.truncate(length)


def _length(log: BinaryIO, keep: int | None) -> tuple[int, bool]:
    """Return the length in bytes of the first `keep` non-empty lines, and whether the last one ends with a newline.

    `read_events` counts lines alike. None for `keep` means all complete lines.
    """
    length = kept = 0
    while keep is None or kept < keep:
        line = log.readline()
        if not line.endswith(b"\n"):
            return length, keep is None or not line
        length += len(line)
        kept += line != b"\n"
    return length, True


def _kept_part(segment: Path, keep: int) -> tuple[int, int, bool]:
    """Return the number of kept lines in this segment, their length in bytes, and whether the whole segment is kept."""
    kept = length = 0
    with open_segment(segment) as file:
        for line in segment_lines(file):
            if kept == keep:
                return kept, length, False
            kept += line != b"\n"
            length += len(line)
    return kept, length, True


def _move(segments: list[Path], path: Path, skip: int, rest: Path, limit: int | None) -> None:
    """Append to `rest` everything after the first `skip` bytes of the segments and the plain tail."""
    log = RotatingLog(rest, limit)
    try:
        for line in _lines(segments, path):
            if skip <= 0:
                log.append_raw(line if line.endswith(b"\n") else line + b"\n")
            skip -= len(line)
    finally:
        log.close()


def _lines(segments: list[Path], path: Path) -> Iterator[bytes]:
    for each in segments:
        with open_segment(each) as file:
            yield from segment_lines(file)
    with open_plain(path) as tail:
        yield from plain_lines(tail)


def _drop(segments: list[Path], number: int, path: Path, length: int) -> None:
    """Remove everything after the first `length` bytes of segment `number`, last file first."""
    replace_by_empty(path)
    for each in reversed(segments[number:]):
        each.unlink()
    last, plain = segments[number - 1], segment_path(path, number)
    if length:
        unfinished = plain.with_name(f".{plain.name}{PACKED}")
        with open_segment(last) as file, unfinished.open("wb") as part:
            for line in segment_lines(file):
                if part.tell() >= length:
                    break
                part.write(line)
            part.flush()
            os.fsync(part.fileno())
        # A plain segment counts only once the packed one beside it is gone.
        unfinished.replace(plain)
    if last != plain or not length:
        last.unlink()


def _append_all(source: BinaryIO, path: Path) -> None:
    """Append the rest of an open file to `path`, ending with a newline."""
    last = b""
    with open_to_append(path) as file:
        while part := source.read(_PART):
            file.write(part)
            last = part
        file.write(b"" if last.endswith(b"\n") else b"\n")
        file.flush()
        os.fsync(file.fileno())
