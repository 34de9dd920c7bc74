"""Spec of building together: plans as drawings in letters, the site, and the chest of blocks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios import vanilla
from dilemmas.scenarios.fields import Block, Frozen, Item, PlayerName, Slug
from dilemmas.scenarios.kitchen.spec import SLOTS, stacks_of
from dilemmas.scenarios.spec import PlayerSpec, RulesSpec, ScenarioSpec, WorldSpec

EMPTY = "."
"""Letter of a drawing for a cell without a block."""
Letter = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]$")]
PlanBlock = Annotated[Block, AfterValidator(vanilla.check_item)]
"""Block that a player can hold and place."""
PlannedBlock = tuple[Cell, str]
"""A cell of a plan and its block."""
Length = Annotated[int, Field(ge=1, le=24)]
Height = Annotated[int, Field(ge=1, le=8)]
_SIDES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


class PlanSpec(Frozen):
    """Plan of a building, drawn layer by layer."""

    cut: Literal["columns", "layers"]
    """Cut between parts: `columns` from west to east, or `layers`, so that a part stands on another one."""
    letters: dict[Letter, PlanBlock] = Field(min_length=1)
    """Letter of the drawing -> its block."""
    layers: tuple[tuple[str, ...], ...] = Field(min_length=1)
    """Layers from the ground up; a layer has its rows from north to south, a row its cells from west to east."""

    @cached_property
    def blocks(self) -> dict[Cell, str]:
        """Cell, relative to the site's corner -> block, from the ground up."""
        return {
            (x, y, z): self.letters[letter]
            for y, rows in enumerate(self.layers)
            for z, row in enumerate(rows)
            for x, letter in enumerate(row)
            if letter != EMPTY
        }

    @property
    def size(self) -> Cell:
        """Cells to the east, up and to the south."""
        return (len(self.layers[0][0]), len(self.layers), len(self.layers[0]))

    def parts(self, count: int) -> tuple[tuple[PlannedBlock, ...], ...]:
        """Return the plan in `count` parts of about the same number of blocks, each from the ground up."""
        if self.cut == "layers":
            units = [[cell] for cell in self.blocks]
        else:
            columns: dict[tuple[int, int], list[Cell]] = {}
            for cell in sorted(self.blocks, key=lambda cell: (cell[0], cell[2], cell[1])):
                columns.setdefault((cell[0], cell[2]), []).append(cell)
            units = list(columns.values())
        found: list[set[Cell]] = [set() for _ in range(count)]
        done = 0
        for unit in units:
            found[done * count // len(self.blocks)].update(unit)
            done += len(unit)
        return tuple(tuple((cell, block) for cell, block in self.blocks.items() if cell in part) for part in found)

    @model_validator(mode="after")
    def _drawn_well(self) -> Self:
        if not self.layers[0] or not self.layers[0][0]:
            raise ValueError("layers: the first layer is empty; draw rows of letters")
        width, _, depth = self.size
        for number, rows in enumerate(self.layers, 1):
            if len(rows) != depth or any(len(row) != width for row in rows):
                raise ValueError(f"layers: layer {number} is not {depth} rows of {width} letters, as the first one is")
            for letter in "".join(rows):
                if letter != EMPTY and letter not in self.letters:
                    legal = ", ".join([EMPTY, *self.letters])
                    raise ValueError(f"layers: layer {number} has {letter!r}; legal are {legal}")
        if not self.blocks:
            raise ValueError("layers: no layer has a block; draw one")
        if loose := self._unsupported():
            raise ValueError(f"layers: the block at {list(loose[0])} hangs in the air; join it to one on the ground")
        return self

    def _unsupported(self) -> list[Cell]:
        """Return the cells that cannot be reached from the ground by going from block to block."""
        todo = [cell for cell in self.blocks if cell[1] == 0]
        found = set(todo)
        while todo:
            x, y, z = todo.pop()
            new = [(x + i, y + j, z + k) for i, j, k in _SIDES]
            new = [cell for cell in new if cell in self.blocks and cell not in found]
            found.update(new)
            todo += new
        return [cell for cell in self.blocks if cell not in found]


class SiteSpec(Frozen):
    """Cuboid in which blocks count."""

    at: Cell
    """Lowest north-western cell, at which plans begin."""
    size: tuple[Length, Height, Length]
    """Cells to the east, up and to the south."""

    @property
    def end(self) -> Cell:
        """The opposite corner."""
        x, y, z = (at + size - 1 for at, size in zip(self.at, self.size, strict=True))
        return (x, y, z)


class SupplySpec(Frozen):
    """Chest with the blocks that all players share."""

    at: Cell
    facing: Literal["north", "east", "south", "west"]
    items: dict[Item, Annotated[int, Field(ge=1, le=640)]]


class BuildWorld(WorldSpec):
    """Ground with a site and a chest."""

    site: SiteSpec
    chest: SupplySpec


class DealtPlan(Frozen):
    """Plan of a run and the parts that its players see."""

    plan: str
    parts: dict[str, tuple[PlannedBlock, ...]]
    """Player -> its part, in cells relative to the site's corner."""


class BuildSpec(ScenarioSpec):
    """Model of the file of building together."""

    PRICED: ClassVar[bool] = False

    world: BuildWorld
    players: dict[PlayerName, PlayerSpec] = Field(min_length=2, max_length=4)
    plans: dict[Slug, PlanSpec] = Field(min_length=1)
    """Plans of which the seed draws one."""
    seed: int = 0
    """Seed that draws the plan and deals its parts; a run puts its own here."""
    rules: RulesSpec

    # Not cached: a copy of the spec with another seed would keep it.
    @property
    def draw(self) -> DealtPlan:
        """The plan and the parts that the seed draws."""
        chance = random.Random(f"build-together:{self.seed}")
        name = chance.choice(sorted(self.plans))
        first = chance.randrange(len(self.players))
        parts = self.plans[name].parts(len(self.players))
        return DealtPlan(plan=name, parts=dict(zip(self.players, [*parts[first:], *parts[:first]], strict=True)))

    @property
    def plan(self) -> PlanSpec:
        """The drawn plan."""
        return self.plans[self.draw.plan]

    def in_world(self, cell: Cell) -> Cell:
        """Return a cell of a plan in world coordinates."""
        x, y, z = (sum(parts) for parts in zip(cell, self.world.site.at, self.world.origin, strict=True))
        return (x, y, z)

    def character(self, player: str, condition: str, *, drawn: bool = False) -> str:
        """Return the text that a player alone reads, with its part of the plan, or without its cells if it is drawn."""
        part = self._part_in_words(player, drawn=drawn)
        return "\n".join(each for each in (super().character(player, condition, drawn=drawn), part) if each)

    def part_of(self, player: str) -> list[PlannedBlock]:
        """Return a player's part of the plan in world coordinates."""
        return [(self.in_world(cell), block) for cell, block in self.draw.parts[player]]

    def _part_in_words(self, player: str, *, drawn: bool) -> str:
        part = self.part_of(player)
        heights = dict.fromkeys(y for (_, y, _), _ in part)
        layers = [
            f"- at y {height}, as (x, z): " + "; ".join(_cells_of(blocks))
            for height in heights
            if (blocks := [(cell, block) for cell, block in part if cell[1] == height])
        ]
        head = (
            f"Your part of the plan, {len(part)} of its {len(self.plan.blocks)} blocks, which nobody else is shown. "
            f"The building is a {self.draw.plan}."
        )
        if drawn:
            return f"{head} A picture shows it."
        return "\n".join([f"{head} From the ground up:", *layers])

    def built(self) -> list[Cell]:
        """Return the cell of the chest."""
        return [self.world.chest.at]

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        stock = self.world.chest.items
        if (count := len(stacks_of(stock))) > SLOTS:
            raise ValueError(f"world.chest.items: holds {count} stacks; a chest holds {SLOTS}")
        for name, plan in self.plans.items():
            if any(own > room for own, room in zip(plan.size, self.world.site.size, strict=True)):
                raise ValueError(f"plans.{name}: is {list(plan.size)} large; the site has {list(self.world.site.size)}")
            for block, count in Counter(plan.blocks.values()).items():
                if stock.get(block, 0) < count:
                    raise ValueError(f"plans.{name}: needs {count} {block}; the chest holds {stock.get(block, 0)}")
            if not all(plan.parts(len(self.players))):
                raise ValueError(f"plans.{name}: has fewer parts than the {len(self.players)} players; draw more")
        low, high = self.world.site.at, self.world.site.end
        places = {"chest": self.world.chest.at, **{name: each.spawn for name, each in self.players.items()}}
        for name, cell in places.items():
            if all(one <= at <= other for one, at, other in zip(low, cell, high, strict=True)):
                raise ValueError(f"world.site: {name} at {list(cell)} is inside it; move one of them")
        return self


def _cells_of(blocks: Sequence[PlannedBlock]) -> list[str]:
    """Return the cells of one layer in words, by block."""
    by_block: Mapping[str, list[str]] = {block: [] for _, block in blocks}
    for (x, _, z), block in blocks:
        by_block[block].append(f"({x}, {z})")
    return [f"{block} {', '.join(cells)}" for block, cells in by_block.items()]
