"""The facts of a dilemma as data: who plays, what there is to get and how, what it is worth to whom.

They are what the scenario's text says in words. `ScenarioFacts` is what all facts have; `Facts` are a mining dilemma's,
`PublicGood` those of a harvest that grows only while a commons is kept clean, `Commons` those of a harvest that lives
on what is left of it, `StageGame` those of a game that is given by its payoffs. Reference players reason from facts, so
another scenario of one of these families needs other facts and no other player. A plugin's scenario may have facts of
its own, with reference players that understand them (docs/adding-a-scenario.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from voyager_agents.errors import ObservationError
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.match import Repetition

Place = tuple[int, int, int]
"""A block position in the world's coordinates."""


class ScenarioFacts(Protocol):
    """The facts of any scenario."""

    @property
    def players(self) -> tuple[str, ...]:
        """All players, in the scenario's order."""

    @property
    def values(self) -> Mapping[str, Mapping[str, float]]:
        """Player -> item -> worth of one, in `currency`."""

    @property
    def currency(self) -> str:
        """Unit of rewards, such as emeralds."""

    def lines(self) -> Sequence[str]:
        """Return, for prompts, where things are: a sentence each. What items are worth is told beside them."""


def around(block: str, at: Place) -> str:
    """Return the sentence that tells where blocks of a kind are."""
    return f"The {block} is around x {at[0]}, y {at[1]}, z {at[2]}."


@dataclass(frozen=True)
class Ore:
    """One kind of block that pays."""

    block: str
    """Block name, e.g. iron_ore."""
    item: str
    """Item that one block yields, e.g. raw_iron."""
    count: int
    """Blocks in the world at the start."""
    tools: tuple[str, ...]
    """Tools that harvest it; other tools destroy it."""


@dataclass(frozen=True)
class Tool:
    """One kind of tool in the chest."""

    name: str
    count: int = 1
    speed: float = 1.0
    """Blocks per second relative to the other tools (vanilla: stone 4, iron 6)."""


@dataclass(frozen=True)
class Facts:
    """Facts that all players know before the first episode."""

    players: tuple[str, ...]
    ores: tuple[Ore, ...]
    tools: tuple[Tool, ...]
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> emeralds for one."""
    chest: Place | None = None
    """Place of the chest with the tools."""
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
        """Return where the chest is."""
        return [] if self.chest is None else ["The chest is at x {}, y {}, z {}.".format(*self.chest)]

    def worth(self, player: str, ore: Ore) -> float:
        """Return the value of one block of this ore to the player, in emeralds."""
        return float(self.values[player].get(ore.item, 0))

    def ore(self, block: str) -> Ore:
        """Return the ore of that block name. Raises ObservationError when there is none."""
        for ore in self.ores:
            if ore.block == block:
                return ore
        raise ObservationError(f"facts: no ore {block!r}: there are {', '.join(each.block for each in self.ores)}")

    def harvest(self, tool: str) -> tuple[Ore, ...]:
        """Return the ores that this tool harvests."""
        return tuple(ore for ore in self.ores if tool in ore.tools)

    def speed(self, tool: str) -> float:
        """Relative speed of that tool."""
        return next((each.speed for each in self.tools if each.name == tool), 0.0)


@dataclass(frozen=True)
class PublicGood:
    """Facts of a harvest that grows again only while a commons is clean; cleaning pays nothing."""

    players: tuple[str, ...]
    crop: str
    """Block that is harvested, e.g. red_mushroom_block."""
    item: str
    """Item that it sometimes yields, e.g. red_mushroom."""
    waste: str
    """Block that pollutes, e.g. slime_block."""
    threshold: int
    """Nothing grows while there is more waste than this."""
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> emeralds for one."""
    field: Place
    """Place of the crop."""
    commons: Place
    """Place of the waste."""
    currency: str = "emeralds"

    def lines(self) -> list[str]:
        """Return where the crop and the waste are."""
        return [around(self.crop, self.field), around(self.waste, self.commons)]


@dataclass(frozen=True)
class Commons:
    """Facts of a harvest that grows again faster the more of it is left."""

    players: tuple[str, ...]
    crop: str
    """Block that is harvested, e.g. poppy."""
    item: str
    """Item that one block counts as, e.g. apple."""
    trees: tuple[tuple[Place, ...], ...]
    """The cells of each tree, in the world's coordinates; each holds one block or none."""
    near: float
    """L2 distance within which blocks help each other."""
    regrowth: tuple[float, ...]
    """Probability that a cell's block grows again within a second, by the number of blocks near it; the last for that
    many and more."""
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> emeralds for one."""
    middle: Place
    """A cell between the trees, where nothing grows."""
    currency: str = "apples"

    def lines(self) -> list[str]:
        """Return where each tree stands, by the cells that its blocks grow in."""
        trees = []
        for number, cells in enumerate(self.trees, 1):
            places = ", ".join(f"({x}, {z})" for x, _, z in cells)
            trees.append(f"Tree {number}: the {self.crop} grows at y {cells[0][1]} in the cells (x, z) {places}.")
        return trees


@dataclass(frozen=True)
class StageGame:
    """Facts of a repeated game: its law, its length, and the devices of a choice."""

    players: tuple[str, ...]
    law: StageLaw
    repetition: Repetition
    values: Mapping[str, Mapping[str, float]]
    """Player -> item -> what one is worth to it."""
    by: str
    """`plates`, `levers` or `chests`."""
    devices: Mapping[str, tuple[Place, ...]]
    """Player -> where its devices are, in the world's coordinates, in the order of its options."""
    seats: Mapping[str, Place]
    """Player -> where it begins each stage."""
    stage_s: float
    """Seconds of game time for a stage, where players write programs."""
    currency: str = "emeralds"

    def lines(self) -> list[str]:
        """Return where each player's devices are, and how long a stage lasts."""
        lines = [f"A stage lasts {self.stage_s:g} s; after each of them every player is put back into its seat."]
        for player, cells in self.devices.items():
            places = ", ".join(f"{number} at {cell}" for number, cell in enumerate(cells, 1))
            lines.append(f"{player} sits at {self.seats[player]}; its {self.by} by their numbers: {places}.")
        return lines
