"""Events of a contract's life: negotiation, agreement, verdict, transfers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.events.base import EventModel, Json


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
    faults: list[str] = Field(default_factory=list)
    """Names of what was wrong with malformed tries of this turn."""
    raw: list[str] = Field(default_factory=list)
    """Those tries as they came."""


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


class TransferBooked(EventModel):
    """Emeralds that the ledger moved."""

    kind: Literal["transfer"] = "transfer"
    term: str
    payer: str
    payee: str
    amount: float


AgreementEvent = NegotiationTurn | ContractEvent | VerdictGiven | TransferBooked
"""Any event of a contract's life."""
