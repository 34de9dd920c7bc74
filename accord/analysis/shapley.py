"""Shapley values of players: the share of each in what a group reaches, by the coalitions that it could have formed.

The value of a coalition is a measure of a run in which its members play as they are and stand-ins play all others.
A player's Shapley value is its mean contribution when the players join in a random order. Values add up to what the
whole group reaches beyond the stand-ins alone (efficiency), are equal for interchangeable players (symmetry) and 0 for
a player that changes nothing (null player). They are computed in fractions, so that all three hold exactly.

Up to a few players all coalitions are played. Of more players a sample of orders is: in pairs of an order and its
reverse (`antithetic`), or in rotations of one order, in which everybody joins once at each place (`stratified`). All
coalitions are played with the same seeds.

Sources: Shapley, A Value for n-Person Games (1953); Castro, Gomez and Tejada, Polynomial calculation of the Shapley
value based on sampling (2009); Mitchell et al., Sampling Permutations for Shapley Value Estimation (2022, section 4.1,
antithetic); Heuillet, Couthouis and Diaz-Rodriguez, Collective eXplainable AI (arXiv 2110.01307), for absent players
that are idle, act at random, or are replaced by another player.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from typing import Any, Literal

from accord.analysis.measures import MeasureSummary, summarize

Coalition = frozenset[str]
Order = tuple[str, ...]
"""Order in which the players join."""
Method = Literal["exact", "antithetic", "stratified"]
WELFARE = "welfare"
MAX_EXACT = 4
"""Maximum number of players of whom all coalitions are played by default."""
LEVEL = 0.95


def exact_fraction(value: float) -> Fraction:
    """Return the number as it is written, not its nearest binary value."""
    return Fraction(repr(float(value)))


def all_coalitions(players: Sequence[str]) -> list[Coalition]:
    """Return all coalitions, from nobody to everybody; equal sizes are in the order of the players."""
    return [frozenset(each) for size in range(len(players) + 1) for each in combinations(players, size)]


def shapley_values(players: Sequence[str], value: Callable[[Coalition], Fraction]) -> dict[str, Fraction]:
    """Return each player's Shapley value, exactly.

    Args:
        players: The players.
        value: Value of every coalition of them.
    """
    size = len(players)
    weights = [
        Fraction(math.factorial(count) * math.factorial(size - count - 1), math.factorial(size))
        for count in range(size)
    ]
    found = dict.fromkeys(players, Fraction(0))
    for player in players:
        others = [each for each in players if each != player]
        for coalition in all_coalitions(others):
            found[player] += weights[len(coalition)] * (value(coalition | {player}) - value(coalition))
    return found


def drawn_orders(players: Sequence[str], count: int, method: Method, seed: int) -> tuple[tuple[Order, ...], ...]:
    """Return independent blocks of random orders, at least `count` orders in all; equal arguments give equal orders.

    Args:
        players: The players.
        count: Minimum number of orders.
        method: `antithetic` or `stratified`.
        seed: Seed of the draws.
    """
    draw = random.Random(f"shapley:{method}:{seed}")
    size = 2 if method == "antithetic" else len(players)
    blocks: list[tuple[Order, ...]] = []
    for _ in range(max(2, -(-count // size))):
        order = list(players)
        draw.shuffle(order)
        if method == "antithetic":
            blocks.append((tuple(order), tuple(reversed(order))))
        else:
            blocks.append(tuple((*order[place:], *order[:place]) for place in range(size)))
    return tuple(blocks)


def coalitions_of(orders: Sequence[Order]) -> Iterator[Coalition]:
    """Yield the coalitions that form while the players join in these orders, each once."""
    seen: set[Coalition] = set()
    for order in orders:
        for size in range(len(order) + 1):
            coalition = frozenset(order[:size])
            if coalition not in seen:
                seen.add(coalition)
                yield coalition


def contributions(orders: Sequence[Order], value: Callable[[Coalition], Fraction]) -> dict[str, Fraction]:
    """Return each player's mean contribution at its place in these orders, exactly."""
    found = dict.fromkeys(orders[0], Fraction(0))
    for order in orders:
        before = value(frozenset())
        for size, player in enumerate(order, 1):
            after = value(frozenset(order[:size]))
            found[player] += (after - before) / len(orders)
            before = after
    return found


def mean_of(values: Sequence[Fraction]) -> Fraction:
    """Return the exact mean."""
    return sum(values, Fraction(0)) / len(values)


