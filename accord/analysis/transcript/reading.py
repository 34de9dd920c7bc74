"""Reading of a run's log into transcript steps, in one pass; memory does not grow with the log."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from pathlib import Path

from accord.analysis.transcript.event_handlers import EVENT_HANDLERS
from accord.analysis.transcript.model import StepFilter, TranscriptStep
from accord.analysis.transcript.transcript_state import TranscriptState
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events

LOG = "events.jsonl"
OWN = frozenset(
    {"action", "inventory", "log", "model_call", "shown", "mind_step", "policy_written", "policy_ended", "slot",
     "choice", "act_began", "act_ended", "mind"}
)  # fmt: skip
"""Kinds of events that concern only their own player."""
_WHOSE = re.compile(rb'[^{]*\{[^{]*\{(?:"t_s": (?:null|[-+.\deE]+), )?"(?:player|bot)": "([^"\\]*)"')
"""Pattern of the player at the start of an event's line."""


def read_steps(
    directory: Path,
    wanted: StepFilter | None = None,
    see: Callable[[LogLine], None] | None = None,
    players: Container[str] | None = None,
) -> Iterator[TranscriptStep]:
    """Yield the selected steps of a run in order.

    Args:
        directory: The run's directory.
        wanted: Selection of steps.
        see: Function that is called with each line that was read.
        players: Players of interest; most lines that concern none of them are skipped unread.

    Raises:
        RecordError: The log cannot be read.
    """
    takes = (wanted or StepFilter()).takes
    state, others = TranscriptState(), _Others(players)
    for line in read_events(directory / LOG, only=EVENT_HANDLERS, but=others.has if players is not None else None):
        state.next_line(line)
        others.last = b""
        if see is not None:
            see(line)
        for step in EVENT_HANDLERS[line.kind](line.event, state) if line.kind in EVENT_HANDLERS else ():
            if takes(step):
                yield step
    if (end := others.end()) is not None:
        state.next_line(end)
    # A killed run has no end; its pending steps are still reported.
    for step in (*state.take_all_actions(), *state.unclaimed_calls()):
        if takes(step):
            yield step


class _Others:
    """Filter of the lines of other players, which are most of a crowd's log."""

    def __init__(self, players: Container[str] | None) -> None:
        self._players = players or ()
        self.last = b""
        """Last skipped line, if no line was read since."""

    def has(self, kind: str, raw: bytes) -> bool:
        """Return whether the line belongs to another player."""
        if kind not in OWN or (found := _WHOSE.match(raw)) is None or found[1].decode() in self._players:
            return False
        if raw.endswith(b"}}\n"):
            self.last = raw
        return True

    def end(self) -> LogLine | None:
        """Return the log's last line if it was skipped, so that pending steps end at its place."""
        return LogLine.read(self.last[:-1]) if self.last else None
