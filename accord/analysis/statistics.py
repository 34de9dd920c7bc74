"""Statistics between conditions: differences with intervals, permutation tests, effect sizes.

`compare_samples` takes two samples; `contrasts` compares every pair of conditions in every measure, and corrects each
test for the number of pairs (Holm 1979).
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from accord.analysis.figures import NOT_COMPARED, Key, figure_name
from accord.analysis.measures import percentiles, resampled_means
from dilemmas.errors import MeasureError

MAX_EXACT = 20_000
"""Maximum number of permutations that are enumerated; beyond it, this many random ones are drawn."""


@dataclass(frozen=True)
class SampleComparison:
    """Comparison of one measure in two conditions, first minus second."""

    n: tuple[int, int]
    """Number of values on each side."""
    means: tuple[float, float]
    difference: float
    """Difference of the means."""
    ci95: tuple[float, float]
    """Interval of the difference by the percentile bootstrap that resamples each side."""
    p: float
    """Two-sided permutation test of the difference of means; exact if the number of permutations allows it."""
    cohens_d: float | None
    """Difference in pooled standard deviations; None without variance."""
    cliffs_delta: float
    """Share of pairs with a larger first value, minus the share with a smaller one: -1 to 1."""


@dataclass(frozen=True)
class Contrast:
    """Comparison of two conditions in one measure."""

    of: tuple[str, str]
    key: Key
    found: SampleComparison
    p_holm: float
    """`p`, corrected for the number of pairs of conditions that are compared in this measure."""

    def to_dict(self) -> dict[str, object]:
        """Return the contrast for JSON."""
        lists = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self.found).items()}
        return {"of": list(self.of), "measure": figure_name(self.key), **lists, "p_holm": self.p_holm}


def compare_samples(first: Sequence[float], second: Sequence[float], seed: int = 0) -> SampleComparison:
    """Compare two samples of two or more finite values each; equal arguments give equal results.

    Raises:
        MeasureError: A sample is too small or holds a value that is not finite.
    """
    for values in (first, second):
        if len(values) < 2 or not all(math.isfinite(value) for value in values):
            raise MeasureError(f"a comparison needs two or more finite values on each side, not {list(values)}")
    means = statistics.fmean(first), statistics.fmean(second)
    difference = means[0] - means[1]
    above = sum((one > other) - (one < other) for one in first for other in second)
    return SampleComparison(
        (len(first), len(second)),
        means,
        difference,
        _interval(first, second, seed),
        _permutation(first, second, seed),
        _standardized(difference, first, second),
        above / (len(first) * len(second)),
    )


def contrasts(samples: Mapping[str, Mapping[Key, Sequence[float]]], seed: int = 0) -> list[Contrast]:
    """Compare every pair of conditions in every measure with two or more values in both.

    Args:
        samples: Condition -> measure -> values.
        seed: Seed of the bootstrap and of random permutations.
    """
    keys = dict.fromkeys(key for figures in samples.values() for key in figures if key[0] not in NOT_COMPARED)
    found = []
    for key in keys:
        enough = {name: figures[key] for name, figures in samples.items() if len(figures.get(key, ())) >= 2}
        pairs = list(itertools.combinations(enough, 2))
        compared = [compare_samples(enough[one], enough[other], seed) for one, other in pairs]
        corrected = holm([each.p for each in compared])
        found += [Contrast(of, key, each, p) for of, each, p in zip(pairs, compared, corrected, strict=True)]
    return found


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number, in the same order (Holm 1979)."""
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected


def _interval(first: Sequence[float], second: Sequence[float], seed: int) -> tuple[float, float]:
    """Return the interval of the difference; each side has its own resamples."""
    return percentiles(resampled_means(first, 2 * seed) - resampled_means(second, 2 * seed + 1))


def _permutation(first: Sequence[float], second: Sequence[float], seed: int) -> float:
    """Return the share of permutations whose means differ at least as much as the observed ones."""
    # Imported here: every command loads this module, and few need NumPy.
    import numpy as np

    values = np.array([*first, *second])
    size = len(first)
    exact = math.comb(len(values), size) <= MAX_EXACT
    if exact:
        dealt = np.array(list(itertools.combinations(range(len(values)), size)))
    else:
        dealt = np.random.default_rng(abs(seed)).random((MAX_EXACT, len(values))).argpartition(size)[:, :size]
    parts = values[dealt].sum(axis=1)
    gaps = np.abs(parts / size - (values.sum() - parts) / (len(values) - size))
    # Sums of the same numbers in another order differ in the last bits; these must count as equal.
    observed = abs(statistics.fmean(first) - statistics.fmean(second)) - 1e-12 * np.abs(values).max()
    as_far = int((gaps >= observed).sum())
    # The observed assignment counts as one of the random ones, so the share is never 0.
    return as_far / len(dealt) if exact else (as_far + 1) / (len(dealt) + 1)


def _standardized(difference: float, first: Sequence[float], second: Sequence[float]) -> float | None:
    spread = sum((len(values) - 1) * statistics.variance(values) for values in (first, second))
    pooled = math.sqrt(spread / (len(first) + len(second) - 2))
    return difference / pooled if pooled > 0 else None
