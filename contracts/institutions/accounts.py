"""What penalties and rewards move between members: booked as awards, settled by the contracts' ledger.

Nothing is created: what one pays others receive, in whole hundredths, and nobody pays more than it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from contracts.ledger import CENTS, settle
from contracts.verdicts import Award, Verdict


class Accounts:
    """What each member holds: earned, plus received, less paid; in units of what is earned."""

    def __init__(self, members: Sequence[str]) -> None:
        self._earned = dict.fromkeys(members, Fraction(0))
        self._moved = dict.fromkeys(members, Fraction(0))
        self._awards: list[Award] = []

    def earn(self, player: str, amount: int = 1) -> None:
        """So much earned; of those who are no members no account is kept."""
        if player in self._earned:
            self._earned[player] += amount

    def holds(self, player: str) -> Fraction:
        """What that member could pay."""
        return self._earned[player] + self._moved[player]

    def pay(self, term: str, payer: str, payees: Sequence[str], due: Fraction) -> dict[str, Fraction]:
        """Payee -> its equal share of what is due, as far as the payer holds it; the shares are whole hundredths."""
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
        """All that was booked, as a judge's verdict."""
        return Verdict("council", tuple(self._awards))

    def transfers(self) -> dict[str, float]:
        """Member -> received less paid, as the ledger settles it."""
        settled = settle(dict.fromkeys(self._earned, 0), self.verdict())
        return {name: float(value) for name, value in settled.transfers.items()}
