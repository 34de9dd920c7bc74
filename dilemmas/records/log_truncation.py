"""Shortening the logs of a run that was interrupted to what it goes on from, segments included.

At every moment of it what is left is a log that begins like the old one and holds what is to stay, so that a kill in
the midst of it harms nothing: whoever goes on next cuts again.
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
"""Bytes that are copied at a time."""


def cut(path: Path, keep: int | None, rest: Path | None, limit: int | None = None) -> None:
    """Shorten a log to its first `keep` lines (None: to its whole lines); what is cut off goes to `rest`, a log in
    segments of `limit` bytes. Raises OSError."""
    tidy(path)
    segments = finished(path)
    if keep is not None:
        for number, segment in enumerate(segments, start=1):
            kept, length, whole = _kept(segment, keep)
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
            # The last line that stays was read as an event and lacks nothing but its end.
            log.seek(0, os.SEEK_END)
            log.write(b"\n")
        elif length < log.seek(0, os.SEEK_END):
            if rest is not None:
                log.seek(length)
                _append_all(log, rest)
            log.truncate(length)


def _length(log: BinaryIO, keep: int | None) -> tuple[int, bool]:
    """Bytes of the first `keep` lines that are not empty, as `read_events` counts them (None: of all whole lines), and
    whether the last of them has its end."""
    length = kept = 0
    while keep is None or kept < keep:
        line = log.readline()
        if not line.endswith(b"\n"):
            return length, keep is None or not line
        length += len(line)
        kept += line != b"\n"
    return length, True


def _kept(segment: Path, keep: int) -> tuple[int, int, bool]:
    """Of the first `keep` lines that are not empty: how many are in this segment, their bytes, whether they are all."""
    kept = length = 0
    with open_segment(segment) as file:
        for line in segment_lines(file):
            if kept == keep:
                return kept, length, False
            kept += line != b"\n"
            length += len(line)
    return kept, length, True


def _move(segments: list[Path], path: Path, skip: int, rest: Path, limit: int | None) -> None:
    """Append to `rest` what these segments and the last piece hold after their first bytes."""
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
    """Remove all after the first bytes of that segment, from the end on."""
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
        # Beside a packed segment it counts only when that is gone.
        unfinished.replace(plain)
    if last != plain or not length:
        last.unlink()


def _append_all(source: BinaryIO, path: Path) -> None:
    """Append what is left of an open file to another one, which ends with the end of a line then."""
    last = b""
    with open_to_append(path) as file:
        while part := source.read(_PART):
            file.write(part)
            last = part
        file.write(b"" if last.endswith(b"\n") else b"\n")
        file.flush()
        os.fsync(file.fileno())
