"""Schelling diagrams of games given by their payoffs."""

from __future__ import annotations

from pathlib import Path
from random import Random

from accord.analysis.schelling import Schelling, SchellingPoint

PARTS = (-1, -0.6, -0.1, 0.1, 0.6, 1)


def game(r: float, p: float, t: float, s: float, spread: float = 0.0) -> Schelling:
    """Return a diagram with these means; six seeds lie up to `spread` to both sides of them, in another order each."""
    orders = Random(0)

    def around(mean: float) -> tuple[float, ...]:
        return tuple(mean + spread * part for part in orders.sample(PARTS, len(PARTS)))

    points = (
        SchellingPoint(0, (), around(p), around(2 * p)),
        SchellingPoint(1, around(s), around(t), around(t + s)),
        SchellingPoint(2, around(r), (), around(2 * r)),
    )
    return Schelling("game", 2, "nice", "nasty", 0, points, Path())
