"""Welfare, both Gini coefficients and summaries: the papers' figures, edge cases, and no NaN."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accord.analysis.measures import gini, gini_plain, summarize, welfare
from dilemmas.errors import MeasureError
from dilemmas.records.events import Holdings

amounts = st.lists(st.integers(0, 1000), min_size=2, max_size=8)


@pytest.mark.parametrize(
    ("payoffs", "corrected", "plain"),
    [
        ([37, 41], 0.051, 0.026),
        ([39, 39], 0.0, 0.0),
        ([45, 55], 0.100, 0.050),
        ([78, 0], 1.0, 0.5),
        ([1, 2, 3], 0.333, 0.222),
        ([-10, 30], 2.0, 1.0),
    ],
)
def test_gini(payoffs: list[float], corrected: float, plain: float) -> None:
    assert round(gini(payoffs), 3) == corrected
    assert round(gini_plain(payoffs), 3) == plain


@given(amounts)
def test_two_players_need_only_their_difference(payoffs: list[int]) -> None:
    one, other = payoffs[:2]
    assume(one + other > 0)
    expected = abs(one - other) / (one + other)
    assert math.isclose(gini([one, other]), expected, abs_tol=1e-12)


@given(amounts, st.integers(1, 50))
def test_gini_is_a_share_and_does_not_know_units_or_names(payoffs: list[int], unit: int) -> None:
    assume(any(payoffs))
    value = gini(payoffs)
    assert 0 <= value <= 1 + 1e-12
    assert math.isclose(value, gini([payoff * unit for payoff in reversed(payoffs)]), abs_tol=1e-9)


@pytest.mark.parametrize(
    ("payoffs", "words"),
    [
        ([-5, 2], "sum is -3"),
        ([-5, 5], "sum is 0"),
        ([0, 0], "sum is 0"),
        ([0.0, -0.0, 0], "sum is 0"),
        ([math.nan, 1], "finite"),
        ([math.inf, 1], "finite"),
        ([], "not defined"),
        ([0.0] * 500, r"payoffs \[(0\.0, ){12}\.\.\. 500 in all\]: their sum is 0$"),
    ],
)
def test_gini_is_refused_instead_of_nan(payoffs: list[float], words: str) -> None:
    with pytest.raises(MeasureError, match=words):
        gini_plain(payoffs)


def test_one_player_has_no_corrected_gini() -> None:
    with pytest.raises(MeasureError, match="two or more"):
        gini([3])


def test_welfare_is_the_sum() -> None:
    assert welfare([37, 41]) == 78
    assert welfare([0.1] * 10) == 1.0


def test_summary() -> None:
    summary = summarize([60, 78, 66, 72])
    assert (summary.n, summary.mean, summary.min, summary.max) == (4, 69, 60, 78)
    assert summary.se is not None
    assert math.isclose(summary.se, math.sqrt(60 / 4))
    assert summary.ci95 is None
    wide = summarize([60, 78, 66, 72, 69, 70]).ci95
    assert wide is not None
    assert wide[0] < 69 < wide[1]


def test_a_single_run_has_no_spread() -> None:
    assert summarize([78]).to_dict() == {"n": 1, "mean": 78, "se": None, "min": 78, "max": 78, "ci95": None}


def test_an_empty_sample_cannot_be_summarized() -> None:
    with pytest.raises(MeasureError):
        summarize([])
    with pytest.raises(MeasureError):
        summarize([math.nan])


def test_a_reward_follows_from_items_and_prices_and_missing_items_count_as_none() -> None:
    held = Holdings.of(
        {"raw_iron": 3, "dirt": 9, "diamond": 0}, {"iron_ore": 4, "stone": 0}, {"raw_iron": 4, "diamond": 5}
    )
    assert held == Holdings(items={"raw_iron": 3, "dirt": 9}, mined={"iron_ore": 4}, reward=12.0)
    assert Holdings.of({"dirt": 2}, {}, {"raw_iron": 4}).reward == 0.0
