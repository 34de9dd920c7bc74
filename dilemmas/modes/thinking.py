"""What thinking costs in game time: `--think`.

Models take seconds or minutes for an answer, in which the world lives on. How long a call takes must not depend on the
endpoint where a study is to be repeated: with a number of game seconds per call (`--think 2`) the answer arrives
exactly then, however long the endpoint took, and everybody else lives on until then; a world that has come so far
before the endpoint has answered stands still. `pause` makes thinking free: the world stands still meanwhile. `run`
lets a server's time run. On the mock world time never runs by itself, and a call costs 2 s of game time unless another
cost is given.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Literal, Self, TypeVar, get_args

from bridge.errors import CommandError
from bridge.worlds import VIRTUAL_CLOCK, World
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError

T = TypeVar("T")
Word = Literal["run", "pause"]

CALL_S = 2.0
"""Game seconds that a model's call costs on a world with a virtual clock, where nothing else is said."""
LEGAL = "choose run, pause, seconds of game time per call (2), or seconds by role (negotiator=5,action=10)"
MAX_CALL_S = 36_000.0
FREE = frozenset({"embedding", "rater"})
"""Roles whose calls cost nothing unless they are named: nobody waits for them as for a thought."""


@dataclass(frozen=True)
class ThinkingCost:
    """What a call costs; made by `parse`."""

    kind: Word | Literal["seconds"]
    usual_s: float = 0.0
    by_role: Mapping[str, float] = field(default_factory=dict)
    """Role -> game seconds, where it is not the usual number."""

    @classmethod
    def parse(cls, text: str, roles: Iterable[str]) -> Self:
        """What `--think` says. Raises UsageError for what is neither a word, nor a time, nor a time of a role."""
        for word in get_args(Word):
            if text == word:
                return cls(word)
        parts = [part.partition("=") for part in text.split(",")]
        if len(parts) == 1 and not parts[0][1]:
            return cls("seconds", _seconds(text, text))
        by_role: dict[str, float] = {}
        for role, _, seconds in parts:
            if role not in set(roles):
                raise UsageError(f"think: {role!r} in {text!r} is no role; choose from {', '.join(roles)}")
            if role in by_role:
                raise UsageError(f"think: {text!r} gives {role!r} twice; give each role once")
            by_role[role] = _seconds(seconds, text)
        return cls("seconds", CALL_S, by_role)

    def seconds(self, role: str) -> float:
        """Game seconds of a call in that role."""
        return self.by_role.get(role, 0.0 if role in FREE else self.usual_s)


def cost_of(text: str | None, *, virtual: bool, roles: Iterable[str]) -> ThinkingCost:
    """The cost that `text` says. Without one a call costs seconds on a virtual clock, else the time that it takes.

    Raises UsageError.
    """
    if text is None:
        return ThinkingCost("seconds", CALL_S) if virtual else ThinkingCost("run")
    cost = ThinkingCost.parse(text, list(roles))
    if virtual and cost.kind == "run":
        raise UsageError(
            "think: 'run' is for servers, whose time runs; on the mock world give pause or game seconds per call"
        )
    return cost


def _seconds(number: str, text: str) -> float:
    try:
        seconds = float(number)
    except ValueError:
        raise UsageError(f"think: {text!r} is not legal; {LEGAL}") from None
    if not (math.isfinite(seconds) and 0 <= seconds <= MAX_CALL_S):
        raise UsageError(f"think: {number} s is not legal; give seconds from 0 to {MAX_CALL_S:g}")
    return seconds


class Thinking:
    """Makes each model call of a run cost its game time, in the world that is open at that moment."""

    def __init__(self, cost: ThinkingCost, world: Callable[[], World | None]) -> None:
        """`world` gives the open world; without one there is no time that could pass."""
        self._cost = cost
        self._world = world

    async def spend(self, role: str, work: Awaitable[T]) -> T:
        """The result of a model's call, at its time."""
        world = self._world()
        if world is None or self._cost.kind == "run":
            return await work
        if self._cost.kind == "pause":
            async with world.standing_still():
                return await work
        return await world.after(self._cost.seconds(role), work)

    def pausing(self) -> AbstractAsyncContextManager[None]:
        """Players think meanwhile: with `pause` the world stands still all the while, not only during each call."""
        world = self._world()
        return nullcontext() if world is None or self._cost.kind != "pause" else _still(world)

    async def make_ready(self, world: World) -> None:
        """Let time pass, which a study that was killed while models thought may have stopped on a server that stays up.

        Raises PrerequisiteError when time is to be stopped and cannot be.
        """
        if VIRTUAL_CLOCK in world.capabilities:
            return
        try:
            await world.command("tick unfreeze")
        except CommandError:
            if self._cost.kind != "run":
                raise PrerequisiteError(
                    f"the world {world.name!r} cannot stand still while models think: leave out --think, "
                    "or choose another with --world"
                ) from None


@asynccontextmanager
async def _still(world: World) -> AsyncIterator[None]:
    async with world.standing_still():
        yield
