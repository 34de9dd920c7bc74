"""Bounds on the transfers that a language judge may claim.

With typed terms, a transfer moves at most the amount that the formal judge finds due; claims of less are flagged as
well as claims of more. With text only, each claim must cite a clause whose wording fixes beyond doubt who pays whom how
many emeralds (`contracts.judges.wording`) and stay within it; all payments of one payer stay within its reward. A
clause that cannot be read with certainty moves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from contracts.judges.formal import assess
from contracts.judges.wording import read_clause
from contracts.ledger import CENTS
from contracts.terms import Contract, ContractScope
from contracts.verdicts import Award, Deviation, Evidence, TermFinding


@dataclass(frozen=True)
class Claim:
    """A transfer claimed by a model, not yet checked."""

    clause: str
    payer: str
    payee: str
    amount: float


@dataclass(frozen=True)
class Admitted:
    """Result of checking a judge's claims."""

    awards: tuple[Award, ...]
    findings: tuple[TermFinding, ...]
    deviations: tuple[Deviation, ...] = ()
    """Differences between claims and typed terms."""


@dataclass
class _Budget:
    """Emeralds that may still move: per term or clause and pair, and for text contracts per payer as well."""

    left: dict[tuple[str, ...], Fraction]

    def __post_init__(self) -> None:
        self._whole = dict(self.left)

    def limits(self, key: tuple[str, ...]) -> str:
        """Return the bound and, if earlier claims used part of it, the rest: "12" or "12, of which 5 are left"."""
        whole, left = (float(each.get(key, Fraction(0))) for each in (self._whole, self.left))
        return f"{whole:g}" if whole == left else f"{whole:g}, of which {left:g} are left"

    def take(self, key: tuple[str, ...], amount: Fraction) -> Fraction:
        granted = min(amount, self.left.get(key, Fraction(0)))
        self.left[key] = self.left.get(key, Fraction(0)) - granted
        return granted


def admit(contract: Contract, evidence: Evidence, claims: Sequence[Claim]) -> Admitted:
    """Return the awards that the contract allows, with a finding for each claim and each typed term claimed too low.

    A claim on a typed term is reduced to the amount due. A claim on a text contract that exceeds the clause or the
    payer's reward is refused, since the text does not say which part of it would be right.
    """
    budget = _typed_budget(contract, evidence) if contract.transfers else _text_budget(contract, evidence)
    due = dict(budget.left) if contract.transfers else None
    claimed: dict[tuple[str, ...], Fraction] = {}
    awards: list[Award] = []
    findings: list[TermFinding] = []
    for claim in claims:
        refusal = _refusal(contract, claim)
        amount = Fraction(0) if refusal else Fraction(repr(claim.amount))
        granted = amount
        if not refusal:
            claimed[_pair(claim)] = claimed.get(_pair(claim), Fraction(0)) + amount
        short = "" if refusal else _shortage(contract, budget, claim, amount)
        if not refusal and contract.transfers:
            granted = budget.take(_pair(claim), amount)
        elif not refusal:
            granted = _whole_or_nothing(budget, claim, amount)
        if granted > 0:
            awards.append(Award(claim.clause, claim.payer, claim.payee, granted))
        findings.append(_finding(claim, granted, refusal, short))
    deviations = () if due is None else _deviations(due, claimed, awards)
    findings += [_too_little(each) for each in deviations if each.claimed < each.due]
    return Admitted(tuple(awards), tuple(findings), deviations)


def _deviations(
    due: Mapping[tuple[str, ...], Fraction], claimed: Mapping[tuple[str, ...], Fraction], awards: Sequence[Award]
) -> tuple[Deviation, ...]:
    """Return the terms whose claimed amount differs from the amount due, to the cent."""
    found = []
    for key in dict.fromkeys([*due, *claimed]):
        asked, owed = claimed.get(key, Fraction(0)), due.get(key, Fraction(0))
        if round(asked * CENTS) != round(owed * CENTS):
            moved = sum((each.amount for each in awards if (each.term, each.payer, each.payee) == key), Fraction(0))
            term, payer, payee = key
            found.append(Deviation(term, payer, payee, owed, asked, moved))
    return tuple(found)


def _too_little(found: Deviation) -> TermFinding:
    """Return a finding for each term claimed too low: no bound makes a judge move more than it claims."""
    claimed = f"{float(found.claimed):g} claimed" if found.claimed else "nothing claimed"
    due = f"by what the world shows {float(found.due):g} is due"
    reason = f"{found.payer} -> {found.payee}: {claimed}, too little: {due}"
    return TermFinding(found.term, "transfer", False, found.payer, reason)


