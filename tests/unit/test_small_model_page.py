"""docs/small-model.md says what the recorded choices of the small model say."""

from __future__ import annotations

import csv
import statistics
from collections import Counter
from collections.abc import Callable

import pytest

from accord.analysis.intervals import mean_interval
from bridge.prerequisites import ROOT

PAGE = (ROOT / "docs" / "small-model.md").read_text(encoding="utf-8")
Row = dict[str, str]
with (ROOT / "examples" / "small_model" / "choices.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
OPPONENTS = ("tit-for-tat", "always-defect")


def cooperated(fits: Callable[[Row], bool]) -> list[int]:
    """Return the number of rounds with cooperation against each opponent, of 20 each."""
    found = []
    for opponent in OPPONENTS:
        rounds = [row for row in ROWS if fits(row) and row["opponent"] == opponent]
        assert len(rounds) == 20
        found.append(sum(int(row["cooperates"]) for row in rounds))
    return found


@pytest.mark.parametrize(
    ("scenario", "cells"),
    [
        ("cooperate_first", "cooperate, defect | cooperate"),
        ("defect_first", "defect, cooperate | cooperate"),
        ("red_cooperates", "red, blue | red"),
        ("blue_cooperates", "red, blue | blue"),
    ],
)
def test_the_table_of_names_is_that_of_the_choices(scenario: str, cells: str) -> None:
    one, other = cooperated(lambda row: row["scenario"] == scenario)
    assert f"| {cells} | {one} | {other} |" in PAGE


@pytest.mark.parametrize(
    ("condition", "cell"), [("none", "nothing"), ("kind", "that it is kind"), ("selfish", "that it is selfish")]
)
def test_the_table_of_personalities_is_that_of_the_choices(condition: str, cell: str) -> None:
    one, other = cooperated(lambda row: row["scenario"] == "personas" and row["condition"] == condition)
    assert f"| {cell} | {one} | {other} |" in PAGE


def test_the_sentences_are_those_of_the_choices() -> None:
    usual = [row["choice"] for row in ROWS if row["scenario"] in ("cooperate_first", "defect_first")]
    assert (len(usual), set(usual)) == (80, {"defect"})
    neutral = [row["choice"] for row in ROWS if row["scenario"] in ("red_cooperates", "blue_cooperates")]
    assert (len(neutral), neutral.count("red")) == (80, 55)
    assert "`red`, in 55 of 80" in " ".join(PAGE.split())
    said = "You chose to cooperate with Gizmo. You chose to cooperate with Glitch."
    assert said in " ".join(PAGE.split())
    assert any(row["why"] == said and row["choice"] == "defect" for row in ROWS)


def test_the_contracts_are_those_of_the_table() -> None:
    with (ROOT / "examples" / "small_model" / "contracts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    agreed = [row for row in rows if row["negotiation"] == "agreed"]
    in_force = [row for row in agreed if row["in_force"] == "1"]
    messages = sorted(int(row["messages"]) for row in agreed)
    (other,) = (row for row in rows if row not in agreed)
    page = " ".join(PAGE.split())
    told = f"{len(agreed)} of {len(rows)} negotiations ended in an agreement"
    told = f"{told}, after {messages[0]} to {messages[-1]} messages"
    assert f"{told}; the other ended without one after {other['messages']}." in page
    assert len(agreed) - len(in_force) == 1
    assert f"One agreement was not ratified, so {len(in_force)} contracts were in force" in page
    digits, *texts = [row["text"] for row in in_force]
    marks = len(digits.rstrip("\uff10\uff12\uff13"))
    assert f"| 0 | {marks} brackets and other marks, then {len(digits) - marks} digits |" in page
    for row, text in zip(in_force[1:], texts, strict=True):
        assert f"| {row['seed']} | *{text}* |" in page
    assert {row["status"] for row in rows} == {"failed"}


def test_the_tables_of_readable_answers_are_those_of_the_answers() -> None:
    with (ROOT / "examples" / "small_model" / "answers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    asked = Counter((row["asked"], row["part"]) for row in rows)
    read = Counter((row["asked"], row["part"]) for row in rows if row["outcome"] == "read")
    with_schema, without = PAGE.split("Without a schema, ")
    for (way, part), count in asked.items():
        table = with_schema if way == "schema" else without
        assert f"| {part} | {read[way, part]} of {count} |" in table
    assert len(without.partition("|---|---|\n")[2].partition("\n\n")[0].splitlines()) == len(
        [part for way, part in asked if way == "words"]
    )


def test_the_table_of_the_fine_tuned_model_is_that_of_its_evaluation() -> None:
    names = {
        "prisoners-dilemma": "as trained",
        "defect_first": "`defect` first",
        "red_cooperates": "red, blue; red cooperates",
        "blue_cooperates": "red, blue; blue cooperates",
    }
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    folder = ROOT / "examples" / "small_model" / "grpo"
    with (folder / "evaluation.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    trained = list(dict.fromkeys(row["trained"] for row in rows))
    for labels, partner in dict.fromkeys((row["labels"], row["partner"]) for row in rows):
        cells = [names[labels], partner]
        for seed in trained:
            met = [row for row in rows if (row["labels"], row["partner"], row["trained"]) == (labels, partner, seed)]
            paid = [float(row["payoff"]) for row in met]
            interval = mean_interval(paid)
            ends = f" [{interval[0]:.2f}, {interval[1]:.2f}]" if interval else ""
            cooperation = statistics.fmean(float(row["cooperation"]) for row in met)
            cells.append(f"{statistics.fmean(paid):.2f}{ends}; {cooperation:.2f}")
        assert f"| {' | '.join(cells)} |" in page
    with (folder / "curves.csv").open(encoding="utf-8", newline="") as file:
        last = {row["seed"]: float(row["payoff"]) for row in csv.DictReader(file)}
    assert {seed: round(paid, 2) for seed, paid in last.items()} == {"0": 3.0, "1": 3.67, "2": 3.0}
