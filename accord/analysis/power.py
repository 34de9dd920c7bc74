"""Number of runs that would decide whether a measure differs, from the variance of runs at hand."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from accord.analysis.statistics import LEVEL
from dilemmas.errors import MeasureError

MAX_RUNS = 100_000
LEAST, LEAST_PAIRS = 4, 6
"""Minimum number of runs on each side, and of pairs, with which an exact permutation test can reach 5 %."""


@dataclass(frozen=True)
class PowerEstimate:
    """Runs that a comparison of two conditions needs."""

    difference: float
    """Difference of the means that is to be found."""
    power: float
    """Probability that the test finds it."""
    deviation: float
    """Standard deviation of the runs at hand, of the two conditions that vary most."""
    degrees: int
    """Degrees of freedom of `deviation`."""
    runs: int | None
    """Runs of each condition; None if more than `MAX_RUNS` are needed."""
    paired_deviation: float | None
    """Standard deviation of differences between runs with equal seeds; None without pairs."""
    pairs: int | None
    """Runs of each condition for a test in pairs of equal seeds."""


def estimate_power(samples: Mapping[str, Mapping[int, float]], difference: float, power: float = 0.8) -> PowerEstimate:
    """Return the number of runs with which a t test finds a difference; the permutation test needs about as many.

    Args:
        samples: Condition -> seed -> value.
        difference: Difference of the means, above 0.
        power: Probability of finding it, between 0 and 1.

    Raises:
        MeasureError: No condition has two runs, or nothing varies.
    """
    groups = [list(values.values()) for values in samples.values() if len(values) > 1]
    if not groups:
        raise MeasureError("no condition has two runs or more, so that nothing is known of their variance")
    widest = sorted(groups, key=statistics.variance)[-2:]
    degrees = sum(len(values) - 1 for values in widest)
    deviation = math.sqrt(statistics.fmean(map(statistics.variance, widest)))
    if deviation == 0:
        raise MeasureError("no run differs from another of its condition: with these players one run of each decides")
    gaps = _paired_deviations(list(samples.values()))
    paired = max(gaps, default=None)
    return PowerEstimate(
        difference, power, deviation, degrees, _needed(difference / deviation, power, paired=False),
        paired, None if paired is None else _needed(difference / paired, power, paired=True) if paired else LEAST_PAIRS,
    )  # fmt: skip


def _paired_deviations(samples: Sequence[Mapping[int, float]]) -> list[float]:
    """Return the standard deviation of the differences for each pair of conditions that share three seeds or more."""
    found = []
    for place, one in enumerate(samples):
        for other in samples[place + 1 :]:
            gaps = [one[seed] - other[seed] for seed in one.keys() & other.keys()]
            if len(gaps) > 2:
                found.append(statistics.stdev(gaps))
    return found


def _needed(effect: float, power: float, *, paired: bool) -> int | None:
    """Return the smallest number of runs of each side; the power grows with it."""
    low = high = LEAST_PAIRS if paired else LEAST
    while _power(effect, high, paired=paired) < power:
        low, high = high, 2 * high
        if high > MAX_RUNS:
            return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _power(effect, middle, paired=paired) >= power else (middle + 1, high)
    return high


def _power(effect: float, runs: int, *, paired: bool) -> float:
    """Return the power of a two-sided t test with that many runs on each side, by the noncentral t distribution."""
    from scipy.stats import nct, t

    degrees = runs - 1 if paired else 2 * runs - 2
    shift = effect * math.sqrt(runs if paired else runs / 2)
    critical = float(t.ppf(1 - LEVEL / 2, degrees))
    return float(nct.sf(critical, degrees, shift) + nct.cdf(-critical, degrees, shift))
