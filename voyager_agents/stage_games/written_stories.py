"""Stories for games of the atlas that a model writes: named options, and outcomes in the order of the payoffs.

An answer is used only if it names both options of each player in the text, and both players' order of the outcomes as
the table has it. A text that a model wrote is data to the players who read it, never an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.asking import Asker
from voyager_agents.errors import ReplyError
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.stage_games.atlas import OrdinalGame
from voyager_agents.stage_games.atlas_table import PLAIN, Story

STORY = "story"
"""Name of the prompt, and of the calls' account in the budget."""
MAX_STORY = 1500
"""Maximum length of a story, in characters."""
OPTION = re.compile(r"[a-z]+(?:_[a-z]+){0,3}")
"""Pattern of the name of an option."""
MAX_OPTION = 30
PLAYERS = ("{first}", "{second}")
"""Placeholders of the players' names."""
BETWEEN = "/"


class StoryAnswer(Strict):
    """Model answer with a story."""

    text: str = Field(max_length=MAX_STORY)
    rows: list[str] = Field(min_length=2, max_length=2)
    columns: list[str] = Field(min_length=2, max_length=2)
    first_order: list[str] = Field(min_length=4, max_length=4)
    second_order: list[str] = Field(min_length=4, max_length=4)


def story_form() -> AnswerForm[StoryAnswer]:
    """Return the form of a story."""
    outcomes = ["<ROW/COLUMN>"] * 4
    example: Mapping[str, Any] = {
        "text": "<the story>",
        "rows": ["<option>", "<option>"],
        "columns": ["<option>", "<option>"],
        "first_order": outcomes,
        "second_order": outcomes,
    }
    return AnswerForm(STORY, StoryAnswer, example)


def table_text(game: OrdinalGame) -> str:
    """Return the table of a game in words."""
    lines = []
    for row, column in product((0, 1), (0, 1)):
        one, two = game.payoff(row, column)
        lines.append(
            f"{PLAIN[0][row]}/{PLAIN[1][column]}: {PLAYERS[0]} likes it {int(one)}, {PLAYERS[1]} likes it {int(two)}."
        )
    return "\n".join(lines)


def check_story(answer: StoryAnswer, game: OrdinalGame) -> None:
    """Check that a story fits a game. Raises ReplyError with what is wrong."""
    _check_names(answer)
    for seat, order in enumerate((answer.first_order, answer.second_order)):
        right = outcome_order(game, seat, answer.rows, answer.columns)
        if order != right:
            key = ("first_order", "second_order")[seat]
            raise ReplyError("form", f"{key} is not the order of the table, which is {', '.join(right)}")


def _check_names(answer: StoryAnswer) -> None:
    """Check that the text names all options and both players. Raises ReplyError."""
    names = [*answer.rows, *answer.columns]
    for name in names:
        if not OPTION.fullmatch(name) or len(name) > MAX_OPTION:
            raise ReplyError("form", f"{name[:60]!r} is no name of an option: write lower-case words joined by _")
    if len(set(names)) < len(names):
        raise ReplyError("form", "two options have the same name: give four different ones")
    if not all(each.isprintable() or each == "\n" for each in answer.text):
        raise ReplyError("form", "the text has characters that cannot be shown")
    told = answer.text.casefold().replace("_", " ")
    for name in names:
        if name.replace("_", " ") not in told:
            raise ReplyError("form", f"the text does not name the option {name}")
    for player in PLAYERS:
        if player not in answer.text:
            raise ReplyError("form", f"the text does not name {player}")


def outcome_order(game: OrdinalGame, seat: int, rows: list[str], columns: list[str]) -> list[str]:
    """Return the outcomes by a player's payoff, the best first.

    Args:
        game: The game.
        seat: 0 for the row player, 1 for the column player.
        rows: Names of the row player's options.
        columns: Names of the column player's options.
    """
    ranked = sorted(product((0, 1), (0, 1)), key=lambda cell: -game.payoff(*cell)[seat])
    return [f"{rows[row]}{BETWEEN}{columns[column]}" for row, column in ranked]


async def write_story(game: OrdinalGame, asker: Asker, prompts: Prompts = STANDARD) -> Story | str:
    """Return a model's story for a game, or the fault of its last answer.

    Args:
        game: The game.
        asker: Access to the model.
        prompts: Prompt templates.

    Raises:
        ModelError: The model failed.
        BudgetExhausted: The budget is used up.
    """
    form = story_form()
    system, user = asker.fit({"table": table_text(game)}, (), fill_with(prompts.load(STORY)), form)
    found = await asker.ask(system, user, form, lambda answer: check_story(answer, game))
    if found.value is None:
        return found.faults[-1].text
    told = found.value
    return Story(told.text.strip(), (told.rows[0], told.rows[1]), (told.columns[0], told.columns[1]), by_model=True)
