"""Ledger on books: balances of members and of a treasury, in whole hundredths, whose payments sum to zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from contracts.institutions.frame import TREASURY
from contracts.ledger import CENTS


class BookLedger:
    """A `contracts.institutions.frame.Ledger` that books payments; the world's own counts stay as they are."""

    def __init__(self, members: Sequence[str]) -> None:
        self._earned = dict.fromkeys(members, Fraction(0))
        self._moved = dict.fromkeys((*members, TREASURY), Fraction(0))

    def set_earned(self, earned: Mapping[str, float]) -> None:
        """Take over what each member has earned in the world so far, in the ledger's unit."""
        for name in self._earned:
            self._earned[name] = Fraction(earned.get(name, 0)).limit_denominator(CENTS)

    def holds(self, account: str) -> Fraction:
        """Return the balance of a member or of the treasury."""
        return self._earned.get(account, Fraction(0)) + self._moved[account]

    async def pay(self, payer: str, payee: str, amount: Fraction) -> Fraction:
        """Move at most `amount` and at most what the payer holds; return what was moved."""
        due = min(amount, self.holds(payer))
        paid = max(Fraction(int(due * CENTS), CENTS), Fraction(0))
        self._moved[payer] -= paid
        self._moved[payee] += paid
        return paid

    def transfers(self) -> dict[str, float]:
        """Return received less paid by member, after the treasury was shared out equally; the values sum to zero.

        Hundredths that cannot be shared equally go to the first members, one each.
        """
        left = int(self._moved[TREASURY] * CENTS)
        share, rest = divmod(left, len(self._earned))
        return {
            name: float(self._moved[name] + Fraction(share + (place < rest), CENTS))
            for place, name in enumerate(self._earned)
        }
