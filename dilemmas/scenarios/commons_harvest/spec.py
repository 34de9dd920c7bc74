"""Spec of Commons Harvest: the field with its trees, and the growth of apples."""

from __future__ import annotations

from itertools import combinations
from math import dist
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.cleanup.spec import Probability
from dilemmas.scenarios.fields import Block, Frozen
from dilemmas.scenarios.spec import RulesSpec, ScenarioSpec, WorldSpec
from voyager_agents.commons_harvest import TAKES, Place


class Tree(Frozen):
    """Patch of cells on which apples grow: all within `radius` (L2) of its middle."""

    at: Place
    """(x, z) of the middle, counted from the field's north-west corner."""
    radius: float = Field(default=2.0, ge=0, le=6)

    @property
    def cells(self) -> tuple[Place, ...]:
        """Cells of the tree, in the order of columns and rows."""
        x, z = self.at
        reach = range(-int(self.radius), int(self.radius) + 1)
        near = [(x + dx, z + dz) for dx in reach for dz in reach if dx * dx + dz * dz <= self.radius * self.radius]
        return tuple(sorted(near))


class Orchard(Frozen):
    """The fenced field. Its north-west cell is the world's origin; x counts columns, z rows."""

    columns: int = Field(ge=3, le=64)
    rows: int = Field(ge=3, le=64)
    apple: Block
    """Block that stands for an apple: it grows on the ground, and one blow of a hand breaks it."""
    ground: Block
    """Block under all cells, which is restored after somebody has dug it away."""
    trees: tuple[Tree, ...] = Field(min_length=1)

    @property
    def size(self) -> Place:
        """(columns, rows) of the field."""
        return (self.columns, self.rows)

    def names(self) -> dict[str, Tree]:
        """Return name -> tree: `tree 1`, `tree 2` and so on, in the order of the file."""
        return {f"tree {number}": tree for number, tree in enumerate(self.trees, 1)}

    def inside(self, place: Place) -> bool:
        """Return True if the place is a cell of the field."""
        return 0 <= place[0] < self.columns and 0 <= place[1] < self.rows


class CommonsWorld(WorldSpec):
    """Ground, fence, trees, and a closed place beside the field for players that are out."""

    field: Orchard
    bench: Cell
    """Position of players that are out."""
    spawns: tuple[Cell, ...] = Field(min_length=1)
    """Positions at one of which a player comes back, by chance."""


class CommonsRules(RulesSpec):
    """Growth of apples, and effects of immobilization."""

    regrowth: tuple[Probability, ...] = Field(min_length=2)
    """Probability per step that an apple grows in an empty cell, by the number of apples near it.

    The first is for none, the last for that many and more.
    """
    near: float = Field(gt=0, le=6)
    """L2 distance within which apples count as near."""
    out_steps: int = Field(ge=5, le=100)
    """Steps for which an immobilized player is out.

    Vanilla knows for 5 s who attacked whom: with fewer steps a player that comes back could count as hit again.
    """


class RoundsSpec(Frozen):
    """Parameters of the game in rounds."""

    limit: int = Field(ge=1, le=10_000)
    """Maximum number of rounds."""
    seconds: float = Field(gt=0, le=60)
    """Maximum game time of a player's move, in seconds."""
    sight: Place
    """Sight of a player: columns to both sides, rows to both sides."""


class CommonsSpec(ScenarioSpec):
    """Model of a Commons Harvest file."""

    TURNS: ClassVar[str] = TAKES

    world: CommonsWorld
    rules: CommonsRules
    rounds: RoundsSpec

    def agent_options(self, condition: str) -> dict[str, Any]:
        """Return the names of the trees, and the condition's own `agents`."""
        own = self.conditions.get(condition.partition("+")[0])
        return {"trees": list(self.world.field.names()), **(own.agents if own else {})}

    def built(self) -> list[Cell]:
        """Return the cells of all trees; players start elsewhere."""
        return [(x, 0, z) for tree in self.world.field.trees for x, z in tree.cells]

    @model_validator(mode="after")
    def _planted(self) -> Self:
        field = self.world.field
        for name, tree in field.names().items():
            for place in tree.cells:
                if not field.inside(place):
                    raise ValueError(
                        f"{name} at {list(tree.at)} reaches {list(place)}, outside of the field's "
                        f"{field.columns} columns and {field.rows} rows"
                    )
        for (one, first), (other, second) in combinations(field.names().items(), 2):
            gap = min(dist(a, b) for a in first.cells for b in second.cells)
            if gap <= self.rules.near:
                raise ValueError(f"{one} and {other} are {gap:g} apart; more than {self.rules.near:g} keeps them apart")
        if self.rules.regrowth[0] > 0:
            raise ValueError(
                f"regrowth: {self.rules.regrowth[0]:g} without apples near; a bare tree stays bare: give 0"
            )
        return self
