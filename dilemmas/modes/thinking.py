"""Cost of thinking in game time: `--think`.

Models take seconds or minutes to answer, while the world goes on. A reproducible study must not depend on the
endpoint's speed. With a number of game seconds per call (`--think 2`) the answer arrives after exactly that game time,
and the world stands still if the endpoint is slower. `pause` makes thinking free: the world stands still during calls.
`run` lets a server's time run on. On the mock world time never runs by itself, and a call costs 2 s of game time unless
another cost is given.
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
"""Default cost of a model call on a world with a virtual clock, in game seconds."""
LEGAL = "choose run, pause, seconds of game time per call (2), or seconds by role (negotiator=5,action=10)"
MAX_CALL_S = 36_000.0
FREE = frozenset({"embedding", "rater"})
"""Roles whose calls are free by default, because no player waits for them."""


@dataclass(frozen=True)
class ThinkingCost:
    """Cost of a model call in game time; created by `parse`."""

    kind: Word | Literal["seconds"]
    usual_s: float = 0.0
    by_role: Mapping[str, float] = field(default_factory=dict)
    """Role -> game seconds, where they differ from `usual_s`."""

    @classmethod
    def parse(cls, text: str, roles: Iterable[str]) -> Self:
        """Parse the value of `--think`.

        Raises:
            UsageError: The text is neither a word, nor seconds, nor seconds by role.
        """
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
        """Return the game seconds of a call in that role."""
        return self.by_role.get(role, 0.0 if role in FREE else self.usual_s)


def thinking_cost(text: str | None, *, virtual: bool, roles: Iterable[str]) -> ThinkingCost:
    """Return the cost that `text` states.

    Args:
        text: Value of `--think`; None for the default, which is `CALL_S` on a virtual clock and real time otherwise.
        virtual: True for a world with a virtual clock.
        roles: Legal names of roles.

    Raises:
        UsageError: The text is illegal, or the world cannot charge this cost.
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
    """Charges each model call of a run its game time in the currently open world."""

    def __init__(self, cost: ThinkingCost, world: Callable[[], World | None]) -> None:
        """Set the cost.

        Args:
            cost: Cost of a call.
            world: Returns the open world, or None while no time can pass.
        """
        self._cost = cost
        self._world = world

    async def spend(self, role: str, work: Awaitable[T]) -> T:
        """Await a model's call, and return its result at its game time."""
        world = self._world()
        if world is None or self._cost.kind == "run":
            return await work
        if self._cost.kind == "pause":
            async with world.standing_still():
                return await work
        return await world.after(self._cost.seconds(role), work)

    def pause_world(self) -> AbstractAsyncContextManager[None]:
        """Return a context for players to think in; with `pause` the world stands still in all of it."""
        world = self._world()
        return nullcontext() if world is None or self._cost.kind != "pause" else _still(world)

    async def make_ready(self, world: World) -> None:
        """Let time pass again, which an earlier killed study may have stopped on a server that stays up.

        Raises:
            PrerequisiteError: The cost requires stopping time, which the world cannot do.
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
