from __future__ import annotations

from pathlib import Path

import pytest

from accord.analysis.report.comparison import Comparison, compare, number
from accord.analysis.report.reader import read_runs
from tests.unit.accord.analysis.report.synthetic import FAIR, GREEDY, Story, write_run


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
        "Contracts raised welfare: from 69 emeralds without a contract to 78 with contract-1 and 78 with contract-2 "
        "(78 is the best possible); the Gini went from 0.74 to 0.05 and 0.00."
    )


@pytest.mark.parametrize(
    ("stories", "beginning"),
    [
        ((Story(condition="none", items=FAIR), Story(condition="c", items=GREEDY)), "No contract raised welfare:"),
        (
            (Story(condition="none", items=GREEDY), Story(condition="c"), Story(condition="d", items=GREEDY)),
            "Welfare rose with c only:",
        ),
        ((Story(condition="none", items=GREEDY), Story(condition="c")), "The contract raised welfare:"),
        (
            (Story(condition="none", items=GREEDY), Story(condition="selfish", kind="none")),
            "none reached welfare 69, Gini 0.74 and selfish reached welfare 78",
        ),
        (
            (Story(condition="none", items=GREEDY), Story(condition="negotiate", kind="negotiated")),
            "none reached welfare 69, Gini 0.74 and negotiate reached welfare 78, Gini 0.23 (78 is the best possible). "
            "No contract was agreed in negotiate.",
        ),
        (
            (
                Story(condition="none", items=GREEDY),
                Story(condition="negotiate", kind="negotiated", contract="double_vein_1"),
            ),
            "The contract raised welfare:",
        ),
        ((Story(condition="contract-1", transfer=11),), "contract-1 reached welfare 78, Gini 0.05 (78 is the best"),
        ((Story(status="infrastructure"),), "No run was finished: there is nothing to compare yet."),
    ],
)
def test_other_outcomes_have_their_own_sentence(tmp_path: Path, stories: tuple[Story, ...], beginning: str) -> None:
    assert compared(tmp_path, *stories).sentence().startswith(beginning)


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
    assert welfare.ci95 is not None
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
