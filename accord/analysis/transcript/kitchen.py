"""Transcript steps of kitchens: work of the cooks, and soups served."""

from __future__ import annotations

from collections.abc import Iterable

from accord.analysis.transcript.model import TranscriptStep
from accord.analysis.transcript.transcript_state import TranscriptState
from dilemmas.records import events as log


def work(event: log.WorkDone, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a gift of one cook to another; other work shows in the calls of primitives."""
    if event.act == "give":
        yield state.new_step(event.player, "did", event.text, others=(event.to,))


def soup(event: log.SoupServed, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return soups that the guests took."""
    title = f"the guests take soup from the counter: {event.total} served so far"
    yield state.new_step("", "judged", title, others=state.players)
