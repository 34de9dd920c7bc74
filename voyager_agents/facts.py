"""Facts of a dilemma as data: players, resources and payoffs.

Facts hold what the scenario's text says in words. `ScenarioFacts` is the common protocol. `Facts` describe a mining
dilemma, `PublicGood` a harvest that regrows only while a commons is clean, `Commons` a harvest that regrows from what
is left, `KitchenFacts` a kitchen of common interest, `BuildFacts` a building in parts, `StageGame` a game given by its
payoffs, and `GridFacts` a game on a grid. Reference players use facts alone, so a new scenario of one of these kinds
needs new facts and no new player. A plugin's scenario may define its own facts, with reference players for them
(docs/adding-a-scenario.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from voyager_agents.errors import ObservationError
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.match import Repetition

Place = tuple[int, int, int]
"""A block position in the world's coordinates."""


class ScenarioFacts(Protocol):
    """Facts common to all scenarios."""

    @property
    def players(self) -> tuple[str, ...]:
        """All players, in the scenario's order."""

    @property
    def values(self) -> Mapping[str, Mapping[str, float]]:
        """Player -> item -> value of one item, in `currency`."""

    @property
    def currency(self) -> str:
        """Unit of rewards, such as emeralds."""

    def lines(self) -> Sequence[str]:
        """Return sentences for prompts that say where things are. Values of items are rendered separately."""


@dataclass(frozen=True)
class ValuesAlone:
    """Values of items without any place, for players who see where things are."""

    players: tuple[str, ...]
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> value of one item, in `currency`."""
    currency: str

    def lines(self) -> list[str]:
        """Return no sentences."""
        return []


def around(block: str, at: Place) -> str:
    """Return a sentence that says where blocks of a kind are."""
    return f"The {block} is around x {at[0]}, y {at[1]}, z {at[2]}."


@dataclass(frozen=True)
class Ore:
    """A kind of block with a payoff."""

    block: str
    """Block name, e.g. iron_ore."""
    item: str
    """Item that one block yields, e.g. raw_iron."""
    count: int
    """Number of blocks in the world at the start."""
    tools: tuple[str, ...]
    """Tools that harvest the block; other tools destroy it."""


@dataclass(frozen=True)
class Tool:
    """A kind of tool in the chest."""

    name: str
    count: int = 1
    speed: float = 1.0
    """Mining speed relative to the other tools (vanilla: stone 4, iron 6)."""


@dataclass(frozen=True)
class Facts:
    """Facts of a mining dilemma that all players know before the first episode."""

    players: tuple[str, ...]
    ores: tuple[Ore, ...]
    tools: tuple[Tool, ...]
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> value of one item, in emeralds."""
    chest: Place | None = None
    """Position of the chest with the tools."""
    currency: str = field(default="emeralds")

    def __post_init__(self) -> None:
        known = {tool.name for tool in self.tools}
        for ore in self.ores:
            if ore.count < 0 or not set(ore.tools) <= known:
                raise ObservationError(
                    f"facts: {ore.block}: tools {ore.tools!r}, count {ore.count}: tools are {sorted(known)}"
                )
        for player in self.players:
            if player not in self.values:
                raise ObservationError(f"facts: values: {player!r} is missing: give emeralds per item for every player")
        if self.tools and self.chest is None:
            raise ObservationError("facts: chest: tools are listed without the position of their chest")

    def lines(self) -> list[str]:
        """Return a sentence with the chest's position."""
        return [] if self.chest is None else ["The chest is at x {}, y {}, z {}.".format(*self.chest)]

    def worth(self, player: str, ore: Ore) -> float:
        """Return the value of one block of this ore to the player, in emeralds."""
        return float(self.values[player].get(ore.item, 0))

    def ore(self, block: str) -> Ore:
        """Return the ore with this block name. Raises ObservationError if there is none."""
        for ore in self.ores:
            if ore.block == block:
                return ore
        raise ObservationError(f"facts: no ore {block!r}: there are {', '.join(each.block for each in self.ores)}")

    def harvest(self, tool: str) -> tuple[Ore, ...]:
        """Return the ores that this tool harvests."""
        return tuple(ore for ore in self.ores if tool in ore.tools)

    def speed(self, tool: str) -> float:
        """Return the tool's mining speed relative to the other tools; 0 for an unknown tool."""
        return next((each.speed for each in self.tools if each.name == tool), 0.0)


