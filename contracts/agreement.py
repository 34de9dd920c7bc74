"""Agreement of two judges on the same contract and evidence, by term and pooled over verdicts.

Two judges agree on a transfer if both move the same emeralds for it, to the cent, and on a duty if both find it kept or
both do not. Cohen's kappa (1960) is the agreement on yes (kept, moved) and no beyond chance; it is undefined if a judge
always gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from common.kappa import cohen_kappa
from contracts.ledger import CENTS
from contracts.terms import Contract
from contracts.verdicts import Verdict


@dataclass(frozen=True)
class TermAgreement:
    """Findings of both judges on one term."""

    term: str
    kind: str
    """obligation | transfer"""
    first: bool
    """True if the duty was kept, or the transfer moved something."""
    second: bool
    emeralds: tuple[float, float] = (0.0, 0.0)
    """Emeralds moved by each judge; zeros for a duty."""

    @property
    def equal(self) -> bool:
        """True if both judged it alike."""
        return self.first == self.second and self.emeralds[0] == self.emeralds[1]


@dataclass(frozen=True)
class JudgeAgreement:
    """Agreement of two judges on a number of terms."""

    judges: tuple[str, str]
    terms: tuple[TermAgreement, ...]
    unreadable: int = 0
    """Verdict pairs with an unreadable one; their terms count as moving nothing."""

    @property
    def share(self) -> float | None:
        """Share of terms judged alike; None without terms."""
        return sum(each.equal for each in self.terms) / len(self.terms) if self.terms else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of yes and no; None if undefined."""
        return cohen_kappa([(each.first, each.second) for each in self.terms])

    @property
    def difference(self) -> float:
        """Sum of the differences in emeralds over all terms."""
        cents = sum(abs(round(each.emeralds[0] * CENTS) - round(each.emeralds[1] * CENTS)) for each in self.terms)
        return cents / CENTS

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as plain data for JSON."""
        return {
            "judges": list(self.judges),
            "compared": len(self.terms),
            "equal": sum(each.equal for each in self.terms),
            "share": self.share,
            "kappa": self.kappa,
            "emeralds": self.difference,
            "unreadable": self.unreadable,
            "terms": [
                {
                    "term": each.term,
                    "kind": each.kind,
                    "first": each.first,
                    "second": each.second,
                    "emeralds": list(each.emeralds),
                    "equal": each.equal,
                }
                for each in self.terms
            ],
        }


def agreement(contract: Contract, verdict: Verdict) -> JudgeAgreement | None:
    """Return the agreement of the two judges of a panel, or None if only one judged.

    Counted are all transfers of the contract and the duties with findings of both judges.
    """
    other = verdict.beside
    if other is None:
        return None
    terms = [_transfer(each.id, verdict, other) for each in contract.transfers]
    for duty in contract.obligations:
        first, second = _kept(duty.id, duty.party, verdict), _kept(duty.id, duty.party, other)
        if first is not None and second is not None:
            terms.append(TermAgreement(duty.id, "obligation", first, second))
    unreadable = int(not (verdict.readable and other.readable))
    return JudgeAgreement((verdict.judge, other.judge), tuple(terms), unreadable)


def pooled(plain: Iterable[Mapping[str, Any]]) -> JudgeAgreement | None:
    """Return the pooled agreement of several (in the form of `JudgeAgreement.to_dict`), or None without any."""
    found = list(plain)
    if not found:
        return None
    terms = tuple(
        TermAgreement(each["term"], each["kind"], each["first"], each["second"], tuple(each["emeralds"]))
        for one in found
        for each in one["terms"]
    )
    judges = found[0]["judges"]
    return JudgeAgreement((judges[0], judges[1]), terms, sum(each["unreadable"] for each in found))


def _transfer(term: str, verdict: Verdict, other: Verdict) -> TermAgreement:
    moved = _moved(term, verdict), _moved(term, other)
    return TermAgreement(term, "transfer", moved[0] > 0, moved[1] > 0, moved)


def _moved(term: str, verdict: Verdict) -> float:
    amount = sum((each.amount for each in verdict.awards if each.term == term), Fraction(0))
    return round(amount * CENTS) / CENTS


def _kept(duty: str, party: str, verdict: Verdict) -> bool | None:
    """Return the judge's finding on a duty of a party, or None without one."""
    found = [
        each.ok
        for each in verdict.findings
        if each.kind == "obligation" and each.subject == duty and each.party == party
    ]
    return found[-1] if found else None
