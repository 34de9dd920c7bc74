"""A log that is cut into segments while it grows, so that a long run fits on a disk and a tool can open its last piece.

Nothing is lost by a kill at any moment: the full piece is linked as a segment first, then an empty one takes its place
at one stroke, and only what is packed, whole and on the disk, is removed unpacked. `common.segments` reads all states.
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
"""Calls of models are written in parts from this share of a segment on."""
_MB = 1 << 20


@dataclass(frozen=True)
class Keeping:
    """From what sizes on logs are kept otherwise than in plain whole lines; None: never."""

    segment: int | None = SEGMENT_MB * _MB
    """Bytes of the plain piece at which it becomes a segment."""
    parts: int | None = SEGMENT_MB * _MB // PARTS_SHARE
    """Bytes of calls.jsonl from which on repeated parts of prompts are written once, in parts.jsonl."""

    @classmethod
    def chosen(cls) -> Keeping:
        """What the environment says. Raises UsageError."""
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
    """A log of lines, open for appending; close it in the end."""

    def __init__(self, path: Path, limit: int | None) -> None:
        """`limit`: bytes at which the plain piece becomes a segment. What a killed process left is put in order."""
        self.path = path
        self._limit = limit
        self._packing: list[threading.Thread] = []
        self._count = tidy(path)
        self._file: BinaryIO = open_to_append(path)
        self.size = self._file.tell()
        """Bytes of the plain piece."""
        for segment in finished(path):
            if not segment.name.endswith(PACKED):
                self._pack(segment)

    @property
    def cuts(self) -> int:
        """How many segments there are."""
        return self._count

    def append(self, line: str) -> None:
        """Append a line; it has left this process when this returns. Raises RecordError."""
        self.append_raw((well_formed(line) + "\n").encode())

    def append_raw(self, data: bytes) -> None:
        """Append a line with its end, as `append` does. Raises RecordError."""
        try:
            self._file.write(data)
            self._file.flush()
            self.size += len(data)
            if self._limit is not None and self.size >= self._limit:
                self._cut()
        except OSError as error:
            raise RecordError(f"cannot write {self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Close it, when its segments are packed; twice does no harm."""
        self._file.close()
        while self._packing:
            self._packing.pop().join()

    def _cut(self) -> None:
        """The plain piece becomes a segment, and an empty one takes its place."""
        segment = segment_path(self.path, self._count + 1)
        segment.parent.mkdir(exist_ok=True)
        try:
            os.link(self.path, segment)
        except OSError:
            # A file system without links keeps the log in one piece.
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
    """Pack that segment, and remove it unpacked; where there is no room it stays as it is."""
    packed = segment.with_name(segment.name + PACKED)
    unfinished = packed.with_name(f".{packed.name}")
    try:
        with open_plain(segment) as source, unfinished.open("wb") as file:
            while data := source.read(BLOCK):
                # A member ends with the end of a line.
                file.write(pack(data if data.endswith(b"\n") else data + source.readline()))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(packed)
        segment.unlink()
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink()


def replace_by_empty(path: Path) -> None:
    """Put an empty file in the place of that one, at one stroke. Raises OSError."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    Path(name).chmod(0o644)
    Path(name).replace(path)


def tidy(log: Path) -> int:
    """Put in order what a killed process left of the segments of a log; returns how many there are."""
    folder = log.parent / FOLDER
    for left in [*folder.glob(f".{log.stem}-*{PACKED}"), *log.parent.glob(f".{log.name}.*")]:
        left.unlink()
    segments = finished(log)
    for each in segments:
        plain = each.with_name(each.name.removesuffix(PACKED))
        if plain != each:
            # Packed whole: it got its name as the last thing.
            plain.unlink(missing_ok=True)
    if segments and log.exists() and os.path.samefile(segments[-1], log):
        # It was killed between link and cut: the piece is no segment yet.
        segments.pop().unlink()
    return len(segments)
