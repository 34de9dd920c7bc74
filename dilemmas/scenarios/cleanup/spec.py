"""Spec of Cleanup: the river with its waste, the mushrooms, and the rates at which both grow."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.fields import Block, Frozen, Item
from dilemmas.scenarios.societies.spec import InLife
from dilemmas.scenarios.spec import RulesSpec, ScenarioSpec, WorldSpec, check_distinct

Probability = Annotated[float, Field(ge=0, le=1)]


def cuboid(one: Cell, other: Cell) -> tuple[Cell, ...]:
    """Return every cell between two opposite corners, both included."""
    spans = [range(min(a, b), max(a, b) + 1) for a, b in zip(one, other, strict=True)]
    return tuple((x, y, z) for x, y, z in product(*spans))


class Area(Frozen):
    """Cuboid of cells, both corners included."""

    start: Cell = Field(alias="from")
    end: Cell = Field(alias="to")

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Cells of the area."""
        return cuboid(self.start, self.end)


class Waste(Frozen):
    """Block that pollutes the river, and the cells that it can lie in."""

    block: Block
    areas: tuple[Area, ...] = Field(min_length=1)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells of the waste, which are full at the start."""
        return tuple(cell for area in self.areas for cell in area.cells)

    @model_validator(mode="after")
    def _apart(self) -> Self:
        check_distinct(self.cells, "areas of waste")
        return self


class Mushrooms(Frozen):
    """Giant mushrooms: a stem, and on its top a square of 3 x 3 blocks that are harvested."""

    block: Block
    drop: Item
    """Item that vanilla's loot sometimes gives for a block."""
    stem: Block
    height: int = Field(ge=1, le=8)
    """Blocks of stem below the cap."""
    feet: tuple[Cell, ...] = Field(min_length=1)
    """Lowest cell of each stem."""

    def stem_top(self, foot: Cell) -> Cell:
        """Return the highest cell of a stem."""
        return (foot[0], foot[1] + self.height - 1, foot[2])

    def cap(self, foot: Cell) -> tuple[Cell, Cell]:
        """Return two opposite corners of the cap on a stem."""
        x, y, z = foot
        return (x - 1, y + self.height, z - 1), (x + 1, y + self.height, z + 1)

    @property
    def stems(self) -> tuple[Cell, ...]:
        """Cells of all stems."""
        return tuple(cell for foot in self.feet for cell in cuboid(foot, self.stem_top(foot)))

    @cached_property
    def caps(self) -> tuple[Cell, ...]:
        """Cells of all mushroom caps; they grow again."""
        return tuple(cell for foot in self.feet for cell in cuboid(*self.cap(foot)))


class CleanupWorld(WorldSpec):
    """Ground with a river on it and mushrooms beside it."""

    waste: Waste
    mushrooms: Mushrooms
    field: Cell
    """Position of the mushrooms that players are told."""
    river: Cell
    """Position of the waste that players are told."""
    bench: Cell = (0, 0, -15)
    """Position of players whom institutions hold, out of reach of waste and mushrooms."""


class CleanupRules(RulesSpec):
    """Rates at which waste and mushrooms grow."""

    threshold: int = Field(ge=0)
    """Maximum number of blocks of waste with which mushrooms grow."""
    waste_every_s: float = Field(gt=0, le=3600)
    """Interval between two new blocks of waste while a cell is free, in seconds of game time."""
    regrowth_per_s: Probability
    """Probability per second that a missing mushroom block grows again, while mushrooms grow."""


class CleanupSpec(ScenarioSpec):
    """Model of a Cleanup file."""

    world: CleanupWorld
    rules: CleanupRules
    life: InLife | None = None
    """People of a Cleanup in which agents live (`plays: [life]`)."""

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """Return the persona of a player; empty unless agents live here."""
        return {} if self.life is None else self.life.persona(player, self.world.origin)

    def agent_options(self, condition: str) -> dict[str, Any]:
        """Return the condition's own `agents`."""
        own = self.conditions.get(condition.partition("+")[0])
        return dict(own.agents) if own and self.life is not None else {}

    @model_validator(mode="after")
    def _lived_in(self) -> Self:
        if self.life is not None:
            self.life.check(list(self.players))
        return self

    def built(self) -> list[Cell]:
        """Return the cells of waste, stems and caps."""
        mushrooms = self.world.mushrooms
        return [*self.world.waste.cells, *mushrooms.stems, *mushrooms.caps]

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        cells = len(self.world.waste.cells)
        if self.rules.threshold >= cells:
            raise ValueError(f"threshold {self.rules.threshold} can never be passed: there are {cells} cells of waste")
        return self
