"""Statistics between two conditions: a difference with its interval, a test without assumptions, effect sizes."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from dilemmas.errors import MeasureError
from dilemmas.measures import BOOTSTRAP_SAMPLES

MAX_EXACT = 20_000
"""Up to so many ways to deal the values out to two sides, all of them are looked at; beyond, that many random ones."""


@dataclass(frozen=True)
class Comparison:
    """One measure in two conditions, the first less the second."""

    difference: float
    """Of the means."""
    ci95: tuple[float, float]
    """Of that difference, by the percentile bootstrap that resamples each side."""
    p: float
    """Two-sided permutation test of the difference of means: exact where few values allow it."""
    cohens_d: float | None
    """The difference in pooled standard deviations; None where nothing varies."""
    cliffs_delta: float
    """How often a value of the first is above one of the second, less how often it is below: -1 to 1."""

    def plain(self) -> dict[str, object]:
        """For JSON."""
        return {**asdict(self), "ci95": list(self.ci95)}


def compare(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Comparison:
    """Two samples of two or more finite values each; equal for equal arguments. Raises MeasureError."""
    for values in (first, second):
        if len(values) < 2 or not all(math.isfinite(value) for value in values):
            raise MeasureError(f"a comparison needs two or more finite values on each side, not {list(values)}")
    difference = statistics.fmean(first) - statistics.fmean(second)
    above = sum((one > other) - (one < other) for one in first for other in second)
    return Comparison(
        difference,
        _interval(first, second, seed),
        _permutation(first, second, seed),
        _standardized(difference, first, second),
        above / (len(first) * len(second)),
    )


def _interval(first: Sequence[float], second: Sequence[float], seed: int) -> tuple[float, float]:
    generator = random.Random(f"interval:{seed}")
    found = sorted(
        statistics.fmean(generator.choices(first, k=len(first)))
        - statistics.fmean(generator.choices(second, k=len(second)))
        for _ in range(BOOTSTRAP_SAMPLES)
    )
    return found[int(0.025 * len(found))], found[int(0.975 * len(found)) - 1]


def _permutation(first: Sequence[float], second: Sequence[float], seed: int) -> float:
    """The share of all ways to deal the values out whose means differ at least as much as the real ones do."""
    values = [*first, *second]
    total, size = math.fsum(values), len(first)

    def gap(part: float) -> float:
        return abs(part / size - (total - part) / (len(values) - size))

    # Sums of the same numbers in another order differ in the last bits; these must count as equal.
    observed = gap(math.fsum(first)) * (1 - 1e-12)
    if math.comb(len(values), size) <= MAX_EXACT:
        gaps = [gap(math.fsum(part)) for part in itertools.combinations(values, size)]
        return sum(each >= observed for each in gaps) / len(gaps)
    generator = random.Random(f"permutation:{seed}")
    as_far = sum(gap(math.fsum(generator.sample(values, size))) >= observed for _ in range(MAX_EXACT))
    # The dealing that was seen counts as one of them: a share of random ones is never 0.
    return (as_far + 1) / (MAX_EXACT + 1)


def _standardized(difference: float, first: Sequence[float], second: Sequence[float]) -> float | None:
    spread = sum((len(values) - 1) * statistics.variance(values) for values in (first, second))
    pooled = math.sqrt(spread / (len(first) + len(second) - 2))
    return difference / pooled if pooled > 0 else None
