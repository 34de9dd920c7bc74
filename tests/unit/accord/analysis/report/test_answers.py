"""Rates of unusable answers beside the measures: on the page, in the tables, and in the terminal."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from accord.analysis.answers import answer_rows, percent, rates_in_words
from accord.analysis.report import read_comparison, write_report
from accord.cli.show import show_comparison
from accord.viewer.run_catalog import RunCatalog
from dilemmas.records import events as log
from dilemmas.records.answers import RoleAnswers
from tests.unit.accord.analysis.report.synthetic import Story, write_run

PLAYED = RoleAnswers("Gizmo", "action", "openai/m", 8, 10, unreadable=1, refused=2, cut_off=0, given_up=1)
JUDGED = RoleAnswers("Judy", "judge", "openai/m", 1, 3, unreadable=3, given_up=1)
CALL = log.ModelCalled(player="Gizmo", purpose="action", model="openai/m", tokens=9)
WORDS = "3 of 10 answers unusable (10 % unreadable, 20 % refused), 1 of 8 questions without an answer"
RATES = {"answers": "10", "unreadable": "1", "refused": "2", "cut_off": "0", "questions": "8", "given_up": "1"}


def run_of(directory: Path, *answers: RoleAnswers, recorded: bool = True, **changes: Any) -> Path:  # noqa: ANN401
    """Write a run in which a model was called, with these answers in its result."""
    path = write_run(directory, Story(extra=(CALL,), **changes))
    file = path / "result.json"
    result = json.loads(file.read_text(encoding="utf-8"))
    result["usage"] = {"calls": 13, "tokens": 9, "usd": None}
    if recorded:
        result["answers"] = [each.to_dict() for each in answers]
    file.write_text(json.dumps(result), encoding="utf-8")
    return path


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    run_of(tmp_path / "runs" / "a", PLAYED, JUDGED)
    write_run(tmp_path / "runs" / "b", Story(condition="none"))
    return tmp_path / "runs"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def shown(path: Path) -> str:
    text = io.StringIO()
    show_comparison(Console(file=text, width=140), read_comparison([path]), "Report", path)
    return " ".join(text.getvalue().split())


def test_the_page_and_the_tables_show_the_rates_of_decisions(runs: Path, tmp_path: Path) -> None:
    report = write_report([runs], tmp_path / "report")
    page = " ".join(report.html.read_text(encoding="utf-8").split())
    assert '<section id="answers">' in page
    assert page.count(f"contract-1: {WORDS}") >= 3
    assert [{key: row[key] for key in RATES} for row in rows(tmp_path / "report" / "answers.csv")] == [
        RATES,
        {**dict.fromkeys(RATES, "0"), "answers": "3", "unreadable": "3", "questions": "1", "given_up": "1"},
    ]
    for name in ("runs.csv", "summary.csv"):
        told = {row["condition"]: {key: row[key] for key in RATES} for row in rows(tmp_path / "report" / name)}
        assert told == {"contract-1": RATES, "none": dict.fromkeys(RATES, "0")}


def test_the_terminal_shows_them(runs: Path) -> None:
    told = shown(runs)
    assert WORDS in told
    assert "contract-1 action 10 10 % 20 % 0 % 8 12.5 %" in told
    assert "contract-1 judge 3 100 % 0 % 0 % 1 100 %" in told


def test_records_of_earlier_versions_open_and_say_what_they_lack(tmp_path: Path) -> None:
    old = run_of(tmp_path / "old", recorded=False)
    page = " ".join(write_report([old], tmp_path / "report").html.read_text(encoding="utf-8").split())
    assert "not recorded by kind in 1 of 1 runs" in page
    assert rows(tmp_path / "report" / "answers.csv") == []
    assert {row["answers"] for row in rows(tmp_path / "report" / "runs.csv")} == {""}
    assert "answers: not recorded by kind in 1 of 1 runs" in shown(old)


def test_studies_without_models_have_no_such_section(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story())
    page = write_report([tmp_path / "a"], tmp_path / "report").html.read_text(encoding="utf-8")
    assert "answers" not in page.partition("<main>")[2].partition("<footer")[0]
    assert "answers:" not in shown(tmp_path / "a")


@pytest.mark.parametrize(
    ("answers", "recorded", "rows"), [((PLAYED,), True, [PLAYED.to_dict()]), ((), False, None), ((), True, [])]
)
def test_the_page_of_a_run_has_the_rows(
    tmp_path: Path, answers: tuple[RoleAnswers, ...], recorded: bool, rows: list[Any] | None
) -> None:
    catalog = RunCatalog([run_of(tmp_path / "a", *answers, recorded=recorded)])
    try:
        assert catalog.answers(0) == {"rows": rows, "invalid": ""}
    finally:
        catalog.close()


def test_usable_answers_need_no_words_and_many_players_share_a_row() -> None:
    assert rates_in_words([RoleAnswers("Gizmo", "action", "m", 2, 2)]) == ""
    crowd = [RoleAnswers(f"P{number}", "talking", "m", 1, 1) for number in range(20)]
    assert answer_rows(crowd) == [RoleAnswers("20 players", "talking", "m", 20, 20)]
    assert (percent(0, 0), percent(0, 9), percent(1, 3)) == ("\N{EN DASH}", "0 %", "33.3 %")
