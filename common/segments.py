"""Logs in segments: `events.jsonl` grows, and earlier lines lie beside it in finished, packed segments.

    events.jsonl                        the last piece, plain; of a small log all of it
    segments/events-00001.jsonl.gz      the first segment, packed
    segments/events-00002.jsonl         a segment that is not packed yet

A segment ends with a whole line. A packed segment is a gzip file (`zcat` reads it) of members of about one megabyte of
whole lines. The header of a member holds its length, so that any offset is found without unpacking the members before
it. Offsets are those of the unsegmented plain file; cutting and packing do not change them.
"""

from __future__ import annotations

import errno
import io
import os
import re
import struct
import zlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

from isal import isal_zlib

from common.plain_files import MAX_LINE, PlainFileError, is_folder, open_plain, plain_lines

FOLDER = "segments"
PACKED = ".gz"
BLOCK = 1 << 20
"""Approximate bytes of lines in a member."""
LEVEL = 2
"""isal's compression level, 0 to 3; level 2 takes a quarter of zlib's fastest time and gives fewer bytes."""
_HEAD = struct.Struct("<4sIBBH2sHII")
"""gzip's header with an extra field of eight bytes: packed and unpacked size of the member."""
_MAGIC, _MARK = b"\x1f\x8b\x08\x04", b"AC"
_FOOT = struct.Struct("<II")
MAX_HELD = BLOCK + MAX_LINE
"""Maximum unpacked bytes of a member: a block and the rest of its last line."""
TRIES = 100
"""Attempts to open a log that another process is cutting."""


class SegmentBlock(NamedTuple):
    """A member of a packed segment."""

    at: int
    """Offset in the segment's file, in bytes."""
    size: int
    """Packed size in bytes."""
    holds: int
    """Unpacked size in bytes."""


def segment_path(log: Path, number: int) -> Path:
    """Return the path of a log's unpacked segment; `number` counts from 1."""
    return log.parent / FOLDER / f"{log.stem}-{number:05d}{log.suffix}"


def pack(data: bytes) -> bytes:
    """Return a gzip member of these bytes."""
    deflate = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, -isal_zlib.MAX_WBITS)
    body = deflate.compress(data) + deflate.flush()
    size = _HEAD.size + len(body) + _FOOT.size
    head = _HEAD.pack(_MAGIC, 0, 0, 255, 12, _MARK, 8, size, len(data))
    return head + body + _FOOT.pack(zlib.crc32(data), len(data) & 0xFFFFFFFF)


def blocks(file: BinaryIO) -> Iterator[SegmentBlock]:
    """Yield the members of a packed segment from their headers. Raises OSError for a file of another form."""
    at, end = 0, file.seek(0, os.SEEK_END)
    while at < end:
        file.seek(at)
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            raise _broken(file)
        magic, _, _, _, _, mark, _, size, holds = _HEAD.unpack(head)
        if magic != _MAGIC or mark != _MARK or size <= _HEAD.size or at + size > end:
            raise _broken(file)
        if max(size, holds) > MAX_HELD:
            # No writer makes such a member; unpacking it would exhaust the memory.
            raise _broken(file)
        yield SegmentBlock(at, size, holds)
        at += size


def unpack(file: BinaryIO, block: SegmentBlock) -> bytes:
    """Return the unpacked bytes of a member. Raises OSError if it is damaged."""
    file.seek(block.at)
    raw = file.read(block.size)
    try:
        data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(raw[_HEAD.size : -_FOOT.size], block.holds + 1)
    except zlib.error:
        raise _broken(file) from None
    if len(data) != block.holds or _FOOT.pack(zlib.crc32(data), len(data) & 0xFFFFFFFF) != raw[-_FOOT.size :]:
        raise _broken(file)
    return data


def _broken(file: BinaryIO) -> OSError:
    return PlainFileError(errno.EINVAL, "it is no segment of a log, or a damaged one", str(file.name))


def finished(log: Path) -> list[Path]:
    """Return the segments of a log in order; of a segment that exists plain and packed, the packed one.

    Raises OSError if one is missing.
    """
    named = re.compile(re.escape(log.stem) + r"-(\d{5,})" + re.escape(log.suffix) + f"(?:{re.escape(PACKED)})?")
    folder = log.parent / FOLDER
    if folder.is_symlink() and not is_folder(folder):
        raise PlainFileError(errno.EINVAL, "it is a link, which is not followed out of its folder", str(folder))
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    numbers = {int(found[1]) for name in names if (found := named.fullmatch(name))}
    there = set(names)
    paths = []
    for number in range(1, len(numbers) + 1):
        plain = segment_path(log, number)
        if number not in numbers:
            raise FileNotFoundError(errno.ENOENT, "a segment of the log is missing", str(plain))
        packed = plain.with_name(plain.name + PACKED)
        paths.append(packed if packed.name in there else plain)
    return paths


