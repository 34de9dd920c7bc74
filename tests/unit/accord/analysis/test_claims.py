"""Sentences about differences claim no more than their tests carry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from accord.analysis.claims import DifferenceClaim, number, sentences
from accord.analysis.report.comparison import compare
from accord.analysis.report.reader import read_runs
from accord.analysis.statistics import LEVEL
from tests.unit.accord.analysis.report.synthetic import Story, write_run

BARE = DifferenceClaim("welfare", ("contract-1", "none"), (78.0, 69.0), 9.0, unit="emeralds")
SURE = re.compile(r"(?:Higher|Lower) welfare under (\S+) \(([\d.-]+)(?: \w+)?\) than under (\S+) \(([\d.-]+)\)")


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            BARE,
            "In these runs welfare was 69 emeralds under none and 78 under contract-1 (a single run has no test).",
        ),
        (
            DifferenceClaim("welfare", ("a", "b"), (78.0, 69.0), 9.0, n=(4, 4)),
            "In these runs welfare was 69 under b and 78 under a (no run differs from another of its condition, so no "
            "test).",
        ),
        (
            DifferenceClaim("welfare", ("a", "b"), (78.0, 69.0), 9.0, (-1.0, 19.0), 0.2, (6, 5)),
            "Whether welfare differs between a (78) and b (69) is open: difference 9 [-1, 19], p = 0.200, 6 and 5 "
            "runs.",
        ),
        (
            DifferenceClaim("welfare", ("a", "b"), (60.0, 69.0), -9.0, (-12.0, -6.0), 0.0004, (6, 6), paired=True),
            "Lower welfare under a (60) than under b (69): difference -9 [-12, -6], p < 0.001, 6 pairs.",
        ),
        (
            DifferenceClaim("welfare", ("a", "b"), (60.0, 69.0), -9.0, None, 0.04, (4, 4), exploratory=True),
            "Lower welfare under a (60) than under b (69): difference -9, p = 0.040, 4 and 4 runs, exploratory.",
        ),
        (
            DifferenceClaim("welfare", ("a", "b"), (60.0, 69.0), -9.0, (-12.0, -6.0), 0.0004, (6, 6), repeated=True),
            "In these runs welfare was 69 under b and 60 under a (runs repeat each other whole, so no test).",
        ),
    ],
    ids=["single runs", "constant", "open", "shown", "exploratory", "copies"],
)
def test_the_sentence_follows_the_verdict(claim: DifferenceClaim, sentence: str) -> None:
    assert claim.sentence == sentence


def test_claims_without_a_test_share_a_sentence() -> None:
    other = DifferenceClaim("welfare", ("contract-2", "none"), (80.0, 69.0), 11.0, unit="emeralds")
    tested = DifferenceClaim("welfare", ("contract-3", "none"), (80.0, 69.0), 11.0, None, 0.01, (5, 5))
    assert sentences([BARE, tested, other]) == [
        "In these runs welfare was 69 emeralds under none, 78 under contract-1 and 80 under contract-2 (a single run "
        "has no test).",
        tested.sentence,
    ]


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=6), min_size=1, max_size=3), st.booleans())
@example(groups=[[0, 0, 1, 0, 0, 0], [1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0]], paired=False)
def test_no_sentence_claims_a_difference_that_its_test_does_not_show(
    tmp_path_factory: pytest.TempPathFactory, groups: list[list[int]], paired: bool
) -> None:
    """Random runs of up to three conditions: what is called higher or lower has a p below the level.

    The sentence compares with the baseline alone; in the example the other two conditions differ from each other only.
    """
    folder: Path = tmp_path_factory.mktemp("runs")
    for place, group in enumerate(groups):
        for seed, iron in enumerate(group):
            items = {"Gizmo": {"raw_iron": iron}, "Glitch": {"raw_iron": 1}}
            name = "none" if place == 0 else f"contract-{place}"
            write_run(folder / f"{name}-{seed}", Story(condition=name, seed=seed, items=items))
    found = compare(read_runs([folder], paired=paired))
    told = found.sentence()
    shown = {frozenset(each.group(1, 3)): each for each in SURE.finditer(told)}
    for each in found.contrasts:
        if each.key == ("welfare", ""):
            difference, _, p = each.evidence(paired=paired)
            claimed = shown.pop(frozenset(each.of), None)
            assert (claimed is not None) == ("none" in each.of and p is not None and p < LEVEL)
            if claimed is not None:
                higher = claimed[1] if claimed[0].startswith("Higher") else claimed[3]
                assert higher == each.of[0 if difference > 0 else 1]
    assert not shown
    assert "raised" not in told


@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (-0.001, "0"), (1.5, "1.5"), (12345.678, "12346")])
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text
