"""Marks of utterances on the page: lies, broken promises and others, as the rules read a record so far.

A sealed run has none, since they would tell what players keep from each other.
"""

from __future__ import annotations

import re
import threading
from pathlib import Path

from accord.analysis.words.matching import judge_words
from accord.analysis.words.record import KINDS, WordsRecord
from accord.analysis.words.suspects import find_calls
from accord.viewer.scene import short
from accord.viewer.tailing import Tail
from dilemmas.records.events import LogLine
from dilemmas.records.manifest import LOG

MAX_LOG_BYTES = 128 << 20
"""Maximum size of a log whose words are marked, so that the page does not wait."""
MAX_MARKED = 20_000
"""Maximum number of utterances with marks."""
_HEAD = re.compile(rb'\{"seq": \d+, "kind": "(\w+)"')
WordMarkRows = dict[int, list[tuple[str, str]]]
"""Offset of a line, in bytes -> (mark, evidence in words) of its statements."""


class WordMarks:
    """Reader of one run's log that marks its utterances; it goes on where it stopped."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._tail = Tail(directory / LOG)
        self._record = WordsRecord(directory=directory)
        self._offsets: dict[int, int] = {}
        self._marks: WordMarkRows = {}
        self._lock = threading.Lock()

    def read(self) -> WordMarkRows:
        """Return the marks of all complete lines."""
        with self._lock:
            size = self._tail.size()
            if size > MAX_LOG_BYTES:
                return {}
            if size < self._tail.offset:
                self._tail, self._record = Tail(self._directory / LOG), WordsRecord(directory=self._directory)
                self._offsets, self._marks = {}, {}
            if size > self._tail.offset:
                before = self._tail.offset
                self._read_on(size - before)
                if self._tail.offset > before:
                    self._marks = self._marked()
            return self._marks

    def _read_on(self, most: int) -> None:
        for raw, offset, _ in self._tail.read_lines(most):
            head = _HEAD.match(raw)
            if head is not None and head[1].decode() not in KINDS:
                continue
            try:
                line = LogLine.read(raw.rstrip(b"\n"))
                self._record.add_line(line)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                continue
            self._offsets[line.seq] = offset

    def _marked(self) -> WordMarkRows:
        found: WordMarkRows = {}
        for each in judge_words(self._record).statements:
            offset = self._offsets.get(each.utterance.line)
            if offset is not None and (offset in found or len(found) < MAX_MARKED):
                knowingly = each.mark == "false accusation" and each.truth.known
                mark = f"{each.mark}, knowingly" if knowingly else each.mark
                found.setdefault(offset, []).append((mark, short(each.truth.why)))
        for call in find_calls(self._record):
            offset = self._offsets.get(call.utterance.line)
            if offset is not None and (offset in found or len(found) < MAX_MARKED):
                found.setdefault(offset, []).append((call.kind, short(call.why)))
        return found