def _typed_budget(contract: Contract, evidence: Evidence) -> _Budget:
    due = assess(contract, evidence.observables).awards
    return _Budget({(each.term, each.payer, each.payee): each.amount for each in due})


def _text_budget(contract: Contract, evidence: Evidence) -> _Budget:
    rewards: dict[tuple[str, ...], Fraction] = {
        ("payer", party): max(Fraction(0), evidence.reward(party) - evidence.paid.get(party, Fraction(0)))
        for party in contract.parties
    }
    fixed: dict[tuple[str, ...], Fraction] = {
        (str(number), *pair): amount
        for number, text in contract.clauses.items()
        for pair, amount in read_clause(text, contract.parties).payments.items()
    }
    return _Budget(rewards | fixed)


def _pair(claim: Claim) -> tuple[str, ...]:
    return (claim.clause, claim.payer, claim.payee)


def _whole_or_nothing(budget: _Budget, claim: Claim, amount: Fraction) -> Fraction:
    keys = (_pair(claim), ("payer", claim.payer))
    if any(amount > budget.left.get(key, Fraction(0)) for key in keys):
        return Fraction(0)
    for key in keys:
        budget.take(key, amount)
    return amount


def _refusal(contract: Contract, claim: Claim) -> str:
    """Return why a claim cannot be booked at all, or an empty text if it can."""
    if contract.scope is ContractScope.COORDINATION:
        return "is made on a contract that moves no emeralds: it only says who does what"
    legal = [each.id for each in contract.transfers] or [str(number) for number in contract.clauses]
    if claim.clause not in legal:
        return f"cites {claim.clause!r}, which is not in the contract ({', '.join(legal)})"
    for player in (claim.payer, claim.payee):
        if player not in contract.parties:
            return f"names {player!r}, who is not a party ({', '.join(contract.parties)})"
    if claim.payer == claim.payee:
        return f"lets {claim.payer!r} pay itself"
    if not math.isfinite(claim.amount) or claim.amount < 0:
        return f"has the amount {claim.amount!r}, which is not a number from 0"
    return "" if contract.transfers else _unread(contract, claim)


def _shortage(contract: Contract, budget: _Budget, claim: Claim, amount: Fraction) -> str:
    """Return which bound a claim exceeds (term, payer's reward or clause), or an empty text."""
    if contract.transfers:
        if amount <= budget.left.get(_pair(claim), Fraction(0)):
            return ""
        return f"by what the world shows term {claim.clause!r} gives {budget.limits(_pair(claim))}"
    found = []
    for key, words in (
        (_pair(claim), f"clause {claim.clause} fixes"),
        (("payer", claim.payer), f"{claim.payer} cannot pay more than it earned, which is"),
    ):
        if key in budget.left and amount > budget.left[key]:
            found.append(f"{words} {budget.limits(key)}")
    return " and ".join(found)


def _unread(contract: Contract, claim: Claim) -> str:
    """Return why the cited clause moves nothing between these two players, or an empty text if it does."""
    text = next(text for number, text in contract.clauses.items() if str(number) == claim.clause)
    reading = read_clause(text, contract.parties)
    if not reading.certain:
        form = f"write {f'{claim.payer} pays {claim.payee} 5 emeralds if ...'!r}, or ratify typed terms"
        return f"cites {claim.clause!r}, whose amount cannot be read with certainty: {form}"
    if (claim.payer, claim.payee) in reading.payments:
        return ""
    if not reading.payments:
        return f"cites {claim.clause!r}, which names no payment"
    legal = " and ".join(f"{payer!r} pays {payee!r}" for payer, payee in reading.payments)
    return f"lets {claim.payer!r} pay {claim.payee!r}, but by the clause {legal}"


def _finding(claim: Claim, granted: Fraction, refusal: str, short: str) -> TermFinding:
    who = f"{claim.payer} -> {claim.payee}"
    if refusal:
        return TermFinding(claim.clause, "transfer", False, claim.payer, f"refused, nothing moves: the claim {refusal}")
    if short:
        moves = f"{float(granted):g} moves" if granted else "nothing moves"
        reason = f"{who}: {claim.amount:g} claimed, {moves}: {short}"
        return TermFinding(claim.clause, "transfer", False, claim.payer, reason)
    return TermFinding(claim.clause, "transfer", True, claim.payer, f"{who}: {float(granted):g}")
