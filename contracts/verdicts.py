"""What a judge is given and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from contracts.errors import VerdictError
from contracts.observables import Observables
from contracts.terms import Contract


@dataclass(frozen=True)
class Evidence:
    """What an episode left behind, as judges see it."""

    observables: Observables
    chat: tuple[tuple[str, str], ...] = ()
    """(speaker, text) in the order spoken."""
    tasks: Mapping[str, str] = field(default_factory=dict)
    """Player -> what that player was asked to do."""

    def reward(self, player: str) -> Fraction:
        """Emeralds that player earned, before transfers. Raises VerdictError when it is not in the evidence."""
        name = f"{player}.reward"
        if name not in self.observables:
            raise VerdictError(f"the evidence has no {name!r}: give every party's reward")
        return self.observables[name]


@dataclass(frozen=True)
class Award:
    """Emeralds that a judge moves; `term` is the transfer's id, or the clause's number for a text-only contract."""

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
    """What a judge found about one term: kept or due, or not, why, and from which values."""

    subject: str
    """Id of the obligation or transfer, a clause's number, or "verdict"."""
    kind: str
    """obligation | transfer | verdict"""
    ok: bool
    """The obligation was kept; the transfer is due; the verdict is readable."""
    party: str
    """Whose obligation it is, or who pays; empty for the verdict as a whole."""
    reason: str
    values: Mapping[str, float] = field(default_factory=dict)
    """Observable -> value that decided it."""


@dataclass(frozen=True)
class Deviation:
    """A transfer for which a judge wants another amount than the typed terms give."""

    term: str
    payer: str
    payee: str
    due: Fraction
    """By the term and what the world shows."""
    claimed: Fraction
    """By the judge."""
    moved: Fraction
    """What was booked: never more than is due."""

    @property
    def kind(self) -> str:
        """`too much` or `too little`."""
        return "too much" if self.claimed > self.due else "too little"

    def plain(self) -> dict[str, Any]:
        """For JSON records."""
        amounts = {"due": float(self.due), "claimed": float(self.claimed), "moved": float(self.moved)}
        return {"term": self.term, "payer": self.payer, "payee": self.payee, "kind": self.kind, **amounts}


@dataclass(frozen=True)
class Verdict:
    """What a judge decides; nothing moves except by `awards`."""

    judge: str
    awards: tuple[Award, ...] = ()
    findings: tuple[TermFinding, ...] = ()
    critique: str = ""
    """What the players are told."""
    readable: bool = True
    """False when a model's answer was no verdict; then there are no awards."""
    raw: str = ""
    """A model's answer as it came, for the record."""
    beside: Verdict | None = None
    """What a second judge found about the same; it moves nothing."""
    agreement: Mapping[str, Any] | None = None
    """How far the two agree: `contracts.agreement.JudgeAgreement.plain()`."""

    faults: tuple[str, ...] = ()
    """What was wrong with each of a model's answers that was no verdict, oldest first: it was asked again after each,
    and the verdict is unreadable when the last one is among them."""
    deviations: tuple[Deviation, ...] = ()
    """Where it differs from the typed terms, in either direction."""

    def __post_init__(self) -> None:
        if not self.readable and self.awards:
            raise VerdictError("an unreadable verdict moves nothing: give it no awards")

    @property
    def breaches(self) -> tuple[TermFinding, ...]:
        """Obligations that were not kept."""
        return tuple(each for each in self.findings if each.kind == "obligation" and not each.ok)

    def plain(self) -> dict[str, Any]:
        """For JSON records."""
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
            **({} if self.beside is None else {"beside": self.beside.plain()}),
            **({} if self.agreement is None else {"agreement": dict(self.agreement)}),
            **({"faults": list(self.faults)} if self.faults else {}),
            **({"deviations": [each.plain() for each in self.deviations]} if self.deviations else {}),
        }


class Judge(Protocol):
    """Turns a contract and what happened into a verdict."""

    name: str

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """The verdict; never raises for what players wrote or a model answered: that is recorded in the verdict."""
