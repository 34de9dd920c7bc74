"""Where explorers begin: places of a kind of land, looked for with vanilla's commands alone, so that any server tells.

A place is looked for around each one's own point of a grid. `locate biome` tells where a biome is; the ground is found
by asking of which cells of a column are free. All is asked `at` the player, where the land is there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from bridge.errors import CommandError
from bridge.regions import shares
from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Layout
from dilemmas.records.events import BeginsAt, BegunAt
from dilemmas.scenarios.progression.spec import CAVE

FOUND = re.compile(r"\[(-?\d+), (?:-?\d+|~), (-?\d+)\]")
TOP, SEA = 200, 62
DEEPEST, UNDER = 20, 50
"""Caves are looked for between these heights: lower down is deepslate, of which bare hands take 15 s a block."""
ROOF = 8
"""Blocks of a cave's depth below the ground, at least."""
FREE = ("air", "cave_air")
BAD = ("water", "lava", "magma_block", "cactus", "powder_snow", "sweet_berry_bush")
"""Nobody begins on top of, or in, one of these."""
STEPS = [(0, 0)] + [(i * r, k * r) for r in (5, 10, 17, 25, 36, 48) for i in (-1, 0, 1) for k in (-1, 0, 1) if i or k]
"""Columns that are looked at, the nearest first."""
LOAD_S, LOADS = 1.0, 30
"""Seconds between two looks whether the land is there, and how many looks there are."""


class Beginning(Protocol):
    """Who begins in which kind of land, and around which place."""

    @property
    def players(self) -> Mapping[str, object]:
        """Who begins, in order."""

    @property
    def begin(self) -> Mapping[str, Sequence[str]]:
        """Kind of land -> biomes in which it is looked for."""

    @property
    def apart(self) -> int:
        """Blocks from one's place to the next one's."""

    def kind_of(self, place: int) -> str:
        """The kind of land in which the player of that number (from 0) begins."""

    def middle(self, place: int) -> tuple[int, int]:
        """x and z around which the player of that number begins."""


class Wild(Protocol):
    """Rules of land that is the world's."""

    @property
    def difficulty(self) -> str:
        """Vanilla's word."""

    @property
    def day_start(self) -> int:
        """The time of day at the start, in ticks."""


def wild_land(layout: Layout, rules: Wild) -> Sequence[Command]:
    """What is built there: nothing but the rules of the game."""
    return [
        *layout.ground(),
        Command(f"difficulty {rules.difficulty}", ("The difficulty did not change",)),
        Command("kill @e[type=item]", (commands.NO_ENTITY,)),
        Command(f"time set {rules.day_start}"),
        Command("defaultgamemode spectator"),
    ]


async def begin_all(world: World, spec: Beginning) -> BegunAt:
    """Everybody put where it begins, for good; in all regions of the world at the same time."""
    parts = await commands.together(begun(part, spec, names) for part, names in shares(world, list(spec.players)))
    places = {name: place for found in parts for name, place in found.items()}
    found = {name: places[name] for name in spec.players}
    await commands.give(world, [command for name, place in found.items() for command in settled(name, place)])
    return BegunAt(places=found)


async def begun(world: World, spec: Beginning, names: Sequence[str]) -> dict[str, BeginsAt]:
    """Player -> where it begins, in the world's coordinates, for these of its players."""
    found: dict[str, BeginsAt] = {}
    for place, name in enumerate(spec.players):
        if name not in names:
            continue
        kind = spec.kind_of(place)
        biome, x, z = await _land(world, name, spec.begin[kind], spec.middle(place), spec.apart)
        # A column can be looked at where somebody is.
        await commands.give(world, [Command(f"tp {name} {x + 0.5} {TOP} {z + 0.5} 0 0")])
        await _loaded(world, name, x, z)
        cell = await _cave(world, name, x, z) if kind == CAVE else None
        told = CAVE if cell is not None else "open land" if kind == CAVE or not biome else kind
        at = cell or await _ground(world, name, x, z) or (x, TOP, z)
        found[name] = BeginsAt(land=told, biome=biome, at=at)
    return found


