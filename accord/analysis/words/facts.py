"""Utterances, facts and deals that the log of a run shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ALL: None = None
"""Value of `WorldFact.seen_by` for a fact that every player has seen."""


@dataclass(frozen=True)
class HeardUtterance:
    """Words of one player, and the players whom they reached."""

    line: int
    """Sequence number of its line in the log."""
    episode: int
    """Number of the episode, or of the one that follows."""
    round: int
    """Number of rounds of the episode that were over."""
    speaker: str
    hearers: tuple[str, ...]
    channel: str
    """talk | negotiation | chat | say | shout | whisper | decision | council | clue | vote"""
    text: str
    public: bool = True
    """True if all other players could hear it."""
    deal: int | None = None
    """Number of the deal that it offers or accepts."""
    act: str = ""
    """Act of a typed message: say | offer | accept | decline | withdraw | end | vote."""
    t_s: float | None = None


@dataclass(frozen=True)
class WorldFact:
    """One fact that the log shows."""

    what: str
    """chose | meant | earned | type | holds | mined | paid | attacked | taxed | deal | kept | broke | gave | role |
    works | at | left | took"""
    who: str
    line: int
    episode: int
    round: int = 0
    """Round of the episode that it is about; 0 outside of rounds."""
    value: str = ""
    """Option, item, block, term, state, role, work, or places with spaces between."""
    other: str = ""
    """The other player."""
    number: float | None = None
    seen_by: frozenset[str] | None = ALL
    t_s: float | None = None

    def is_seen_by(self, player: str) -> bool:
        """Return True if the player had seen it."""
        return self.seen_by is None or player in self.seen_by


@dataclass(frozen=True)
class AgreedDeal:
    """A deal as the log has it."""

    number: int
    by: str
    parties: tuple[str, ...]
    secret: bool
    terms: Mapping[str, Any]
    """The contract as plain data."""
    agreed: bool = False
    ended: int | None = None
    """Line of the log with its end; None while it is in force."""
