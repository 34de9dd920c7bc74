"""Regressions of perceived on true: against known data, SciPy, and what the paper prints."""

from __future__ import annotations

import sys

import pytest
from scipy import stats

from accord.analysis.report.perception.published import ABLATED, SOCIAL, CorrelationRow
from dilemmas.errors import MeasureError, UsageError
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.societies.regression import (
    LEVELS,
    check_scipy,
    correlation_interval,
    fit,
    intervals,
    mean_correlation,
    mean_interval,
)

ANSCOMBE_X = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0]
ANSCOMBE_Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]


def test_the_line_through_anscombes_first_set_is_the_known_one() -> None:
    found = fit(ANSCOMBE_X, ANSCOMBE_Y)
    assert found is not None
    assert (found.n, found.slope, found.intercept, found.r) == pytest.approx((11, 0.5001, 3.0001, 0.8164), abs=1e-4)
    # By hand: the slope's standard error is 0.1179, Student's t with 9 degrees of freedom 2.2622 at 95 %.
    assert found.slopes[0.95] == pytest.approx((0.5001 - 2.2622 * 0.1179, 0.5001 + 2.2622 * 0.1179), abs=1e-3)
    told = stats.pearsonr(ANSCOMBE_X, ANSCOMBE_Y).confidence_interval(0.95)
    assert found.r95 == pytest.approx((told.low, told.high))


@pytest.mark.parametrize("row", [*SOCIAL.values(), *ABLATED.values()])
def test_intervals_are_those_that_the_paper_prints_for_its_slopes_and_correlations(row: CorrelationRow) -> None:
    error = row.slope * ((1 / row.r**2 - 1) / (row.n - 2)) ** 0.5
    found = intervals(row.slope, error, row.n)
    for level, printed in zip(LEVELS, (row.ci68, row.ci95, row.ci99), strict=True):
        # Slope and r are printed with three digits.
        assert found[level] == pytest.approx(printed, abs=0.003)


def test_degenerate_points_have_no_line_and_no_correlation() -> None:
    assert fit([1, 2], [1, 2]) is None
    assert fit([3, 3, 3], [1, 2, 3]) is None
    flat = fit([1, 2, 3, 4], [5, 5, 5, 5])
    assert flat is not None
    assert (flat.slope, flat.intercept, flat.r, flat.r95) == (0, 5, None, None)
    assert flat.slopes[0.99] == (0, 0)
    assert "r_ci95" not in flat.to_dict(independent=False)
    with pytest.raises(MeasureError, match="3 values of x and 2 of y"):
        fit([1, 2, 3], [1, 2])


def test_intervals_of_correlations_stay_between_minus_one_and_one() -> None:
    assert correlation_interval(0.807, 31) == pytest.approx((0.634, 0.903), abs=1e-3)
    assert correlation_interval(0.5, 3) is None
    assert correlation_interval(1.0, 9) == (1.0, 1.0)
    mean, interval = mean_correlation([0.9, 0.95, 0.85])
    assert interval is not None
    assert 0.6 < interval[0] < mean < interval[1] < 1
    assert mean_correlation([1.0])[1] is None
    with pytest.raises(MeasureError):
        mean_correlation([])


def test_missing_scipy_is_reported_in_one_line_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    check_scipy()
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(UsageError, match=r"need SciPy.*pip install"):
        load_scenario("perception-room").opening_events("social")


def test_the_interval_of_a_mean_is_students() -> None:
    assert mean_interval([1.0]) is None
    told = stats.t.interval(0.95, 3, loc=2.5, scale=stats.sem([1, 2, 3, 4]))
    assert mean_interval([1, 2, 3, 4]) == pytest.approx(told)
