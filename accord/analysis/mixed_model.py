"""Linear mixed model of two conditions: a fixed effect of the condition, a random intercept per seed (REML).

Its p-value is that of Student's t with the degrees of freedom within seeds (values less seeds less one; Pinheiro and
Bates 2000, section 2.4.2), since statsmodels' own normal distribution is too narrow for few runs. Where every seed has
a run of both conditions, the test equals the paired t test. Runs whose seed the other condition lacks count too.
"""

from __future__ import annotations

import importlib.util
import math
import statistics
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from accord.analysis.intervals import MIN_RUNS, Interval
from common.errors import PrerequisiteError

MISSING = "a mixed model needs statsmodels: pip install 'statsmodels>=0.14.4' into Accord's environment"
MIN_SHARE = 0.01
"""Variance between seeds, in residual variances, below which a fit counts as singular: the optimizer ends near zero."""
Seeded = tuple[tuple[int, float], ...]
"""Seeds with the values of their runs."""


@dataclass(frozen=True)
class MixedModelFit:
    """Mixed model of one measure in two conditions, first minus second."""

    runs: int
    seeds: int
    difference: float | None = None
    """Fixed effect of the condition; None without a usable fit."""
    ci95: Interval | None = None
    """Interval by Student's t; None for fewer than five shared seeds."""
    p: float | None = None
    """Two-sided test of `difference`."""
    problem: str = ""
    """Reason for which there is no test; empty with one."""

    def to_dict(self) -> dict[str, object]:
        """Return the fit for JSON."""
        interval = None if self.ci95 is None else list(self.ci95)
        told: dict[str, object] = {"runs": self.runs, "seeds": self.seeds, "difference": self.difference}
        return told | {"ci95": interval, "p": self.p} | ({"problem": self.problem} if self.problem else {})


def check_installed() -> None:
    """Raise PrerequisiteError if statsmodels is not installed."""
    if importlib.util.find_spec("statsmodels") is None:
        raise PrerequisiteError(MISSING)


def fit_mixed_model(first: Mapping[int, float], second: Mapping[int, float]) -> MixedModelFit:
    """Fit the model to the values of two conditions.

    Args:
        first: Seed -> value in the first condition.
        second: Seed -> value in the second condition.
    """
    return _fit(tuple(sorted(first.items())), tuple(sorted(second.items())))


@lru_cache(maxsize=1024)
def _fit(first: Seeded, second: Seeded) -> MixedModelFit:
    """Return the fit. Results are kept: result, terminal and report of a study ask for the same ones."""
    of_first, of_second = dict(first), dict(second)
    shared = of_first.keys() & of_second.keys()
    values = [*of_first.values(), *of_second.values()]
    counts = len(values), len(of_first.keys() | of_second.keys())
    freedom = counts[0] - counts[1] - 1
    if freedom < 1:
        return MixedModelFit(*counts, problem="fewer than two shared seeds")
    differences = [of_first[seed] - of_second[seed] for seed in shared]
    # Rounding must not make a test of equal differences.
    if max(differences) - min(differences) <= 1e-9 * max(map(abs, values)):
        return MixedModelFit(*counts, problem="all differences between runs of equal seeds are the same")
    if importlib.util.find_spec("statsmodels") is None:
        return MixedModelFit(*counts, problem=MISSING)
    # The optimizer's tolerances are absolute: values are fitted in standard deviations.
    centre, scale = statistics.fmean(values), statistics.pstdev(values)
    fitted = _optimized(
        [(value - centre) / scale for value in values],
        [1.0] * len(first) + [0.0] * len(second),
        [*of_first, *of_second],
    )
    if isinstance(fitted, str):
        return MixedModelFit(*counts, problem=fitted)
    return _tested(counts, scale * float(fitted.fe_params[1]), scale * float(fitted.bse_fe[1]), freedom, len(shared))


def _optimized(values: list[float], condition: list[float], seeds: list[int]) -> Any:  # noqa: ANN401 - statsmodels
    """Return statsmodels' result, or the reason for which it is not usable."""
    import numpy as np
    from statsmodels.regression.mixed_linear_model import MixedLM

    design = np.column_stack([np.ones(len(values)), condition])
    with warnings.catch_warnings():
        # What it warns of, a boundary and failed optimizers, is read from the result below.
        warnings.simplefilter("ignore")
        try:
            fitted = MixedLM(np.array(values), design, groups=np.array(seeds)).fit(reml=True)
        except (np.linalg.LinAlgError, ValueError, ZeroDivisionError):
            return "the fit failed"
    if float(fitted.cov_re[0, 0]) < MIN_SHARE * float(fitted.scale):
        return "singular fit, seeds explain no variance"
    if not fitted.converged or not math.isfinite(float(fitted.bse_fe[1])):
        return "the fit did not converge"
    return fitted


def _tested(counts: tuple[int, int], difference: float, error: float, freedom: int, shared: int) -> MixedModelFit:
    from scipy.stats import t

    half = float(t.ppf(0.975, freedom)) * error
    interval = (difference - half, difference + half) if shared >= MIN_RUNS else None
    return MixedModelFit(*counts, difference, interval, 2 * float(t.sf(abs(difference) / error, freedom)))
