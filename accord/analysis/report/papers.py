"""Figures and tables of the papers that Accord's scenarios come from, and the commands that make them.

`docs/figures.py` writes docs/figures-of-papers.md from this list and from the figures of all sections, each of which
names the published ones that it corresponds to (`SectionFigure.like`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ENTRY = re.compile(r"(?:(tables?) )?(\d+)(?: to (\d+))?(?: ([A-H])(?: to ([A-H]))?)?")


@dataclass(frozen=True)
class PaperRow:
    """One row of a paper's table: some of its figures, and how to make them."""

    numbers: str
    """Figures and tables, such as "3, 9 to 14, table 2" or "12 A to D"."""
    what: str
    command: str = ""
    """Command, or commands separated by line breaks; empty if there is nothing to make."""
    where: str = ""
    """Place of the values besides the report's figures, in Markdown; the reason if nothing is made."""


@dataclass(frozen=True)
class Paper:
    """A paper with its figures and tables."""

    title: str
    figures: int
    tables: int
    rows: tuple[PaperRow, ...]


PERSONALITIES = (
    "--contract none --contract cooperative --contract cooperative-defined --contract selfish "
    "--contract selfish-defined"
)
GENERATIVE = "--agents generative --model openai/NAME --runs 10"
LLM_C = (
    "ada-social-structure --contract dynamic", "ada-contract", "ada-contract-hard", "ada-negotiation",
    "ada-negotiation-hard",
)  # fmt: skip
"""Games of AdaSociety that LLM-C played."""

