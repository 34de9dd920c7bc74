"""Readers of growing, segmented logs: complete lines from an offset on, and a fingerprint of what was read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from common.segments import Log
from common.text import well_formed_data

FINGERPRINT_BYTES = 512
"""Number of bytes before an offset that identify a file."""
MAX_LINE_BYTES = 64 << 20
"""Maximum length of a line in bytes; longer ones are skipped."""


class Tail:
    """Reader of a growing file of lines."""

    def __init__(self, path: Path, offset: int = 0) -> None:
        """Continue at `offset`, in bytes."""
        self.path = path
        self.offset = offset
        self._log = Log(path)

    def size(self) -> int:
        """Return the size of the file in bytes; 0 if it does not exist."""
        try:
            return self._log.size()
        except OSError:
            return 0

    def fingerprint(self) -> str:
        """Return the fingerprint of the bytes before the offset."""
        try:
            start = max(0, self.offset - FINGERPRINT_BYTES)
            return hashlib.sha256(self._log.read(start, self.offset - start)).hexdigest()
        except OSError:
            return ""

    def read_lines(self, most: int) -> Iterator[tuple[bytes, int, int]]:
        """Yield complete lines with their offsets and lengths, up to about `most` bytes."""
        if self.size() <= self.offset:
            return
        end = self.offset + most
        with closing(self._log.lines(self.offset, MAX_LINE_BYTES)) as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    if len(line) < MAX_LINE_BYTES:
                        return
                    self.offset += len(line)
                    continue
                at, self.offset = self.offset, self.offset + len(line)
                yield line, at, len(line)
                if self.offset >= end:
                    return


def parse_line(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object in a line with well-formed text, or None."""
    try:
        found = _DECODER.decode(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    # Only such an escape can produce half a surrogate pair.
    return well_formed_data(found) if b"\\ud" in line or b"\\uD" in line else found


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
