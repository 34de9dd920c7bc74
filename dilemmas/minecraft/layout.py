"""Layout of scenarios as vanilla commands: building, placing, counting and reading that all scenarios share."""

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
"""Player -> scoreboard objective -> score."""


class Filled(Protocol):
    """A cuboid of one block, both corners included."""

    @property
    def start(self) -> Cell:
        """One corner."""

    @property
    def end(self) -> Cell:
        """The opposite corner."""

    @property
    def block(self) -> str:
        """The block's id."""


class Ground(Protocol):
    """Constructions in blocks relative to `origin`."""

    @property
    def origin(self) -> Cell:
        """World position of the layout's cell (0, 0, 0)."""

    @property
    def boxes(self) -> Sequence[Filled]:
        """Cuboids, filled in this order."""

    @property
    def gamerules(self) -> Mapping[str, bool | int]:
        """Vanilla game rules to set."""


class Start(Protocol):
    """Starting conditions of a player."""

    @property
    def spawn(self) -> Cell:
        """Starting cell."""

    @property
    def yaw(self) -> float:
        """Starting direction in degrees; 0 looks along +z, 90 along -x."""

    @property
    def items(self) -> Mapping[str, int]:
        """Starting items."""

    @property
    def prices(self) -> Mapping[str, float]:
        """Item -> its value to the player, in emeralds."""


class Watcher(Protocol):
    """Spectator of a game."""

    @property
    def name(self) -> str:
        """Player name of the spectator."""

    @property
    def spawn(self) -> Cell:
        """Position of the spectator."""


class Placing(Protocol):
    """Influence of the seed on starting positions."""

    @property
    def swap_spawns(self) -> bool:
        """True if the seed permutes the starting positions."""


class LaidOut(Protocol):
    """Input of a layout, such as `dilemmas.scenarios.spec.ScenarioSpec`."""

    @property
    def world(self) -> Ground:
        """Constructions."""

    @property
    def players(self) -> Mapping[str, Start]:
        """Player -> starting conditions."""

    @property
    def observer(self) -> Watcher:
        """The judge in the world."""

    @property
    def rules(self) -> Placing:
        """Influence of the seed."""


class Layout:
    """Ground, players and counters of a spec; holds no state of a run."""

    def __init__(self, spec: LaidOut) -> None:
        self._spec = spec

    def cell(self, cell: Cell) -> Cell:
        """Return a cell in world coordinates."""
        x, y, z = self._spec.world.origin
        return (x + cell[0], y + cell[1], z + cell[2])

    def at(self, cell: Cell) -> str:
        """Return a cell as a command's argument."""
        return " ".join(str(part) for part in self.cell(cell))

    def stand(self, cell: Cell) -> str:
        """Return the center of a cell's floor, where a player stands, as a command's argument."""
        x, y, z = self.cell(cell)
        return f"{x + 0.5} {y} {z + 0.5}"

    def ground(self) -> list[Command]:
        """Return commands that set game rules and fill the spec's cuboids."""
        world = self._spec.world
        rules = [Command(f"gamerule {name} {_format_value(value)}") for name, value in world.gamerules.items()]
        return [*rules, *(self.filled(box.block, box.start, box.end) for box in world.boxes)]

    def filled(self, block: str, start: Cell, end: Cell) -> Command:
        """Return the command that fills a cuboid with a block."""
        return Command(f"fill {self.at(start)} {self.at(end)} minecraft:{block}", (commands.NOTHING_FILLED,))

    def blocks(self, block: str, cells: Sequence[Cell]) -> list[Command]:
        """Return commands that set a block in the cells, one command per row of adjacent cells."""
        return [
            self.filled(block, first, last)
            if first != last
            else Command(f"setblock {self.at(first)} minecraft:{block}", (commands.SAME_BLOCK,))
            for first, last in _merge_rows(cells)
        ]

    def placing(self, seed: int, criteria: Mapping[str, str]) -> list[Command]:
        """Return commands that place players with their starting items, the observer above them, and counters at zero.

        Args:
            seed: Seed that permutes starting positions, if the spec says so.
            criteria: Scoreboard objective -> vanilla criterion.
        """
        players = self._spec.players
        starts = [(player.spawn, player.yaw) for player in players.values()]
        if self._spec.rules.swap_spawns:
            # Starting positions rotate with the seed, so that they do not identify players.
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
                # Comes first because its refusal names a player that has left.
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
        """Return player -> objective -> score from the server.

        Raises:
            BotLostError: A player has left.
        """
        scores = await commands.scores(world, list(self._spec.players))
        for name in self._spec.players:
            if name not in scores:
                raise BotLostError(f"{name} has left the game: the server has no scores of it")
        return scores

    async def players(self, world: World, items: Sequence[str], blocks: Sequence[str]) -> dict[str, Holdings]:
        """Return the players' holdings of `items` and their counts of broken `blocks`, from the server."""
        _, players = await self.seen(world, items, blocks)
        return players

    async def seen(
        self, world: World, items: Sequence[str], blocks: Sequence[str]
    ) -> tuple[Scores, dict[str, Holdings]]:
        """Return the scores, and the holdings as in `players`, with concurrent queries."""
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
    """Return the scoreboard objective that counts a player's mined blocks of a kind."""
    return f"mined_{block}"


def mined_criteria(blocks: Sequence[str]) -> dict[str, str]:
    """Return objective -> criterion that counts the blocks when they are mined."""
    return {mined_objective(block): f"minecraft.mined:minecraft.{block}" for block in blocks}


def _merge_rows(cells: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    """Return first and last cell of each row along x that the cells form."""
    rows: list[tuple[Cell, Cell]] = []
    for cell in sorted(cells, key=lambda cell: (cell[1], cell[2], cell[0])):
        if rows and rows[-1][1] == (cell[0] - 1, cell[1], cell[2]):
            rows[-1] = (rows[-1][0], cell)
        else:
            rows.append((cell, cell))
    return rows


def _format_value(value: bool | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
