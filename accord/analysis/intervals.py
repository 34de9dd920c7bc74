"""95 % intervals of means and of their differences, with the coverage that they claim from five runs on.

The studentized bootstrap (bootstrap-t; Efron and Tibshirani 1993, section 12.5) divides each resampled deviation by the
standard error of its own resample, which also covers skewed data. Samples of only two values have the mid-P interval of
a binomial share (Lancaster 1961), and differences between them Newcombe's hybrid of two such intervals (1998, method
10, generalized by Zou and Donner 2008). `benchmarks/coverage.py` simulates the coverage.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 9999
MIN_RUNS = 5
"""Minimum number of values in one or two samples. Below it no method covers 93 to 97 % of skewed data."""
MIN_IN_CELL = 3
"""The same for each of more samples, whose errors add up."""
MIN_TWO_VALUED = 10
"""The same for samples of only two values: fewer may show two of many values by chance."""
TAIL = 0.025
Interval = tuple[float, float]
UNBOUNDED: Interval = (-math.inf, math.inf)
NON_NEGATIVE: Interval = (0.0, math.inf)
"""Bounds of counts, prices and durations."""
SHARES: Interval = (0.0, 1.0)
"""Bounds of shares and rates."""


def mean_interval(values: Sequence[float], seed: int = 0) -> Interval | None:
    """Return the interval of the mean of independent values.

    Args:
        values: Finite values.
        seed: Seed of the resamples; equal arguments give equal results.

    Returns:
        The two ends, or None for constant values, for fewer than `MIN_RUNS`, and for so many equal values that the
        interval would be infinite.
    """
    return combination_interval([values], [1.0], seed)


def difference_interval(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Interval | None:
    """Return the interval of the first mean minus the second of two independent samples, as `mean_interval` does."""
    return combination_interval([first, second], [1.0, -1.0], seed)


def combination_interval(samples: Sequence[Sequence[float]], weights: Sequence[float], seed: int) -> Interval | None:
    """Return the interval of a weighted sum of the means of independent samples.

    Args:
        samples: Finite values of each sample.
        weights: Weight of each sample's mean.
        seed: Seed of the resamples.

    Returns:
        The two ends, or None for reasons as in `mean_interval`.
    """
    different = sorted({value for values in samples for value in values})
    fewest = min(map(len, samples))
    if len(different) < 2 or fewest < (MIN_RUNS if len(samples) <= 2 else MIN_IN_CELL):
        return None
    if len(different) == 2:
        return _of_shares(samples, weights, different) if fewest >= MIN_TWO_VALUED else None
    return _studentized(samples, weights, seed)


def _studentized(samples: Sequence[Sequence[float]], weights: Sequence[float], seed: int) -> Interval | None:
    """Return the interval of the studentized bootstrap, or None if an end is infinite."""
    # Imported here: every command loads this module, and few need NumPy.
    import numpy as np

    generator = np.random.default_rng(abs(seed))
    centre, squared_error = 0.0, 0.0
    deviations, squared_errors = np.zeros(RESAMPLES), np.zeros(RESAMPLES)
    for values, weight in zip(samples, weights, strict=True):
        mean, scale = statistics.fmean(values), weight * weight / len(values)
        means, variances = _resampled(np.asarray(values, dtype=np.float64), generator)
        centre += weight * mean
        squared_error += scale * statistics.variance(values)
        deviations += weight * (means - mean)
        squared_errors += scale * variances
    if squared_error == 0:
        return None
    # A resample of equal values has no error, and its studentized deviation is infinite. Rounding must not hide that.
    flat = squared_errors <= 1e-18 * squared_error
    errors = np.where(flat, 1.0, np.sqrt(squared_errors))
    ratios = np.sort(np.where(flat, np.copysign(np.inf, deviations), deviations / errors))
    error, place = math.sqrt(squared_error), round(TAIL * (RESAMPLES + 1))
    low, high = float(centre - ratios[-place] * error), float(centre - ratios[place - 1] * error)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _resampled(values: Floats, generator: np.random.Generator) -> tuple[Floats, Floats]:
    """Return mean and variance of each resample. Draws are made in batches, which bounds memory."""
    import numpy as np

    rows = max(1, 2_000_000 // len(values))
    sizes = [min(rows, RESAMPLES - start) for start in range(0, RESAMPLES, rows)]
    drawn = [values[generator.integers(len(values), size=(size, len(values)))] for size in sizes]
    return (
        np.concatenate([each.mean(axis=1) for each in drawn]),
        np.concatenate([each.var(axis=1, ddof=1) for each in drawn]),
    )


def _of_shares(samples: Sequence[Sequence[float]], weights: Sequence[float], values: Sequence[float]) -> Interval:
    """Return the interval of a weighted sum of means of samples that hold two values.

    The squared distances of the ends from the sum are the sums of those of the samples (Zou and Donner 2008).

    Args:
        samples: The samples; one may hold only one of the values.
        weights: Weight of each sample's mean.
        values: The smaller and the larger value.
    """
    least, most = values
    centre, below, above = 0.0, 0.0, 0.0
    for sample, weight in zip(samples, weights, strict=True):
        mean = statistics.fmean(sample)
        share = _share_interval(sum(value == most for value in sample), len(sample))
        distances = [weight * (least + (most - least) * end - mean) for end in share]
        centre += weight * mean
        below += min(distances) ** 2
        above += max(distances) ** 2
    return centre - math.sqrt(below), centre + math.sqrt(above)


def cut(interval: Interval | None, bounds: Interval) -> Interval | None:
    """Return the part of an interval within the possible values, which takes nothing from its coverage."""
    return None if interval is None else (max(interval[0], bounds[0]), min(interval[1], bounds[1]))


def cut_difference(interval: Interval | None, bounds: Interval) -> Interval | None:
    """Return the part of a difference's interval that two values within the bounds can have."""
    return cut(interval, (bounds[0] - bounds[1], bounds[1] - bounds[0]))


@lru_cache(maxsize=4096)
def _share_interval(successes: int, n: int) -> Interval:
    """Return the mid-P interval of a binomial share."""
    from scipy.optimize import brentq
    from scipy.stats import binom

    def low_gap(share: float) -> float:
        return float(binom.sf(successes, n, share) + binom.pmf(successes, n, share) / 2 - TAIL)

    def high_gap(share: float) -> float:
        return float(binom.cdf(successes - 1, n, share) + binom.pmf(successes, n, share) / 2 - TAIL)

    low = float(brentq(low_gap, 0, 1)) if successes else 0.0
    high = float(brentq(high_gap, 0, 1)) if successes < n else 1.0
    return low, high
