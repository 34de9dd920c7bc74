"""Events of a contract's life: negotiation, agreement, verdict, transfers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, Json


def _nothing(value: list[object]) -> bool:
    """Whether there is nothing to tell: such a field is left out, and older records read the same."""
    return not value


class NegotiationTurn(EventModel):
    """One turn of the negotiation."""

    kind: Literal["negotiation"] = "negotiation"
    turn: int
    speaker: str
    message: str
    thought: str = ""
    offer: Json | None = None
    """The contract offered, as plain data."""
    accepts: bool = False
    of: int | None = None
    """The turn of the proposal that it accepts."""
    faults: list[str] = Field(default_factory=list)
    """Names of what was wrong with malformed tries of this turn."""
    raw: list[str] = Field(default_factory=list)
    """Those tries as they came."""


class TermsTyped(EventModel):
    """The agreed text was turned into terms, for the parties to ratify."""

    kind: Literal["terms_typed"] = "terms_typed"
    number: int
    """Which try, from 1."""
    terms: Json | None
    """The contract with its terms; None when it could not be typed."""
    sheet: str = ""
    """What the parties were shown: the terms, and what they would move in example outcomes."""
    fault: str = ""
    """Why there are no terms."""
    raw: str = ""
    """The typist's answer as it came; empty where a party wrote the terms itself."""


class TermsRatified(EventModel):
    """A party ratified those terms, or did not."""

    kind: Literal["terms_ratified"] = "terms_ratified"
    number: int
    player: str
    ratified: bool
    reason: str = ""
    raw: str = ""


class ContractEvent(EventModel):
    """The contract reached a state of its life; `contract` is what `contracts.contract_as_mapping` gives."""

    kind: Literal["contract"] = "contract"
    state: Literal["none", "proposed", "agreed", "failed", "judged", "settled"]
    contract: Json | None
    reason: str = ""


class VerdictGiven(EventModel):
    """The judge's verdict: `contracts.Verdict.plain()`."""

    kind: Literal["verdict"] = "verdict"
    judge: str
    readable: bool
    critique: str
    awards: list[Json]
    findings: list[Json]
    raw: str
    transfers: dict[str, float]
    """Player -> emeralds received less emeralds paid, as the ledger booked them."""
    beside: Json | None = None
    """The verdict of a second judge, which moved nothing."""
    agreement: Json | None = None
    """How far the two judges agree: `contracts.agreement.JudgeAgreement.plain()`."""
    faults: list[str] = Field(default_factory=list, exclude_if=_nothing)
    """What was wrong with each answer of a model that was no verdict; it was asked again after each."""
    deviations: list[Json] = Field(default_factory=list, exclude_if=_nothing)
    """Where the judge wants another amount than the typed terms give: `contracts.verdicts.Deviation.plain()`."""


class TransferBooked(EventModel):
    """Emeralds that the ledger moved."""

    kind: Literal["transfer"] = "transfer"
    term: str
    payer: str
    payee: str
    amount: float


AgreementEvent = NegotiationTurn | TermsTyped | TermsRatified | ContractEvent | VerdictGiven | TransferBooked
"""Any event of a contract's life."""
