"""Question to a human player as plain data, which a page shows besides the chat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from contracts.bargaining.messages import TalkAct

QuestionKind = Literal["talk", "table", "terms", "payment", "ready", "play", "life", "turn"]


@dataclass(frozen=True)
class ShownMessage:
    """A message that has reached the player, or that it has sent."""

    speaker: str
    to: tuple[str, ...]
    """The other players on its channel; empty for all."""
    text: str
    act: TalkAct = "say"
    deal: int | None = None


@dataclass(frozen=True)
class ShownDeal:
    """A deal or an offer that the player knows."""

    heading: str
    number: int
    parties: tuple[str, ...]
    text: str
    answers: tuple[str, ...] = ()
    """Lines that answer it."""


@dataclass(frozen=True)
class SeatQuestion:
    """A question to a human player: its state of knowledge, and lines that answer it. Any other line is legal too."""

    kind: QuestionKind
    title: str
    help: tuple[str, ...] = ()
    """Instructions, one per line."""
    context: tuple[str, ...] = ()
    """Lines that the question is about."""
    messages: tuple[ShownMessage, ...] = ()
    deals: tuple[ShownDeal, ...] = ()
    answers: tuple[str, ...] = ()
    """Common answers."""
    audience: tuple[str, ...] = ()
    """Players that can be written to alone, by `to NAME: WORDS`."""
    number: int = 0
    """Number of the question among those of its player, from 1, which an answer on a page names."""
