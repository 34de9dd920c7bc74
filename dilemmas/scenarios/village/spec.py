"""Spec of the village: buildings, animals, growth, the night."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.fields import Block, Frozen, Identifier
from dilemmas.scenarios.societies.spec import LivedSpec
from dilemmas.scenarios.spec import BlockBox, Chest, RulesSpec, WorldSpec


class Stand(Frozen):
    """A block that stands somewhere."""

    block: Block
    at: Cell


class Herd(Frozen):
    """Animals of one kind."""

    mob: Identifier
    count: Annotated[int, Field(ge=1, le=64)]
    start: Cell = Field(alias="from")
    end: Cell = Field(alias="to")
    """Corner of the pasture opposite to `start`."""


class Forest(Frozen):
    """Trees in rows."""

    log: Block
    leaves: Block
    height: int = Field(ge=3, le=8)
    feet: tuple[Cell, ...] = Field(min_length=1)

    def boxes(self, foot: Cell) -> tuple[BlockBox, BlockBox]:
        """Return the leaves of a tree, and its trunk."""
        x, y, z = foot
        top = y + self.height
        crown = BlockBox.model_validate(
            {"from": (x - 1, top - 2, z - 1), "to": (x + 1, top, z + 1), "block": self.leaves}
        )
        trunk = BlockBox.model_validate({"from": foot, "to": (x, top - 1, z), "block": self.log})
        return crown, trunk


class Crops(Frozen):
    """A field of one crop, ripe at the start, with water beside it."""

    crop: Literal["wheat", "carrots", "potatoes", "beetroots"]
    start: Cell = Field(alias="from")
    end: Cell = Field(alias="to")
    """Corner of the plants' cells opposite to `start`."""


class PublicChest(Frozen):
    """A chest that belongs to all."""

    at: Cell
    facing: Literal["north", "east", "south", "west"] = "north"


class CivicPlaces(Frozen):
    """Places and money of institutions, which are built where a condition has institutions."""

    treasury: PublicChest = PublicChest(at=(-3, 0, 7))
    """Chest of fines, taxes on sales and public money."""
    pool: PublicChest = PublicChest(at=(0, 0, 7))
    """Chest of insurance premiums."""
    cover: Block = "stone_bricks"
    """Block on each of these chests."""
    jail: Cell = (-7, 0, 8)
    """Cell in which people are held, with bars around it."""
    bars: Block = "iron_bars"
    door: Cell = (-4, 0, 10)
    """Cell to which people go who have been held."""
    exile: Cell = (26, 0, 90)
    """Cell at which the banished have to stay."""
    post: Cell = (3, 0, 8)
    """Cell at which guards carry out sanctions."""
    money: Identifier = "emerald"
    """Item in which people pay."""
    purse: int = Field(default=10, ge=0, le=640)
    """Money that each person has from the start, unless a market hands it out."""

    def coffers(self) -> dict[str, PublicChest]:
        """Return public account -> its chest."""
        return {"treasury": self.treasury, "pool": self.pool}

    def jail_bars(self) -> list[tuple[Cell, Cell]]:
        """Return corners of the walls and of the roof around the jail."""
        x, y, z = self.jail
        top = y + 1
        return [
            ((x - 1, y, z - 1), (x + 1, top, z - 1)),
            ((x - 1, y, z + 1), (x + 1, top, z + 1)),
            ((x - 1, y, z), (x - 1, top, z)),
            ((x + 1, y, z), (x + 1, top, z)),
            ((x - 1, y + 2, z - 1), (x + 1, y + 2, z + 1)),
        ]


class VillageWorld(WorldSpec):
    """Ground with everything on it."""

    stands: tuple[Stand, ...] = ()
    chests: tuple[Chest, ...] = ()
    herds: tuple[Herd, ...] = ()
    forest: Forest
    fields: tuple[Crops, ...] = ()
    ores: dict[Block, tuple[Cell, ...]] = Field(default_factory=dict)
    civic: CivicPlaces = CivicPlaces()


class Night(Frozen):
    """Mobs that come after dark."""

    mob: Identifier
    every_s: float = Field(gt=0, le=3600)
    at: tuple[Cell, ...] = Field(min_length=1)
    """Cells where they come from, in turn."""
    most: int = Field(default=8, ge=1, le=64)
    """Maximum number of them at once."""


class VillageRules(RulesSpec):
    """Growth and mobs of the village."""

    tree_every_s: float = Field(gt=0, le=3600)
    """Interval after which one felled tree stands again, in seconds."""
    day_start: int = Field(default=1000, ge=0, le=23999)
    """Time of day at which the lives start, in ticks."""
    night: Night | None = None


class VillageSpec(LivedSpec):
    """Model of a village."""

    world: VillageWorld
    rules: VillageRules

    def built(self) -> list[Cell]:
        """Return the cells of everything that stands there."""
        world = self.world
        ores = [cell for cells in world.ores.values() for cell in cells]
        return [*(each.at for each in world.stands), *(each.at for each in world.chests), *world.forest.feet, *ores]

    def solids(self) -> Iterator[BlockBox]:
        """Yield the boxes, and everything that stands on them."""
        yield from super().solids()
        world = self.world
        for foot in world.forest.feet:
            yield from world.forest.boxes(foot)
        single = [(each.block, each.at) for each in world.stands]
        single += [("chest", each.at) for each in world.chests]
        single += [(ore, cell) for ore, cells in world.ores.items() for cell in cells]
        for block, at in single:
            yield BlockBox.model_validate({"from": at, "to": at, "block": block})

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """Return the persona with the time of day at the start."""
        return {**super().persona(player, condition), "day_start": self.rules.day_start}

    @model_validator(mode="after")
    def _known(self) -> Self:
        for name, condition in self.conditions.items():
            community = condition.agents.get("community")
            if community is not None and community not in self.communities:
                raise ValueError(
                    f"conditions.{name}.agents.community: {community!r} is not there; legal are "
                    f"{', '.join(self.communities) or 'none: add some under communities'}"
                )
        return self
