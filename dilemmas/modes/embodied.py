"""Where a grid game is watched: who looks on, step by step, while the arrays are the truth."""

from __future__ import annotations

from typing import Protocol

from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.mirror import Mirror
from dilemmas.minecraft.telemetry import TICKS_A_SECOND
from dilemmas.modes.arena import Arena
from grid_games import Batch
from grid_games.arrays import Ints

STEP_TICKS = 4
"""Ticks of game time between two steps: five steps a second."""


class Onlooker(Protocol):
    """Shows one game in the arena's world."""

    async def begin(self) -> None:
        """The game is laid out; nobody has acted yet."""

    async def step(self, actions: Ints) -> None:
        """A step was made; actions: (1, N), with `stay` for those that had no effect."""

    async def end(self) -> None:
        """The game is over."""


class Watched:
    """Draws the game in the world as it is played, a step every fifth of a second of game time."""

    def __init__(self, arena: Arena, batch: Batch) -> None:
        self._arena, self._batch = arena, batch
        self._mirror = Mirror(arena.world, batch, arena.players)
        self._next = 0

    async def begin(self) -> None:
        """Draw the whole; whoever comes to watch is a spectator, as the observer is, above the field."""
        game, (x, y, z) = self._batch.game, self._mirror.place.origin
        observer = self._arena.scenario.spec.observer.name
        above = f"{x + game.width / 2} {y + max(game.width, game.height)} {z + game.height / 2}"
        await commands.give(
            self._arena.world,
            [
                Command("defaultgamemode spectator"),
                Command(f"gamemode spectator {observer}"),
                Command(f"tp {observer} {above} 180 90"),
            ],
        )
        await self._mirror.begin()
        self._next = await self._arena.world.now() + STEP_TICKS

    async def step(self, actions: Ints) -> None:
        """Draw what has changed, when it is time; what is late is drawn at once, and later steps do not hurry."""
        world = self._arena.world
        now = await world.now()
        if now < self._next:
            await world.sleep((self._next - now) / TICKS_A_SECOND)
        await self._mirror.show()
        self._next = max(now, self._next) + STEP_TICKS

    async def end(self) -> None:
        """All is drawn already."""


def onlooker(arena: Arena, batch: Batch) -> Onlooker:
    """Who shows this game in that arena's world."""
    return Watched(arena, batch)
