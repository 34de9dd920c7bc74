"""Walks of agents without a model: the straight way in legs that a path is found for."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, dist

Point = tuple[float, float]
"""x and z."""


def flat(at: Sequence[float]) -> Point:
    """Return a place without its height."""
    return at[0], at[2]


def legs(start: Point, end: Point, most: float) -> list[tuple[int, int]]:
    """Return points on the straight line, at most that many blocks apart."""
    count = max(1, ceil(dist(start, end) / most))
    steps = [number / count for number in range(1, count + 1)]
    return [(round(start[0] + (end[0] - start[0]) * t), round(start[1] + (end[1] - start[1]) * t)) for t in steps]
