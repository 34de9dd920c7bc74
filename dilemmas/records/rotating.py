"""Log that is split into segments as it grows, so that disks hold long runs and tools can open the current piece.

A kill at any moment loses nothing: the full piece is first linked as a segment, then atomically replaced by an empty
one, and the unpacked segment is removed once the packed one is on disk. `common.segments` reads all states.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from common.plain_files import open_plain, open_to_append
from common.segments import BLOCK, FOLDER, PACKED, finished, pack, segment_path
from common.text import well_formed
from dilemmas.errors import RecordError, UsageError

VARIABLE = "ACCORD_SEGMENT_MB"
SEGMENT_MB = 64
PARTS_SHARE = 16
"""calls.jsonl is written in parts from this fraction (1/N) of a segment on."""
_MB = 1 << 20


@dataclass(frozen=True)
class LogLimits:
    """Sizes in bytes from which logs are split or deduplicated; None means never."""

    segment: int | None = SEGMENT_MB * _MB
    """Size at which the plain piece becomes a segment."""
    parts: int | None = SEGMENT_MB * _MB // PARTS_SHARE
    """Size of calls.jsonl from which repeated prompt parts go to parts.jsonl."""

    @classmethod
    def from_environment(cls) -> LogLimits:
        """Read the limits from the environment.

        Raises:
            UsageError: The variable is not a size.
        """
        said = os.environ.get(VARIABLE, "").strip()
        if not said:
            return cls()
        try:
            size = int(float(said) * _MB)
        except (ValueError, OverflowError):
            size = -1
        if size < 0:
            raise UsageError(f"{VARIABLE}={said}: give the megabytes of a segment, such as 64, or 0 for one plain file")
        return cls(size, size // PARTS_SHARE) if size else cls(None, None)


class RotatingLog:
    """Append-only log of lines, split into segments; close it at the end."""

    def __init__(self, path: Path, limit: int | None) -> None:
        """Open the log and repair what a killed process left.

        Args:
            path: Plain tail of the log.
            limit: Size in bytes at which the tail becomes a segment; None for never.
        """
        self.path = path
        self._limit = limit
        self._packing: list[threading.Thread] = []
        self._count = tidy(path)
        self._file: BinaryIO = open_to_append(path)
        self.size = self._file.tell()
        """Size of the plain tail, in bytes."""
        for segment in finished(path):
            if not segment.name.endswith(PACKED):
                self._pack(segment)

    @property
    def segment_count(self) -> int:
        """Number of segments."""
        return self._count

    def append(self, line: str) -> None:
        """Append a line; it has left this process on return. Raises RecordError."""
        self.append_raw((well_formed(line) + "\n").encode())

    def append_raw(self, data: bytes) -> None:
        """Append a line that includes its newline, as `append` does.

        Raises:
            RecordError: The log cannot be written.
        """
        try:
            self._file.write(data)
            self._file.flush()
            self.size += len(data)
            if self._limit is not None and self.size >= self._limit:
                self._cut()
        except OSError as error:
            raise RecordError(f"cannot write {self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Wait for the packing of segments and close the log; calling it twice is harmless."""
        self._file.close()
        while self._packing:
            self._packing.pop().join()

    def _cut(self) -> None:
        """Turn the plain tail into a segment and start an empty tail."""
        segment = segment_path(self.path, self._count + 1)
        segment.parent.mkdir(exist_ok=True)
        try:
            os.link(self.path, segment)
        except OSError:
            # A file system without hard links keeps the log in one piece.
            self._limit = None
            return
        replace_by_empty(self.path)
        self._file.close()
        self._file = open_to_append(self.path)
        self._count, self.size = self._count + 1, 0
        self._pack(segment)

    def _pack(self, segment: Path) -> None:
        thread = threading.Thread(target=pack_segment, args=(segment,), name=f"packing {segment.name}")
        self._packing = [each for each in self._packing if each.is_alive()]
        self._packing.append(thread)
        thread.start()


def pack_segment(segment: Path) -> None:
    """Pack a segment and remove the unpacked file; if the disk is full, leave it unpacked."""
    packed = segment.with_name(segment.name + PACKED)
    unfinished = packed.with_name(f".{packed.name}")
    try:
        with open_plain(segment) as source, unfinished.open("wb") as file:
            while data := source.read(BLOCK):
                # Blocks end at line ends.
                file.write(pack(data if data.endswith(b"\n") else data + source.readline()))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(packed)
        segment.unlink()
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink()


def replace_by_empty(path: Path) -> None:
    """Atomically replace a file by an empty one. Raises OSError."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    Path(name).chmod(0o644)
    Path(name).replace(path)


def tidy(log: Path) -> int:
    """Repair the segments of a log after a kill, and return their number."""
    folder = log.parent / FOLDER
    for left in [*folder.glob(f".{log.stem}-*{PACKED}"), *log.parent.glob(f".{log.name}.*")]:
        left.unlink()
    segments = finished(log)
    for each in segments:
        plain = each.with_name(each.name.removesuffix(PACKED))
        if plain != each:
            # The final name is given last, so the packed segment is complete.
            plain.unlink(missing_ok=True)
    if segments and log.exists() and os.path.samefile(segments[-1], log):
        # A kill between link and replacement: the tail is not a segment yet.
        segments.pop().unlink()
    return len(segments)