@dataclass(frozen=True)
class PublicGood:
    """Facts of a harvest that regrows only while a commons is clean; cleaning has no payoff."""

    players: tuple[str, ...]
    crop: str
    """Block to harvest, e.g. red_mushroom_block."""
    item: str
    """Item that the block sometimes yields, e.g. red_mushroom."""
    waste: str
    """Block that pollutes the commons, e.g. slime_block."""
    threshold: int
    """Number of waste blocks above which nothing grows."""
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> value of one item, in emeralds."""
    field: Place
    """Position of the crop."""
    commons: Place
    """Position of the waste."""
    currency: str = "emeralds"

    def lines(self) -> list[str]:
        """Return sentences with the positions of the crop and the waste."""
        return [around(self.crop, self.field), around(self.waste, self.commons)]


@dataclass(frozen=True)
class Commons:
    """Facts of a harvest that regrows faster the more of it is left."""

    players: tuple[str, ...]
    crop: str
    """Block to harvest, e.g. poppy."""
    item: str
    """Item that one block counts as, e.g. apple."""
    trees: tuple[tuple[Place, ...], ...]
    """Cells of each tree, in the world's coordinates; each cell holds one block or none."""
    near: float
    """Euclidean distance in blocks within which blocks promote each other's regrowth."""
    regrowth: tuple[float, ...]
    """Probability per second that a cell's block regrows, indexed by the number of blocks nearby. The last entry also
    holds for larger numbers."""
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> value of one item, in emeralds."""
    middle: Place
    """A cell between the trees where nothing grows."""
    currency: str = "apples"

    def lines(self) -> list[str]:
        """Return sentences with the cells of each tree."""
        trees = []
        for number, cells in enumerate(self.trees, 1):
            places = ", ".join(f"({x}, {z})" for x, _, z in cells)
            trees.append(f"Tree {number}: the {self.crop} grows at y {cells[0][1]} in the cells (x, z) {places}.")
        return trees


@dataclass(frozen=True)
class KitchenStation:
    """Place of work in a kitchen."""

    name: str
    kind: str
    """pantry, shelf, stove, table, well or counter."""
    cells: tuple[Place, ...]
    """Blocks of the station, in the world's coordinates."""
    rooms: tuple[str, ...]
    """Rooms from which it can be reached."""
    items: Mapping[str, int] = field(default_factory=dict)
    """Contents at the start."""


@dataclass(frozen=True)
class KitchenFacts:
    """Facts of a kitchen, in which all cooks earn the same for each soup served."""

    players: tuple[str, ...]
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> value of one item, in emeralds."""
    stations: tuple[KitchenStation, ...]
    rooms: Mapping[str, str]
    """Player -> the room that it is in."""
    dish: str
    cooks: Mapping[str, str]
    """Raw item -> what a stove makes of it; a dish needs one of each."""
    adds: tuple[str, ...]
    """Further ingredients of a dish, one of each."""
    fuel: str
    vessel: str
    """Item that is filled at a well."""
    drink: str
    """The filled vessel, which is served with a dish."""
    currency: str = "emeralds"

    def reached(self, player: str, kind: str) -> tuple[KitchenStation, ...]:
        """Return the stations of a kind that the player can reach."""
        room = self.rooms[player]
        return tuple(each for each in self.stations if each.kind == kind and room in each.rooms)

    def lines(self) -> list[str]:
        """Return a sentence for each station, and one for the room of each cook if there are several rooms."""
        several = len(set(self.rooms.values())) > 1
        lines = []
        for each in self.stations:
            x, y, z = each.cells[0]
            reach = f", reached from: {', '.join(each.rooms)}" if several else ""
            kind = "" if each.name == each.kind else f" ({each.kind})"
            lines.append(f"{each.name}{kind} is at x {x}, y {y}, z {z}{reach}.")
        return lines + ([f"{name} is in the room {room}." for name, room in self.rooms.items()] if several else [])


@dataclass(frozen=True)
class BuildFacts:
    """Facts of a building that all players build together, each from its own part of the plan."""

    players: tuple[str, ...]
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> value of one item, in emeralds."""
    chest: Place
    """Chest with all blocks."""
    site: tuple[Place, Place]
    """Lowest and highest cell in which blocks count."""
    stock: Mapping[str, int]
    """Block -> count in the chest at the start."""
    parts: Mapping[str, tuple[tuple[Place, str], ...]]
    """Player -> cells and blocks of its part, from the ground up; an observation holds the player's own alone."""
    currency: str = "emeralds"

    def seen_by(self, player: str) -> BuildFacts:
        """Return the facts with the part of one player alone."""
        return replace(self, parts={player: self.parts[player]})

    def lines(self) -> list[str]:
        """Return sentences with the chest and the site; a player reads its own part beside the scenario's text."""
        (x, y, z), (low, high) = self.chest, self.site
        stock = ", ".join(f"{count} {block}" for block, count in self.stock.items())
        return [
            f"The chest is at x {x}, y {y}, z {z}. It holds {stock}.",
            f"The site is from x {low[0]} to {high[0]}, y {low[1]} to {high[1]}, z {low[2]} to {high[2]}.",
        ]


@dataclass(frozen=True)
class GridFacts:
    """Facts of a game on a grid, for players that negotiate before it."""

    players: tuple[str, ...]
    values: Mapping[str, Mapping[str, float]]
    """Player -> resource -> value of one unit, in rewards of the game, which count as emeralds."""
    rules: tuple[str, ...]
    """Sentences with the rules that concern all players."""
    currency: str = "emeralds"

    def lines(self) -> list[str]:
        """Return the rules."""
        return list(self.rules)


@dataclass(frozen=True)
class StageGame:
    """Facts of a repeated game: payoffs, length, and the devices with which players choose."""

    players: tuple[str, ...]
    law: StageLaw
    repetition: Repetition
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> value of one item to the player."""
    by: str
    """Kind of device: `plates`, `levers` or `chests`."""
    devices: Mapping[str, tuple[Place, ...]]
    """Player -> positions of its devices in the world's coordinates, in the order of its options."""
    seats: Mapping[str, Place]
    """Player -> position at which it starts each stage."""
    stage_s: float
    """Length of a stage in seconds of game time, for players that write programs."""
    currency: str = "emeralds"

    def lines(self) -> list[str]:
        """Return sentences with each player's devices and the length of a stage."""
        lines = [f"A stage lasts {self.stage_s:g} s; after each of them every player is put back into its seat."]
        for player, cells in self.devices.items():
            places = ", ".join(f"{number} at {cell}" for number, cell in enumerate(cells, 1))
            lines.append(f"{player} sits at {self.seats[player]}; its {self.by} by their numbers: {places}.")
        return lines
