"""Main effects of the factors of a crossed study.

Two levels of a factor are compared within every combination of the other factors' levels (a stratum) that has both; the
effect is the mean of these differences. The permutation test exchanges values between the two levels within each
stratum only, so that effects of the other factors do not enter.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from accord.analysis.figures import NOT_COMPARED, Key, figure_name
from accord.analysis.intervals import UNBOUNDED, Interval, combination_interval, cut_difference
from accord.analysis.statistics import MAX_EXACT, chosen_places, holm

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Levels = Mapping[str, str]
"""Factor -> level, of one condition."""
Stratum = tuple[Sequence[float], Sequence[float]]
"""Values of two levels in which all other factors are equal."""


@dataclass(frozen=True)
class Effect:
    """Effect of one factor on one measure: first level minus second."""

    factor: str
    of: tuple[str, str]
    """The two levels."""
    key: Key
    strata: int
    """Number of combinations of the other factors over which the effect is averaged."""
    n: tuple[int, int]
    """Number of values on each side, in all strata together."""
    difference: float
    ci95: Interval | None
    """Interval of the difference (`accord.analysis.intervals.combination_interval`)."""
    p: float | None
    """Two-sided permutation test within strata, exact if their number allows it; None if no cell varies."""
    p_holm: float | None = None
    """`p`, corrected for the number of effects in this measure."""

    def to_dict(self) -> dict[str, object]:
        """Return the effect for JSON."""
        head = {"factor": self.factor, "of": list(self.of), "measure": figure_name(self.key), "strata": self.strata}
        found = {"n": list(self.n), "difference": self.difference, "p": self.p}
        found["ci95"] = None if self.ci95 is None else list(self.ci95)
        return {**head, **found, "p_holm": self.p_holm}


def effects(
    samples: Mapping[str, Mapping[Key, Sequence[float]]],
    levels: Mapping[str, Levels],
    seed: int = 0,
    bounds: Mapping[Key, Interval] | None = None,
) -> list[Effect]:
    """Return all main effects by condition's samples and levels; empty unless two factors or more are crossed.

    Args:
        samples: Condition -> measure -> values.
        levels: Condition -> factor -> level.
        seed: Seed of resamples and of random permutations.
        bounds: As in `accord.analysis.statistics.contrasts`.
    """
    factors = list(dict.fromkeys(factor for each in levels.values() for factor in each))
    varied = [factor for factor in factors if len({each.get(factor) for each in levels.values()}) > 1]
    if len(varied) < 2:
        return []
    found = []
    for key in dict.fromkeys(key for figures in samples.values() for key in figures if key[0] not in NOT_COMPARED):
        of_figure = []
        for factor in varied:
            names = list(dict.fromkeys(each[factor] for each in levels.values() if factor in each))
            for pair in itertools.combinations(names, 2):
                strata = _strata(factor, pair, key, samples, levels)
                if strata and all(sum(len(each[side]) for each in strata) >= 2 for side in (0, 1)):
                    effect = _effect(factor, pair, key, strata, seed)
                    within = (bounds or {}).get(key, UNBOUNDED)
                    of_figure.append(replace(effect, ci95=cut_difference(effect.ci95, within)))
        corrected = holm([each.p for each in of_figure])
        found += [replace(each, p_holm=p) for each, p in zip(of_figure, corrected, strict=True)]
    return found


def _strata(
    factor: str,
    pair: tuple[str, str],
    key: Key,
    samples: Mapping[str, Mapping[Key, Sequence[float]]],
    levels: Mapping[str, Levels],
) -> list[Stratum]:
    sides: dict[tuple[tuple[str, str], ...], dict[str, Sequence[float]]] = {}
    for name, own in levels.items():
        values = samples.get(name, {}).get(key, ())
        if own.get(factor) in pair and values:
            others = tuple(sorted((each, level) for each, level in own.items() if each != factor))
            sides.setdefault(others, {})[own[factor]] = values
    return [(both[pair[0]], both[pair[1]]) for both in sides.values() if len(both) == 2]


def _effect(factor: str, pair: tuple[str, str], key: Key, strata: Sequence[Stratum], seed: int) -> Effect:
    gaps = [sum(first) / len(first) - sum(second) / len(second) for first, second in strata]
    counts = sum(len(first) for first, _ in strata), sum(len(second) for _, second in strata)
    difference = sum(gaps) / len(strata)
    cells = [values for stratum in strata for values in stratum]
    weights = [sign / len(strata) for _ in strata for sign in (1, -1)]
    varies = any(min(values) < max(values) for values in cells)
    p = _permutation(strata, difference * len(strata), seed) if varies else None
    interval = combination_interval(cells, weights, seed)
    return Effect(factor, pair, key, len(strata), counts, difference, interval, p)


def _permutation(strata: Sequence[Stratum], observed: float, seed: int) -> float:
    """Return the share of permutations within strata with gaps of at least the observed sum."""
    # Loaded here, as in `accord.analysis.statistics`.
    import numpy as np

    draw = np.random.default_rng(abs(seed))
    dealt = [_dealt(stratum, draw) for stratum in strata]
    ways = math.prod(len(each) for each in dealt)
    exact = ways <= MAX_EXACT and all(_ways(stratum) <= MAX_EXACT for stratum in strata)
    if exact:
        sums = dealt[0]
        for each in dealt[1:]:
            sums = np.add.outer(sums, each).ravel()
    else:
        sums = _added([each[draw.integers(len(each), size=MAX_EXACT)] for each in dealt])
    scale = max(abs(value) for stratum in strata for values in stratum for value in values)
    as_far = int((np.abs(sums) >= abs(observed) - 1e-9 * max(scale, 1e-9)).sum())
    return as_far / len(sums) if exact else (as_far + 1) / (len(sums) + 1)


def _added(arrays: Sequence[Floats]) -> Floats:
    """Return the element-wise sum."""
    found = arrays[0]
    for each in arrays[1:]:
        found = found + each
    return found


def _ways(stratum: Stratum) -> int:
    return math.comb(len(stratum[0]) + len(stratum[1]), len(stratum[0]))


def _dealt(stratum: Stratum, draw: np.random.Generator) -> Floats:
    """Return the gap between the two means for every permutation of the stratum's values, or for many random ones."""
    import numpy as np

    values, size = np.array([*stratum[0], *stratum[1]]), len(stratum[0])
    if _ways(stratum) <= MAX_EXACT:
        places = chosen_places(size, len(values))
    else:
        places = draw.random((MAX_EXACT, len(values))).argpartition(size)[:, :size]
    parts = values[places].sum(axis=1)
    gaps: Floats = parts / size - (values.sum() - parts) / (len(values) - size)
    return gaps
