"""The page of figures: every figure and table of each paper is in a row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "figures-of-papers.md"
PAPERS = {
    "Mitigating Generative Agent Social Dilemmas (Yocum et al.)": (14, 1),
    "Can LLM-augmented autonomous agents cooperate? (Mosquera et al.)": (11, 0),
    "Project Sid (Altera)": (13, 2),
    "AdaSociety (Huang et al.)": (14, 12),
}
"""Paper -> how many figures and how many tables it has."""
NUMBERS = re.compile(r"(tables? )?(\d+)(?: to (\d+))?")


def named(section: str) -> set[tuple[str, int]]:
    """The figures and tables that the first cells of a section's rows name, such as `3, 9 to 14, table 2: what`."""
    found = set()
    for row in re.findall(r"^\| ([^|:]*\d[^|:]*):", section, re.MULTILINE):
        kind = "figure"
        for table, first, last in NUMBERS.findall(row):
            kind = "table" if table else kind
            found |= {(kind, number) for number in range(int(first), int(last or first) + 1)}
    return found


def section(paper: str) -> str:
    return PAGE.read_text(encoding="utf-8").split(f"## {paper}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_and_table_of_a_paper_is_in_a_row(paper: str) -> None:
    figures, tables = PAPERS[paper]
    wanted = {("figure", number + 1) for number in range(figures)} | {("table", number + 1) for number in range(tables)}
    assert named(section(paper)) == wanted
