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
"""The smallest part of an emerald that moves is 1 / CENTS."""


@dataclass(frozen=True)
class LedgerEntry:
    """One movement as it was booked."""

    term: str
    payer: str
    payee: str
    amount: Fraction
    """Emeralds, a whole number of cents."""


@dataclass(frozen=True)
class Settlement:
    """The end of an episode's accounts; transfers sum to zero, payoffs to the rewards."""

    entries: tuple[LedgerEntry, ...]
    rewards: Mapping[str, Fraction]
    transfers: Mapping[str, Fraction]
    """Player -> emeralds received less emeralds paid."""
    payoffs: Mapping[str, Fraction]
    """Player -> reward plus transfer; may be negative: a contract binds even who earned too little."""

    def plain(self) -> dict[str, Any]:
        """For JSON records."""
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
    """Books the verdict's awards against these rewards; no verdict (no contract) moves nothing.

    Amounts are rounded to the nearest cent, halves to even. Raises VerdictError for an award to or from a stranger.
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
