"""Logs that grow and may be cut into segments: whole lines from an offset on, and whether a log is still the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from common.segments import Log
from common.text import well_formed_data

PRINT = 512
"""Bytes before an offset that tell whether a file is still what it was."""
LONGEST = 64 << 20
"""Bytes of a line; a longer one is passed over."""


class Tail:
    """Reads a file of lines as it grows."""

    def __init__(self, path: Path, offset: int = 0) -> None:
        """`offset`: what was read before, in bytes."""
        self.path = path
        self.offset = offset
        self._log = Log(path)

    def size(self) -> int:
        """Bytes of the file now; 0 where there is none."""
        try:
            return self._log.size()
        except OSError:
            return 0

    def print(self) -> str:
        """The fingerprint of what stands before the offset."""
        try:
            start = max(0, self.offset - PRINT)
            return hashlib.sha256(self._log.read(start, self.offset - start)).hexdigest()
        except OSError:
            return ""

    def read(self, most: int) -> Iterator[tuple[bytes, int, int]]:
        """Whole lines from the offset on, about `most` bytes of them: the line, its offset and its length."""
        if self.size() <= self.offset:
            return
        end = self.offset + most
        with closing(self._log.lines(self.offset, LONGEST)) as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    if len(line) < LONGEST:
                        return
                    self.offset += len(line)
                    continue
                at, self.offset = self.offset, self.offset + len(line)
                yield line, at, len(line)
                if self.offset >= end:
                    return


def parsed(line: bytes) -> dict[str, Any] | None:
    """The JSON object in that line, its text well-formed; None for anything else."""
    try:
        found = _DECODER.decode(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    # Half a surrogate pair can only come from such an escape.
    return well_formed_data(found) if b"\\ud" in line or b"\\uD" in line else found


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
