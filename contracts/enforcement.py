"""Enforcement of a verdict by the agreement's force.

Under a binding agreement all awards of the judge move. Under every other force each payer decides what it pays. An
obligation that the judge finds broken is a breach, and so is a payment that its payer refuses. A decision that could
not be read is neither: nothing moves for it, and it breaches nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, Protocol, runtime_checkable

from contracts.forces import Force
from contracts.ledger import CENTS, settle
from contracts.observables import Number
from contracts.terms import Contract
from contracts.verdicts import Award, Verdict

NO_STAKES: Mapping[str, float] = {}
ESCROW_TERM = "escrow"
"""Term of the transfers by which a deposit is forfeited."""


@dataclass(frozen=True)
class Bill:
    """Payments that one party owes under an agreement that does not bind."""

    contract: Contract
    payer: str
    dues: tuple[Award, ...]
    """Payments due by the judge's verdict, of this payer alone."""
    breached: bool = False
    """True if the judge found an obligation of the payer broken."""
    critique: str = ""
    """The judge's text."""
    remaining: int = 0
    """Number of episodes that follow."""

    @property
    def total(self) -> Fraction:
        """Sum of the payments, in emeralds."""
        return sum((each.amount for each in self.dues), Fraction(0))


@dataclass(frozen=True)
class Payment:
    """One party's decision on its bill."""

    player: str
    paid: tuple[str, ...]
    """Terms that it pays in full."""
    reason: str = ""
    readable: bool = True
    """False if no answer of its model could be read."""
    raw: str = ""
    """A model's answer as it came, for the record."""


@runtime_checkable
class Payer(Protocol):
    """A party that decides on payments."""

    name: str

    async def pay(self, bill: Bill) -> Payment:
        """Return the payments that the party makes."""


@dataclass(frozen=True)
class Breach:
    """A promise that its party broke."""

    party: str
    term: str
    kind: Literal["obligation", "payment"]
    reason: str = ""

    def to_dict(self) -> dict[str, str]:
        """Return the breach as plain data for JSON."""
        return {"party": self.party, "term": self.term, "kind": self.kind, "reason": self.reason}


@dataclass(frozen=True)
class Enforced:
    """Result of enforcing a verdict."""

    verdict: Verdict
    """The verdict with the awards that move: payments made, and forfeited deposits."""
    breaches: tuple[Breach, ...]
    promises: Mapping[str, int]
    """Party -> number of its promises that fell due: obligations with a finding, and payments with a decision."""
    forfeited: Mapping[str, Fraction]
    """Party -> emeralds of its deposit that it lost."""
    unread: tuple[str, ...] = ()
    """Parties whose decision on payments could not be read."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON."""
        return {
            "breaches": [each.to_dict() for each in self.breaches],
            "promises": dict(self.promises),
            "forfeited": {name: float(amount) for name, amount in self.forfeited.items()},
            "unread": list(self.unread),
        }


def bills(contract: Contract, verdict: Verdict, remaining: int = 0) -> tuple[Bill, ...]:
    """Return the bills of an agreement that does not bind, one for each payer, in the order of the parties."""
    if contract.force is Force.BINDING:
        return ()
    faulty = {each.party for each in verdict.breaches}
    found = []
    for payer in contract.parties:
        dues = tuple(each for each in verdict.awards if each.payer == payer and each.amount > 0)
        if dues:
            found.append(Bill(contract, payer, dues, payer in faulty, verdict.critique, remaining))
    return tuple(found)


def enforce(contract: Contract, verdict: Verdict, payments: Iterable[Payment]) -> Enforced:
    """Return what moves under the agreement's force, with the breaches.

    Args:
        contract: The agreement.
        verdict: The judge's verdict on it.
        payments: Decisions on the bills of this verdict; none for a binding agreement.
    """
    decided = {each.player: each for each in payments}
    broken = [Breach(each.party, each.subject, "obligation", each.reason) for each in verdict.breaches]
    promises = dict.fromkeys(contract.parties, 0)
    for finding in verdict.findings:
        if finding.kind == "obligation" and finding.party in promises:
            promises[finding.party] += 1
    if contract.force is Force.BINDING:
        return Enforced(verdict, tuple(broken), promises, {})
    moved: list[Award] = []
    unread = tuple(name for name, each in decided.items() if not each.readable)
    for award in verdict.awards:
        payment = decided.get(award.payer)
        if award.amount == 0 or payment is None or not payment.readable:
            continue
        promises[award.payer] += 1
        if award.term in payment.paid:
            moved.append(award)
        else:
            broken.append(Breach(award.payer, award.term, "payment", payment.reason))
    forfeits = _forfeits(contract, {each.party for each in broken})
    lost: dict[str, Fraction] = {}
    for each in forfeits:
        lost[each.payer] = lost.get(each.payer, Fraction(0)) + each.amount
    settled = replace(verdict, awards=(*moved, *forfeits))
    return Enforced(settled, tuple(broken), promises, lost, unread)


def selfish_payment(bill: Bill, stake: float) -> Payment:
    """Return the decision of a payer that counts emeralds alone.

    Args:
        bill: The bill.
        stake: Emeralds that a breach costs the payer; they are lost already if it broke an obligation.
    """
    pays = not bill.breached and float(bill.total) <= stake
    terms = tuple(each.term for each in bill.dues)
    owed = f"{float(bill.total):g} emeralds are due, and a breach costs {stake:g}"
    return Payment(bill.payer, terms if pays else (), owed + ("; it is lost already" if bill.breached else ""))


def expected_payoffs(
    contract: Contract, verdict: Verdict, rewards: Mapping[str, Number], stakes: Mapping[str, float] = NO_STAKES
) -> dict[str, Fraction]:
    """Return player -> payoff in emeralds if every payer counts emeralds alone.

    Args:
        contract: The agreement.
        verdict: The verdict on the outcome.
        rewards: Player -> emeralds earned.
        stakes: Party -> emeralds that a breach costs it later, under the force `reputation`.
    """
    decisions = [selfish_payment(bill, stake_of(contract, bill.payer, stakes)) for bill in bills(contract, verdict)]
    result = enforce(contract, verdict, decisions)
    payoffs = dict(settle(rewards, result.verdict).payoffs)
    if contract.force is Force.REPUTATION:
        for party in {each.party for each in result.breaches}:
            payoffs[party] -= Fraction(stake_of(contract, party, stakes))
    return payoffs


def stake_of(contract: Contract, party: str, stakes: Mapping[str, float] = NO_STAKES) -> float:
    """Return the emeralds that a breach costs a party: its deposit, or the worth of its reputation."""
    match contract.force:
        case Force.ESCROW:
            return float(contract.deposit)
        case Force.REPUTATION:
            return stakes.get(party, 0.0)
        case _:
            return 0.0


def _forfeits(contract: Contract, faulty: set[str]) -> Sequence[Award]:
    """Return the transfers of forfeited deposits, in whole cents; earlier parties get the odd cents."""
    if contract.force is not Force.ESCROW:
        return ()
    found = []
    for payer in contract.parties:
        if payer not in faulty:
            continue
        others = [name for name in contract.parties if name != payer]
        whole, odd = divmod(contract.deposit * CENTS, len(others))
        for index, payee in enumerate(others):
            found.append(Award(ESCROW_TERM, payer, payee, Fraction(whole + (index < odd), CENTS)))
    return found
