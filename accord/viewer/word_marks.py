"""Marks of utterances on the page: lies, broken promises and others, as the rules read a record so far.

A sealed run has none, since they would tell what players keep from each other.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from pathlib import Path

from accord.analysis.words.matching import judge_words
from accord.analysis.words.record import KINDS, WordsRecord
from accord.analysis.words.suspects import find_calls
from accord.viewer.scene import short
from accord.viewer.tailing import Tail
from dilemmas.records.events import LogLine
from dilemmas.records.manifest import LOG

STEP_BYTES = 32 << 20
"""Maximum number of bytes of a log that one request reads, so that the page does not wait."""
MAX_MARKED = 20_000
"""Maximum number of utterances with marks."""
_HEAD = re.compile(rb'\{"seq": \d+, "kind": "(\w+)"')
WordMarkRows = dict[int, list[tuple[str, str]]]
"""Offset of a line, in bytes -> (mark, evidence in words) of its statements."""


@dataclass(frozen=True)
class MarkedWords:
    """Marks of a run's utterances."""

    marks: WordMarkRows
    share: float
    """Share of the log that was read, from 0 to 1; below 1 the marks are not yet those of the whole log."""


class WordMarks:
    """Reader of one run's log that marks its utterances; it goes on where it stopped."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._tail = Tail(directory / LOG)
        self._record = WordsRecord(directory=directory)
        self._offsets: dict[int, int] = {}
        self._marks: WordMarkRows = {}
        self._lock = threading.Lock()

    def read(self, most: int = STEP_BYTES) -> MarkedWords:
        """Read on in the log by at most about `most` bytes, and return the marks of all complete lines.

        There are none before the whole log was read once, since later lines decide what earlier words are.
        """
        with self._lock:
            size = self._tail.size()
            if size < self._tail.offset:
                self._tail, self._record = Tail(self._directory / LOG), WordsRecord(directory=self._directory)
                self._offsets, self._marks = {}, {}
            before = self._tail.offset
            if size > before:
                self._read_on(min(most, size - before))
            # An incomplete last line is left for later.
            done = size - before <= most
            if done and self._tail.offset > before:
                self._marks = self._marked()
            return MarkedWords(self._marks, 1.0 if done else self._tail.offset / size)

    def read_all(self) -> MarkedWords:
        """Read the whole log, and return the marks of all complete lines."""
        found = self.read()
        while found.share < 1:
            found = self.read()
        return found

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
