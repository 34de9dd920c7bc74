"""Statistics between conditions: known figures, exact tests, undefined cases, seeds."""

from __future__ import annotations

import itertools
import math
import random
import statistics

import pytest
from scipy import stats

from accord.analysis.intervals import difference_interval
from accord.analysis.plan import AnalysisPlan
from accord.analysis.scoring import combine_conditions
from accord.analysis.statistics import MAX_EXACT, MAX_PLAYERS, compare_pairs, compare_samples, contrasts, holm
from dilemmas.errors import MeasureError


def test_known_figures() -> None:
    found = compare_samples([5, 6, 7], [1, 2, 3])
    assert found.difference == 4
    # The difference is 4 standard deviations; Hedges' factor for 4 degrees of freedom is about 1 - 3 / 15.
    assert found.hedges_g == pytest.approx(4 * 0.7979, abs=1e-3)
    assert found.cliffs_delta == 1
    # Of the 20 splits of six values, this one and its mirror image have the largest difference.
    assert found.p == 2 / 20
    assert (found.ci95, found.g_ci95) == (None, None)


def test_the_exact_test_enumerates_all_permutations() -> None:
    first, second = [1.0, 4.0, 2.5, 8.0], [3.0, 9.0, 7.0]
    values = [*first, *second]
    gaps = [
        abs(math.fsum(part) / 4 - (math.fsum(values) - math.fsum(part)) / 3)
        for part in itertools.combinations(values, 4)
    ]
    observed = abs(math.fsum(first) / 4 - math.fsum(second) / 3)
    exact = sum(gap >= observed - 1e-9 for gap in gaps) / math.comb(7, 4)
    assert compare_samples(first, second).p == pytest.approx(exact)


def test_the_exact_test_has_the_p_values_of_scipy() -> None:
    draw = random.Random(3)
    for sizes in ((2, 2), (5, 3), (3, 9), (8, 8)):
        first, second = ([draw.choice((draw.random(), draw.randint(0, 4))) for _ in range(size)] for size in sizes)
        told = stats.permutation_test(
            (first, second), lambda one, other, axis: abs(one.mean(axis=axis) - other.mean(axis=axis)),
            alternative="greater", vectorized=True, n_resamples=math.inf,
        )  # fmt: skip
        assert compare_samples(first, second).p == told.pvalue


