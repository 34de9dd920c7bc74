"""Reference traders in a double auction of given values.

    zi-u    any price from 1 to the highest one: zero intelligence without a constraint (Gode and Sunder 1993)
    zi-c    any price at which the trader loses nothing: zero intelligence with a budget (Gode and Sunder 1993)
    zip     a profit margin that follows the quotes and trades that the trader sees (Cliff and Bruten 1997)

Traders come in random order. A quote that does not better the best one of its side is
heard and does not enter the book. Each trade clears the book, as in Gode and
Sunder, and all traders start again with their values in each period.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Protocol

from contracts.markets.competition import Competition, alpha, competition
from contracts.markets.orders import OrderBook, Side

QUOTES = 20
"""Quotes of a period, for each unit of a trader."""


@dataclass(frozen=True)
class Trader:
    """A trader with given values."""

    name: str
    side: Side
    limits: tuple[int, ...]
    """Value of each unit to a buyer, highest first; cost of each unit to a seller, lowest first."""


@dataclass(frozen=True)
class AuctionPeriod:
    """Trades of one period."""

    prices: tuple[int, ...]
    surplus: int
    """Values minus costs of the traded units."""
    competition: Competition
    spreads: tuple[int, ...] = ()
    """Difference of ask and bid after each quote that left both sides in the book."""

    @property
    def alpha(self) -> float | None:
        """Smith's alpha, in percent; None without a trade."""
        return alpha(self.prices, self.competition.price)

    @property
    def efficiency(self) -> float:
        """Share of the possible surplus that was realized."""
        return self.surplus / self.competition.surplus if self.competition.surplus else 1.0


class QuotingRule(Protocol):
    """Rule by which a trader quotes."""

    def quote(self, limit: int) -> int:
        """Return the price of the next unit with this value or cost."""

    def see(self, price: int, side: Side, *, accepted: bool, active: bool) -> None:
        """Take in a quote.

        Args:
            price: Price of the quote.
            side: Side of the trader that quoted.
            accepted: True if the quote became a trade.
            active: True if this trader still has a unit to trade.
        """


@dataclass
class ZeroIntelligence:
    """Trader that quotes a uniform draw."""

    side: Side
    draw: random.Random
    highest: int
    constrained: bool

    def quote(self, limit: int) -> int:
        """Return any legal price; with a constraint, one that loses nothing."""
        if not self.constrained:
            return self.draw.randint(1, self.highest)
        return self.draw.randint(1, limit) if self.side == "buy" else self.draw.randint(limit, self.highest)

    def see(self, price: int, side: Side, *, accepted: bool, active: bool) -> None:
        """Learn nothing; the arguments are those of `QuotingRule.see`: `price`, `side`, `accepted`, `active`."""


@dataclass
class ProfitMargin:
    """Trader with a margin that it adapts to the market (Cliff and Bruten 1997, with their parameters)."""

    side: Side
    draw: random.Random
    limit: int
    """Value or cost of the unit that the trader would trade next."""
    highest: int
    margin: float = field(init=False)
    _rate: float = field(init=False)
    _inertia: float = field(init=False)
    _change: float = 0.0

    def __post_init__(self) -> None:
        self._rate = self.draw.uniform(0.1, 0.5)
        self._inertia = self.draw.uniform(0.0, 0.1)
        first = self.draw.uniform(0.05, 0.35)
        self.margin = -first if self.side == "buy" else first

    @property
    def price(self) -> float:
        """Price at the present margin."""
        return self.limit * (1 + self.margin)

    def quote(self, limit: int) -> int:
        """Return the price at the margin, in whole units, without a loss."""
        self.limit = limit
        return self._asked

    @property
    def _asked(self) -> int:
        """Price that the trader would quote: that at the margin in whole units, without a loss."""
        return max(1, min(self.limit, floor(self.price))) if self.side == "buy" else max(self.limit, ceil(self.price))

    def see(self, price: int, side: Side, *, accepted: bool, active: bool) -> None:
        """Raise or lower the margin after a quote.

        The arguments `price`, `side`, `accepted` and `active` are those of `QuotingRule.see`.
        """
        buys = self.side == "buy"
        # Quotes are whole, and so is what they are compared with: else margins stay within a fraction of each other.
        cheaper = self._asked >= price if buys else self._asked <= price
        dearer = self._asked <= price if buys else self._asked >= price
        if accepted and cheaper:
            self._adapt(price, raises=not buys)
        elif active and dearer and (side != self.side if accepted else side == self.side):
            self._adapt(price, raises=buys)

    def _adapt(self, price: int, *, raises: bool) -> None:
        """Move the price towards a target a little above or below a quote."""
        factor, offset = self.draw.uniform(0, 0.05), self.draw.uniform(0, 0.05)
        target = price * (1 + factor) + offset if raises else price * (1 - factor) - offset
        self._change = self._inertia * self._change + (1 - self._inertia) * self._rate * (target - self.price)
        margin = (self.price + self._change) / self.limit - 1
        self.margin = max(-1.0, min(0.0, margin)) if self.side == "buy" else max(0.0, margin)