def crossed_summary(
    rows: Sequence[Sequence[Fraction]], extremes: Sequence[Fraction], comparisons: int
) -> MeasureSummary:
    """Return mean and 95 % interval of values that vary by block of orders (rows) and by seed (columns).

    The variance of the mean is that of the rows' means plus that of the columns' means, which counts their interaction
    twice and is never too small. With one column the interval covers the choice of orders alone. A player may be
    decisive in so few orders that the drawn ones show nothing of it. Therefore the variance of the rows' means is that
    of the rows and two more, the extremes (as Agresti and Coull (1998) add two to each side for shares). The degrees
    of freedom are Satterthwaite's. All of the intervals that are compared hold together with 95 % (Bonferroni).

    Args:
        rows: Values of each block, one for each seed; two blocks or more.
        extremes: Smallest and largest mean of a block, of any player.
        comparisons: Number of intervals that are compared.
    """
    by_block = [float(mean_of(row)) for row in rows]
    by_seed = [float(mean_of(column)) for column in zip(*rows, strict=True)]
    mean = float(mean_of([mean_of(row) for row in rows]))
    widened = [*by_block, *map(float, extremes)]
    parts = [(statistics.variance(widened) / len(by_block), len(by_block) - 1)]
    if len(by_seed) > 1:
        parts.append((statistics.variance(by_seed) / len(by_seed), len(by_seed) - 1))
    squared = sum(part for part, _ in parts)
    if squared == 0:
        return MeasureSummary(len(by_block), mean, 0.0, min(by_block), max(by_block), (mean, mean))
    freedom = squared**2 / sum(part**2 / degrees for part, degrees in parts)
    error = math.sqrt(squared)
    reach = _t_quantile(1 - (1 - LEVEL) / (2 * comparisons), freedom) * error
    return MeasureSummary(len(by_block), mean, error, min(by_block), max(by_block), (mean - reach, mean + reach))


@cache
def _t_quantile(share: float, freedom: float) -> float:
    from scipy.stats import t

    return float(t.ppf(share, freedom))


@dataclass(frozen=True)
class GroupAccount:
    """Reward, transfer and payoff of a player while everybody plays, by seed."""

    reward: tuple[float, ...]
    transfer: tuple[float, ...]
    payoff: tuple[float, ...]

    @property
    def means(self) -> tuple[float, float, float]:
        """Mean reward, transfer and payoff over the seeds."""
        return statistics.fmean(self.reward), statistics.fmean(self.transfer), statistics.fmean(self.payoff)


