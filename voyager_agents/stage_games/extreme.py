"""All extreme Nash equilibria of a payoff table, and a test for degeneracy.

A table is degenerate if some mixed strategy has more best replies than options in its support. Then supports of unequal
size can be in equilibrium, and equilibria can form a continuum. Its extreme points are pairs of vertices of the best
response polytopes with all labels (Mangasarian 1964; von Stengel 2002): each option is unused or a best reply. Every
equilibrium is a convex combination of extreme ones that are pairwise interchangeable. A table that is not degenerate
has only extreme equilibria, and `equilibria.mixed` finds them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

from voyager_agents.stage_games.equilibria import Mixture, PayoffTable, solve_system

MAX_BASES = 300
"""Maximum number of sets of tight inequalities; larger tables are not solved."""


class Vertex(NamedTuple):
    """Vertex of a best response polytope, scaled to a mixed strategy."""

    strategy: Mixture
    labels: frozenset[int]
    """Own options that are unused, and options of the other player that are best replies: rows first."""


class ExtremeEquilibria(NamedTuple):
    """Extreme equilibria of a table."""

    degenerate: bool
    pairs: tuple[tuple[Mixture, Mixture], ...]


def extreme_equilibria(table: PayoffTable) -> ExtremeEquilibria | None:
    """Return the extreme equilibria; None if the table is too large."""
    rows, columns = len(table.rows), len(table.columns)
    if comb(rows + columns, rows) > MAX_BASES:
        return None
    one = _vertices([[table.paid((row, column))[1] for row in range(rows)] for column in range(columns)], 0, rows)
    two = _vertices([[table.paid((row, column))[0] for column in range(columns)] for row in range(rows)], rows, 0)
    degenerate = any(len(each.labels) > rows for each in one) or any(len(each.labels) > columns for each in two)
    pairs = tuple(
        (mine.strategy, theirs.strategy)
        for mine in one
        for theirs in two
        if len(mine.labels | theirs.labels) == rows + columns
    )
    return ExtremeEquilibria(degenerate, pairs)


def _vertices(payoffs: Sequence[Sequence[Fraction]], own: int, other: int) -> list[Vertex]:
    """Return the vertices of a polytope other than zero.

    Args:
        payoffs: The other player's payoff for each of its options, by one's own option.
        own: Label of one's own first option.
        other: Label of the other player's first option.
    """
    size = len(payoffs[0])
    shift = 1 - min(amount for row in payoffs for amount in row)
    limits = [[amount + shift for amount in row] for row in payoffs]
    units = [[Fraction(place == each) for each in range(size)] for place in range(size)]
    inequalities = [(row, Fraction(0)) for row in units] + [(row, Fraction(1)) for row in limits]
    found: dict[tuple[Fraction, ...], Vertex] = {}
    for tight in combinations(inequalities, size):
        point = solve_system([[*row, bound] for row, bound in tight])
        if point is None or not any(point) or min(point) < 0:
            continue
        values = [_dot(row, point) for row in limits]
        if max(values) <= 1:
            unused = {own + place for place, amount in enumerate(point) if not amount}
            replies = {other + place for place, value in enumerate(values) if value == 1}
            whole = sum(point, Fraction(0))
            found[tuple(point)] = Vertex(tuple(amount / whole for amount in point), frozenset(unused | replies))
    return list(found.values())


def _dot(row: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    return sum((one * other for one, other in zip(row, point, strict=True)), Fraction(0))
