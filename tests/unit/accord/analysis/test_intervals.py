"""Intervals of means and differences: known figures, cases without an interval, coverage, seeds."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.analysis.intervals import (
    MIN_RUNS,
    MIN_TWO_VALUED,
    Interval,
    combination_interval,
    difference_interval,
    mean_interval,
)


def binary(successes: int, n: int) -> list[float]:
    return [1.0] * successes + [0.0] * (n - successes)


def ends(interval: Interval | None) -> Interval:
    assert interval is not None
    return interval


@pytest.mark.parametrize("values", [[], [3.0], [3.0] * 20, [1.0, 2.0, 4.0, 8.0], binary(3, MIN_TWO_VALUED - 1)])
def test_too_few_and_equal_values_have_no_interval(values: list[float]) -> None:
    assert mean_interval(values) is None
    assert difference_interval(values, values) is None


def test_an_interval_that_would_be_infinite_is_none() -> None:
    """A third of all resamples hold equal values, whose studentized deviation is infinite."""
    assert mean_interval([5.0] * 8 + [4.0, 6.0]) is None


def test_constant_samples_that_differ_have_no_interval() -> None:
    assert difference_interval([78.0] * 12, [60.0] * 6) is None
    assert combination_interval([[1.0] * 12, [2.0] * 12, [4.0] * 12], [1, 1, -2], 0) is None


def test_the_interval_of_many_normal_values_is_students() -> None:
    generator = random.Random(3)
    values = [generator.gauss(10, 2) for _ in range(400)]
    low, high = ends(mean_interval(values))
    mean = sum(values) / 400
    error = math.sqrt(sum((each - mean) ** 2 for each in values) / 399 / 400)
    assert (low - mean) / error == pytest.approx(-1.966, abs=0.12)
    assert (high - mean) / error == pytest.approx(1.966, abs=0.12)


def test_the_interval_of_skewed_values_reaches_further_to_the_long_side() -> None:
    values = [0.1, 0.2, 0.3, 0.5, 0.8, 1.3, 2.1, 5.0]
    low, high = ends(mean_interval(values))
    mean = sum(values) / len(values)
    assert high - mean > 2 * (mean - low)


@pytest.mark.parametrize(("successes", "n"), [(3, 10), (7, 20), (10, 20)])
def test_two_values_have_the_mid_p_interval_of_their_share(successes: int, n: int) -> None:
    low, high = ends(mean_interval(binary(successes, n)))

    def tail(share: float, numbers: range) -> float:
        parts = {k: math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)}
        return sum(parts[k] for k in numbers) + parts[successes] / 2

    assert tail(low, range(successes + 1, n + 1)) == pytest.approx(0.025)
    assert tail(high, range(successes)) == pytest.approx(0.025)
    scaled = ends(mean_interval([10 + 5 * each for each in binary(successes, n)]))
    assert scaled == pytest.approx((10 + 5 * low, 10 + 5 * high))


def test_a_difference_of_shares_is_newcombes_also_where_one_side_is_constant() -> None:
    low, high = ends(difference_interval(binary(10, 10), binary(4, 10)))
    other = ends(mean_interval(binary(4, 10)))
    # Ten of ten: the share is at least the one that gives ten of ten with a mid-P probability of 2.5 %.
    least = 0.05**0.1
    assert high == pytest.approx(0.6 + (0.4 - other[0]))
    assert low == pytest.approx(0.6 - math.hypot(1 - least, other[1] - 0.4))


def test_the_interval_of_a_difference_changes_its_sign_with_the_order() -> None:
    one, other = [1.0, 3.0, 4.0, 8.0, 9.0], [2.0, 2.5, 3.0, 7.0, 7.5]
    low, high = ends(difference_interval(one, other))
    back = ends(difference_interval(other, one))
    assert back == pytest.approx((-high, -low), rel=0.1)


@pytest.mark.parametrize(
    ("draw", "mean"),
    [
        (lambda generator: generator.gauss(10, 2), 10.0),
        (lambda generator: generator.expovariate(1), 1.0),
        (lambda generator: float(generator.random() < 0.3), 0.3),
    ],
    ids=["normal", "exponential", "two values"],
)
def test_intervals_cover_the_mean_as_often_as_they_say(draw: Callable[[random.Random], float], mean: float) -> None:
    """200 samples have a standard error of 1.5 %; `benchmarks/coverage.py` draws more."""
    generator = random.Random(11)
    covered = printed = 0
    for seed in range(200):
        interval = mean_interval([draw(generator) for _ in range(15)], seed)
        if interval is not None:
            printed += 1
            covered += interval[0] <= mean <= interval[1]
    assert printed > 190
    assert 0.89 <= covered / printed <= 1


@given(st.lists(st.floats(-1e6, 1e6), max_size=12), st.integers(-5, 5))
def test_an_interval_holds_the_mean_and_depends_on_its_seed_alone(values: list[float], seed: int) -> None:
    interval = mean_interval(values, seed)
    assert interval == mean_interval(values, seed)
    if len(values) < MIN_RUNS:
        assert interval is None
    if interval is not None:
        mean, rounding = sum(values) / len(values), 1e-9 * max(map(abs, values))
        assert interval[0] <= mean + rounding
        assert mean - rounding <= interval[1]
