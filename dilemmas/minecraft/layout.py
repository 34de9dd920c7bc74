"""The layout of a scenario: what all scenarios build, place, count and read alike, as vanilla commands."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Protocol

from bridge.errors import BotLostError
from bridge.worlds import World, quiet_gamemode
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import Holdings

Cell = tuple[int, int, int]
"""A block position relative to the world's origin."""
Scores = Mapping[str, Mapping[str, int]]
"""Player -> objective of the scoreboard -> score."""


class Filled(Protocol):
    """A cuboid of one block, both corners included."""

    @property
    def start(self) -> Cell:
        """One corner."""

    @property
    def end(self) -> Cell:
        """The corner opposite."""

    @property
    def block(self) -> str:
        """The block's id."""


class Ground(Protocol):
    """What is built, in blocks relative to `origin`."""

    @property
    def origin(self) -> Cell:
        """Where the layout's cell (0, 0, 0) is."""

    @property
    def boxes(self) -> Sequence[Filled]:
        """What is filled, in this order."""

    @property
    def gamerules(self) -> Mapping[str, bool | int]:
        """Vanilla's game rules that are set."""


class Start(Protocol):
    """How a player begins."""

    @property
    def spawn(self) -> Cell:
        """Where it stands."""

    @property
    def yaw(self) -> float:
        """Degrees; 0 looks along +z, 90 along -x."""

    @property
    def items(self) -> Mapping[str, int]:
        """What it holds."""

    @property
    def prices(self) -> Mapping[str, float]:
        """Item -> emeralds that one is worth to it."""


class Watcher(Protocol):
    """The spectator of a game."""

    @property
    def name(self) -> str:
        """The name it joins with."""

    @property
    def spawn(self) -> Cell:
        """Where it hovers."""


class Placing(Protocol):
    """How the seed places players."""

    @property
    def swap_spawns(self) -> bool:
        """Whether the seed decides who starts where."""


class LaidOut(Protocol):
    """What a layout is made from, such as `dilemmas.scenarios.spec.ScenarioSpec`."""

    @property
    def world(self) -> Ground:
        """What is built."""

    @property
    def players(self) -> Mapping[str, Start]:
        """Player -> how it begins."""

    @property
    def observer(self) -> Watcher:
        """The judge in the world."""

    @property
    def rules(self) -> Placing:
        """What the seed decides."""


class Layout:
    """Ground, players, counters; made from a spec, holds no state of a run."""

    def __init__(self, spec: LaidOut) -> None:
        self._spec = spec

    def cell(self, cell: Cell) -> Cell:
        """That cell of the spec in the world's coordinates."""
        x, y, z = self._spec.world.origin
        return (x + cell[0], y + cell[1], z + cell[2])

    def at(self, cell: Cell) -> str:
        """That cell as a command's argument."""
        return " ".join(str(part) for part in self.cell(cell))

    def stand(self, cell: Cell) -> str:
        """The middle of a cell's floor, where a player stands."""
        x, y, z = self.cell(cell)
        return f"{x + 0.5} {y} {z + 0.5}"

    def ground(self) -> list[Command]:
        """Game rules and boxes."""
        world = self._spec.world
        rules = [Command(f"gamerule {name} {_word(value)}") for name, value in world.gamerules.items()]
        return [*rules, *(self.filled(box.block, box.start, box.end) for box in world.boxes)]

    def filled(self, block: str, start: Cell, end: Cell) -> Command:
        """That block in every cell of a cuboid."""
        return Command(f"fill {self.at(start)} {self.at(end)} minecraft:{block}", (commands.NOTHING_FILLED,))

    def blocks(self, block: str, cells: Sequence[Cell]) -> list[Command]:
        """That block in each of these cells; cells side by side in a row take one command."""
        return [
            self.filled(block, first, last)
            if first != last
            else Command(f"setblock {self.at(first)} minecraft:{block}", (commands.SAME_BLOCK,))
            for first, last in _rows(cells)
        ]

    def placing(self, seed: int, criteria: Mapping[str, str]) -> list[Command]:
        """Players at their spawns with what they start with, the observer above them, counters at zero.

        `criteria` is scoreboard objective -> vanilla's criterion.
        """
        players = self._spec.players
        starts = [(player.spawn, player.yaw) for player in players.values()]
        if self._spec.rules.swap_spawns:
            # Where one starts from must not be a fact about a player.
            first = seed % len(starts)
            starts = [*starts[first:], *starts[:first]]
        placed: list[Command] = []
        for objective, criterion in criteria.items():
            placed += [
                Command(f"scoreboard objectives remove {objective}", (commands.UNKNOWN_OBJECTIVE,)),
                Command(f"scoreboard objectives add {objective} {criterion}"),
            ]
        for (name, player), (spawn, yaw) in zip(players.items(), starts, strict=True):
            placed += [
                # First, since it is refused by name where a player has left.
                Command(f"clear {name}", (commands.NOTHING_HELD,)),
                Command(quiet_gamemode("survival", name)),
                *(Command(f"give {name} minecraft:{item} {count}") for item, count in player.items.items()),
                Command(f"tp {name} {self.stand(spawn)} {yaw:g} 0"),
            ]
        observer = self._spec.observer
        return [
            *placed,
            Command(quiet_gamemode("spectator", observer.name)),
            Command(f"tp {observer.name} {self.stand(observer.spawn)} 0 90"),
        ]

    async def scores(self, world: World) -> Scores:
        """Player -> scores by objective, from the server; raises BotLostError when one of them has left."""
        scores = await commands.scores(world, list(self._spec.players))
        for name in self._spec.players:
            if name not in scores:
                raise BotLostError(f"{name} has left the game: the server tells no scores of it")
        return scores

    async def players(self, world: World, items: Sequence[str], blocks: Sequence[str]) -> dict[str, Holdings]:
        """What the players hold of these items and have broken of these blocks, from the server."""
        _, players = await self.seen(world, items, blocks)
        return players

    async def seen(
        self, world: World, items: Sequence[str], blocks: Sequence[str]
    ) -> tuple[Scores, dict[str, Holdings]]:
        """The scores, and what `players` tells; all is asked at once."""
        names = list(self._spec.players)
        questions: list[Awaitable[Any]] = [self.scores(world), *(commands.held(world, names, item) for item in items)]
        scores, *held = await commands.together(questions)
        by_item = dict(zip(items, held, strict=True))
        return scores, {
            name: Holdings.of(
                {item: by_item[item].get(name, 0) for item in items},
                {block: scores[name].get(mined_objective(block), 0) for block in blocks},
                self._spec.players[name].prices,
            )
            for name in names
        }


def mined_objective(block: str) -> str:
    """The scoreboard objective that counts how many of a block a player mined."""
    return f"mined_{block}"


def mined_criteria(blocks: Sequence[str]) -> dict[str, str]:
    """Objective -> criterion for counting these blocks when they are mined."""
    return {mined_objective(block): f"minecraft.mined:minecraft.{block}" for block in blocks}


def _rows(cells: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    """First and last cell of each row along x that these cells make."""
    rows: list[tuple[Cell, Cell]] = []
    for cell in sorted(cells, key=lambda cell: (cell[1], cell[2], cell[0])):
        if rows and rows[-1][1] == (cell[0] - 1, cell[1], cell[2]):
            rows[-1] = (rows[-1][0], cell)
        else:
            rows.append((cell, cell))
    return rows


def _word(value: bool | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
