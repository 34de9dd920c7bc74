"""Events of talks on channels, of deals, and of how agreements are enforced."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from common.answers.faults import FaultKind
from dilemmas.records.events.base import EventModel, EventPart, Json, is_empty
from dilemmas.records.events.episode import Holdings


class TalkMessageSent(EventModel):
    """A message on a channel (`contracts.bargaining.talk.TalkEntry`). It has reached the players in `arrives` alone."""

    kind: Literal["talk"] = "talk"
    number: int
    round: int
    """Round of talk, from 1."""
    speaker: str
    members: list[str]
    """Players on the channel, the speaker included."""
    channel: Literal["public", "pairwise", "group"]
    act: Literal["say", "offer", "accept", "decline", "withdraw", "end", "pass"]
    message: str
    thought: str = ""
    deal: int | None = None
    """Number of the deal that the act is about."""
    arrives: dict[str, int] = Field(default_factory=dict)
    """Hearer -> round of talk in which the message reaches it."""
    faults: list[str] = Field(default_factory=list, exclude_if=is_empty)
    """Names of the errors in the malformed attempts."""
    fault_kinds: list[FaultKind] = Field(default_factory=list, exclude_if=is_empty)
    raw: list[str] = Field(default_factory=list, exclude_if=is_empty)


class DealChanged(EventModel):
    """A change of a deal; `entry` has the shape of `contracts.bargaining.deals.DealEntry.to_dict`."""

    kind: Literal["deal"] = "deal"
    entry: Json


class TalkEnded(EventModel):
    """The end of a talk. A resumed run goes on from here."""

    kind: Literal["talk_ended"] = "talk_ended"
    in_force: list[int]
    """Numbers of the deals in force, in the order in which they are judged."""


class PaymentDecided(EventModel):
    """A payer's decision on what it owes under an agreement that does not bind."""

    kind: Literal["payment"] = "payment"
    player: str
    due: dict[str, float]
    """Term -> emeralds that are due."""
    paid: list[str]
    """Terms that it pays."""
    deal: int | None = None
    """Number of the deal; None for the contract of all players."""
    reason: str = ""
    readable: bool = True
    """False if no answer of its model could be read; nothing is paid then, and nothing is broken."""
    raw: str = ""


class BreachFound(EventPart):
    """A promise that its party broke."""

    party: str
    term: str
    kind: Literal["obligation", "payment"]
    reason: str = ""


class AgreementEnforced(EventModel):
    """Result of enforcing an agreement by its force (`contracts.enforcement.Enforced`)."""

    kind: Literal["enforced"] = "enforced"
    force: Literal["binding", "escrow", "reputation", "cheap-talk"]
    deal: int | None = None
    breaches: list[BreachFound] = Field(default_factory=list)
    promises: dict[str, int] = Field(default_factory=dict)
    """Party -> number of its promises that fell due."""
    deposited: dict[str, float] = Field(default_factory=dict, exclude_if=is_empty)
    """Party -> emeralds in escrow; what is not forfeited went back."""
    forfeited: dict[str, float] = Field(default_factory=dict)
    unread: list[str] = Field(default_factory=list, exclude_if=is_empty)


class PeriodSettled(EventModel):
    """The end of a period between two talks of an episode, on which the deals in force are judged next."""

    kind: Literal["period_settled"] = "period_settled"
    played: int
    """Number of rounds played."""
    players: dict[str, Holdings]
    """Player -> what it holds, and what it has mined, done and earned in the period."""
    chest: dict[str, int]


class TalksVoided(EventModel):
    """The end of a broken attempt at an episode, whose talks and deals are void."""

    kind: Literal["talks_voided"] = "talks_voided"
    entries: int
    """Number of changes of deals in the run that stand."""
    messages: int
    """Number of messages in the run that stand."""


BargainingEvent = (
    TalkMessageSent | DealChanged | TalkEnded | PaymentDecided | AgreementEnforced | PeriodSettled | TalksVoided
)
"""Any event of talks and deals."""
