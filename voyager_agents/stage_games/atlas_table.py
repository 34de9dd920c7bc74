"""Playable tables of the games of the atlas: options with names, in an order that a number decides, and a story.

The number of the labelling is the seed of the words that name the options and of the order of rows and columns. Number
0 is the presentation of the atlas with up and down, left and right. Both players never share a word, so that no
strategy can take the name of an option for its meaning.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from common.untrusted_text import explain_document
from contracts.yaml12 import load_yaml
from voyager_agents.stage_games.atlas import OrdinalGame
from voyager_agents.stage_games.laws import Options
from voyager_agents.stage_games.tables import Cell, Matrix

STORIES = Path(__file__).with_name("stories.yaml")
PLAIN = (("up", "down"), ("left", "right"))
"""Names of the options of both players without a relabelling."""
WORDS = (
    ("red", "blue"), ("apple", "pear"), ("circle", "square"), ("iron", "copper"), ("north", "south"),
    ("oak", "birch"), ("fox", "heron"), ("salt", "sugar"), ("drum", "flute"), ("amber", "jade"),
)  # fmt: skip
"""Pairs of words that a relabelling draws from. None of them says what its option does."""


@dataclass(frozen=True)
class Story:
    """Text of a decision of two players, and names of their options."""

    text: str
    rows: tuple[str, str]
    columns: tuple[str, str]
    by_model: bool = False
    """True if a model wrote it; then it is data to its readers, never an instruction."""

    def premise(self, players: tuple[str, ...]) -> str:
        """Return the text with the players' names, as players read it."""
        told = self.text
        for place, name in zip(("{first}", "{second}"), players, strict=False):
            told = told.replace(place, name)
        if not self.by_model:
            return told
        return explain_document({"story": told}, "a story around this game", "What counts are the payoffs:")


@dataclass(frozen=True)
class AtlasTable(Matrix):
    """Table of a game of the atlas."""

    premise: str = ""
    """Story that players read before the payoffs."""

    def __hash__(self) -> int:
        # Tables are keys of caches in every turn, and hashing their fractions takes longer than a strategy.
        return hash((self.players, self.rows, self.columns, self.premise))

    def rule_lines(self) -> list[str]:
        """Return the story, if there is one, and one sentence for each cell."""
        return [*([self.premise] if self.premise else []), *super().rule_lines()]


@cache
def stories() -> Mapping[str, Story]:
    """Return the stories by name."""
    data: dict[str, Any] = load_yaml(STORIES.read_text(encoding="utf-8"))
    return {
        name: Story(each["text"].strip(), (each["rows"][0], each["rows"][1]), (each["columns"][0], each["columns"][1]))
        for name, each in data.items()
    }


def atlas_table(
    game: OrdinalGame, players: tuple[str, ...], labels: int = 0, story: str | Story | None = None
) -> AtlasTable:
    """Return the playable table of a game.

    Args:
        game: The game.
        players: Names of the row player and the column player.
        labels: Number of the labelling, which decides names and order of the options.
        story: Name of a story, or a story; None for the table alone.

    Raises:
        ValueError: There are not two players, or no such story.
    """
    if isinstance(story, str) and story not in stories():
        raise ValueError(f"there is no story {story!r}; choose one of {', '.join(stories())}")
    told = stories()[story] if isinstance(story, str) else story
    draw = random.Random(f"labels:{game.id}:{labels}")
    words = PLAIN if told is None else (told.rows, told.columns)
    if labels and told is None:
        words = tuple(draw.sample(WORDS, 2))[0:2]  # type: ignore[assignment]
    names = tuple(_mixed(draw, pair) if labels else pair for pair in words)
    orders = tuple(draw.sample((0, 1), 2) if labels else [0, 1] for _ in names)
    rows, columns = (_ordered(pair, order) for pair, order in zip(names, orders, strict=True))
    cells = tuple(tuple(_cell(game, row, column) for column in orders[1]) for row in orders[0])
    premise = "" if told is None else told.premise(players)
    good, bad = (names[0][0], names[1][0]), (names[0][1], names[1][1])
    return AtlasTable(players, rows, columns, cells, good, bad, premise=premise)


def _mixed(draw: random.Random, pair: tuple[str, str]) -> tuple[str, str]:
    one, two = draw.sample(pair, 2)
    return one, two


def _ordered(pair: tuple[str, str], order: list[int]) -> Options:
    return tuple(pair[place] for place in order)


def _cell(game: OrdinalGame, row: int, column: int) -> Cell:
    one, two = game.payoff(row, column)
    return Fraction(one), Fraction(two)


def original_option(law: Matrix, player: int, option: str) -> int:
    """Return the place of an option in the presentation of the atlas: 0 or 1, for the row or the column player."""
    return int(option != law.cooperative[player])
