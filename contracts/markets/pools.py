"""Insurance pool: members pay a premium for a period, and a loss that the record shows is paid out by rule.

Nobody decides on a claim. A loss of a member that is insured is paid with the pool's cover; if the pool has less than
all losses of one settlement are worth, each gets an equal share in whole units, and the rest stays in the pool.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contracts.errors import ContractFormatError, Refused
from contracts.institutions.norms import Entry
from contracts.markets.goods import Goods


@dataclass(frozen=True)
class PoolSettings:
    """Settings of a pool. Raises ContractFormatError for an illegal value."""

    premium: int
    """Units of money for one period."""
    cover: int
    """Units of money for a loss."""
    period: float = 300
    """Length of a period, in the market's units of time."""
    losses: int = 1
    """Maximum number of losses of one member that are paid in a period."""

    def __post_init__(self) -> None:
        for name in ("premium", "cover", "losses"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10_000:
                raise ContractFormatError(f"pool.{name}: {value!r}: give a whole number from 1 to 10000")
        if not self.period > 0:
            raise ContractFormatError(f"pool.period: {self.period!r}: give a number above 0")


class InsurancePool:
    """Pool of one market; its money is that of the holder `holder` in the market's goods."""

    def __init__(self, settings: PoolSettings, goods: Goods, money: str, holder: str) -> None:
        self.settings, self.holder = settings, holder
        self._goods, self._money = goods, money
        self._until: dict[str, float] = {}
        self._paid: dict[str, int] = {}

    def insured(self, member: str, time: float) -> bool:
        """Return True if a member's premium covers a time."""
        return time < self._until.get(member, float("-inf"))

    def insure(self, time: float, member: str) -> list[Entry]:
        """Take a premium and insure the member for one period from now. Raises Refused."""
        if self.insured(member, time):
            raise Refused("again", f"{member} is insured until {self._until[member]:g}")
        self._goods.move(member, self.holder, {self._money: self.settings.premium})
        self._until[member] = time + self.settings.period
        self._paid[member] = 0
        paid = {"member": member, "count": self.settings.premium, "until": self._until[member]}
        return [{"what": "premium", **paid}]

    def lapse(self, member: str) -> None:
        """End the insurance of a member whose premium was not paid after all."""
        self._until.pop(member, None)

    def settle(self, time: float, losses: Sequence[str]) -> list[Entry]:
        """Pay the losses of one settlement, by rule, and return the entries.

        Args:
            time: Time of the settlement.
            losses: Member of each loss that the record shows, in its order.
        """
        entries: list[Entry] = []
        due: list[str] = []
        for member in losses:
            if not self.insured(member, time):
                entries.append({"what": "loss", "member": member, "paid": False, "why": "not insured"})
            elif self._paid[member] + due.count(member) >= self.settings.losses:
                entries.append({"what": "loss", "member": member, "paid": False, "why": "paid in this period already"})
            else:
                due.append(member)
        if not due:
            return entries
        share = min(self.settings.cover, self._goods.count(self.holder, self._money) // len(due))
        for member in due:
            if not share:
                entries.append({"what": "loss", "member": member, "paid": False, "why": "the pool is empty"})
                continue
            self._goods.move(self.holder, member, {self._money: share})
            self._paid[member] += 1
            entries.append({"what": "payout", "member": member, "count": share, "cover": self.settings.cover})
        return entries
