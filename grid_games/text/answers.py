"""Typed answers: the legal actions of a step by their names, and the strict form of an answer that picks one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import numpy as np
from pydantic import Field, create_model

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from grid_games.actions import GridAction
from grid_games.arrays import Flags
from grid_games.errors import AnswerError

MAX_WORD = 2**31 - 1
"""Maximum value of a word of a message."""
MAX_WHY = 300
"""Maximum length of a reason, in characters."""


@dataclass(frozen=True)
class GridAnswer:
    """The action that an answer names, and the words of its message, if any."""

    action: int
    words: tuple[int, ...] | None = None


class GridReply(Strict):
    """Answer with one action by its name, such as `pick wood`."""

    why: str = Field(max_length=MAX_WHY)
    action: str = Field(max_length=80)


@cache
def _reply_with_words(count: int) -> type[GridReply]:
    """Return the model of an answer whose message has `count` words; missing ones are 0."""
    word = Annotated[int, Field(ge=0, le=MAX_WORD)]
    words: Any = Field(default_factory=list, max_length=count)
    return create_model("GridMessageReply", __base__=GridReply, words=(list[word], words))


def legal(actions: Sequence[GridAction], mask: Flags) -> list[str]:
    """Return the names of the legal actions under a mask (A,), one line for each kind with a target."""
    lines: dict[str, list[str]] = {}
    for number in np.flatnonzero(mask).tolist():
        action = actions[number]
        lines.setdefault("" if action.target is None else action.kind, []).append(str(action))
    return [", ".join(each) for each in lines.values()]


def answer_form(actions: Sequence[GridAction], mask: Flags, words: int = 0) -> AnswerForm[GridReply]:
    """Return the form of an answer with one of the legal actions.

    Args:
        actions: All actions of the game.
        mask: (A,) legal actions.
        words: Number of integers in a message, `game.settings.get("words", 0)`.
    """
    example: dict[str, Any] = {"why": "one short sentence", "action": "one of your actions"}
    if words:
        example["words"] = [1] * words
    names = [str(actions[number]) for number in np.flatnonzero(mask).tolist()]
    shape = _reply_with_words(words) if words else GridReply
    return AnswerForm("grid", shape, example, reasoning="why", choices={"action": names})


def grid_answer(reply: GridReply, actions: Sequence[GridAction], words: int = 0) -> GridAnswer:
    """Return the action number of a legal reply, and the words if the action is a message.

    Args:
        reply: Answer of the form by `answer_form`.
        actions: All actions of the game.
        words: Number of integers in a message.
    """
    number = [str(action) for action in actions].index(reply.action)
    given: list[int] = getattr(reply, "words", [])
    said = (*given, *(0 for _ in range(words - len(given)))) if given and actions[number].kind == "message" else None
    return GridAnswer(number, said)


def parse(text: str, actions: Sequence[GridAction], mask: Flags, words: int = 0) -> GridAnswer:
    """Return the action named by a typed answer.

    Args:
        text: The answer.
        actions: All actions of the game.
        mask: (A,) legal actions.
        words: Number of integers in a message.

    Raises:
        AnswerError: The answer names no legal action; the message is one line for its author.
    """
    try:
        reply = answer_form(actions, mask, words).parse(text)
    except ValueError as error:
        raise AnswerError(str(error)) from None
    return grid_answer(reply, actions, words)
