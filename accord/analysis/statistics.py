"""Statistics between conditions: differences with intervals, permutation tests, effect sizes.

`compare_samples` takes two samples; `contrasts` compares every pair of conditions in every measure, and corrects each
test for the number of pairs (Holm 1979). Runs of two conditions with the same seed begin alike, so that they are also
compared in pairs.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from accord.analysis.figures import NOT_COMPARED, TOGETHER, Key, figure_name
from accord.analysis.intervals import UNBOUNDED, Interval, cut_difference, difference_interval, mean_interval
from accord.analysis.mixed_model import MixedModelFit, fit_mixed_model
from accord.analysis.plan import AnalysisPlan
from dilemmas.errors import MeasureError

if TYPE_CHECKING:
    import numpy as np

MAX_EXACT, RANDOM = 20_000, 9_999
"""Maximum number of permutations that are enumerated, and number of random ones that are drawn beyond it."""
MAX_PLACES = 4_000_000
"""Maximum number of places in a table of all partitions, which is kept."""
MAX_KEPT = 20_000
"""Maximum number of kept tests. Eight conditions with forty measures ask for 2,240, and for all of them three times."""
LEVEL = 0.05
"""Level of the tests behind verdicts in words."""
PLANNED = "declared"
"""Family of the declared comparisons."""
MAX_PLAYERS = 64
"""Maximum number of players whose own measures are compared."""


@dataclass(frozen=True)
class PairedComparison:
    """Comparison of one measure in runs of two conditions with the same seeds, first minus second."""

    pairs: int
    difference: float
    """Mean of the differences."""
    ci95: Interval | None
    """Interval of `difference` (`accord.analysis.intervals.mean_interval`)."""
    p: float | None
    """Two-sided sign-flip test of the mean; None if all differences are equal."""
    p_t: float | None
    """Two-sided paired t test, which assumes normal differences; None as for `p`."""
    mixed: MixedModelFit | None = None
    """Mixed model of all runs of both conditions; None if the plan does not ask for it."""


@dataclass(frozen=True)
class SampleComparison:
    """Comparison of one measure in two conditions, first minus second."""

    n: tuple[int, int]
    """Number of values on each side."""
    means: tuple[float, float]
    difference: float
    """Difference of the means."""
    ci95: Interval | None
    """Interval of the difference (`accord.analysis.intervals.difference_interval`)."""
    p: float | None
    """Two-sided permutation test of the difference of means; None if no side varies."""
    hedges_g: float | None
    """Difference in pooled standard deviations, corrected for small samples (Hedges 1981); None without variance."""
    g_ci95: Interval | None
    """Interval of `hedges_g` for normal data with equal variances (noncentral t), from five values on each side on."""
    cliffs_delta: float
    """Share of pairs with a larger first value, minus the share with a smaller one: -1 to 1."""


@dataclass(frozen=True)
class Contrast:
    """Comparison of two conditions in one measure."""

    of: tuple[str, str]
    key: Key
    found: SampleComparison
    p_holm: float | None = None
    """`p`, corrected for the number of comparisons of its family (`contrasts`)."""
    paired: PairedComparison | None = None
    """The same in pairs of runs with equal seeds; None if the seeds differ or repeat."""
    paired_p_holm: float | None = None
    """`paired.p`, corrected like `p_holm`."""
    mixed_p_holm: float | None = None
    """`paired.mixed.p`, corrected like `p_holm`."""
    declared: bool | None = None
    """False for a comparison that the study did not declare beforehand; None if it declared nothing."""

    def evidence(self, *, paired: bool) -> tuple[float, Interval | None, float | None]:
        """Return difference, interval and corrected p of the test in pairs, or of the one of independent runs.

        The mixed model takes the place of the test in pairs if there is one. Without a usable fit there is no p.
        """
        if not paired or self.paired is None:
            return self.found.difference, self.found.ci95, self.p_holm
        if (mixed := self.paired.mixed) is None:
            return self.paired.difference, self.paired.ci95, self.paired_p_holm
        return self.paired.difference if mixed.difference is None else mixed.difference, mixed.ci95, self.mixed_p_holm

    def uncorrected_p(self, *, paired: bool) -> float | None:
        """Return p before the correction, of the test that `evidence` returns."""
        if not paired or self.paired is None:
            return self.found.p
        return self.paired.p if self.paired.mixed is None else self.paired.mixed.p

    def to_dict(self) -> dict[str, object]:
        """Return the contrast for JSON."""
        found, paired = self.found, self.paired
        told: dict[str, object] = {
            "of": list(self.of), "measure": figure_name(self.key), "n": list(found.n), "means": list(found.means),
            "difference": found.difference, "ci95": _listed(found.ci95), "p": found.p, "p_holm": self.p_holm,
            "hedges_g": found.hedges_g, "g_ci95": _listed(found.g_ci95), "cliffs_delta": found.cliffs_delta,
        }  # fmt: skip
        if paired is not None:
            told["paired"] = {
                "pairs": paired.pairs, "difference": paired.difference, "ci95": _listed(paired.ci95), "p": paired.p,
                "p_holm": self.paired_p_holm, "p_t": paired.p_t,
                **({} if paired.mixed is None else {"mixed": paired.mixed.to_dict() | {"p_holm": self.mixed_p_holm}}),
            }  # fmt: skip
        if self.declared is not None:
            told["declared"] = self.declared
        return told

    @property
    def verdict_changes(self) -> bool:
        """Return whether the test in pairs and the one of independent runs come to different verdicts."""
        in_pairs = self.evidence(paired=True)[2]
        if self.p_holm is None or in_pairs is None:
            return False
        return (self.p_holm < LEVEL) != (in_pairs < LEVEL)


def _listed(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


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
    varies = any(min(values) < max(values) for values in (first, second))
    g, g_ci95 = _effect_size(difference, first, second)
    return SampleComparison(
        (len(first), len(second)),
        means,
        difference,
        difference_interval(first, second, seed),
        _permutation_test("independent", tuple(first), tuple(second), seed) if varies else None,
        g,
        g_ci95,
        above / (len(first) * len(second)),
    )


def compare_pairs(first: Sequence[float], second: Sequence[float], seed: int = 0) -> PairedComparison:
    """Compare two samples whose values at equal places belong together.

    Raises:
        MeasureError: There are fewer than two pairs, or sides of different lengths.
    """
    if len(first) != len(second) or len(first) < 2:
        raise MeasureError(f"a comparison in pairs needs two or more pairs, not {len(first)} and {len(second)} values")
    differences = [one - other for one, other in zip(first, second, strict=True)]
    p = p_t = None
    if min(differences) < max(differences):
        # Imported here: every command loads this module, and few need SciPy.
        from scipy.stats import ttest_rel

        p = _permutation_test("samples", tuple(first), tuple(second), seed)
        p_t = float(ttest_rel(first, second).pvalue)
    return PairedComparison(len(differences), statistics.fmean(differences), mean_interval(differences, seed), p, p_t)


def contrasts(
    samples: Mapping[str, Mapping[Key, Sequence[float]]],
    seed: int = 0,
    seeds: Mapping[str, Mapping[Key, Sequence[int]]] | None = None,
    plan: AnalysisPlan | None = None,
    bounds: Mapping[Key, Interval] | None = None,
) -> list[Contrast]:
    """Compare every pair of conditions in every measure with two or more values in both.

    In a crowd of more than `MAX_PLAYERS` the measures of single players are left out. The comparisons that a plan
    declares are one family for Holm's correction. The others have a family for each measure.

    Args:
        samples: Condition -> measure -> values.
        seed: Seed of the bootstrap and of random permutations.
        seeds: Condition -> measure -> seeds of the runs of these values, for comparisons in pairs; None for none.
        plan: The declared analysis; None for none.
        bounds: Measure -> its least and most possible value; intervals are cut to what follows from them.
    """
    plan = plan or AnalysisPlan()
    keys = dict.fromkeys(key for figures in samples.values() for key in figures if key[0] not in NOT_COMPARED)
    if len({player for _, player in keys} - {TOGETHER}) > MAX_PLAYERS:
        keys = dict.fromkeys(key for key in keys if key[1] == TOGETHER)
    families: dict[object, list[int]] = {}
    found: list[Contrast] = []
    for key in keys:
        enough = {name: figures[key] for name, figures in samples.items() if len(figures.get(key, ())) >= 2}
        for pair in itertools.combinations(enough, 2):
            declared = plan.covers(pair, figure_name(key)) if plan.declares else None
            families.setdefault(PLANNED if declared else key, []).append(len(found))
            compared = compare_samples(enough[pair[0]], enough[pair[1]], seed)
            sides = [] if seeds is None else [(enough[name], seeds[name][key]) for name in pair]
            paired = _compare_seeds(sides, seed, mixed=plan.mixed)
            within = (bounds or {}).get(key, UNBOUNDED)
            compared = replace(compared, ci95=cut_difference(compared.ci95, within))
            if paired is not None:
                paired = replace(paired, ci95=cut_difference(paired.ci95, within))
            found.append(Contrast(pair, key, compared, paired=paired, declared=declared))
    for places in families.values():
        for place, contrast in zip(places, _corrected([found[place] for place in places]), strict=True):
            found[place] = contrast
    return found


def _corrected(family: Sequence[Contrast]) -> list[Contrast]:
    """Return the contrasts of a family with p-values corrected for their number."""
    in_pairs = [each.paired for each in family]
    independent = holm([each.found.p for each in family])
    paired = holm([each.p if each else None for each in in_pairs])
    mixed = holm([each.mixed.p if each and each.mixed else None for each in in_pairs])
    return [
        replace(each, p_holm=p, paired_p_holm=paired_p, mixed_p_holm=mixed_p)
        for each, p, paired_p, mixed_p in zip(family, independent, paired, mixed, strict=True)
    ]


def _compare_seeds(
    sides: Sequence[tuple[Sequence[float], Sequence[int]]], seed: int, *, mixed: bool
) -> PairedComparison | None:
    """Compare the values of two sides by their seeds; None if a seed repeats or fewer than two are shared."""
    if not sides or any(len(set(seeds)) < len(seeds) for _, seeds in sides):
        return None
    first, second = (dict(zip(seeds, values, strict=True)) for values, seeds in sides)
    shared = sorted(first.keys() & second.keys())
    if len(shared) < 2:
        return None
    found = compare_pairs([first[each] for each in shared], [second[each] for each in shared], seed)
    return replace(found, mixed=fit_mixed_model(first, second)) if mixed else found


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return p-values corrected for their number, in the same order (Holm 1979); None is no test and stays."""
    tested = [place for place, value in enumerate(values) if value is not None]
    corrected: list[float | None] = [None] * len(values)
    highest = 0.0
    for rank, place in enumerate(sorted(tested, key=lambda each: values[each] or 0.0)):
        highest = max(highest, min(1.0, (len(tested) - rank) * (values[place] or 0.0)))
        corrected[place] = highest
    return corrected