@dataclass(frozen=True)
class Shapley:
    """Contributions of the players of one scenario."""

    scenario: str
    condition: str
    measure: str
    """Measure of a run that is shared out, by its name in result.json."""
    absent: str
    """Stand-in of absent players, as chosen."""
    players: tuple[str, ...]
    kinds: Mapping[str, tuple[str, str]]
    """Player -> who plays it, and the kind of its stand-in."""
    method: Method
    blocks: tuple[tuple[Order, ...], ...]
    """Blocks of drawn orders; empty if all coalitions were played."""
    seeds: tuple[int, ...]
    played: Mapping[Coalition, tuple[Fraction, ...]]
    """Coalition -> value with each seed."""
    accounts: Mapping[str, GroupAccount]
    runs: int = 0
    """Number of runs. Coalitions in which the same kinds of players meet share theirs."""
    invalid: int = 0
    """Number of runs in which a player's model gave too few usable answers."""
    world: str = "mock"

    @property
    def exact(self) -> bool:
        """True if all coalitions were played."""
        return self.method == "exact"

    @property
    def orders(self) -> int:
        """Number of drawn orders; 0 if all coalitions were played."""
        return sum(map(len, self.blocks))

    def value(self, coalition: Coalition) -> Fraction:
        """Return the mean value of a coalition over the seeds."""
        return mean_of(self.played[coalition])

    @property
    def whole(self) -> Fraction:
        """Value of all players together."""
        return self.value(frozenset(self.players))

    @property
    def nobody(self) -> Fraction:
        """Value of the stand-ins alone."""
        return self.value(frozenset())

    @cached_property
    def rows(self) -> Mapping[str, tuple[tuple[Fraction, ...], ...]]:
        """Player -> contribution in each block of orders with each seed; one block if all coalitions were played."""
        found: dict[str, list[list[Fraction]]] = {player: [] for player in self.players}
        for block in self.blocks or ((),):
            by_seed = [self._of_block(block, place) for place in range(len(self.seeds))]
            for player in self.players:
                found[player].append([each[player] for each in by_seed])
        return {player: tuple(map(tuple, rows)) for player, rows in found.items()}

    def _of_block(self, block: tuple[Order, ...], place: int) -> dict[str, Fraction]:
        def value(coalition: Coalition) -> Fraction:
            return self.played[coalition][place]

        return contributions(block, value) if block else shapley_values(self.players, value)

    @cached_property
    def values(self) -> Mapping[str, Fraction]:
        """Player -> its Shapley value, exact or estimated."""
        return {player: mean_of([mean_of(row) for row in rows]) for player, rows in self.rows.items()}

    @cached_property
    def summaries(self) -> Mapping[str, MeasureSummary]:
        """Player -> summary of its value, with a 95 % interval."""
        return {player: self._summary(rows, self._extremes) for player, rows in self.rows.items()}

    @property
    def compares_pay(self) -> bool:
        """True if payoffs and contributions are in the same unit: if welfare is shared out."""
        return self.measure == WELFARE

    @cached_property
    def gaps(self) -> Mapping[str, MeasureSummary]:
        """Player -> its payoff less its contribution, with a 95 % interval; empty if another measure is shared out."""
        found: dict[str, MeasureSummary] = {}
        for player, rows in self.rows.items() if self.compares_pay else ():
            paid = [exact_fraction(each) for each in self.accounts[player].payoff]
            low, high = (mean_of(paid) - each for each in reversed(self._extremes))
            gaps = [[one - other for one, other in zip(paid, row, strict=True)] for row in rows]
            found[player] = self._summary(gaps, (low, high))
        return found

    def _summary(self, rows: Sequence[Sequence[Fraction]], extremes: tuple[Fraction, Fraction]) -> MeasureSummary:
        if self.exact:
            return summarize([float(each) for each in rows[0]], self.seeds[0])
        return crossed_summary(rows, extremes, len(self.players))

    @cached_property
    def _extremes(self) -> tuple[Fraction, Fraction]:
        """Smallest and largest contribution of a player in a block of orders."""
        means = [mean_of(row) for rows in self.rows.values() for row in rows]
        return min(means), max(means)

    @property
    def covers(self) -> str:
        """Sources of error that the intervals cover, in words."""
        if self.exact:
            return f"over {len(self.seeds)} seeds (studentized bootstrap; none for fewer than five)"
        seeds = f"and over {len(self.seeds)} seeds" if len(self.seeds) > 1 else "(one seed, over which nothing is said)"
        return f"over the drawn orders {seeds}, of all players together"

    def sentence(self) -> str:
        """Return who adds most and least, and who is paid more or less than it adds."""
        ranked = sorted(self.players, key=lambda player: -self.values[player])
        parts = ", ".join(f"{player} {_number(self.values[player])}" for player in ranked)
        told = (
            f"Of {self.measure} {_number(self.whole)}, where {self.absent} stand-ins alone reach "
            f"{_number(self.nobody)}, the players add: {parts}."
        )
        sure = [
            (player, gap) for player, gap in self.gaps.items() if gap.ci95 is not None and not _holds_zero(gap.ci95)
        ]
        if sure:
            words = [
                f"{player} is paid {abs(gap.mean):.4g} {'more' if gap.mean > 0 else 'less'} than it adds"
                for player, gap in sure
            ]
            told += f" {'; '.join(words)}."
        if self.invalid:
            told += f" To be known: stand-ins answered for models in {self.invalid} of {self.runs} runs."
        return told

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON; the value of each coalition with each seed is in coalitions.csv."""
        players = []
        for player in self.players:
            reward, transfer, payoff = self.accounts[player].means
            players.append(
                {
                    "name": player,
                    "plays": self.kinds[player][0],
                    "stand_in": self.kinds[player][1],
                    "contribution": self.summaries[player].to_dict(),
                    "contribution_exact": str(self.values[player]) if self.exact else None,
                    "reward": reward,
                    "transfer": transfer,
                    "payoff": payoff,
                    "payoff_less_contribution": self.gaps[player].to_dict() if self.gaps else None,
                }
            )
        return {
            "scenario": self.scenario,
            "condition": self.condition,
            "world": self.world,
            "measure": self.measure,
            "absent": self.absent,
            "method": self.method,
            "orders": self.orders,
            "coalitions": len(self.played),
            "seeds": list(self.seeds),
            "runs": self.runs,
            "invalid": self.invalid,
            "all": float(self.whole),
            "nobody": float(self.nobody),
            "intervals": self.covers,
            "players": players,
        }


def _holds_zero(interval: tuple[float, float]) -> bool:
    return interval[0] <= 0 <= interval[1]


def _number(value: Fraction) -> str:
    return f"{float(value):.4g}"
