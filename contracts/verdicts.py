"""Evidence given to a judge, and its verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from common.answers.faults import FaultKind
from contracts.errors import VerdictError
from contracts.observables import Observables
from contracts.terms import Contract


@dataclass(frozen=True)
class Evidence:
    """Record of an episode as shown to judges."""

    observables: Observables
    chat: tuple[tuple[str, str], ...] = ()
    """(speaker, text) in the order spoken."""
    tasks: Mapping[str, str] = field(default_factory=dict)
    """Player -> the player's task."""
    paid: Mapping[str, Fraction] = field(default_factory=dict)
    """Player -> emeralds that it pays by agreements that were made earlier; they bound what a text can move."""

    def reward(self, player: str) -> Fraction:
        """Return the emeralds earned by a player before transfers.

        Raises VerdictError if they are not in the evidence.
        """
        name = f"{player}.reward"
        if name not in self.observables:
            raise VerdictError(f"the evidence has no {name!r}: give every party's reward")
        return self.observables[name]


@dataclass(frozen=True)
class Award:
    """A transfer ordered by a judge; `term` is the transfer's id, or the clause's number of a text contract."""

    term: str
    payer: str
    payee: str
    amount: Fraction

    def __post_init__(self) -> None:
        if self.amount < 0:
            raise VerdictError(f"award for {self.term!r}: {self.amount} is negative")
        if self.payer == self.payee:
            raise VerdictError(f"award for {self.term!r}: {self.payer!r} cannot pay itself")


@dataclass(frozen=True)
class TermFinding:
    """A judge's finding on one term, with reason and values."""

    subject: str
    """Id of the obligation or transfer, a clause's number, or "verdict"."""
    kind: str
    """obligation | transfer | verdict"""
    ok: bool
    """The obligation was kept; the transfer is due; the verdict is readable."""
    party: str
    """Party of the obligation, or payer; empty for the verdict as a whole."""
    reason: str
    values: Mapping[str, float] = field(default_factory=dict)
    """Observable -> value that decided the finding."""


@dataclass(frozen=True)
class Deviation:
    """A transfer for which a judge claims another amount than the typed terms."""

    term: str
    payer: str
    payee: str
    due: Fraction
    """Amount due by the term and the observables."""
    claimed: Fraction
    """Amount claimed by the judge."""
    moved: Fraction
    """Amount booked, never more than due."""

    @property
    def kind(self) -> str:
        """`too much` or `too little`."""
        return "too much" if self.claimed > self.due else "too little"

    def to_dict(self) -> dict[str, Any]:
        """Return the deviation as plain data for JSON records."""
        amounts = {"due": float(self.due), "claimed": float(self.claimed), "moved": float(self.moved)}
        return {"term": self.term, "payer": self.payer, "payee": self.payee, "kind": self.kind, **amounts}


@dataclass(frozen=True)
class Verdict:
    """Decision of a judge; emeralds move only by `awards`."""

    judge: str
    awards: tuple[Award, ...] = ()
    findings: tuple[TermFinding, ...] = ()
    critique: str = ""
    """Text shown to the players."""
    readable: bool = True
    """False if a model's answer was no verdict; then there are no awards."""
    raw: str = ""
    """Raw answer of the model, for the record."""
    beside: Verdict | None = None
    """Verdict of a second judge on the same evidence; it moves nothing."""
    agreement: Mapping[str, Any] | None = None
    """Agreement of the two judges: `contracts.agreement.JudgeAgreement.to_dict()`."""

    faults: tuple[str, ...] = ()
    """Faults of the model's unreadable answers, oldest first.

    The model is asked again after each; the verdict is unreadable if the last answer is among them.
    """
    fault_kinds: tuple[FaultKind, ...] = ()
    """Kinds of these faults."""
    deviations: tuple[Deviation, ...] = ()
    """Differences from the typed terms, in either direction."""

    def __post_init__(self) -> None:
        if not self.readable and self.awards:
            raise VerdictError("an unreadable verdict moves nothing: give it no awards")

    @property
    def breaches(self) -> tuple[TermFinding, ...]:
        """Findings on obligations that were not kept."""
        return tuple(each for each in self.findings if each.kind == "obligation" and not each.ok)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data for JSON records."""
        return {
            "judge": self.judge,
            "readable": self.readable,
            "critique": self.critique,
            "awards": [
                {"term": each.term, "payer": each.payer, "payee": each.payee, "amount": float(each.amount)}
                for each in self.awards
            ],
            "findings": [
                {
                    "subject": each.subject,
                    "kind": each.kind,
                    "ok": each.ok,
                    "party": each.party,
                    "reason": each.reason,
                    "values": dict(each.values),
                }
                for each in self.findings
            ],
            "raw": self.raw,
            **({} if self.beside is None else {"beside": self.beside.to_dict()}),
            **({} if self.agreement is None else {"agreement": dict(self.agreement)}),
            **({"faults": list(self.faults)} if self.faults else {}),
            **({"fault_kinds": list(self.fault_kinds)} if self.fault_kinds else {}),
            **({"deviations": [each.to_dict() for each in self.deviations]} if self.deviations else {}),
        }


class Judge(Protocol):
    """A judge of contracts."""

    name: str

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """Return the verdict; never raises for what players wrote or a model answered: that is recorded in the
        verdict."""
