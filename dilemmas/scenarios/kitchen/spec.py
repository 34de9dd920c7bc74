"""Spec of a kitchen: stations, rooms, and the recipe of its soup."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import Field, model_validator

from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios import vanilla
from dilemmas.scenarios.cleanup.spec import cuboid
from dilemmas.scenarios.fields import Frozen, Identifier, Item, PlayerName, Slug
from dilemmas.scenarios.societies.spec import InLife
from dilemmas.scenarios.spec import PlayerSpec, RulesSpec, ScenarioSpec, WorldSpec

StationKind = Literal["pantry", "shelf", "stove", "table", "well", "counter"]
BLOCKS: Mapping[StationKind, str] = {
    # A barrel opens whatever stands above it, so that it can be part of a wall.
    "pantry": "barrel",
    "shelf": "barrel",
    "table": "crafting_table",
    "well": "water",
    "counter": "barrel",
}
"""Kind of station -> its block; a stove's is the station's own."""
CONTAINERS = frozenset({"pantry", "shelf", "stove", "counter"})
"""Kinds of stations that hold items."""
SLOTS = 27
"""Slots of a barrel."""
Facing = Literal["north", "east", "south", "west", "up"]
Stock = Annotated[int, Field(ge=1, le=640)]


class Station(Frozen):
    """Place of work in a kitchen."""

    kind: StationKind
    at: Cell
    to: Cell | None = None
    """Opposite corner of a well; None for a single block."""
    facing: Facing = "north"
    block: Literal["furnace", "smoker"] = "furnace"
    """Block of a stove; a smoker cooks twice as fast."""
    items: dict[Item, Stock] = Field(default_factory=dict)
    """Contents at the start, for a pantry."""
    rooms: tuple[Slug, ...] = Field(min_length=1)
    """Rooms from which it can be reached; a shelf in a wall has two."""

    @property
    def built_of(self) -> str:
        """Id of its block."""
        return BLOCKS.get(self.kind, self.block)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Cells of its blocks."""
        return cuboid(self.at, self.at if self.to is None else self.to)

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.to is not None and self.kind != "well":
            raise ValueError(f"to: a {self.kind} is one block; only a well has several")
        if self.items and self.kind != "pantry":
            raise ValueError(f"items: only a pantry has a stock; this is a {self.kind}")
        return self


def stacks_of(items: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return items as full stacks and a last one each."""
    found = []
    for item, count in items.items():
        size = vanilla.max_stack(item)
        found += [(item, min(size, count - done)) for done in range(0, count, size)]
    return found


class Recipe(Frozen):
    """Steps from a pantry to a soup; the crafting and the cooking are vanilla's."""

    dish: Item
    """Item that is crafted of what was cooked and added."""
    cooks: dict[Item, Item]
    """Raw item -> cooked item; a dish needs one of each."""
    adds: tuple[Item, ...]
    """Further ingredients, one of each, the bowl included."""
    fuel: Item
    vessel: Item
    """Item that is filled at the well."""
    drink: Item
    """The filled vessel; the guests take a dish and a drink together."""

    @property
    def ingredients(self) -> tuple[str, ...]:
        """Items that one dish takes from the pantry."""
        return (*self.cooks, *self.adds)

    @property
    def needs(self) -> dict[str, dict[str, int]]:
        """Kind of work -> item -> units for one soup (`dilemmas.scenarios.kitchen.measures`)."""
        return {
            "fetch": dict.fromkeys((*self.ingredients, self.vessel), 1),
            "cook": dict.fromkeys(self.cooks, 1),
            "craft": {self.dish: 1},
            "fill": {self.drink: 1},
            "serve": {self.dish: 1, self.drink: 1},
        }


class KitchenWorld(WorldSpec):
    """Ground with walls, and the stations of a kitchen."""

    stations: dict[Identifier, Station]

    def of_kind(self, kind: StationKind) -> dict[str, Station]:
        """Return name -> station of a kind."""
        return {name: each for name, each in self.stations.items() if each.kind == kind}

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for name, each in self.stations.items():
            if (count := len(stacks_of(each.items))) > SLOTS:
                raise ValueError(f"stations: {name}: holds {count} stacks; a barrel holds {SLOTS}")
        for kind in get_args(StationKind):
            if kind != "shelf" and not self.of_kind(kind):
                raise ValueError(f"stations: there is no {kind}; add one")
        if len(counters := self.of_kind("counter")) > 1:
            raise ValueError(f"stations: {', '.join(counters)}: a kitchen has one counter")
        return self


class CookSpec(PlayerSpec):
    """A cook."""

    room: Slug
    """Room in which it starts, and which it cannot leave if a wall surrounds it."""


class KitchenSpec(ScenarioSpec):
    """Model of a kitchen's file."""

    PRICED: ClassVar[bool] = False

    world: KitchenWorld
    players: dict[PlayerName, CookSpec] = Field(min_length=2, max_length=4)  # type: ignore[assignment]
    recipe: Recipe
    rules: RulesSpec
    life: InLife | None = Field(default=None, exclude_if=lambda life: life is None)
    """People of a kitchen in which agents live (`plays: [life]`)."""

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """Return the persona of a cook; empty unless agents live here."""
        return {} if self.life is None else self.life.persona(player, self.world.origin)

    def agent_options(self, condition: str) -> dict[str, Any]:
        """Return the condition's own `agents`."""
        own = self.conditions.get(condition.partition("+")[0])
        return dict(own.agents) if own and self.life is not None else {}

    @cached_property
    def counter(self) -> Station:
        """The counter at which soup is served."""
        (found,) = self.world.of_kind("counter").values()
        return found

    @cached_property
    def containers(self) -> dict[str, Station]:
        """Stations that hold items."""
        return {name: each for name, each in self.world.stations.items() if each.kind in CONTAINERS}

    def built(self) -> list[Cell]:
        """Return the cells of all stations."""
        return [cell for each in self.world.stations.values() for cell in each.cells]

    @model_validator(mode="after")
    def _in_rooms(self) -> Self:
        if self.life is not None:
            self.life.check(list(self.players))
        rooms = {room for each in self.world.stations.values() for room in each.rooms}
        for name, player in self.players.items():
            if player.room not in rooms:
                raise ValueError(f"players.{name}.room: {player.room!r} has no station; legal are {', '.join(rooms)}")
        stocked = {item for each in self.world.stations.values() for item in each.items}
        missing = [item for item in (*self.recipe.ingredients, self.recipe.vessel) if item not in stocked]
        if missing:
            raise ValueError(f"recipe: no pantry holds {missing[0]!r}; add it to a pantry's items")
        return self
