"""Drawing of a grid game: the whole at first, then the changes of each step in one call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.mirror import legend
from dilemmas.minecraft.mirror.legend import Place
from dilemmas.minecraft.mirror.picture import ALONE, Picture, picture_of
from grid_games import Batch
from grid_games.arrays import Ints

_NO_TEAM = "Unknown team"
_NOTHING_NEW = "Nothing changed"
_YAWS = {(-1, 0): 180, (1, 0): 0, (0, -1): 90, (0, 1): -90}
"""(row step, column step) -> yaw of an agent that makes it, in degrees."""
NORTH = 180


class Mirror:
    """Display of one environment of a batch in a world whose players are already there.

    The mirror assumes that nobody else changes the field.
    """

    def __init__(
        self, world: World, batch: Batch, players: Sequence[str], *, environment: int = 0, place: Place | None = None
    ) -> None:
        if len(players) != batch.agents:
            raise ValueError(f"{len(players)} players for the {batch.agents} agents of {batch.game.name}")
        self.world, self.batch, self.players, self.environment = world, batch, list(players), environment
        self.place = place or Place(batch.game)
        self._kinds = [each.name for each in batch.game.resources]
        self._shown: Picture | None = None

    @classmethod
    async def open(cls, world: World, batch: Batch, players: Sequence[str]) -> Mirror:
        """Return a mirror that shows the batch's first environment in its current state."""
        made = cls(world, batch, players)
        await made.draw_all()
        return made

    async def draw_all(self) -> int:
        """Draw the map and the players anew, and return the number of commands."""
        now = picture_of(self.batch, self.environment)
        empty = Picture(
            now.blocks,
            now.events,
            np.zeros_like(now.piles),
            np.full_like(now.places, -1),
            np.zeros_like(now.inventory),
            np.full_like(now.groups, ALONE),
            np.zeros_like(now.rewards),
        )
        return await self._draw(now, [*self._ground(now), *self._cast(), *self._changes(empty, now)])

    async def draw_changes(self) -> int:
        """Draw the changes since the last drawing, and return the number of commands."""
        now, before = picture_of(self.batch, self.environment), self._shown
        if before is None or not (
            np.array_equal(now.events, before.events) and np.array_equal(now.blocks, before.blocks)
        ):
            return await self.draw_all()
        return await self._draw(now, self._changes(before, now))

    async def _draw(self, now: Picture, texts: Sequence[Command] | Iterator[Command]) -> int:
        count = await commands.give(self.world, texts)
        self._shown = now
        return count

    def _ground(self, now: Picture) -> Iterator[Command]:
        """Yield commands for the field with its rim, events and walls."""
        game, (x, y, z) = self.batch.game, self.place.origin
        for rule, value in legend.GAMERULES.items():
            yield Command(f"gamerule {rule} {value}")
        low, high = f"{x - 1} {{}} {z - 1}", f"{x + game.width} {{}} {z + game.height}"
        inner, last = f"{x} {y - 1} {z}", f"{x + game.width - 1} {y - 1} {z + game.height - 1}"
        for block, start, end in (
            ("air", low.format(y), high.format(y + 2)),
            (legend.RIM, low.format(y - 1), high.format(y - 1)),
            (legend.GROUND, inner, last),
        ):
            yield Command(f"fill {start} {end} minecraft:{block}", (commands.NOTHING_FILLED,))
        for cell in np.flatnonzero(now.blocks).tolist():
            yield Command(f"fill {self.place.at(cell)} {self.place.at(cell, 1)} minecraft:{legend.WALL}")
        for cell in np.flatnonzero(now.events).tolist():
            floor = legend.FLOORS[game.recipes[now.events[cell] - 1].name]
            yield Command(f"setblock {self.place.at(cell, -1)} minecraft:{floor}")

    def _cast(self) -> Iterator[Command]:
        """Yield commands that equip players by role, reset the teams, and set rewards to zero."""
        game = self.batch.game
        for group in range(game.groups):
            yield Command(f"team remove group_{group}", (_NO_TEAM,))
            yield Command(f"team add group_{group}")
            yield Command(f"team modify group_{group} color {legend.COLOURS[group % len(legend.COLOURS)]}")
        yield Command(f"scoreboard objectives remove {legend.REWARD}", (commands.UNKNOWN_OBJECTIVE,))
        yield Command(f"scoreboard objectives add {legend.REWARD} dummy")
        yield Command(f"scoreboard objectives setdisplay sidebar {legend.REWARD}")
        for agent, name in enumerate(self.players):
            chest = legend.CHESTS[game.players[agent] % len(legend.CHESTS)]
            yield Command(f"gamemode survival {name}")
            yield Command(f"clear {name}", (commands.NOTHING_HELD,))
            yield Command(f"item replace entity {name} armor.chest with minecraft:{chest}")
            yield Command(f"scoreboard players set {name} {legend.REWARD} 0")

    def _changes(self, before: Picture, now: Picture) -> Iterator[Command]:
        for cell in np.flatnonzero((before.piles != now.piles).any(axis=1)):
            yield self._pile(int(cell), before.piles[cell], now.piles[cell])
        for agent, kind in np.argwhere(before.inventory != now.inventory):
            yield self._held(int(agent), int(kind), int(now.inventory[agent, kind] - before.inventory[agent, kind]))
        for agent in np.flatnonzero(before.groups != now.groups):
            name, group = self.players[agent], now.groups[agent]
            yield Command(f"team leave {name}" if group == ALONE else f"team join group_{group} {name}")
        for agent in np.flatnonzero(before.rewards != now.rewards):
            yield Command(f"scoreboard players set {self.players[agent]} {legend.REWARD} {now.rewards[agent]}")
        for agent in np.flatnonzero(before.places != now.places):
            yaw = self._yaw(int(before.places[agent]), int(now.places[agent]))
            yield Command(f"tp {self.players[agent]} {self.place.stand(now.places[agent])} {yaw} 0")

    def _pile(self, cell: int, before: Ints, now: Ints) -> Command:
        """Return the command that places, rewrites or removes the sign of a cell."""
        at = self.place.at(cell)
        old, kinds = (self._amounts(row) for row in (before, now))
        if not kinds:
            return Command(f"setblock {at} minecraft:air")
        sign = legend.sign_of([kind for kind, _ in kinds])
        lines = ",".join(f"'{json.dumps({'text': line})}'" for line in legend.lines_of(kinds))
        words = f"{{front_text:{{messages:[{lines}]}}}}"
        if old and legend.sign_of([kind for kind, _ in old]) == sign:
            return Command(f"data merge block {at} {words}", (_NOTHING_NEW,))
        return Command(f"setblock {at} minecraft:{sign}[rotation=0]{words}")

    def _amounts(self, row: Ints) -> list[tuple[str, int]]:
        return [(kind, int(count)) for kind, count in zip(self._kinds, row, strict=True) if count]

    def _held(self, agent: int, kind: int, more: int) -> Command:
        name, item = self.players[agent], legend.ITEMS[self._kinds[kind]]
        return Command(f"give {name} minecraft:{item} {more}" if more > 0 else f"clear {name} minecraft:{item} {-more}")

    def _yaw(self, before: int, now: int) -> int:
        """Return the yaw of a step between two cells, perhaps across the map's edge."""
        game = self.batch.game
        row, column = np.subtract(divmod(now, game.width), divmod(before, game.width)).tolist()
        steps = [
            (down, right)
            for down, right in _YAWS
            if (down - row) % game.height == 0 and (right - column) % game.width == 0
        ]
        return _YAWS[steps[0]] if before >= 0 and steps else NORTH
