"""Measures of a market, computed from the entries of its record alone.

prices, volume   of each item, from its sales for money: mean price weighted by counts, last price, number of items
spread           of each item, mean over the quotes that had both sides
partners         who traded with whom: pairs of members -> number of trades
flows            items that moved by trade: (giver, taker, item) -> count
wealth           of each member, in money: its money, and each item at the last price of a sale
gini             Gini coefficient of wealth, without a correction for small samples
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from contracts.institutions.norms import Entry


@dataclass
class MarketTally:
    """Measures of one market so far."""

    trades: dict[str, int] = field(default_factory=dict)
    """Form of trade -> number of trades."""
    refused: int = 0
    issued: int = 0
    taxes: int = 0
    premiums: int = 0
    payouts: int = 0
    flows: dict[tuple[str, str, str], int] = field(default_factory=dict)
    partners: dict[tuple[str, str], int] = field(default_factory=dict)
    sales: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Item -> price and count of each sale."""
    spreads: dict[str, list[int]] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        """Add an entry of the record; an undone trade counts as none."""
        what = entry["what"]
        if what == "trade":
            self._count(entry, 1)
        elif what == "undone":
            self._undo(entry)
        elif what == "quote" and entry["spread"] is not None:
            self.spreads.setdefault(entry["item"], []).append(entry["spread"])
        elif what == "refused":
            self.refused += 1
        elif what == "issued":
            self.issued += entry["count"]
        elif what == "premium":
            self.premiums += entry["count"]
        elif what == "payout":
            self.payouts += entry["count"]

    def _undo(self, entry: Entry) -> None:
        """Take back a trade, a premium or an issue of money that the world did not carry out."""
        if "form" in entry:
            self._count(entry, -1)
        elif "until" in entry:
            self.premiums -= entry["count"]
        else:
            self.issued -= entry["count"]

    def _count(self, entry: Mapping[str, Any], sign: int) -> None:
        _add(self.trades, entry["form"], sign)
        if entry["form"] == "barter":
            one, other = entry["one"], entry["other"]
            moved = [(one, other, entry["gives"]), (other, one, entry["takes"])]
        else:
            one, other, item = entry["buyer"], entry["seller"], entry["item"]
            moved = [
                (other, one, {item: entry["count"]}),
                (one, other, {entry["money"]: entry["price"] * entry["count"]}),
            ]
            self.taxes += sign * entry["tax"]
            sale = (entry["price"], entry["count"])
            if sign > 0:
                self.sales.setdefault(item, []).append(sale)
            else:
                self.sales[item].remove(sale)
        _add(self.partners, (min(one, other), max(one, other)), sign)
        for giver, taker, items in moved:
            for item, count in items.items():
                _add(self.flows, (giver, taker, item), sign * count)

    def prices(self) -> dict[str, dict[str, float]]:
        """Return item -> mean price, last price, number of items sold, and mean spread if there was one."""
        found = {}
        for item, sales in sorted(self.sales.items()):
            count = sum(each for _, each in sales)
            if not count:
                continue
            mean = Fraction(sum(price * each for price, each in sales), count)
            found[item] = {"mean": float(mean), "last": float(sales[-1][0]), "volume": float(count)}
            if spreads := self.spreads.get(item):
                found[item]["spread"] = sum(spreads) / len(spreads)
        return found

    def wealth(self, held: Mapping[str, Mapping[str, int]], money: str | None) -> dict[str, float]:
        """Return each member's wealth in money; items without a sale for money count as nothing.

        Args:
            held: Member -> item -> count.
            money: Item that is money; None without money, which leaves no common measure of wealth.
        """
        if money is None:
            return {}
        worth = {item: sales[-1][0] for item, sales in self.sales.items() if sales} | {money: 1}
        return {
            member: float(sum(count * worth.get(item, 0) for item, count in items.items()))
            for member, items in held.items()
        }


def gini(amounts: Sequence[float]) -> float | None:
    """Return the Gini coefficient of amounts that are not negative; None if all are zero."""
    ordered, count = sorted(amounts), len(amounts)
    if not any(ordered):
        return None
    weighted = sum((2 * place - count - 1) * amount for place, amount in enumerate(ordered, 1))
    return weighted / (count * sum(ordered))


def tally_of(entries: Iterable[Entry]) -> MarketTally:
    """Return the measures of a record's entries."""
    found = MarketTally()
    for entry in entries:
        found.add(entry)
    return found


def _add(counts: dict[Any, int], key: object, change: int) -> None:
    counts[key] = counts.get(key, 0) + change
    if not counts[key]:
        del counts[key]