async def _land(
    world: World, name: str, biomes: Sequence[str], middle: tuple[int, int], apart: int
) -> tuple[str, int, int]:
    """The nearest of those biomes that lies within the player's own square, and where; else its middle."""
    x, z = middle
    asked = [f"execute at {name} positioned {x} {SEA} {z} run locate biome minecraft:{biome}" for biome in biomes]
    near: list[tuple[float, str, int, int]] = []
    for biome, reply in zip(biomes, await world.commands(asked), strict=True):
        match = None if isinstance(reply, CommandError) else FOUND.search(reply)
        if match is not None:
            at = int(match[1]), int(match[2])
            near.append((max(abs(at[0] - x), abs(at[1] - z)), biome, *at))
    inside = [each for each in near if each[0] <= apart * 0.4]
    return min(inside)[1:] if inside else ("", x, z)


async def _loaded(world: World, name: str, x: int, z: int) -> None:
    """Wait until the land around is there: a server sends for it when somebody comes."""
    for _ in range(LOADS):
        (reply,) = await world.commands([f"execute at {name} if block {x} {TOP} {z} minecraft:air"])
        if not isinstance(reply, CommandError) or "not loaded" not in str(reply):
            return
        await world.sleep(LOAD_S)


async def _is(
    world: World, name: str, cells: Sequence[tuple[int, int, int]], blocks: Sequence[str]
) -> set[tuple[int, int, int]]:
    """Those of the cells in which one of those blocks is."""
    asked = [
        (cell, f"execute at {name} if block {cell[0]} {cell[1]} {cell[2]} minecraft:{block}")
        for cell in cells
        for block in blocks
    ]
    replies = await world.commands([text for _, text in asked])
    return {cell for (cell, _), reply in zip(asked, replies, strict=True)
            if not isinstance(reply, CommandError) and reply.startswith(commands.TEST_PASSED)}  # fmt: skip


async def _height(world: World, name: str, x: int, z: int) -> int:
    """The lowest height from which on all is free: looked for in steps of four, then one by one."""
    coarse = [(x, y, z) for y in range(SEA - 2, TOP, 4)]
    free = await _is(world, name, coarse, FREE[:1])
    top = max((cell[1] for cell in coarse if cell not in free), default=SEA - 6)
    fine = [(x, y, z) for y in range(top + 1, top + 4)]
    free = await _is(world, name, fine, FREE[:1])
    return max((cell[1] for cell in fine if cell not in free), default=top) + 1


async def _ground(world: World, name: str, x: int, z: int) -> tuple[int, int, int] | None:
    """A dry place to stand near there, under the open sky; the trees' crowns are none where there is another."""
    spare = None
    for i, k in STEPS:
        y = await _height(world, name, x + i, z + k)
        below = (x + i, y - 1, z + k)
        if y <= SEA - 2 or await _is(world, name, [below], BAD):
            continue
        spare = spare or (x + i, y, z + k)
        reply = (await world.commands([f"execute at {name} if block {x + i} {y - 1} {z + k} #minecraft:leaves"]))[0]
        if isinstance(reply, CommandError) or not reply.startswith(commands.TEST_PASSED):
            return (x + i, y, z + k)
    return spare


async def _cave(world: World, name: str, x: int, z: int) -> tuple[int, int, int] | None:
    """A free place with a floor well below the ground near there."""
    for i, k in STEPS:
        column = [(x + i, y, z + k) for y in range(DEEPEST - 1, UNDER)]
        free = await _is(world, name, column, FREE)
        top = await _height(world, name, x + i, z + k)
        for low, feet, head in zip(column, column[1:], column[2:], strict=False):
            stands = low not in free and feet in free and head in free and feet[1] < top - ROOF
            if stands and not await _is(world, name, [low], BAD):
                return feet
    return None


def settled(name: str, place: BeginsAt) -> list[Command]:
    """Commands that put a player of survival mode there, for good."""
    x, y, z = place.at
    return [
        Command(f"spawnpoint {name} {x} {y} {z}"),
        Command(f"tp {name} {x + 0.5} {y} {z + 0.5} 0 0"),
        Command(f"gamemode survival {name}"),
    ]