PAPERS: dict[str, Paper] = {
    "contracts": Paper(
        "Mitigating Generative Agent Social Dilemmas (Yocum et al.)", 14, 1,
        (
            PaperRow("4, 7, 10", "Double-Vein",
                     "accord run double-vein --contract none --contract contract-1 --contract contract-2 --runs 5"),
            PaperRow("4, 11", "Cleanup",
                     "accord run cleanup --contract none --contract contract-1 --contract contract-2 --runs 5"),
            PaperRow("table 1", "Gini coefficients, of both", where='the report\'s "Equality", published ones beside'),
            PaperRow("5, 6, 12, 13", "contracts and negotiations",
                     "accord run double-vein --contract negotiate --model openai/NAME",
                     'the report\'s "What happened"'),
            PaperRow("8, 9", "descriptions", "accord scenarios --json"),
            PaperRow("14", "prompts", "accord prompts export my-prompts"),
            PaperRow("1, 2, 3", "how it works and what it looks like",
                     where="drawings and screenshots; `accord build double-vein` sets the world up to walk around in"),
        ),
    ),
    "commons": Paper(
        "Can LLM-augmented autonomous agents cooperate? (Mosquera et al.)", 11, 0,
        (
            PaperRow("3, 4, 5", "personalities", f"accord run commons-harvest {GENERATIVE} {PERSONALITIES}",
                     "costs of table G2: the report\'s \"Published\", here and for 6 to 10"),
            PaperRow("6", "one tree", f"accord run commons-harvest-single-tree {GENERATIVE} "
                     "--contract none --contract cooperative --contract selfish"),
            PaperRow("7, 8, 9", "agents and bots", f"accord run commons-harvest-bots {GENERATIVE}"),
            PaperRow("10", "who is attacked", f"accord run commons-harvest-known-selfish {GENERATIVE}",
                     'the report\'s "Published": the share of hits on Pedro'),
            PaperRow("11", "proposed modules (a drawing in the paper; here they play)",
                     "accord run commons-harvest --contract modules --agents generative --model openai/NAME"),
            PaperRow("1, 2", "a screenshot, how an agent acts",
                     where="drawings; `accord show RUN PLAYER` prints each step of a turn"),
        ),
    ),
    "sid": Paper(
        "Project Sid (Altera)", 13, 2,
        (
            PaperRow("6 A to C", "a room",
                     "accord run perception-room --contract social --contract ablated --runs 4",
                     "[perception.md](perception.md)"),
            PaperRow("6 D to E", "a chef",
                     "accord run perception-chef --contract social --contract ablated --runs 6",
                     "[perception.md](perception.md)"),
            PaperRow("7, tables 1 to 2", "likeability in a town",
                     "accord run perception-town --contract social --contract ablated",
                     "[perception.md](perception.md)"),
            PaperRow("4, 5", "items that agents obtain",
                     "accord run progression --runs 5\naccord run progression-long",
                     "[progression.md](progression.md)"),
            PaperRow("13", "progress by base model",
                     "accord run progression --agents piano --vary model=openai/A,openai/B --runs 5",
                     "as 4 and 5; tests between the models in the report"),
            PaperRow("8, 9", "roles of a village",
                     "accord run village --contract normal --contract martial --contract artistic "
                     "--contract ablated --runs 4", "[societies.md](societies.md)"),
            PaperRow("10", "taxation",
                     "accord run taxation --contract anti-amendable --contract pro-amendable --contract anti-frozen "
                     "--contract anti-baseline --runs 4",
                     "[taxation.md](taxation.md); B, a law before and after: the report\'s law and `laws.csv`; "
                     "A is a drawing"),
            PaperRow("11, 12", "memes and religion", "accord run religion --contract priests --contract no-priests",
                     "[religion.md](religion.md)"),
            PaperRow("1, 2, 3", "how agents are built",
                     where="drawings; [societies.md](societies.md) has the modules"),
        ),
    ),
    "adasociety": Paper(
        "AdaSociety (Huang et al.)", 14, 12,
        (
            PaperRow("3, 9 to 14", "Social Structure",
                     "accord run ada-social-structure --agents policy:FILE --contract dynamic --contract isolation "
                     "--contract connection --contract independent --contract overlapping "
                     "--contract inequality",
                     "[grid-games.md](grid-games.md); fairness (A of 9, C of 10 to 14) is the right half of "
                     "`grid-scores`; learning curves with `accord report RUN --learning-curve FILE` "
                     "([learning.md](learning.md))"),
            PaperRow("7, table 2", "Contract",
                     "accord run ada-contract --agents policy:FILE\n"
                     "accord run ada-contract-hard --agents policy:FILE", "[grid-games.md](grid-games.md)"),
            PaperRow("8, table 2", "Negotiation",
                     "accord run ada-negotiation --agents policy:FILE\n"
                     "accord run ada-negotiation-hard --agents policy:FILE", "[grid-games.md](grid-games.md)"),
            PaperRow("table 3, table 9", "language models that plan above a controller (LLM-C)",
                     "\n".join(f"accord run {game} --agents planner --model openai/NAME --runs 3" for game in LLM_C),
                     "[grid-games.md](grid-games.md#planners)"),
            PaperRow("table 8", "Exploration", "accord run ada-exploration --agents policy:FILE",
                     "[grid-games.md](grid-games.md)"),
            PaperRow("table 10", "learning", "python benchmarks/curriculum.py easy", "[learning.md](learning.md)"),
            PaperRow("table 11", "steps a second", "python benchmarks/grid_games.py"),
            PaperRow("table 12", "stages of a curriculum", "python benchmarks/curriculum.py orders",
                     "[learning.md](learning.md#a-curriculum)"),
            PaperRow("1, 2, 4, 5, 6, table 1, table 4, table 5, table 6, table 7",
                     "the environment and its numbers",
                     where="drawings and definitions; the numbers are the games\' YAML files: "
                     "[grid-games.md](grid-games.md)"),
        ),
    ),
    "voyager": Paper(
        "Voyager (Wang et al.)", 0, 0,
        (
            PaperRow("1, 7, table 1", "items, the map, tools",
                     "accord run voyager-progress --agents voyager --model openai/NAME --runs 3",
                     "[voyager-progress.md](voyager-progress.md)"),
            PaperRow("table 2", "tasks that no skill was learned for",
                     "accord run voyager-zero-shot --agents voyager "
                     "--agents-option learned=RUN/agents/Nova --model openai/NAME --runs 3",
                     "[voyager-progress.md](voyager-progress.md)"),
        ),
    ),
}  # fmt: skip
"""Key in `SectionFigure.like` -> paper. Of Voyager only the figures and tables in the rows are covered."""


def entries(numbers: str) -> Iterator[tuple[str, int, str]]:
    """Yield (kind, number, panel) of each figure and table in a text such as "3, 9 to 14, table 2" or "12 A to D".

    The kind is "figure" or "table"; the panel is empty for a whole figure.

    Raises:
        ValueError: A part of the text names no figure or table.
    """
    for text in numbers.split(", "):
        found = _ENTRY.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} names no figure or table: write e.g. '8 A', '9 to 14' or 'table 2'")
        table, first, last, panel, to = found.groups()
        for number in range(int(first), int(last or first) + 1):
            for letter in range(ord(panel or "\0"), ord(to or panel or "\0") + 1):
                yield "table" if table else "figure", number, chr(letter).strip("\0")
