"""Display of grid games in a Minecraft world, step by step; the arrays remain the ground truth."""

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
"""Game time between two steps, in ticks (five steps a second)."""


class GameDisplay(Protocol):
    """Display of one game in the arena's world."""

    async def show_start(self) -> None:
        """Show the initial state, before anybody acts."""

    async def show_step(self, actions: Ints) -> None:
        """Show one step; `actions` has shape (1, N), with `stay` for actions without effect."""

    async def show_end(self) -> None:
        """Finish the display at the end of the game."""


class MirrorDisplay:
    """Display that draws the game as it is played, five steps per second of game time."""

    def __init__(self, arena: Arena, batch: Batch) -> None:
        self._arena, self._batch = arena, batch
        self._mirror = Mirror(arena.world, batch, arena.players)
        self._next = 0

    async def show_start(self) -> None:
        """Draw the whole game; visitors become spectators above the field, like the observer."""
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
        await self._mirror.draw_all()
        self._next = await self._arena.world.now() + STEP_TICKS

    async def show_step(self, actions: Ints) -> None:
        """Draw the changes at the next due tick; a late step is drawn at once, without rushing later ones."""
        world = self._arena.world
        now = await world.now()
        if now < self._next:
            await world.sleep((self._next - now) / TICKS_A_SECOND)
        await self._mirror.draw_changes()
        self._next = max(now, self._next) + STEP_TICKS

    async def show_end(self) -> None:
        """Do nothing: everything has been drawn."""


def game_display(arena: Arena, batch: Batch) -> GameDisplay:
    """Return the display of a game in the arena's world."""
    return MirrorDisplay(arena, batch)
