"""Model whose answers come from a trainer: every call becomes a turn that waits for a text.

A learner can play any family of agents in any scenario, since it is a model like any other. The environment that runs
the study (`accord.training`) hands out the turns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from voyager_agents.errors import ModelError
from voyager_agents.models.base import ChatMessage, Reply, Settings, ToolCall, Usage

LEARNER = "learner"
"""Kind and name of the learners' model in a study's settings."""
SPEC = f"{LEARNER}/{LEARNER}"
"""Spec of the model whose answers a trainer gives."""


@dataclass(frozen=True)
class LearnerCall:
    """One call of a learner's model, which waits for its answer."""

    player: str
    """Player whose agent asks."""
    role: str
    """Role of the model, such as `player` or `action`."""
    messages: tuple[ChatMessage, ...]
    settings: Settings
    answer: asyncio.Future[Reply] = field(compare=False)
    """Future that the answer resolves; cancelled if nobody waits any longer."""

    def reply(self, text: str, usage: Usage | None = None, calls: Sequence[ToolCall] = ()) -> None:
        """Answer the call; do nothing if nobody waits any longer."""
        if not self.answer.done():
            self.answer.set_result(Reply(text, usage or Usage(), SPEC, calls=tuple(calls)))


Ask = Callable[[LearnerCall], None]
"""Callback that gets each call of a learner."""


class LearnerModel:
    """Models of all learners in a run; `part` is the model of one role of one player."""

    name = SPEC

    def __init__(self, ask: Ask) -> None:
        """Pass each call to `ask`."""
        self._ask = ask

    def part(self, condition: str, seed: int, player: str, role: str) -> LearnerPart:
        """Return the model of one role of a player.

        Args:
            condition: Name of the run's condition; unused, since a learner plays one run.
            seed: Seed of the run; unused.
            player: Name of the player.
            role: Role of the player.
        """
        return LearnerPart(self._ask, player, role)

    async def close(self) -> None:
        """Do nothing: a learner holds no resources."""


class LearnerPart:
    """Model of one role of one learner."""

    name = SPEC

    def __init__(self, ask: Ask, player: str, role: str) -> None:
        self._ask = ask
        self._player = player
        self._role = role

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Hand the messages to the trainer and return its answer. Raises ModelError if the trainer refuses."""
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._ask(LearnerCall(self._player, self._role, tuple(messages), settings, answer))
        return await answer

    async def close(self) -> None:
        """Do nothing: a learner holds no resources."""


def open_learner(name: str, **_given: Any) -> LearnerModel:  # noqa: ANN401 - an opener's signature
    """Refuse to open a learner outside an environment. Raises ModelError."""
    raise ModelError(
        f"{LEARNER}/{name}: a learner answers in an environment only: play it with accord.env or 'accord env serve', "
        "or repeat its record with --model replay:RUN"
    )
