"""Search for starting places in a kind of land, with vanilla's commands alone, so that every server can answer.

A place is looked for around each player's own point of a grid. `locate biome` finds a biome; the ground is found by
asking which cells of a column are free. Every command runs `at` the player, since the land is loaded there.
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
"""Heights between which caves are looked for: lower down is deepslate, of which bare hands take 15 s a block."""
ROOF = 8
"""Minimum depth of a cave below the ground, in blocks."""
FREE = ("air", "cave_air")
UNFIT_BLOCKS = ("water", "lava", "magma_block", "cactus", "powder_snow", "sweet_berry_bush")
"""Blocks on top of which, or in which, nobody starts."""
STEPS = [(0, 0)] + [(i * r, k * r) for r in (5, 10, 17, 25, 36, 48) for i in (-1, 0, 1) for k in (-1, 0, 1) if i or k]
"""Columns that are looked at, the nearest first."""
LOAD_S, MAX_LOADS = 1.0, 30
"""Interval in seconds between two checks for loaded land, and maximum number of checks."""


class StartPlan(Protocol):
    """Plan of starts: players, kinds of land, and places on the grid."""

    @property
    def players(self) -> Mapping[str, object]:
        """Players that start, in order."""

    @property
    def begin(self) -> Mapping[str, Sequence[str]]:
        """Kind of land -> biomes in which it is looked for."""

    @property
    def apart(self) -> int:
        """Blocks from one player's point of the grid to the next one's."""

    def kind_of(self, place: int) -> str:
        """Return the kind of land in which player number `place` (from 0) starts."""

    def middle(self, place: int) -> tuple[int, int]:
        """Return x and z of the point around which player number `place` starts."""


class WildLandRules(Protocol):
    """Rules of a scenario on natural land."""

    @property
    def difficulty(self) -> str:
        """Vanilla's name of the difficulty."""

    @property
    def day_start(self) -> int:
        """Time of day at the start, in ticks."""


def wild_land(layout: Layout, rules: WildLandRules) -> Sequence[Command]:
    """Return the game rules as commands; nothing is built."""
    return [
        *layout.ground(),
        Command(f"difficulty {rules.difficulty}", ("The difficulty did not change",)),
        Command("kill @e[type=item]", (commands.NO_ENTITY,)),
        Command(f"time set {rules.day_start}"),
        Command("defaultgamemode spectator"),
    ]


async def start_everybody(world: World, spec: StartPlan) -> BegunAt:
    """Put everybody at a starting place, in all regions of the world at the same time, and return the event."""
    parts = await commands.together(find_starts(part, spec, names) for part, names in shares(world, list(spec.players)))
    places = {name: place for found in parts for name, place in found.items()}
    found = {name: places[name] for name in spec.players}
    await commands.give(world, [command for name, place in found.items() for command in start_commands(name, place)])
    return BegunAt(places=found)


async def find_starts(world: World, spec: StartPlan, names: Sequence[str]) -> dict[str, BeginsAt]:
    """Return player -> starting place in the world's coordinates, for players of one region."""
    found: dict[str, BeginsAt] = {}
    for place, name in enumerate(spec.players):
        if name not in names:
            continue
        kind = spec.kind_of(place)
        biome, x, z = await _land(world, name, spec.begin[kind], spec.middle(place), spec.apart)
        # A column can be read only near a player.
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
    """Return the nearest of the biomes within the player's own square and its position, else the square's middle."""
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
    """Wait until the land around the player is loaded, which a server does once a player has come."""
    for _ in range(MAX_LOADS):
        (reply,) = await world.commands([f"execute at {name} if block {x} {TOP} {z} minecraft:air"])
        if not isinstance(reply, CommandError) or "not loaded" not in str(reply):
            return
        await world.sleep(LOAD_S)


async def _is(
    world: World, name: str, cells: Sequence[tuple[int, int, int]], blocks: Sequence[str]
) -> set[tuple[int, int, int]]:
    """Return the cells that hold one of the blocks."""
    asked = [
        (cell, f"execute at {name} if block {cell[0]} {cell[1]} {cell[2]} minecraft:{block}")
        for cell in cells
        for block in blocks
    ]
    replies = await world.commands([text for _, text in asked])
    return {cell for (cell, _), reply in zip(asked, replies, strict=True)
            if not isinstance(reply, CommandError) and reply.startswith(commands.TEST_PASSED)}  # fmt: skip


async def _height(world: World, name: str, x: int, z: int) -> int:
    """Return the lowest height above which all cells are free, in steps of four, then one by one."""
    coarse = [(x, y, z) for y in range(SEA - 2, TOP, 4)]
    free = await _is(world, name, coarse, FREE[:1])
    top = max((cell[1] for cell in coarse if cell not in free), default=SEA - 6)
    fine = [(x, y, z) for y in range(top + 1, top + 4)]
    free = await _is(world, name, fine, FREE[:1])
    return max((cell[1] for cell in fine if cell not in free), default=top) + 1


async def _ground(world: World, name: str, x: int, z: int) -> tuple[int, int, int] | None:
    """Return a dry place near a position under the open sky, on the ground rather than in a crown."""
    spare = None
    for i, k in STEPS:
        y = await _height(world, name, x + i, z + k)
        below = (x + i, y - 1, z + k)
        if y <= SEA - 2 or await _is(world, name, [below], UNFIT_BLOCKS):
            continue
        spare = spare or (x + i, y, z + k)
        reply = (await world.commands([f"execute at {name} if block {x + i} {y - 1} {z + k} #minecraft:leaves"]))[0]
        if isinstance(reply, CommandError) or not reply.startswith(commands.TEST_PASSED):
            return (x + i, y, z + k)
    return spare


async def _cave(world: World, name: str, x: int, z: int) -> tuple[int, int, int] | None:
    """Return a free place with a floor near a position, well below the ground, or None."""
    for i, k in STEPS:
        column = [(x + i, y, z + k) for y in range(DEEPEST - 1, UNDER)]
        free = await _is(world, name, column, FREE)
        top = await _height(world, name, x + i, z + k)
        for low, feet, head in zip(column, column[1:], column[2:], strict=False):
            stands = low not in free and feet in free and head in free and feet[1] < top - ROOF
            if stands and not await _is(world, name, [low], UNFIT_BLOCKS):
                return feet
    return None


def start_commands(name: str, place: BeginsAt) -> list[Command]:
    """Return commands that put a player in survival mode at its starting place."""
    x, y, z = place.at
    return [
        Command(f"spawnpoint {name} {x} {y} {z}"),
        Command(f"tp {name} {x + 0.5} {y} {z + 0.5} 0 0"),
        Command(f"gamemode survival {name}"),
    ]
