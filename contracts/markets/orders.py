"""Continuous double auction of one item: orders with limit prices, matched by price and then by time.

A new order trades at once with the best orders of the other side that its limit allows, at their prices; the rest of it
stays in the book. An order promises nothing: what its trader can no longer deliver is taken out of the book.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from contracts.errors import Refused

Side = Literal["buy", "sell"]
MAX_PRICE = 1_000_000
"""Highest price of one item."""
MAX_COUNT = 10_000
"""Maximum number of items of one order."""


@dataclass(frozen=True)
class LimitOrder:
    """An order that waits in the book."""

    number: int
    trader: str
    side: Side
    price: int
    """Limit in units of money for one item: the most that a buyer pays, the least that a seller takes."""
    count: int


@dataclass(frozen=True)
class Match:
    """A trade between two orders."""

    buyer: str
    seller: str
    price: int
    """Price of one item: that of the order that waited."""
    count: int
    waited: int
    """Number of the order that waited in the book."""


Able = Callable[[str, Side, int], int]
"""Function of a trader, a side and a price that returns how many items the trader can deliver or pay."""
Deliver = Callable[[Match], int]
"""Function that carries out a match and returns how many items changed hands."""


def _always(trader: str, side: Side, price: int) -> int:
    return MAX_COUNT


def _whole(match: Match) -> int:
    return match.count


class OrderBook:
    """LimitOrder book of one item."""

    def __init__(self, able: Able = _always, deliver: Deliver = _whole) -> None:
        """Open an empty book.

        Args:
            able: Function that says how much a trader can deliver; by default everything.
            deliver: Function that moves the items of a match; by default nothing moves.
        """
        self._able, self._deliver = able, deliver
        self._bids: list[LimitOrder] = []
        self._asks: list[LimitOrder] = []
        self._placed = 0

    @property
    def bids(self) -> tuple[LimitOrder, ...]:
        """Orders to buy, the best first."""
        return tuple(self._bids)

    @property
    def asks(self) -> tuple[LimitOrder, ...]:
        """Orders to sell, the best first."""
        return tuple(self._asks)

    @property
    def spread(self) -> int | None:
        """Difference of the lowest ask and the highest bid; None if one side is empty."""
        return self._asks[0].price - self._bids[0].price if self._asks and self._bids else None

    def place(self, trader: str, side: Side, price: int, count: int = 1) -> list[Match]:
        """Place an order and return its trades. It replaces the trader's waiting order of the same side.

        Args:
            trader: Name of the trader.
            side: Side of the order.
            price: The most that a buyer pays for one item, or the least that a seller takes.
            count: Number of items.

        Raises:
            Refused: Price or count is not legal, or the order would trade with the trader's own one.
        """
        for name, value, most in (("price", price, MAX_PRICE), ("count", count, MAX_COUNT)):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise Refused(name, f"{name}: {value!r}: give a whole number from 1 to {most}")
        own, others = (self._bids, self._asks) if side == "buy" else (self._asks, self._bids)
        for other in others:
            if other.trader == trader and _crosses(side, price, other.price):
                raise Refused("self", f"price: {price}: you would trade with your own order at {other.price}")
        own[:] = [each for each in own if each.trader != trader]
        self._placed += 1
        made, rest = self._match(LimitOrder(self._placed, trader, side, price, count), others)
        if rest.count:
            better = [each for each in own if not _before(rest, each)]
            own.insert(len(better), rest)
        return made

    def cancel(self, trader: str, side: Side | None = None) -> list[LimitOrder]:
        """Take a trader's orders out of the book and return them; `side` None for both sides."""
        gone = []
        for name, orders in (("buy", self._bids), ("sell", self._asks)):
            if side in (None, name):
                gone += [each for each in orders if each.trader == trader]
                orders[:] = [each for each in orders if each.trader != trader]
        return gone

    def clear(self) -> None:
        """Take all orders out of the book."""
        self._bids.clear()
        self._asks.clear()

    def _match(self, order: LimitOrder, others: list[LimitOrder]) -> tuple[list[Match], LimitOrder]:
        made: list[Match] = []
        while order.count and others and _crosses(order.side, order.price, others[0].price):
            best = others[0]
            mine = self._able(order.trader, order.side, best.price)
            theirs = self._able(best.trader, best.side, best.price)
            if theirs < 1:
                others.pop(0)
                continue
            if mine < 1:
                return made, replace(order, count=0)
            buyer, seller = (order.trader, best.trader) if order.side == "buy" else (best.trader, order.trader)
            match = Match(buyer, seller, best.price, min(order.count, best.count, mine, theirs), best.number)
            moved = self._deliver(match)
            if not moved:
                others.pop(0)
                continue
            made.append(replace(match, count=moved))
            order = replace(order, count=order.count - moved)
            if best.count == moved:
                others.pop(0)
            else:
                others[0] = replace(best, count=best.count - moved)
        return made, order


def _crosses(side: Side, price: int, other: int) -> bool:
    """Return True if an order of this side and price can trade with a waiting order at the other price."""
    return price >= other if side == "buy" else price <= other


def _before(order: LimitOrder, other: LimitOrder) -> bool:
    """Return True if a new order has a better price than a waiting one of its side."""
    return order.price > other.price if order.side == "buy" else order.price < other.price
