"""Sentences for events of grid games, used by timelines and transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dilemmas.records.events import Event, GridExchanged, GridFault, GridPlanned, GridSocialAct, SocietyChanged


@dataclass(frozen=True)
class ActionSentence:
    """Sentence about one action of a player."""

    step: int
    player: str
    kind: str
    """Kind as in the report's timeline: deed | signal | action | log."""
    text: str
    to: str = ""
    ok: bool = True


_ACTS = {
    "request": "asks to bargain", "met": "bargains", "accept": "accepts", "end": "ends the bargain",
    "message": "says something",
}  # fmt: skip


def sentences_of(event: Event) -> Iterator[ActionSentence]:
    """Return the sentences for an event; none for events of other games."""
    match event:
        case GridExchanged():
            yield ActionSentence(
                event.step, event.taker, "deed", f"picks up {event.resource} of {event.giver}", event.giver
            )
        case GridSocialAct():
            text = f"claims {event.share:g}" if event.share is not None else _ACTS.get(event.act, event.act)
            words = f": {' '.join(map(str, event.words))}" if event.words else ""
            yield ActionSentence(event.step, event.player, "signal", text + words, event.to)
        case GridFault():
            yield ActionSentence(
                event.step, event.player, "log", f"no action, {event.stood_in} stood in: {event.fault}", ok=False
            )
        case GridPlanned():
            yield ActionSentence(event.step, event.player, "log", _plan(event))
        case SocietyChanged():
            yield from _society(event)


def _plan(event: GridPlanned) -> str:
    details = ", ".join(f"{name} {value}" for name, value in event.details.items())
    ended = {"first": "", "done": "the last plan is done"}.get(event.cause, f"{event.cause}: {event.detail}")
    text = f"plans to {event.goal}" + (f" ({details})" if details else "")
    return f"{text}; {ended}" if ended else text


def _society(event: SocietyChanged) -> Iterator[ActionSentence]:
    for player, groups in event.groups.items():
        parts = " and ".join(f"{share:.3g} of group {group}" for group, share in groups.items())
        yield ActionSentence(event.step, player, "action", f"is paid {parts}" if parts else "is in no group")
    for word, edges in (("shows what it sees", event.shows), ("no longer shows what it sees", event.hides)):
        for player, other in edges:
            yield ActionSentence(event.step, player, "action", word, other)
