"""How far two judges agree on the same contract and evidence, term by term, and over many verdicts.

A transfer is judged alike when both move the same emeralds for it, to the cent; a duty when both find it kept, or both
not. Cohen's kappa (1960) is the agreement on yes (kept, moved) and no beyond what chance would give; where a judge
always says the same it is not defined.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from contracts.ledger import CENTS
from contracts.terms import Contract
from contracts.verdicts import Verdict


@dataclass(frozen=True)
class TermAgreement:
    """What both said about one term."""

    term: str
    kind: str
    """obligation | transfer"""
    first: bool
    """Kept, or moved something."""
    second: bool
    emeralds: tuple[float, float] = (0.0, 0.0)
    """What each moves; of a duty nothing."""

    @property
    def equal(self) -> bool:
        """Whether they judged it alike."""
        return self.first == self.second and self.emeralds[0] == self.emeralds[1]


@dataclass(frozen=True)
class JudgeAgreement:
    """How far two judges agreed on a number of terms."""

    judges: tuple[str, str]
    terms: tuple[TermAgreement, ...]
    unreadable: int = 0
    """Verdicts of which one could not be read; their terms count: nothing moved."""

    @property
    def share(self) -> float | None:
        """The share of terms that were judged alike; None without terms."""
        return sum(each.equal for each in self.terms) / len(self.terms) if self.terms else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of yes and no; None where it is not defined."""
        count = len(self.terms)
        if not count:
            return None
        seen = sum(each.first == each.second for each in self.terms)
        yes = sum(each.first for each in self.terms), sum(each.second for each in self.terms)
        # In whole numbers until the end, so that the order of terms cannot matter.
        chance = yes[0] * yes[1] + (count - yes[0]) * (count - yes[1])
        return None if chance == count**2 else (seen * count - chance) / (count**2 - chance)

    @property
    def difference(self) -> float:
        """Emeralds by which they differ, term by term."""
        cents = sum(abs(round(each.emeralds[0] * CENTS) - round(each.emeralds[1] * CENTS)) for each in self.terms)
        return cents / CENTS

    def plain(self) -> dict[str, Any]:
        """For JSON."""
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
    """How far the two judges of a panel agreed; None where only one judged.

    Every transfer of the contract counts, and every duty that both found something about.
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
    """The agreement over all these (as `JudgeAgreement.plain` gives them); None where there are none."""
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
    """What the judge found about the duty; a finding about another party is none about this duty."""
    found = [
        each.ok
        for each in verdict.findings
        if each.kind == "obligation" and each.subject == duty and each.party == party
    ]
    return found[-1] if found else None
