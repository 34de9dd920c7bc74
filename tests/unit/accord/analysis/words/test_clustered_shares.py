"""Intervals of shares of utterances, which are alike within a run."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from accord.analysis.words.monitors import ClusteredShare
from benchmarks.coverage import clustered


def exact(hits: int, n: int) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson."""
    found = binomtest(hits, n).proportion_ci(0.95, "exact")
    return found.low, found.high


@pytest.mark.parametrize("hits", [0, 1, 2, 3])
def test_one_value_a_run_is_a_plain_share(hits: int) -> None:
    runs = tuple((int(number < hits), 1) for number in range(3))
    assert ClusteredShare(runs).ci95 == pytest.approx(exact(hits, 3))


def test_fewer_than_five_runs_do_not_tell_how_alike_their_utterances_are() -> None:
    assert ClusteredShare(((3, 20), (5, 20), (4, 20), (2, 20))).ci95 is None
    assert ClusteredShare(((3, 20), (5, 20), (4, 20), (2, 20), (0, 0))).ci95 is None, "a run without any is none"
    assert ClusteredShare(((12, 40),)).ci95 is None
    assert ClusteredShare(()).ci95 is None


def test_a_run_counts_once_where_none_differs() -> None:
    assert ClusteredShare(((0, 40),) * 8).ci95 == pytest.approx(exact(0, 8))
    assert ClusteredShare(((40, 40),) * 8).ci95 == pytest.approx(exact(8, 8))


def test_unlike_runs_widen_the_interval() -> None:
    alike, unlike = ClusteredShare(((10, 20), (9, 20)) * 3), ClusteredShare(((19, 20), (0, 20)) * 3)
    assert alike.value == unlike.value
    assert alike.ci95 is not None
    assert unlike.ci95 is not None
    assert unlike.ci95[1] - unlike.ci95[0] > 2 * (alike.ci95[1] - alike.ci95[0])


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.3])
def test_intervals_hold_the_truth(correlation: float) -> None:
    """300 samples have a standard error of 1.3 %; `benchmarks/coverage.py` draws more."""
    generator = np.random.default_rng(1)
    found = [clustered(generator, 5, 0.4, correlation).ci95 for _ in range(300)]
    held = sum(each is not None and each[0] <= 0.4 <= each[1] for each in found)
    assert held / len(found) > 0.92
