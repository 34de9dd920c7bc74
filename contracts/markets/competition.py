"""Competitive equilibrium of given values, and the distance of a market's prices from it.

Source: Smith (1962), "An Experimental Study of Competitive Market Behavior": supply and demand are the sellers' costs
and the buyers' values of single units, and alpha is the deviation of prices from the competitive price.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True)
class Competition:
    """Competitive equilibrium of a market."""

    count: int
    """Number of units that are traded."""
    low: int
    high: int
    """Lowest and highest price at which supply equals demand."""
    surplus: int
    """Sum of values minus costs of these units, which no other allocation exceeds."""

    @property
    def price(self) -> float:
        """Middle of the competitive prices."""
        return (self.low + self.high) / 2


def competition(values: Sequence[int], costs: Sequence[int]) -> Competition:
    """Return the competitive equilibrium of units with these values to buyers and these costs to sellers.

    Raises ValueError if no unit can be traded with a gain or without a loss.
    """
    demand, supply = sorted(values, reverse=True), sorted(costs)
    count = sum(value >= cost for value, cost in zip(demand, supply, strict=False))
    if not count:
        raise ValueError("no unit has a value of at least another's cost: nothing is traded")
    low = max(supply[count - 1], demand[count] if count < len(demand) else 0)
    high = min(demand[count - 1], supply[count] if count < len(supply) else demand[count - 1])
    surplus = sum(demand[:count]) - sum(supply[:count])
    return Competition(count, low, high, surplus)


def alpha(prices: Sequence[int], price: float) -> float | None:
    """Return Smith's alpha: the root mean square deviation from the competitive price, in percent of it.

    Args:
        prices: Prices of a period's trades.
        price: The competitive price.

    Returns:
        The measure, or None without a trade.
    """
    if not prices:
        return None
    return 100 * sqrt(sum((each - price) ** 2 for each in prices) / len(prices)) / price
