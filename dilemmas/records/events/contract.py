"""Events of a contract's life cycle: negotiation, agreement, verdict, transfers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from common.answers.faults import FaultKind
from dilemmas.records.events.base import EventModel, Json, is_absent, is_empty


class NegotiationTurn(EventModel):
    """One turn of the negotiation."""

    kind: Literal["negotiation"] = "negotiation"
    turn: int
    speaker: str
    message: str
    thought: str = ""
    offer: Json | None = None
    """The offered contract as plain data."""
    accepts: bool = False
    of: int | None = None
    """Turn of the accepted proposal."""
    faults: list[str] = Field(default_factory=list)
    """Names of the errors in this turn's malformed attempts."""
    raw: list[str] = Field(default_factory=list)
    """Text of these attempts."""
    fault_kinds: list[FaultKind] = Field(default_factory=list, exclude_if=is_empty)
    """Kinds of these errors."""


class TermsTyped(EventModel):
    """The agreed text was converted into typed terms for the parties to ratify."""

    kind: Literal["terms_typed"] = "terms_typed"
    number: int
    """Number of the attempt, from 1."""
    terms: Json | None
    """The contract with its terms; None if the conversion failed."""
    sheet: str = ""
    """Text shown to the parties: the terms and their transfers in example outcomes."""
    fault: str = ""
    """Reason for missing terms."""
    raw: str = ""
    """The typist's raw answer; empty if a party wrote the terms itself."""
    faults: list[str] = Field(default_factory=list, exclude_if=is_empty)
    """Errors in the typist's unusable answers; the model was asked again after each."""
    fault_kinds: list[FaultKind] = Field(default_factory=list, exclude_if=is_empty)
    """Kinds of these errors."""
    deal: int | None = Field(default=None, exclude_if=is_absent)
    """Number of the deal; None for the contract of all players."""


class TermsRatified(EventModel):
    """A party's decision to ratify the terms or not."""

    kind: Literal["terms_ratified"] = "terms_ratified"
    number: int
    player: str
    ratified: bool
    reason: str = ""
    raw: str = ""
    deal: int | None = Field(default=None, exclude_if=is_absent)
    """Number of the deal; None for the contract of all players."""


class ContractEvent(EventModel):
    """A change of the contract's state; `contract` has the shape of `contracts.contract_as_mapping`."""

    kind: Literal["contract"] = "contract"
    state: Literal["none", "proposed", "agreed", "failed", "judged", "settled"]
    contract: Json | None
    reason: str = ""


class VerdictGiven(EventModel):
    """The judge's verdict, in the shape of `contracts.Verdict`."""

    kind: Literal["verdict"] = "verdict"
    judge: str
    readable: bool
    critique: str
    awards: list[Json]
    findings: list[Json]
    raw: str
    transfers: dict[str, float]
    """Player -> net emeralds received, as booked by the ledger."""
    beside: Json | None = None
    """Verdict of a second judge, which moves nothing."""
    agreement: Json | None = None
    """Agreement between the two judges (`contracts.agreement.JudgeAgreement`)."""
    faults: list[str] = Field(default_factory=list, exclude_if=is_empty)
    """Errors in a model's unusable answers; the model was asked again after each."""
    fault_kinds: list[FaultKind] = Field(default_factory=list, exclude_if=is_empty)
    """Kinds of these errors."""
    deviations: list[Json] = Field(default_factory=list, exclude_if=is_empty)
    """Differences between the judge's amounts and those of the typed terms (`contracts.verdicts.Deviation`)."""
    deal: int | None = Field(default=None, exclude_if=is_absent)
    """Number of the deal; None for the contract of all players."""


class TransferBooked(EventModel):
    """A transfer of emeralds booked by the ledger."""

    kind: Literal["transfer"] = "transfer"
    term: str
    payer: str
    payee: str
    amount: float
    deal: int | None = Field(default=None, exclude_if=is_absent)
    """Number of the deal by which it moves; None for the contract of all players."""


AgreementEvent = NegotiationTurn | TermsTyped | TermsRatified | ContractEvent | VerdictGiven | TransferBooked
"""Any event of a contract's life cycle."""
