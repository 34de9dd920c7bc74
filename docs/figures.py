"""The page of papers' figures: `python docs/figures.py` writes docs/figures-of-papers.md.

It is made of the list of papers (`accord.analysis.report.papers`) and of the figures of all report sections.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from accord.analysis.report.grid.figures import FIGURES as GRID
from accord.analysis.report.grid.learning import FIGURES as LEARNING
from accord.analysis.report.papers import PAPERS, Paper, PaperRow, entries
from accord.analysis.report.perception.figures import FIGURES as PERCEPTION
from accord.analysis.report.progress.figures import FIGURES as PROGRESS
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.society.figures import FIGURES as SOCIETY
from accord.analysis.report.standard.figures import FIGURES as STANDARD
from accord.analysis.report.standard.places import FIGURES as PLACES
from accord.analysis.report.standard.population import FIGURES as POPULATION
from accord.analysis.report.taxation.figures import FIGURES as TAXATION
from accord.analysis.report.towns.figures import FIGURES as TOWNS
from accord.analysis.report.trials.figures import FIGURES as TRIALS

PAGE = Path(__file__).with_name("figures-of-papers.md")
PLOTS: dict[str, SectionFigure] = {  # type: ignore[type-arg] # sections have findings of their own types
    name: figure
    for figures in (
        STANDARD, POPULATION, PLACES, GRID, LEARNING, SOCIETY, PROGRESS, TAXATION, TOWNS, TRIALS, *PERCEPTION.values(),
    )
    for name, figure in figures.items()
}  # fmt: skip
"""File name -> figure, of all sections."""
HEAD = """# Figures of papers

<!-- Written by `python docs/figures.py`. -->

Each row names some figures or tables of a paper, the command that makes Accord's own, and the report's figures that
correspond to them: `plots/NAME.svg`, and with `--figures pdf` also `figures/NAME-1col.pdf` and
`figures/NAME-2col.pdf`, with their data as CSV. Letters are the panels of the paper's figure. Every figure and table of
the first four papers has a row.

The report shows published values beside Accord's where the paper prints any. Without `--model` rule-based players play,
so the figures show the game, not language models.
"""
TAIL = """
## Others

Many papers on cooperation share games (prisoner's dilemma, stag hunt, public goods, donor game, ultimatum, trust), the
Axelrod tournament, and measures of coopetition. These belong to no single paper's figure.
[matrix-games.md](matrix-games.md) has the command and the known result of each.
"""


def page() -> str:
    """Return the page in Markdown."""
    return HEAD + "".join(section(key, paper) for key, paper in PAPERS.items()) + TAIL


def section(key: str, paper: Paper) -> str:
    """Return the section of a paper: a table with a row for each of its `PaperRow`s."""
    lines = [
        "", f"## {paper.title}", "", "| figure or table | command | figures of the report | more |", "|---|---|---|---|"
    ]  # fmt: skip
    lines += [row_of(key, row) for row in paper.rows]
    return "\n".join([*lines, ""])


def row_of(key: str, row: PaperRow) -> str:
    """Return a row in Markdown."""
    commands = ", ".join(f"`{each}`" for each in row.command.splitlines())
    drawn = ", ".join(f"`{name}`{f' ({panels})' if panels else ''}" for name, panels in plots_of(key, row))
    cells = (f"{row.numbers}: {row.what}", commands, drawn, row.where)
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def plots_of(key: str, row: PaperRow) -> Iterator[tuple[str, str]]:
    """Yield the name of each figure that corresponds to one of the row's, with the panels that it shows."""
    wanted = list(entries(row.numbers))
    for name, figure in PLOTS.items():
        likes = [each for like in figure.like if like.startswith(f"{key} ") for each in entries(like[len(key) + 1 :])]
        found = [each for each in likes if any(covers(row_entry, each) for row_entry in wanted)]
        if found:
            panels = [f"{number} {panel}" for kind, number, panel in found if panel and kind == "figure"]
            yield name, ", ".join(panels)


def covers(whole: tuple[str, int, str], part: tuple[str, int, str]) -> bool:
    """Return True if the row's entry names the figure's one, or all panels of it."""
    return whole[:2] == part[:2] and whole[2] in ("", part[2])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
