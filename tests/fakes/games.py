"""Schelling diagrams of games given by their payoffs."""

from __future__ import annotations

from pathlib import Path

from accord.analysis.schelling import Schelling, SchellingPoint


def game(r: float, p: float, t: float, s: float, spread: float = 0.0) -> Schelling:
    """Return a diagram with these means; six samples lie up to `spread` to both sides of them."""

    def around(mean: float) -> tuple[float, ...]:
        return tuple(mean + spread * part for part in (-1, -0.6, -0.1, 0.1, 0.6, 1))

    points = (
        SchellingPoint(0, (), around(p), around(2 * p)),
        SchellingPoint(1, around(s), around(t), around(t + s)),
        SchellingPoint(2, around(r), (), around(2 * r)),
    )
    return Schelling("game", 2, "nice", "nasty", 0, points, Path())
