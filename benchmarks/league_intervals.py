"""Coverage of the intervals of a league's ratings, with made-up players of known strength.

Returns are strengths with Gumbel noise, so that the odds of a higher return are exactly those of the Bradley-Terry
model (Yellott 1977). For intervals over scenarios each strength varies from scenario to scenario, and the true rating
is that of 400 scenarios. Run: `python benchmarks/league_intervals.py [LEAGUES]`.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from accord.analysis import league as analysis
from accord.analysis.league import CENTRE, SCALE, League, LeagueGame, LeagueScenario

STRENGTHS = (-0.8, -0.4, 0.0, 0.4, 0.8)
NAMES = tuple(f"p{number}" for number in range(len(STRENGTHS)))
SPREAD = 0.6
"""Standard deviation of a strength over scenarios."""
RESAMPLES = 200
"""Number of resamples of an interval, a fifth of the usual one."""
SIZES = ((1, 5), (4, 5), (6, 10), (4, 15), (6, 20))
"""Numbers of scenarios and seeds for intervals over seeds."""
WIDE_SIZES = ((5, 10), (8, 10))
"""The same for intervals over scenarios."""


def league(scenarios: int, seeds: int, seed: int, spread: float = 0.0) -> League:
    """Return a league of players with known strengths."""
    draw = np.random.default_rng(seed)
    effects = draw.normal(0, spread, size=(scenarios, 1, len(NAMES)))
    returns = np.array(STRENGTHS) + effects + draw.gumbel(size=(scenarios, seeds, len(NAMES)))
    games = tuple(
        LeagueGame(f"s{k}", s, name, ("A",), float(returns[k, s, p]), None, 0.0, None, None, "")
        for k in range(scenarios)
        for s in range(seeds)
        for p, name in enumerate(NAMES)
    )
    about = tuple(LeagueScenario(f"s{k}", "made-up", "visitor", 1, 2, (), "none") for k in range(scenarios))
    return League("known", NAMES, NAMES, about, tuple(range(seeds)), games)


def coverage(scenarios: int, seeds: int, leagues: int, true: dict[str, float], spread: float = 0.0) -> float:
    """Return the share of intervals that hold the true rating."""
    inside = 0
    for seed in range(leagues):
        for each in league(scenarios, seeds, seed, spread).standings:
            interval = each.wide if spread else each.interval
            assert interval is not None
            inside += interval[0] <= true[each.name] <= interval[1]
    return inside / (leagues * len(NAMES))


def main(leagues: int) -> None:
    """Print the coverage of both kinds of intervals."""
    analysis.RESAMPLES = RESAMPLES
    plain = {name: CENTRE + strength * SCALE / math.log(10) for name, strength in zip(NAMES, STRENGTHS, strict=True)}
    for scenarios, seeds in SIZES:
        print(f"over seeds, {scenarios} x {seeds}: {coverage(scenarios, seeds, leagues, plain):.3f}", flush=True)
    # Four seeds have no intervals, which would take long for so many scenarios.
    many = {each.name: each.rating for each in league(400, 4, -1 % 2**32, SPREAD).standings}
    for scenarios, seeds in WIDE_SIZES:
        print(
            f"over scenarios, {scenarios} x {seeds}: {coverage(scenarios, seeds, leagues, many, SPREAD):.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 80)
