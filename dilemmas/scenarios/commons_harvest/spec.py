"""Commons Harvest's own part of the spec: the field with its trees, and the laws by which apples come back."""

from __future__ import annotations

from itertools import combinations
from math import dist
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.cleanup.spec import Probability
from dilemmas.scenarios.spec import Block, Frozen, RulesSpec, ScenarioSpec, WorldSpec
from voyager_agents.commons_harvest import TAKES, Place


class Tree(Frozen):
    """A patch of cells on which apples grow: all within `radius` (L2) of its middle."""

    at: Place
    """(x, z) of its middle, counted from the field's north-west corner."""
    radius: float = Field(default=2.0, ge=0, le=6)

    @property
    def cells(self) -> tuple[Place, ...]:
        """Its cells, in the order of columns and rows."""
        x, z = self.at
        reach = range(-int(self.radius), int(self.radius) + 1)
        near = [(x + dx, z + dz) for dx in reach for dz in reach if dx * dx + dz * dz <= self.radius * self.radius]
        return tuple(sorted(near))


class Orchard(Frozen):
    """The fenced field. Its north-west cell is the world's origin; x counts columns, z rows."""

    columns: int = Field(ge=3, le=64)
    rows: int = Field(ge=3, le=64)
    apple: Block
    """The block that stands for an apple: it grows on the ground, and one blow of a hand breaks it."""
    ground: Block
    """What lies under all cells, and is there again when somebody has dug it away."""
    trees: tuple[Tree, ...] = Field(min_length=1)

    @property
    def size(self) -> Place:
        """Columns and rows."""
        return (self.columns, self.rows)

    def names(self) -> dict[str, Tree]:
        """`tree 1`, `tree 2` and so on, in the order of the file."""
        return {f"tree {number}": tree for number, tree in enumerate(self.trees, 1)}

    def inside(self, place: Place) -> bool:
        """Whether that place is a cell of the field."""
        return 0 <= place[0] < self.columns and 0 <= place[1] < self.rows


class CommonsWorld(WorldSpec):
    """Ground, fence, trees, and a closed place beside the field for those who are out."""

    field: Orchard
    bench: Cell
    """Where a player is while it is out."""
    spawns: tuple[Cell, ...] = Field(min_length=1)
    """Where one who was out comes back: one of these, by chance."""


class CommonsRules(RulesSpec):
    """How apples come back, and what immobilizing does."""

    regrowth: tuple[Probability, ...] = Field(min_length=2)
    """Probability that an apple grows in an empty cell within one step, by the number of apples near it: for none, for
    one, and so on; the last for that many and more."""
    near: float = Field(gt=0, le=6)
    """L2 distance within which apples count as near."""
    out_steps: int = Field(ge=5, le=100)
    """Steps that an immobilized player is out for. Vanilla knows for 5 s who attacked whom: with less a player that
    comes back could be taken for one that was hit again."""


class RoundsSpec(Frozen):
    """How it is played in rounds."""

    limit: int = Field(ge=1, le=10_000)
    """Rounds at most."""
    seconds: float = Field(gt=0, le=60)
    """Game time that a player's move may take."""
    sight: Place
    """How far a player sees: columns to both sides, rows to both sides."""


class CommonsSpec(ScenarioSpec):
    """A Commons Harvest, whole."""

    TURNS: ClassVar[str] = TAKES

    world: CommonsWorld
    rules: CommonsRules
    rounds: RoundsSpec

    def agent_options(self, condition: str) -> dict[str, Any]:
        """The names of the trees, and what the condition's own `agents` say."""
        own = self.conditions.get(condition.partition("+")[0])
        return {"trees": list(self.world.field.names()), **(own.agents if own else {})}

    def built(self) -> list[Cell]:
        """The cells of all trees; players start elsewhere."""
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
