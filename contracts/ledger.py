"""The ledger: a verdict moves emeralds between players, in whole cents, so that every sum is exactly zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from contracts.errors import VerdictError
from contracts.observables import Number, exact
from contracts.verdicts import Verdict

CENTS = 100
"""Cents in an emerald; a cent is the smallest amount that moves."""


@dataclass(frozen=True)
class LedgerEntry:
    """A booked transfer."""

    term: str
    payer: str
    payee: str
    amount: Fraction
    """Emeralds, in whole cents."""


@dataclass(frozen=True)
class Settlement:
    """Accounts at the end of an episode; transfers sum to zero, payoffs to the rewards."""

    entries: tuple[LedgerEntry, ...]
    rewards: Mapping[str, Fraction]
    transfers: Mapping[str, Fraction]
    """Player -> emeralds received minus emeralds paid."""
    payoffs: Mapping[str, Fraction]
    """Player -> reward plus transfer; may be negative, since a contract binds a player that earned too little."""

    def to_dict(self) -> dict[str, Any]:
        """Return the settlement as plain data for JSON records."""
        return {
            "entries": [
                {"term": each.term, "payer": each.payer, "payee": each.payee, "amount": float(each.amount)}
                for each in self.entries
            ],
            "rewards": {name: float(value) for name, value in self.rewards.items()},
            "transfers": {name: float(value) for name, value in self.transfers.items()},
            "payoffs": {name: float(value) for name, value in self.payoffs.items()},
        }


def settle(rewards: Mapping[str, Number], verdict: Verdict | None) -> Settlement:
    """Book the verdict's awards against these rewards; without a verdict (no contract) nothing moves.

    Amounts are rounded to the nearest cent, halves to even. Raises VerdictError for an award to or from an unknown
    player.
    """
    earned = {name: exact(value, f"reward of {name}") for name, value in rewards.items()}
    transfers = dict.fromkeys(earned, Fraction(0))
    entries = []
    for award in verdict.awards if verdict else ():
        for player in (award.payer, award.payee):
            if player not in earned:
                raise VerdictError(
                    f"award for {award.term!r}: {player!r} has no account: players are {', '.join(earned)}"
                )
        amount = Fraction(round(award.amount * CENTS), CENTS)
        transfers[award.payer] -= amount
        transfers[award.payee] += amount
        entries.append(LedgerEntry(award.term, award.payer, award.payee, amount))
    payoffs = {name: earned[name] + transfers[name] for name in earned}
    return Settlement(tuple(entries), earned, transfers, payoffs)
