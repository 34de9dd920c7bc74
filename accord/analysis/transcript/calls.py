"""Texts of model calls, read from calls.jsonl one at a time on demand."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from accord.analysis.transcript.model import TranscriptCall
from common.segments import Log, raw_lines
from common.text import read_json
from dilemmas.errors import RecordError
from voyager_agents.models.parts import PARTS, MessageParts

_HEAD = re.compile(rb'\{"player": ("(?:[^"\\]|\\.)*"), "role": ("(?:[^"\\]|\\.)*"), "number": (\d{1,15})')


def with_tool_calls(text: object, calls: object) -> str:
    """Return a message's text followed by its tool calls, one per line.

    Args:
        text: Text of the message, from a record.
        calls: The message's tool calls, from a record; None without any.
    """
    made = [each for each in calls if isinstance(each, dict)] if isinstance(calls, list) else []
    lines = [f"calls {each.get('name', '')} {each.get('arguments', '')}" for each in made]
    return "\n".join([*([str(text)] if text else []), *lines])


MAX_GAP = 1_000_000
"""Maximum gap in the numbers of recorded calls, so that a number alone cannot take memory."""


class CallTexts:
    """Index of the texts of model calls. It holds a file offset for each call, no text."""

    def __init__(self, path: Path) -> None:
        """Read the file once; a run without one has no texts. Raises RecordError when it cannot be read."""
        self._path = path
        self._log = Log(path)
        self._parts = MessageParts(path.with_name(PARTS))
        self._starts: dict[tuple[str, str], array[int]] = {}
        """(player, role) -> offsets of its calls in the file, by number; -1 for none."""
        self._lines = self._cells = 0
        if path.exists():
            self._index()

    def of(self, call: TranscriptCall) -> dict[str, Any] | None:
        """Return the call's line (`messages`, `reply`, `settings`, `usage`), or None if the record has none.

        Raises:
            RecordError: The file has changed or cannot be read.
        """
        starts = self._starts.get((call.player, call.role), array("q"))
        start = starts[call.number] if call.number < len(starts) else -1
        return None if start < 0 else self._read(start)

    def all_calls(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of all calls in the file's order; a call that was repeated comes once, as its last line.

        Raises:
            RecordError: The file has changed or cannot be read.
        """
        for start in sorted(start for starts in self._starts.values() for start in starts if start >= 0):
            if (found := self._read(start)) is not None:
                yield found

    def _read(self, start: int) -> dict[str, Any] | None:
        try:
            with closing(self._log.lines(start)) as lines:
                found = read_json(next(lines, b"").decode("utf-8"))
            return self._parts.whole(found) if isinstance(found, dict) else None
        except (OSError, ValueError, RecursionError) as error:
            raise RecordError(f"{self._path}: a call cannot be read ({type(error).__name__})") from None

    def _index(self) -> None:
        start = 0
        try:
            for raw in raw_lines(self._path):
                self._note(raw, start)
                start += len(raw)
        except OSError as error:
            raise RecordError(f"cannot read {self._path}: {error.strerror}") from None

    def _note(self, raw: bytes, start: int) -> None:
        head = _HEAD.match(raw)
        if head is None:
            return
        player, role, number = json.loads(head[1]), json.loads(head[2]), int(head[3])
        starts = self._starts.setdefault((player, role), array("q"))
        self._lines += 1
        more = max(0, number + 1 - len(starts))
        if self._cells + more > MAX_GAP + 8 * self._lines:
            return
        self._cells += more
        starts.extend([-1] * more)
        # After an interruption a repeated call replaces the first one.
        starts[number] = start
