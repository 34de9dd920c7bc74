from __future__ import annotations

from pathlib import Path

import pytest

from accord.analysis.claims import number
from accord.analysis.report.comparison import Comparison, compare
from accord.analysis.report.reader import read_runs
from tests.unit.accord.analysis.report.synthetic import GREEDY, Story, write_run


def compared(folder: Path, *stories: Story) -> Comparison:
    for place, story in enumerate(stories):
        write_run(folder / str(place), story)
    return compare(read_runs([folder]))


def test_the_sentence_says_what_contracts_did(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        Story(condition="contract-1", transfer=11, contract="double_vein_1"),
        Story(condition="none", items=GREEDY),
        Story(condition="contract-2", transfer=9, contract="double_vein_2"),
    )
    assert [condition.name for condition in found.conditions] == ["none", "contract-1", "contract-2"]
    assert found.sentence() == (
        "In these runs welfare was 69 emeralds under none, 78 under contract-1 and 78 under contract-2 (a single run "
        "has no test). Gini in these runs: 0.74 (none), 0.05 (contract-1), 0.00 (contract-2). The best possible "
        "welfare is 78."
    )


def test_several_runs_are_tested(tmp_path: Path) -> None:
    stories = [
        Story(condition="none", items={"Gizmo": {"raw_iron": 3 + seed}, "Glitch": {}}, seed=seed) for seed in range(5)
    ]
    stories += [
        Story(condition="c", items={"Gizmo": {"raw_iron": 9 + seed % 3}, "Glitch": {}}, seed=seed) for seed in range(5)
    ]
    sentence = compared(tmp_path, *stories).sentence()
    assert sentence.startswith("Higher welfare under c (39.2 emeralds) than under none (20): difference 19.2 [")
    assert "], p = 0.008, 5 and 5 runs. Gini in these runs: " in sentence


@pytest.mark.parametrize(
    ("stories", "part"),
    [
        (
            (Story(condition="none", items=GREEDY), Story(condition="negotiate", kind="negotiated")),
            "No contract was agreed in negotiate.",
        ),
        (
            (Story(condition="contract-1", transfer=11),),
            "contract-1 reached welfare 78 in one run. Gini in these runs: ",
        ),
        ((Story(status="infrastructure"),), "No run was finished: there is nothing to compare yet."),
    ],
)
def test_other_outcomes_have_their_own_sentence(tmp_path: Path, stories: tuple[Story, ...], part: str) -> None:
    assert part in compared(tmp_path, *stories).sentence()


def test_a_signed_negotiation_is_not_called_one_without_a_contract(tmp_path: Path) -> None:
    signed = Story(condition="negotiate", kind="negotiated", contract="double_vein_1")
    assert "No contract was agreed" not in compared(tmp_path, Story(condition="none", items=GREEDY), signed).sentence()


def test_pairs_with_another_verdict_are_told(tmp_path: Path) -> None:
    for seed in range(6):
        for name, more in (("none", 0), ("c", 1)):
            items = {"Gizmo": {"raw_iron": 3 * seed + more * (1 + seed % 2)}, "Glitch": {"raw_iron": 1}}
            write_run(tmp_path / f"{name}-{seed}", Story(condition=name, seed=seed, items=items))
    found = compare(read_runs([tmp_path]))
    assert "Whether welfare differs between c" in found.sentence()
    assert "verdicts: welfare, none and c (p = 0." in found.pairing
    paired = compare(read_runs([tmp_path], paired=True))
    assert "Higher welfare under c" in paired.sentence()
    assert ", 6 pairs." in paired.sentence()


def test_figures_are_means_over_complete_runs(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        Story(condition="none", seed=0, items=GREEDY),
        Story(condition="none", seed=1),
        Story(condition="none", seed=2, status="infrastructure"),
    )
    (none,) = found.conditions
    welfare = none.measure("welfare")
    assert welfare is not None
    assert (welfare.n, welfare.mean) == (2, 73.5)
    assert welfare.ci95 is None
    assert [run.seed for run in found.unscored] == [2]
    assert found.repeated


def test_published_figures_stand_beside_the_same_prices_only(tmp_path: Path) -> None:
    assert compared(tmp_path / "a", Story()).published.gini["none"] == (0.55, 0.14)
    assert not compared(tmp_path / "b", Story(players=("Ann", "Bob"))).published.gini


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (78.0, "78"),
        (0.0, "0"),
        (-9.5, "-9.5"),
        (69.667, "69.67"),
        (100.0, "100"),
        (145819.417, "145819"),
        (1500.0, "1500"),
    ],
)
def test_numbers_say_no_more_than_they_know(value: float, text: str) -> None:
    assert number(value) == text
