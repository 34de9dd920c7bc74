"""The page of figures: written from the list of papers, which covers every figure, and whose commands exist."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report.papers import PAPERS, entries
from dilemmas.scenarios.registry import load_scenario

SCRIPT = Path(__file__).parents[2] / "docs" / "figures.py"
COMPLETE = ("contracts", "commons", "sid", "adasociety")
"""Papers of which every figure and table has a row."""
AS_FIGURE = re.compile(r"As (figures?|tables?) ([^.]*?)(?: of [^.]*)?\.")


@pytest.fixture(scope="module", name="script")
def _script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def test_the_page_is_the_one_that_the_script_writes(script: dict[str, Any]) -> None:
    page = script["PAGE"]
    assert page.read_text(encoding="utf-8") == script["page"](), f"{page}: write it anew by `python docs/figures.py`"


@pytest.mark.parametrize("key", COMPLETE)
def test_every_figure_and_table_of_a_paper_is_in_a_row(key: str) -> None:
    paper = PAPERS[key]
    wanted = {("figure", number + 1) for number in range(paper.figures)}
    wanted |= {("table", number + 1) for number in range(paper.tables)}
    assert {entry[:2] for row in paper.rows for entry in entries(row.numbers)} == wanted


def test_every_published_figure_that_a_plot_names_is_in_a_row_that_shows_it(script: dict[str, Any]) -> None:
    shown = {
        (key, name) for key, paper in PAPERS.items() for row in paper.rows for name, _ in script["plots_of"](key, row)
    }
    for name, figure in script["PLOTS"].items():
        for like in figure.like:
            assert (like.split()[0], name) in shown, (name, like)


def test_a_caption_names_the_published_figures_of_its_plot(script: dict[str, Any]) -> None:
    """A caption says e.g. "As figure 8 A and B of Project Sid."; the plot names "sid 8 A" and "sid 8 B"."""
    checked = 0
    for name, figure in script["PLOTS"].items():
        for kind, text in AS_FIGURE.findall(figure.caption):
            number = re.match(r"\d+", text)
            assert number is not None, name
            if kind.startswith("table"):
                said = {("table", int(each), "") for each in re.findall(r"\d+", text)}
            else:
                letters = re.findall(r"[A-H]", text)
                if " to " in text:
                    letters = [chr(each) for each in range(ord(letters[0]), ord(letters[1]) + 1)]
                said = {("figure", int(number[0]), letter) for letter in letters or [""]}
            assert said == {each for like in figure.like for each in entries(like.partition(" ")[2])}, name
            checked += 1
    assert checked > 20


def test_commands_name_scenarios_and_conditions_that_exist() -> None:
    for row in (row for paper in PAPERS.values() for row in paper.rows):
        for command in row.command.splitlines():
            words = shlex.split(command)
            if words[:2] == ["accord", "run"]:
                conditions = load_scenario(words[2]).spec.conditions
                chosen = {words[place + 1] for place, word in enumerate(words) if word == "--contract"}
                assert chosen <= set(conditions), command


def test_the_name_of_no_figure_is_an_error() -> None:
    assert list(entries("3, 9 to 10, table 2")) == [
        ("figure", 3, ""),
        *(("figure", n, "") for n in (9, 10)),
        ("table", 2, ""),
    ]
    assert list(entries("12 A to C")) == [("figure", 12, panel) for panel in "ABC"]
    with pytest.raises(ValueError, match="'8 a' names no figure"):
        list(entries("8 a"))