def _mean_gap(first: Any, second: Any, axis: int) -> np.ndarray[Any, Any]:  # noqa: ANN401 - arrays of any shape
    """Return the distance of the means of two arrays along an axis."""
    gap: np.ndarray[Any, Any] = abs(first.mean(axis=axis) - second.mean(axis=axis))
    return gap


@lru_cache(maxsize=MAX_KEPT)
def _permutation_test(kind: str, first: tuple[float, ...], second: tuple[float, ...], seed: int) -> float:
    """Return the share of permutations whose means differ at least as much as the observed ones.

    The results are kept: the result, the terminal and the report of a study ask for the same comparisons.

    Args:
        kind: `independent` to exchange values between the sides, `samples` to exchange them within pairs.
        first: Values of one side.
        second: Values of the other side.
        seed: Seed of random permutations, which are drawn where there are too many for an exact test.
    """
    import numpy as np

    total = len(first) + len(second)
    ways = math.comb(total, len(first)) if kind == "independent" else 2 ** len(first)
    if kind == "independent" and ways <= MAX_EXACT and ways * total <= MAX_PLACES:
        return _exact_test(first, second)
    from scipy.stats import permutation_test

    found = permutation_test(
        (np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)),
        _mean_gap, permutation_type=kind, alternative="greater", vectorized=True,
        n_resamples=MAX_EXACT if ways <= MAX_EXACT else RANDOM,
        rng=np.random.default_rng(abs(seed)),
    )  # fmt: skip
    return float(found.pvalue)


