"""Statistics between conditions: known figures, exact tests, undefined cases, seeds."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from accord.analysis.scoring import combine_conditions
from accord.analysis.statistics import MAX_EXACT, compare_samples, contrasts, holm
from dilemmas.errors import MeasureError


def test_known_figures() -> None:
    found = compare_samples([5, 6, 7], [1, 2, 3])
    assert found.difference == 4
    assert found.cohens_d == 4
    assert found.cliffs_delta == 1
    # Of the 20 splits of six values, this one and its mirror image have the largest difference.
    assert found.p == 2 / 20
    assert 2 < found.ci95[0] <= 4 <= found.ci95[1] < 6


def test_the_exact_test_enumerates_all_permutations() -> None:
    first, second = [1.0, 4.0, 2.5, 8.0], [3.0, 9.0, 7.0]
    values = [*first, *second]
    gaps = [
        abs(math.fsum(part) / 4 - (math.fsum(values) - math.fsum(part)) / 3)
        for part in itertools.combinations(values, 4)
    ]
    observed = abs(math.fsum(first) / 4 - math.fsum(second) / 3)
    assert compare_samples(first, second).p == sum(gap >= observed - 1e-9 for gap in gaps) / math.comb(7, 4)


def test_random_permutations_approximate_the_exact_share(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = [1.0, 4.0, 2.5, 8.0, 5.0], [3.0, 9.0, 7.0, 11.0, 6.0]
    exact = compare_samples(first, second).p
    monkeypatch.setattr("accord.analysis.statistics.MAX_EXACT", 200)
    rough = compare_samples(first, second).p
    assert rough != exact
    assert rough == pytest.approx(exact, abs=0.12)
    assert math.comb(10, 5) < MAX_EXACT


def test_the_interval_covers_the_true_difference_about_as_often_as_it_says() -> None:
    generator = random.Random(7)
    covered = 0
    for seed in range(200):
        first = [generator.gauss(10, 2) for _ in range(20)]
        second = [generator.gauss(7, 3) for _ in range(20)]
        low, high = compare_samples(first, second, seed).ci95
        covered += low <= 3 <= high
    # The percentile bootstrap is slightly too narrow for 20 values; the binomial spread of 200 trials is 3 points.
    assert 0.87 <= covered / 200 <= 0.99


def test_holm_corrects_in_order_and_never_beyond_one() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_contrasts_cover_every_pair_and_figure_but_those_of_the_machine() -> None:
    key = ("welfare", "")
    samples = {
        "a": {key: [1.0, 2.0], ("payoff", "Gizmo"): [1.0, 1.0], ("wall_s", ""): [1.0, 2.0]},
        "b": {key: [5.0, 6.0], ("payoff", "Gizmo"): [2.0, 2.0], ("wall_s", ""): [1.0, 2.0]},
        "c": {key: [7.0, 9.0]},
    }
    found = contrasts(samples)
    assert [(each.of, each.key) for each in found] == [
        (("a", "b"), key), (("a", "c"), key), (("b", "c"), key), (("a", "b"), ("payoff", "Gizmo")),
    ]  # fmt: skip
    assert all(each.p_holm >= each.found.p for each in found)
    plain = found[-1].to_dict()
    assert (plain["measure"], plain["means"], plain["n"], plain["p_holm"]) == (
        "payoff.Gizmo",
        [1, 2],
        [2, 2],
        plain["p"],
    )


def test_equal_samples_do_not_differ() -> None:
    found = compare_samples([1, 2, 3, 4], [4, 3, 2, 1])
    assert (found.difference, found.p, found.cohens_d, found.cliffs_delta) == (0, 1, 0, 0)


def test_without_variance_there_is_no_standardized_effect() -> None:
    found = compare_samples([78, 78, 78], [60, 60, 60])
    assert (found.cohens_d, found.cliffs_delta, found.ci95) == (None, 1, (18, 18))


def test_the_sign_follows_the_order() -> None:
    one, other = compare_samples([1, 2, 4], [3, 7, 9]), compare_samples([3, 7, 9], [1, 2, 4])
    assert one.difference == -other.difference
    assert one.cliffs_delta == -other.cliffs_delta
    assert one.p == other.p


def test_large_samples_are_tested_with_seeded_random_permutations() -> None:
    first, second = [float(value) for value in range(12)], [float(value) for value in range(3, 15)]
    assert compare_samples(first, second, 1) == compare_samples(first, second, 1)
    assert compare_samples(first, second, 1).p != compare_samples(first, second, 2).p
    assert 0 < compare_samples(first, second, 1).p < 0.2


@pytest.mark.parametrize(("first", "second"), [([1.0], [1.0, 2.0]), ([1.0, 2.0], []), ([1.0, math.nan], [1.0, 2.0])])
def test_incomparable_samples_are_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(MeasureError, match="two or more finite values on each side"):
        compare_samples(first, second)


def test_conditions_are_compared_pair_by_pair_where_there_are_enough_runs() -> None:
    def condition(*welfare: float, gini: float | None = 0.1) -> dict[str, object]:
        runs = [{"status": "complete", "welfare": each, "gini": gini} for each in welfare]
        lost = {"status": "infrastructure", "welfare": None, "gini": None}
        return {"scenario": "x", "status": "complete", "seeds": [0, 1, 2], "runs": [*runs, lost]}

    results = {"none": condition(1, 2, gini=None), "given": condition(5, 6), "once": condition(9)}
    found = combine_conditions(results)["comparisons"]
    assert [(each["of"], each["measure"], each["difference"]) for each in found] == [(["none", "given"], "welfare", -4)]
