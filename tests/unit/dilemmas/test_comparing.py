"""Statistics between conditions: known figures, exact tests, what is not defined, seeds."""

from __future__ import annotations

import math

import pytest

from dilemmas.comparing import compare
from dilemmas.errors import MeasureError
from dilemmas.results import combine_conditions


def test_known_figures() -> None:
    found = compare([5, 6, 7], [1, 2, 3])
    assert found.difference == 4
    assert found.cohens_d == 4
    assert found.cliffs_delta == 1
    # Of the 20 ways to deal six values out, this one and its mirror image are the farthest apart.
    assert found.p == 2 / 20
    assert 2 < found.ci95[0] <= 4 <= found.ci95[1] < 6


def test_equal_samples_do_not_differ() -> None:
    found = compare([1, 2, 3, 4], [4, 3, 2, 1])
    assert (found.difference, found.p, found.cohens_d, found.cliffs_delta) == (0, 1, 0, 0)


def test_where_nothing_varies_there_is_no_standardized_effect() -> None:
    found = compare([78, 78, 78], [60, 60, 60])
    assert (found.cohens_d, found.cliffs_delta, found.ci95) == (None, 1, (18, 18))


def test_the_sign_follows_the_order() -> None:
    one, other = compare([1, 2, 4], [3, 7, 9]), compare([3, 7, 9], [1, 2, 4])
    assert one.difference == -other.difference
    assert one.cliffs_delta == -other.cliffs_delta
    assert one.p == other.p


def test_large_samples_are_tested_by_chance_of_the_seed() -> None:
    first, second = [float(value) for value in range(12)], [float(value) for value in range(3, 15)]
    assert compare(first, second, 1) == compare(first, second, 1)
    assert compare(first, second, 1).p != compare(first, second, 2).p
    assert 0 < compare(first, second, 1).p < 0.2


@pytest.mark.parametrize(("first", "second"), [([1.0], [1.0, 2.0]), ([1.0, 2.0], []), ([1.0, math.nan], [1.0, 2.0])])
def test_what_cannot_be_compared_is_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(MeasureError, match="two or more finite values on each side"):
        compare(first, second)


def test_conditions_are_compared_pair_by_pair_where_there_are_enough_runs() -> None:
    def condition(*welfare: float, gini: float | None = 0.1) -> dict[str, object]:
        runs = [{"status": "complete", "welfare": each, "gini": gini} for each in welfare]
        lost = {"status": "infrastructure", "welfare": None, "gini": None}
        return {"scenario": "x", "status": "complete", "seeds": [0, 1, 2], "runs": [*runs, lost]}

    results = {"none": condition(1, 2, gini=None), "given": condition(5, 6), "once": condition(9)}
    found = combine_conditions(results)["comparisons"]
    assert [(each["of"], each["measure"], each["difference"]) for each in found] == [(["none", "given"], "welfare", -4)]
