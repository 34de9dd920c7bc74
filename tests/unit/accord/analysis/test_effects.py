"""Main effects of a crossed study: averaged over the other factors, tested within them."""

from __future__ import annotations

import itertools
import statistics

import pytest

from accord.analysis.effects import Effect, effects
from accord.analysis.figures import Key

WELFARE: Key = ("welfare", "")
CELLS = {
    ("none", "a"): [10.0, 12.0, 11.0], ("none", "b"): [1.0, 3.0, 2.0],
    ("contract-1", "a"): [70.0, 78.0, 72.0], ("contract-1", "b"): [71.0, 60.0, 65.0],
}  # fmt: skip


def crossed(cells: dict[tuple[str, str], list[float]]) -> list[Effect]:
    samples = {f"{contract}+model={model}": {WELFARE: values} for (contract, model), values in cells.items()}
    levels = {f"{contract}+model={model}": {"contract": contract, "model": model} for contract, model in cells}
    return effects(samples, levels)


def brute(strata: list[tuple[list[float], list[float]]]) -> float:
    """Return the p-value from an enumeration of all assignments within each stratum."""

    def gaps(first: list[float], second: list[float]) -> list[float]:
        values = [*first, *second]
        found = []
        for chosen in itertools.combinations(range(len(values)), len(first)):
            rest = [value for place, value in enumerate(values) if place not in chosen]
            found.append(statistics.fmean(values[place] for place in chosen) - statistics.fmean(rest))
        return found

    observed = abs(sum(statistics.fmean(first) - statistics.fmean(second) for first, second in strata))
    sums = [sum(each) for each in itertools.product(*(gaps(*stratum) for stratum in strata))]
    return sum(abs(each) >= observed - 1e-9 for each in sums) / len(sums)


def test_a_factor_is_compared_within_every_combination_of_the_others() -> None:
    contract, model = crossed(CELLS)
    assert (contract.factor, contract.of, contract.strata, contract.n) == (
        "contract",
        ("none", "contract-1"),
        2,
        (6, 6),
    )
    assert model.difference == pytest.approx(((11 - 2) + (220 / 3 - 196 / 3)) / 2)
    assert model.p == pytest.approx(brute([(CELLS[each, "a"], CELLS[each, "b"]) for each in ("none", "contract-1")]))
    assert contract.p == pytest.approx(brute([(CELLS["none", each], CELLS["contract-1", each]) for each in "ab"]))
    assert contract.p < 0.01 < 0.1  # Six values a side and two strata have more power than three a side.
    assert model.ci95[0] < model.difference < model.ci95[1]
    assert (contract.p_holm, model.p_holm) == (min(1.0, 2 * contract.p), max(2 * contract.p, model.p))


def test_the_other_factors_effect_does_not_enter() -> None:
    same = {("none", "a"): [1.0, 2.0], ("none", "b"): [1.0, 2.0], ("c", "a"): [91.0, 92.0], ("c", "b"): [91.0, 92.0]}
    _, model = crossed(same)
    assert (model.difference, model.p) == (0.0, 1.0)


def test_a_missing_cell_removes_its_stratum() -> None:
    left = {key: values for key, values in CELLS.items() if key != ("none", "b")}
    contract, model = crossed(left)
    assert (contract.strata, contract.n) == (1, (3, 3))
    assert model.difference == pytest.approx(220 / 3 - 196 / 3)


def test_a_single_factor_has_no_effects_beside_its_comparisons() -> None:
    assert crossed({key: values for key, values in CELLS.items() if key[0] == "none"}) == []
    assert (
        effects({"none": {WELFARE: [1.0, 2.0]}, "contract-1": {WELFARE: [3.0, 4.0]}}, {"none": {}, "contract-1": {}})
        == []
    )


def test_many_values_are_permuted_at_random_and_reproducibly() -> None:
    many = {key: [value + place for value in values for place in range(8)] for key, values in CELLS.items()}
    once, again = crossed(many), crossed(many)
    assert once == again
    assert 0 < once[0].p < 0.001
