"""Payments of penalties and rewards between members, booked as awards and settled by the contracts' ledger.

Payments are zero-sum, in whole hundredths, and no member pays more than it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from contracts.ledger import CENTS, settle
from contracts.verdicts import Award, Verdict


class Accounts:
    """Balance of each member: earned plus received minus paid, in units of what is earned."""

    def __init__(self, members: Sequence[str]) -> None:
        self._earned = dict.fromkeys(members, Fraction(0))
        self._moved = dict.fromkeys(members, Fraction(0))
        self._awards: list[Award] = []

    def earn(self, player: str, amount: int = 1) -> None:
        """Book an amount earned by a player; players that are not members are ignored."""
        if player in self._earned:
            self._earned[player] += amount

    def holds(self, player: str) -> Fraction:
        """Return the balance of a member."""
        return self._earned[player] + self._moved[player]

    def pay(self, term: str, payer: str, payees: Sequence[str], due: Fraction) -> dict[str, Fraction]:
        """Book a payment in equal shares and return the share of each payee.

        Args:
            term: Id of the rule or agreement that asks for the payment.
            payer: The member that pays, at most what it holds.
            payees: The members that receive equal shares in whole hundredths.
            due: The amount asked for.
        """
        if not payees:
            return {}
        total = min(due, max(self.holds(payer), Fraction(0)))
        share = Fraction(int(total * CENTS / len(payees)), CENTS)
        if not share:
            return {}
        for payee in payees:
            self._awards.append(Award(term, payer, payee, share))
            self._moved[payer] -= share
            self._moved[payee] += share
        return dict.fromkeys(payees, share)

    def verdict(self) -> Verdict:
        """Return all bookings as a judge's verdict."""
        return Verdict("council", tuple(self._awards))

    def transfers(self) -> dict[str, float]:
        """Return received minus paid by member, as the ledger settles it."""
        settled = settle(dict.fromkeys(self._earned, 0), self.verdict())
        return {name: float(value) for name, value in settled.transfers.items()}