KINDS = ("zi-u", "zi-c", "zip")


def play_auction(
    traders: Sequence[Trader], kind: str, *, periods: int, seed: int, highest: int | None = None
) -> list[AuctionPeriod]:
    """Play a double auction of reference traders and return its periods.

    Args:
        traders: The traders with their values and costs.
        kind: Kind of all traders, one of `KINDS`.
        periods: Number of periods.
        seed: Seed of all draws.
        highest: Highest price of a draw; None for twice the highest value or cost.

    Raises:
        ValueError: The kind is unknown, or nothing can be traded.
    """
    if kind not in KINDS:
        raise ValueError(f"traders: {kind!r} is not known; choose one of {', '.join(KINDS)}")
    values = [limit for each in traders if each.side == "buy" for limit in each.limits]
    costs = [limit for each in traders if each.side == "sell" for limit in each.limits]
    known = competition(values, costs)
    top = highest or 2 * max(*values, *costs)
    minds = {each.name: _mind(each, kind, random.Random(f"trader:{seed}:{each.name}"), top) for each in traders}
    order = random.Random(f"auction:{seed}")
    return [_period(traders, minds, order, known) for _ in range(periods)]


def _mind(trader: Trader, kind: str, draw: random.Random, highest: int) -> QuotingRule:
    if kind == "zip":
        return ProfitMargin(trader.side, draw, trader.limits[0], highest)
    return ZeroIntelligence(trader.side, draw, highest, constrained=kind == "zi-c")


def _period(
    traders: Sequence[Trader], minds: Mapping[str, QuotingRule], order: random.Random, known: Competition
) -> AuctionPeriod:
    book, done = OrderBook(), dict.fromkeys((each.name for each in traders), 0)
    by_name = {each.name: each for each in traders}
    prices: list[int] = []
    spreads: list[int] = []
    surplus = 0
    for _ in range(QUOTES * sum(len(each.limits) for each in traders)):
        active = [each for each in traders if done[each.name] < len(each.limits)]
        if len({each.side for each in active}) < 2:
            break
        one = order.choice(active)
        price = minds[one.name].quote(one.limits[done[one.name]])
        best = (book.bids if one.side == "buy" else book.asks)[:1]
        betters = not best or (price > best[0].price if one.side == "buy" else price < best[0].price)
        made = book.place(one.name, one.side, price) if betters else []
        for each in made:
            buyer, seller = by_name[each.buyer], by_name[each.seller]
            surplus += buyer.limits[done[buyer.name]] - seller.limits[done[seller.name]]
            done[buyer.name] += 1
            done[seller.name] += 1
            prices.append(each.price)
            book.clear()
        side: Side = one.side if not made else ("sell" if one.side == "buy" else "buy")
        shown = made[0].price if made else price
        for name, mind in minds.items():
            mind.see(shown, side, accepted=bool(made), active=done[name] < len(by_name[name].limits))
        if book.spread is not None:
            spreads.append(book.spread)
    return AuctionPeriod(tuple(prices), surplus, known, tuple(spreads))