@dataclass(frozen=True)
class Snapshot:
    """The state of a log at one moment; a context manager."""

    segments: list[Path]
    tail: BinaryIO
    """The last piece, opened."""

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(self, *_: object) -> None:
        self.tail.close()


def snapshot(log: Path) -> Snapshot:
    """Return all pieces of a log, each once, even while another process cuts it.

    Raises OSError.
    """
    for _ in range(TRIES):
        tail = open_plain(log)
        try:
            own = os.fstat(tail.fileno())
            segments = finished(log)
            if os.path.samestat(own, log.stat()):
                return Snapshot([each for each in segments if not _is(each, own)], tail)
        except BaseException:
            tail.close()
            raise
        # The log was cut between the two looks.
        tail.close()
    raise OSError(errno.EBUSY, "it is cut into segments again and again", str(log))


def _is(segment: Path, tail: os.stat_result) -> bool:
    """Return whether a segment is still the last piece as well: cutting links it before the new piece exists."""
    try:
        return os.path.samestat(segment.stat(), tail)
    except FileNotFoundError:
        # Packed in the meantime, so it is not the last piece.
        return False


def open_segment(path: Path) -> BinaryIO:
    """Open a segment, or its packed form if it was packed in the meantime. Raises OSError."""
    try:
        return open_plain(path)
    except FileNotFoundError:
        if path.name.endswith(PACKED):
            raise
        return open_plain(path.with_name(path.name + PACKED))


def is_packed(file: BinaryIO) -> bool:
    """Return whether an open segment is packed."""
    return str(file.name).endswith(PACKED)


def raw_lines(log: Path) -> Generator[bytes]:
    """Yield the lines of a log with their line feeds, one at a time. Raises OSError."""
    with snapshot(log) as pieces:
        for path in pieces.segments:
            with open_segment(path) as file:
                yield from segment_lines(file)
        yield from plain_lines(pieces.tail)


def segment_lines(file: BinaryIO) -> Generator[bytes]:
    """Yield the lines of an open segment."""
    if not is_packed(file):
        yield from plain_lines(file)
        return
    for block in list(blocks(file)):
        yield from io.BytesIO(unpack(file, block))


class Log:
    """Random access to a log that may still grow. Threads may share one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._blocks: dict[tuple[str, int, int], list[SegmentBlock]] = {}
        """Members of packed segments seen so far, by name, inode and size."""
        self._held: tuple[tuple[str, int, int], int, bytes] | None = None
        """The member unpacked last: segment, index and bytes."""

    def size(self) -> int:
        """Return the bytes of all lines; 0 if there is no log. Raises OSError if a segment is missing."""
        try:
            with snapshot(self.path) as pieces:
                before = sum(self._length(each) for each in pieces.segments)
                return before + os.fstat(pieces.tail.fileno()).st_size
        except FileNotFoundError:
            if self.path.exists():
                raise
            return 0

    def lines(self, offset: int, longest: int = MAX_LINE) -> Generator[bytes]:
        """Yield the lines from an offset on; the last one may lack its line feed.

        Lines of more than `longest` bytes come in pieces. Raises OSError.
        """
        with snapshot(self.path) as pieces:
            for segment in pieces.segments:
                length = self._length(segment)
                if offset < length:
                    yield from self._segment_lines(segment, offset, longest)
                offset = max(0, offset - length)
            pieces.tail.seek(offset)
            yield from iter(lambda: pieces.tail.readline(longest), b"")

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes from `offset` on. Raises OSError."""
        found = bytearray()
        lines = self.lines(offset, max(length, 1))
        for line in lines:
            found += line
            if len(found) >= length:
                break
        lines.close()
        return bytes(found[:length])

    def _length(self, segment: Path) -> int:
        with open_segment(segment) as file:
            if not is_packed(file):
                return os.fstat(file.fileno()).st_size
            return sum(each.holds for each in self._of(file)[1])

    def _of(self, file: BinaryIO) -> tuple[tuple[str, int, int], list[SegmentBlock]]:
        about = os.fstat(file.fileno())
        key = (str(file.name), about.st_ino, about.st_size)
        if key not in self._blocks:
            self._blocks[key] = list(blocks(file))
        return key, self._blocks[key]

    def _segment_lines(self, segment: Path, offset: int, longest: int) -> Generator[bytes]:
        with open_segment(segment) as file:
            if not is_packed(file):
                file.seek(offset)
                yield from iter(lambda: file.readline(longest), b"")
                return
            key, members = self._of(file)
            for block in members:
                if offset < block.holds:
                    inside = io.BytesIO(self._unpacked(key, file, block))
                    inside.seek(offset)
                    yield from iter(partial(inside.readline, longest), b"")
                offset = max(0, offset - block.holds)

    def _unpacked(self, key: tuple[str, int, int], file: BinaryIO, block: SegmentBlock) -> bytes:
        held = self._held
        if held is None or held[:2] != (key, block.at):
            held = self._held = (key, block.at, unpack(file, block))
        return held[2]