def test_random_permutations_approximate_the_exact_share(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = [1.0, 4.0, 2.5, 8.0, 5.0], [3.0, 9.0, 7.0, 11.0, 6.0]
    exact = compare_samples(first, second).p
    for name in ("MAX_EXACT", "RANDOM"):
        monkeypatch.setattr(f"accord.analysis.statistics.{name}", 200)
    # In another order, since results are kept.
    rough = compare_samples(first[::-1], second).p
    assert rough != exact
    assert rough == pytest.approx(exact, abs=0.12)
    assert math.comb(10, 5) < MAX_EXACT


def test_the_interval_covers_the_true_difference_about_as_often_as_it_says() -> None:
    generator = random.Random(7)
    covered = 0
    for seed in range(200):
        first = [generator.gauss(10, 2) for _ in range(20)]
        second = [generator.gauss(7, 3) for _ in range(20)]
        interval = difference_interval(first, second, seed)
        assert interval is not None
        covered += interval[0] <= 3 <= interval[1]
    # The binomial spread of 200 trials is 3 points.
    assert 0.9 <= covered / 200 <= 0.99


def test_holm_corrects_in_order_and_never_beyond_one() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_what_was_not_tested_is_not_counted_by_holm() -> None:
    assert holm([0.01, None, 0.04]) == [pytest.approx(0.02), None, pytest.approx(0.04)]


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
    assert all((each.p_holm or 0) >= (each.found.p or 0) for each in found)
    plain = found[-1].to_dict()
    assert (plain["measure"], plain["means"], plain["n"]) == ("payoff.Gizmo", [1, 2], [2, 2])
    assert (plain["p"], plain["p_holm"], plain["ci95"]) == (None, None, None)


def test_players_of_a_crowd_are_not_compared_one_by_one() -> None:
    few, many = (
        {
            name: {("payoff", player): [1.0, 2.0] for player in ("", *(f"P{number}" for number in range(count)))}
            for name in ("a", "b")
        }
        for count in (MAX_PLAYERS, MAX_PLAYERS + 1)
    )
    assert len(contrasts(few)) == MAX_PLAYERS + 1
    assert [each.key for each in contrasts(many)] == [("payoff", "")]


def test_equal_samples_do_not_differ() -> None:
    found = compare_samples([1, 2, 3, 4], [4, 3, 2, 1])
    assert (found.difference, found.p, found.hedges_g, found.cliffs_delta) == (0, 1, 0, 0)


def test_without_variance_there_is_no_standardized_effect_and_no_test() -> None:
    found = compare_samples([78, 78, 78], [60, 60, 60])
    assert (found.hedges_g, found.cliffs_delta, found.ci95, found.p) == (None, 1, None, None)


def test_the_effect_size_has_an_interval_from_five_values_on() -> None:
    """At its ends the observed t is a tail of 2.5 % of the noncentral t distribution."""
    first = [1.0, 1.2, 1.9, 0.4, 0.9, 1.1, 0.2, 1.6, 0.7, 1.0]
    shift = 1.0 * statistics.stdev(first)
    found = compare_samples([each + shift for each in first], first)
    assert found.hedges_g == pytest.approx(0.9576, abs=1e-3)
    assert found.g_ci95 is not None
    shifts = [end / found.hedges_g * math.sqrt(5) for end in found.g_ci95]
    assert stats.nct.cdf(math.sqrt(5), 18, shifts) == pytest.approx([0.975, 0.025])
    assert compare_samples([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]).g_ci95 is None
    far = compare_samples([each - 6 * shift for each in first], first)
    assert far.hedges_g is not None
    assert far.g_ci95 is not None
    assert far.g_ci95[0] < far.hedges_g < far.g_ci95[1] < -3


def test_pairs_are_tested_by_their_differences() -> None:
    first, second = [5.0, 9.0, 1.0, 7.0, 3.0], [4.0, 7.5, 0.5, 6.2, 1.8]
    found = compare_pairs(first, second)
    assert (found.pairs, found.difference) == (5, pytest.approx(1))
    # Of the 32 ways to flip the signs, only the observed one and its mirror image reach the mean.
    assert found.p == pytest.approx(2 / 32)
    assert found.p_t == pytest.approx(float(stats.ttest_rel(first, second).pvalue))
    assert found.ci95 is not None
    independent = compare_samples(first, second)
    assert independent.p is not None
    assert independent.p > 0.5
    alike = compare_pairs([2.0, 3.0], [1.0, 2.0])
    assert (alike.p, alike.p_t, alike.ci95) == (None, None, None)
    with pytest.raises(MeasureError, match="two or more pairs"):
        compare_pairs([1.0], [2.0])


def test_runs_are_paired_by_their_seeds_if_no_seed_repeats() -> None:
    key = ("welfare", "")
    samples = {"a": {key: [1.0, 5.0, 9.0]}, "b": {key: [8.0, 0.0, 4.0]}}
    (found,) = contrasts(samples, seeds={"a": {key: [0, 1, 2]}, "b": {key: [2, 0, 1]}})
    assert found.paired is not None
    assert (found.paired.pairs, found.paired.difference) == (3, 1)
    assert found.evidence(paired=True)[2] == found.paired_p_holm
    (repeated,) = contrasts(samples, seeds={"a": {key: [0, 0, 2]}, "b": {key: [2, 0, 1]}})
    assert repeated.paired is None
    (apart,) = contrasts(samples, seeds={"a": {key: [0, 1, 2]}, "b": {key: [7, 8, 2]}})
    assert apart.paired is None


def test_declared_comparisons_are_one_family_and_the_others_are_exploratory() -> None:
    welfare, gini = ("welfare", ""), ("gini", "")
    generator = random.Random(5)
    samples = {
        name: {key: [generator.gauss(mean, 1) for _ in range(6)] for key in (welfare, gini)}
        for name, mean in (("a", 0), ("b", 1), ("c", 2))
    }
    plan = AnalysisPlan(primary=("welfare",), compare=(("a", "b"), ("c", "a")))
    found = {(each.of, each.key): each for each in contrasts(samples, plan=plan)}
    declared = [each for each in found.values() if each.declared]
    assert [(each.of, each.key) for each in declared] == [(("a", "b"), welfare), (("a", "c"), welfare)]
    assert [each.p_holm for each in declared] == holm([each.found.p for each in declared])
    alone = found[("b", "c"), welfare]
    assert (alone.declared, alone.p_holm) == (False, alone.found.p)
    assert declared[0].to_dict()["declared"] is True
    assert all(each.declared is None and "declared" not in each.to_dict() for each in contrasts(samples))


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
        runs = [
            {"status": "complete", "seed": seed, "welfare": each, "gini": gini} for seed, each in enumerate(welfare)
        ]
        lost = {"status": "infrastructure", "welfare": None, "gini": None}
        return {"scenario": "x", "status": "complete", "seeds": [0, 1, 2], "runs": [*runs, lost]}

    results = {"none": condition(1, 2, gini=None), "given": condition(5, 6), "once": condition(9)}
    found = combine_conditions(results)["comparisons"]
    assert [(each["of"], each["measure"], each["difference"]) for each in found] == [(["none", "given"], "welfare", -4)]
