"""Linear regression by SciPy, as in the tables of Project Sid's appendix B."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atanh, sqrt, tanh
from typing import Any

from dilemmas.errors import MeasureError, UsageError

NEEDED = "regressions need SciPy, which is not installed: pip install 'accord-mc[rl]', or make setup-dev"
LEVELS = (0.68, 0.95, 0.99)
"""Confidence levels of the slope's intervals."""
MAX_CORRELATION = 0.9999
"""Cap of correlations: Fisher's transformation of 1 is infinite."""
MIN_POINTS, MIN_POINTS_FOR_R = 3, 4
"""Minimum number of points for a line with an interval, and for a correlation with one."""


@dataclass(frozen=True)
class Fit:
    """y = intercept + slope * x by least squares."""

    n: int
    slope: float
    intercept: float
    r: float | None
    """Pearson's r; None if y does not vary, so that a correlation is undefined."""
    r95: tuple[float, float] | None
    """The 95 % interval of r by Fisher's transformation."""
    slopes: Mapping[float, tuple[float, float]]
    """Level -> the slope's interval by Student's t with n - 2 degrees of freedom."""

    def to_dict(self, *, independent: bool = True) -> dict[str, Any]:
        """Return the fit as plain data.

        Intervals assume independent points, which samples of one conversation are not.
        """
        line = {"n": self.n, "slope": self.slope, "intercept": self.intercept, "r": self.r}
        if not independent:
            return line
        intervals = {f"slope_ci{100 * level:.0f}": list(self.slopes[level]) for level in LEVELS}
        r95 = None if self.r95 is None else list(self.r95)
        return {**line, "r_ci95": r95, **intervals}


def fit(x: Sequence[float], y: Sequence[float]) -> Fit | None:
    """Fit a line; return None for fewer than three points or constant x. Raises MeasureError."""
    if len(x) != len(y):
        raise MeasureError(f"{len(x)} values of x and {len(y)} of y are no points")
    if len(x) < MIN_POINTS or max(x) == min(x):
        return None
    if max(y) == min(y):
        return Fit(len(x), 0.0, float(y[0]), None, None, dict.fromkeys(LEVELS, (0.0, 0.0)))
    found = _scipy().linregress(x, y)
    slopes = intervals(float(found.slope), float(found.stderr), len(x))
    r = float(found.rvalue)
    return Fit(len(x), float(found.slope), float(found.intercept), r, correlation_interval(r, len(x)), slopes)


def check_scipy() -> None:
    """Check that SciPy is installed, before anything is played. Raises UsageError."""
    _scipy()


def intervals(slope: float, error: float, n: int) -> dict[float, tuple[float, float]]:
    """Return confidence level -> interval of a slope estimated from n points with that standard error."""
    wide = {level: float(_scipy().t.ppf(0.5 + level / 2, n - 2)) * error for level in LEVELS}
    return {level: (slope - each, slope + each) for level, each in wide.items()}


def mean_interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float] | None:
    """Return the interval of a mean of independent values by Student's t, or None for fewer than two."""
    if len(values) < 2:
        return None
    mean = sum(values) / len(values)
    error = (sum((each - mean) ** 2 for each in values) / (len(values) - 1) / len(values)) ** 0.5
    wide = float(_scipy().t.ppf(0.5 + level / 2, len(values) - 1)) * error
    return mean - wide, mean + wide


def mean_correlation(values: Sequence[float]) -> tuple[float, tuple[float, float] | None]:
    """Return the mean of correlations of independent samples and its 95 % interval.

    Fisher's transformation and Student's t keep it within -1 to 1. Raises MeasureError without values.
    """
    if not values:
        raise MeasureError("a mean correlation needs at least one")
    turned = [atanh(max(-MAX_CORRELATION, min(MAX_CORRELATION, each))) for each in values]
    ends = mean_interval(turned)
    return tanh(sum(turned) / len(turned)), None if ends is None else (tanh(ends[0]), tanh(ends[1]))


def correlation_interval(r: float, n: int, level: float = 0.95) -> tuple[float, float] | None:
    """Return the interval of Pearson's r from n independent points by Fisher's transformation, or None for n < 4."""
    if n < MIN_POINTS_FOR_R:
        return None
    if abs(r) >= 1:
        return r, r
    wide = float(_scipy().norm.ppf(0.5 + level / 2)) / sqrt(n - 3)
    return tanh(atanh(r) - wide), tanh(atanh(r) + wide)


def _scipy() -> Any:  # noqa: ANN401 - the module, which has no types
    # Imported here: every command loads scenarios, and few need SciPy.
    try:
        from scipy import stats
    except ImportError:
        raise UsageError(NEEDED) from None
    return stats
