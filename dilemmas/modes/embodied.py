"""Where a grid game is watched: who looks on, step by step, while the arrays are the truth."""

from __future__ import annotations

from typing import Protocol

from dilemmas.errors import UsageError
from dilemmas.modes.arena import Arena
from grid_games import Batch
from grid_games.arrays import Ints


class Onlooker(Protocol):
    """Shows one game in the arena's world."""

    async def begin(self) -> None:
        """The game is laid out; nobody has acted yet."""

    async def step(self, actions: Ints) -> None:
        """A step was made; actions: (1, N), with `stay` for those that had no effect."""

    async def end(self) -> None:
        """The game is over."""


def onlooker(arena: Arena, batch: Batch) -> Onlooker:
    """Who shows this game in that arena's world."""
    raise UsageError(f"{arena.scenario.spec.name} cannot be shown in the world {arena.world.name!r}: leave out --world")