def _exact_test(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the p-value of `scipy.stats.permutation_test` over all partitions.

    SciPy lists the partitions anew for every test, which took most of the time of a comparison of eight conditions.
    """
    import numpy as np

    size = len(first)
    dealt = np.asarray([*first, *second], dtype=np.float64)[_partitions(size, size + len(second))]
    gaps = _mean_gap(dealt[:, :size], dealt[:, size:], axis=-1)
    observed = float(_mean_gap(np.asarray(first), np.asarray(second), axis=-1))
    # SciPy's tolerance for values that are equal but for rounding.
    return int((gaps >= observed - abs(observed) * np.finfo(np.float64).eps * 100).sum()) / len(gaps)


@lru_cache(maxsize=8)
def chosen_places(size: int, total: int) -> np.ndarray[Any, Any]:
    """Return all ways to choose `size` of `total` places, one a row. The result is shared: do not change it."""
    import numpy as np

    return np.array(list(itertools.combinations(range(total), size)))


@lru_cache(maxsize=8)
def _partitions(size: int, total: int) -> np.ndarray[Any, Any]:
    """Return all partitions of `total` places, one a row: `size` chosen places, then the others."""
    import numpy as np

    chosen = chosen_places(size, total)
    left = np.ones((len(chosen), total), dtype=bool)
    np.put_along_axis(left, chosen, values=False, axis=1)
    return np.hstack([chosen, np.nonzero(left)[1].reshape(len(chosen), total - size)])


def _effect_size(
    difference: float, first: Sequence[float], second: Sequence[float]
) -> tuple[float | None, Interval | None]:
    """Return Hedges' g and its interval."""
    ns = len(first), len(second)
    freedom = sum(ns) - 2
    spread = sum((len(values) - 1) * statistics.variance(values) for values in (first, second))
    pooled = math.sqrt(spread / freedom)
    if pooled == 0:
        return None, None
    # The exact factor of Hedges (1981), near 1 - 3 / (4 freedom - 1).
    correction = math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom - 1) / 2)) / math.sqrt(freedom / 2)
    g = correction * difference / pooled
    return g, _effect_size_interval(difference / pooled, ns, correction) if min(ns) >= 5 else None


@lru_cache(maxsize=MAX_KEPT)
def _effect_size_interval(d: float, ns: tuple[int, int], correction: float) -> Interval | None:
    """Return the interval of a standardized difference by inverting the noncentral t distribution."""
    from scipy.optimize import brentq
    from scipy.stats import nct

    if d < 0:
        # SciPy's distribution function is not exact in the lower tail.
        mirrored = _effect_size_interval(-d, ns, correction)
        return None if mirrored is None else (-mirrored[1], -mirrored[0])
    scale = math.sqrt(ns[0] * ns[1] / sum(ns))
    t, freedom = d * scale, sum(ns) - 2
    # About four standard errors of t on each side.
    reach = 4 * math.sqrt(1 + t * t / (2 * freedom))

    def end(share: float) -> float:
        place = brentq(lambda shift: float(nct.cdf(t, freedom, shift)) - share, t - reach, t + reach)
        return correction * float(place) / scale

    try:
        return end(0.975), end(0.025)
    except ValueError:
        # Far out the distribution function has no digits left.
        return None
