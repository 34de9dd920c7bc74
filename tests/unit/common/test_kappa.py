"""Cohen's kappa, by published tables and by scikit-learn."""

from __future__ import annotations

import random

import pytest
from sklearn.metrics import cohen_kappa_score

from common.kappa import cohen_kappa, weighted_kappa

# Cohen 1968, table 1: diagnoses of 200 patients by two raters, as counts by (first, second).
DIAGNOSES = {
    ("disorder", "disorder"): 88, ("disorder", "neurosis"): 14, ("disorder", "psychosis"): 18,
    ("neurosis", "disorder"): 10, ("neurosis", "neurosis"): 40, ("neurosis", "psychosis"): 10,
    ("psychosis", "disorder"): 2, ("psychosis", "neurosis"): 6, ("psychosis", "psychosis"): 12,
}  # fmt: skip


def pairs_of(table: dict[tuple[str, str], int]) -> list[tuple[str, str]]:
    return [pair for pair, count in table.items() for _ in range(count)]


def test_published_tables_have_their_published_kappa() -> None:
    assert cohen_kappa(pairs_of(DIAGNOSES)) == pytest.approx(0.492, abs=0.0005)
    # 50 grants, two readers: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no; kappa is 0.4.
    grants = {("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15}
    assert cohen_kappa(pairs_of(grants)) == pytest.approx(0.4, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_both_kappas_are_those_of_scikit_learn(seed: int) -> None:
    chance = random.Random(seed)
    first = [chance.randrange(11) for _ in range(60)]
    second = [each if chance.random() < 0.5 else chance.randrange(11) for each in first]
    pairs = list(zip(first, second, strict=True))
    assert cohen_kappa(pairs) == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
    weighted = cohen_kappa_score(first, second, labels=list(range(11)), weights="quadratic")
    assert weighted_kappa(pairs) == pytest.approx(weighted, abs=1e-12)


def test_extremes_are_exact_and_constant_labels_have_no_kappa() -> None:
    assert cohen_kappa([("a", "a"), ("b", "b")]) == 1
    assert cohen_kappa([("a", "b"), ("b", "a")]) == -1
    assert cohen_kappa([("a", "a"), ("a", "b")]) == 0
    assert weighted_kappa([(0, 0), (10, 10)]) == 1
    assert weighted_kappa([(0, 10), (10, 0)]) == -1
    for constant in ([], [("a", "a")] * 3):
        assert cohen_kappa(constant) is None
    assert weighted_kappa([]) is None
    assert weighted_kappa([(0.1, 0.1)] * 3) is None
    assert weighted_kappa([(1e300, 0), (0, 1e300)]) is None
