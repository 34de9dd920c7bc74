"""Walks of rule-based agents: straight lines, split into legs that are short enough for pathfinding."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, dist

Point = tuple[float, float]
"""Horizontal position: x and z, in blocks."""


def flat(at: Sequence[float]) -> Point:
    """Return the horizontal part of a position."""
    return at[0], at[2]


def legs(start: Point, end: Point, most: float) -> list[tuple[int, int]]:
    """Return the ends of the legs of a straight line, each at most `most` blocks long."""
    count = max(1, ceil(dist(start, end) / most))
    steps = [number / count for number in range(1, count + 1)]
    return [(round(start[0] + (end[0] - start[0]) * t), round(start[1] + (end[1] - start[1]) * t)) for t in steps]
