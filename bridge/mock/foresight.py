"""Answers that cross with the time that has passed, ahead of the questions.

A scenario's rules ask the same commands at every step: scores, holdings, positions. Each crossing to the world's
process wakes it and this one, which takes longer than most answers, so an advance brings the answers to the questions
that followed the one before. They hold until the next request that may change the world.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bridge.types import Sensed, Senses
from bridge.wire import Json

Look = tuple[Sequence[str], Senses]
"""Bots to sense for, and the senses."""
MAX_QUESTIONS = 64
"""Maximum number of commands that an advance answers ahead."""
_ASKED_OF_ALL = r"(?:execute as @a(?:\[gamemode=\w+\])? run )?"
_QUESTION = re.compile(
    _ASKED_OF_ALL + r"(?:data get (?:entity (?:@s|\w+)|block -?\d+ -?\d+ -?\d+) \w+"
    r"|scoreboard players list (?:@s|\w+)|clear @s [\w:]+ 0)"
)
"""Commands that change nothing, draw no random number and tell no player anything."""


@dataclass(frozen=True)
class Foreseen:
    """Senses, states and replies that came with the end of an advance."""

    number: int
    """Number of the last request after which they hold; a later one may have changed the world."""
    held: Mapping[str, Json]
    """State of the players whose runs have ended."""
    look: Look | None
    found: Mapping[str, Sensed] | None
    """Senses of the bots that were asked for."""
    replies: Mapping[str, str] = field(default_factory=dict)
    """Command -> its reply."""


NOTHING = Foreseen(-1, {}, None, None)


class StepQuestions:
    """The commands that change nothing and were the first to be asked after an advance."""

    def __init__(self) -> None:
        self._asked: dict[str, None] = {}
        self._open = False

    def take(self) -> list[str]:
        """Return the questions since the last advance, which the next one answers ahead; start anew."""
        asked, self._asked, self._open = list(self._asked), {}, True
        return asked

    def note(self, texts: Sequence[str]) -> None:
        """Note commands that are asked; from the first that may change the world, none counts until the advance."""
        self._open = self._open and all(_QUESTION.fullmatch(text) for text in texts)
        if self._open and len(self._asked) + len(texts) <= MAX_QUESTIONS:
            self._asked.update(dict.fromkeys(texts))

    def close(self) -> None:
        """Note another request: what is asked after it follows from its answer."""
        self._open = False
