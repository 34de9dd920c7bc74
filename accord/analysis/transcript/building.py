"""Transcript steps of building together: the drawn plan, and how much of it stands."""

from __future__ import annotations

from collections.abc import Iterable

from accord.analysis.transcript.model import TranscriptStep
from accord.analysis.transcript.transcript_state import TranscriptState
from dilemmas.records import events as log


def plan(event: log.PlanDrawn, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the drawn plan and the size of each part."""
    parts = ", ".join(f"{name} sees {len(part)}" for name, part in event.parts.items())
    size = sum(map(len, event.parts.values()))
    yield state.new_step("", "judged", f"the plan is a {event.plan} of {size} blocks; {parts}", others=state.players)


def building(event: log.BuildingSeen, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the building at the end of an episode; it grows too often for a step each time."""
    if event.t_s is None:
        wrong = event.filled - len(event.right)
        title = f"{len(event.right)} of the plan's {event.blocks} blocks stand, and {wrong} wrong ones"
        yield state.new_step("", "judged", title, others=state.players)
