"""Exact linear programming for solution concepts: the simplex method over whole numbers.

The programs of this package have one form. Maximize a positive objective over amounts that are not negative and meet
homogeneous limits, with a sum of at most 1. Zero is feasible, so that no first phase is needed, and an optimum uses
the whole sum. Floating-point solvers give other last digits on other machines, and logs must not depend on those.

Pivots keep whole numbers (Edmonds 1967): all rows share one denominator. Of several rows that may leave the basis the
lexicographically smallest one does, which excludes cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

MAX_WORK = 2_000_000
"""Maximum number of words of numbers that pivots compute, about a second; harder programs are not solved."""
WORD = 64
"""Bits of a word of a number."""


class UnboundedError(Exception):
    """A program without a finite optimum, or that is too hard to solve."""


class Optimum(NamedTuple):
    """Optimal vertex of a program."""

    value: Fraction
    amounts: tuple[Fraction, ...]


def maximum(objective: Sequence[Fraction], limits: Sequence[Sequence[Fraction]], summed: Sequence[Fraction]) -> Optimum:
    """Return the maximum of `objective` where each of `limits` is at most 0 and `summed` at most 1.

    Args:
        objective: Coefficient of each amount.
        limits: Coefficients of each limit.
        summed: Coefficients of the bounded sum.

    Raises:
        UnboundedError: There is no finite maximum, or the program is too hard.
    """
    rows = [_whole(row, 0, place, len(limits) + 1) for place, row in enumerate(limits)]
    rows.append(_whole(summed, 1, len(limits), len(limits) + 1))
    scale = lcm(*(each.denominator for each in objective))
    goal = [-int(each * scale) for each in objective] + [0] * (len(rows) + 1)
    basis = [len(objective) + place for place in range(len(rows))]
    shared = _optimize(rows, goal, basis)
    amounts = [Fraction(0)] * len(objective)
    for row, column in zip(rows, basis, strict=True):
        if column < len(amounts):
            amounts[column] = Fraction(row[-1], shared)
    return Optimum(Fraction(goal[-1], shared * scale), tuple(amounts))


def _whole(row: Sequence[Fraction], bound: int, place: int, count: int) -> list[int]:
    """Return a row of whole numbers with its slack and its bound."""
    scale = lcm(*(each.denominator for each in row))
    return [*(int(each * scale) for each in row), *(int(each == place) for each in range(count)), bound * scale]


def _optimize(rows: list[list[int]], goal: list[int], basis: list[int]) -> int:
    """Pivot to an optimum in place; return the common denominator of all rows."""
    shared, work = 1, 0
    slacks = range(len(goal) - len(rows) - 1, len(goal))
    while True:
        cost = min(goal[:-1])
        if cost >= 0:
            return shared
        entering = goal.index(cost)
        legal = [place for place, row in enumerate(rows) if row[entering] > 0]
        if not legal:
            raise UnboundedError("no finite optimum")
        leaving = _leaving(rows, legal, entering, slacks)
        head, pivot = rows[leaving], rows[leaving][entering]
        for place, row in enumerate(rows):
            if place != leaving:
                rows[place] = _eliminated(row, head, entering, shared)
        goal[:] = _eliminated(goal, head, entering, shared)
        basis[leaving] = entering
        shared = pivot
        work += len(goal) * len(rows) * max(1, shared.bit_length() // WORD)
        if work > MAX_WORK:
            raise UnboundedError("the linear program is too hard")


def _leaving(rows: Sequence[Sequence[int]], legal: list[int], entering: int, slacks: range) -> int:
    """Return the row that leaves the basis: the lexicographically smallest one, which excludes cycles."""
    for column in (slacks[-1], *slacks[:-1]):
        ratios = {place: Fraction(rows[place][column], rows[place][entering]) for place in legal}
        least = min(ratios.values())
        legal = [place for place in legal if ratios[place] == least]
        if len(legal) == 1:
            break
    return legal[0]


def _eliminated(row: list[int], head: list[int], column: int, shared: int) -> list[int]:
    """Return a row without its entry in the pivot column. All divisions are exact."""
    pivot, factor = head[column], row[column]
    return [(own * pivot - factor * other) // shared for own, other in zip(row, head, strict=True)]
