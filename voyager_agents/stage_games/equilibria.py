"""Solution concepts of a payoff table: pure and mixed Nash equilibria, Pareto efficiency, dominance.

All results are exact. Mixed equilibria are found by support enumeration over pairs of supports of equal size (Porter,
Nudelman and Shoham 2008), which finds all equilibria of nondegenerate games. It is exponential in the table's size,
which is small here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from voyager_agents.stage_games.tables import Cell, Matrix

Mixture = tuple[Fraction, ...]
"""Mixed strategy: a probability for each option."""
Profile = tuple[int, int]
"""Row index and column index of a cell."""


@dataclass(frozen=True)
class PayoffTable:
    """Payoff table of two players."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]

    def names(self, profile: Profile) -> tuple[str, str]:
        """Return the names of a cell's row and column."""
        return self.rows[profile[0]], self.columns[profile[1]]

    @property
    def profiles(self) -> list[Profile]:
        """All cells, row by row."""
        return list(product(range(len(self.rows)), range(len(self.columns))))

    def paid(self, profile: Profile) -> Cell:
        """Return the payoffs in a cell."""
        return self.cells[profile[0]][profile[1]]


def table_of(law: Matrix) -> PayoffTable:
    """Return the payoff table of a law."""
    return PayoffTable(law.rows, law.columns, law.cells)


def pure(table: PayoffTable) -> list[Profile]:
    """Return the pure Nash equilibria: cells in which no player gains by a unilateral deviation."""
    found = []
    for row, column in table.profiles:
        mine, theirs = table.paid((row, column))
        stays = all(table.paid((other, column))[0] <= mine for other in range(len(table.rows)))
        if stays and all(table.paid((row, other))[1] <= theirs for other in range(len(table.columns))):
            found.append((row, column))
    return found


def mixed(table: PayoffTable) -> list[tuple[Mixture, Mixture]]:
    """Return all Nash equilibria with supports of equal size, pure ones first."""
    found: list[tuple[Mixture, Mixture]] = []
    for size in range(1, min(len(table.rows), len(table.columns)) + 1):
        for mine in combinations(range(len(table.rows)), size):
            for theirs in combinations(range(len(table.columns)), size):
                pair = _balanced(table, mine, theirs)
                if pair is not None and pair not in found:
                    found.append(pair)
    return found


def efficient(table: PayoffTable) -> list[Profile]:
    """Return the Pareto-efficient cells."""
    return [
        one
        for one in table.profiles
        if not any(_betters(table.paid(other), table.paid(one)) for other in table.profiles)
    ]


def dominant(table: PayoffTable) -> tuple[str | None, str | None]:
    """Return each player's strictly dominant option; None if it has none."""
    rows = [[cell[0] for cell in row] for row in table.cells]
    columns = [[row[place][1] for row in table.cells] for place in range(len(table.columns))]
    return _dominant(table.rows, rows), _dominant(table.columns, columns)


def expected(table: PayoffTable, pair: tuple[Mixture, Mixture]) -> Cell:
    """Return the expected payoffs of both players under a pair of mixed strategies."""
    sums = [Fraction(0), Fraction(0)]
    for (row, column), place in product(table.profiles, (0, 1)):
        sums[place] += pair[0][row] * pair[1][column] * table.paid((row, column))[place]
    return sums[0], sums[1]


def _betters(one: Cell, other: Cell) -> bool:
    return one != other and one[0] >= other[0] and one[1] >= other[1]


def _dominant(names: Sequence[str], payoffs: Sequence[Sequence[Fraction]]) -> str | None:
    for place, own in enumerate(payoffs):
        rest = [other for index, other in enumerate(payoffs) if index != place]
        if rest and all(mine > theirs for other in rest for mine, theirs in zip(own, other, strict=True)):
            return names[place]
    return None


def _balanced(table: PayoffTable, mine: Sequence[int], theirs: Sequence[int]) -> tuple[Mixture, Mixture] | None:
    """Return the equilibrium with exactly these supports; None if there is none."""
    one = indifferent([[table.paid((row, column))[1] for row in mine] for column in theirs])
    two = indifferent([[table.paid((row, column))[0] for column in theirs] for row in mine])
    if one is None or two is None:
        return None
    pair = (_spread(one, mine, len(table.rows)), _spread(two, theirs, len(table.columns)))
    value = expected(table, pair)
    against = [expected(table, (_single(row, len(table.rows)), pair[1]))[0] for row in range(len(table.rows))]
    if max(against) > value[0]:
        return None
    against = [expected(table, (pair[0], _single(column, len(table.columns))))[1] for column in range(len(pair[1]))]
    return None if max(against) > value[1] else pair


def indifferent(payoffs: list[list[Fraction]]) -> list[Fraction] | None:
    """Return positive column weights that give all rows equal value; None if no or no unique solution exists."""
    size = len(payoffs)
    if size == 1:
        return [Fraction(1)]
    system = [[one - other for one, other in zip(row, payoffs[0], strict=True)] + [Fraction(0)] for row in payoffs[1:]]
    system.append([Fraction(1)] * size + [Fraction(1)])
    weights = solve_system(system)
    return weights if weights is not None and all(weight > 0 for weight in weights) else None


def solve_system(system: list[list[Fraction]]) -> list[Fraction] | None:
    """Return the solution of a linear system by Gauss-Jordan elimination; None if it is not unique."""
    size = len(system)
    for column in range(size):
        pivot = next((row for row in range(column, size) if system[row][column]), None)
        if pivot is None:
            return None
        system[column], system[pivot] = system[pivot], system[column]
        head = system[column]
        for row in range(size):
            if row != column and system[row][column]:
                factor = system[row][column] / head[column]
                system[row] = [own - factor * other for own, other in zip(system[row], head, strict=True)]
    return [row[-1] / row[place] for place, row in enumerate(system)]


def _spread(weights: Sequence[Fraction], support: Sequence[int], size: int) -> Mixture:
    found = [Fraction(0)] * size
    for place, weight in zip(support, weights, strict=True):
        found[place] = weight
    return tuple(found)


def _single(place: int, size: int) -> Mixture:
    return tuple(Fraction(index == place) for index in range(size))
