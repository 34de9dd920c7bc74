"""Spec of the society of towns: towns, homes, preachers, and the words that are counted."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from functools import cached_property, partial
from math import dist
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from dilemmas.records.events import Folk, PeopleSettled, TownTold
from dilemmas.scenarios.fields import Frozen, Slug
from dilemmas.scenarios.societies.spec import LivedSpec, Population
from dilemmas.scenarios.spec import ConditionSpec
from voyager_agents.errors import PersonaError
from voyager_agents.personas import Persona, Spot, generate
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.rule_based.religion import FILE, NUMBERS

Flat = tuple[int, int]
"""x and z, relative to the world's origin."""
EDGE = 2
"""Blocks from the field's edge within which nobody starts."""


class Land(Frozen):
    """The land, between two opposite corners."""

    start: Flat = Field(alias="from")
    end: Flat = Field(alias="to")

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """(least x, least z, greatest x, greatest z)."""
        (x0, z0), (x1, z1) = self.start, self.end
        return min(x0, x1), min(z0, z1), max(x0, x1), max(z0, z1)


class Town(Frozen):
    """A town: a disc of land."""

    at: Flat
    radius: int = Field(default=50, ge=4, le=500)


class Priests(Frozen):
    """The priests."""

    share: float = Field(ge=0, le=1)
    """Share of all people; priests are chosen from those who live in a town."""
    town: str
    """Home of the priests, under conditions with priests in one town."""
    traits: tuple[str, ...]
    community_goal: str = ""


class Faith(Frozen):
    """Words that show the levels of the faith."""

    direct: tuple[str, ...] = Field(min_length=1)
    indirect: tuple[str, ...] = ()


class ReligionCondition(ConditionSpec):
    """Condition of religion: place of the priests, and hearing."""

    priests: Literal["none", "one-town", "all-towns"] = "one-town"
    deaf: bool = False
    """True if nobody hears anybody."""


class ReligionSpec(LivedSpec):
    """Model of the society of towns."""

    field: Land
    towns: dict[str, Town] = Field(min_length=1)
    in_town: float = Field(gt=0, le=1)
    """Share of all people that live in each town; the rest live on the land."""
    priests: Priests
    faith: Faith
    memes: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Topic -> words by which it is recognized in goals and speech."""
    assumptions: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Part of the table -> key -> value, for numbers of agents without a model that differ from `religion.yaml`."""
    conditions: dict[Slug, ReligionCondition] = Field(min_length=1)  # type: ignore[assignment] # a narrower mapping

    @model_validator(mode="after")
    def _on_the_land(self) -> Self:
        x0, z0, x1, z1 = self.field.bounds
        for name, town in self.towns.items():
            x, z = town.at
            if min(x - x0, x1 - x, z - z0, z1 - z) < town.radius:
                raise ValueError(f"towns.{name}: is not whole within the field {[x0, z0]} to {[x1, z1]}: move it")
        if self.priests.town not in self.towns:
            raise ValueError(f"priests.town: {self.priests.town!r} is no town; choose from {', '.join(self.towns)}")
        return self

    @model_validator(mode="after")
    def _assumed(self) -> Self:
        table = rules(FILE)
        for part, values in self.assumptions.items():
            for key in values:
                if not isinstance(table.get(part), dict) or part not in NUMBERS or key not in table[part]:
                    legal = ", ".join(f"{name}.{each}" for name in NUMBERS for each in table[name])
                    raise ValueError(f"assumptions.{part}.{key}: is not there; legal are {legal}")
        return self

    @classmethod
    def people(cls, data: Mapping[str, Any]) -> list[Persona] | None:
        """Return townspeople, town by town, then people of the land; given personas keep their places."""
        try:
            population = Population.model_validate(data.get("population") or {})
            land = Land.model_validate(data["field"])
            towns = {name: Town.model_validate(each) for name, each in data["towns"].items()}
            share, origin = float(data["in_town"]), data["world"]["origin"]
        except (KeyError, TypeError, ValueError, AttributeError):
            return None
        if population.files or population.personas:
            return super().people(data)
        spots = _spots(population, land, towns, share)
        x, y, z = (int(part) for part in origin)
        spawns = [Spot(x=x + i + 0.5, y=y, z=z + k + 0.5) for i, k in spots]
        options: dict[str, Any] = {"traits": population.traits, "inventories": population.inventories}
        return generate(population.count, population.seed, spawns, **options)

    def town_of(self, player: str) -> str:
        """Return the town in which a player lives; empty for the land."""
        x, _, z = self.players[player].spawn
        return next((name for name, town in self.towns.items() if dist((x, z), town.at) <= town.radius), "")

    def preachers(self, condition: str) -> list[str]:
        """Return the players that preach under a condition."""
        own = self.conditions.get(condition.partition("+")[0])
        where = "one-town" if own is None else own.priests
        if where == "none":
            return []
        wanted = max(1, round(self.priests.share * len(self.players))) if self.priests.share else 0
        towns = [self.priests.town] if where == "one-town" else list(self.towns)
        people: dict[str, list[str]] = {name: [] for name in towns}
        for player in self.players:
            if (town := self.town_of(player)) in people:
                people[town].append(player)
        # Each town gives one in turn, so that priests are spread evenly.
        most = max(map(len, people.values()))
        ranked = [each[place] for place in range(most) for each in people.values() if place < len(each)]
        chosen = set(ranked[:wanted])
        return [player for player in self.players if player in chosen]

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """Return the persona with the towns that it knows, its home, and whether it preaches."""
        known = super().persona(player, condition)
        x, y, z = self.world.origin
        towns = {name: [x + town.at[0], y, z + town.at[1], town.radius] for name, town in self.towns.items()}
        told = [f"A town called {name} is around {a}, {b}, {c}." for name, (a, b, c, _) in towns.items()]
        found = {**known, "towns": towns, "town": self.town_of(player), "role": "", "assumptions": self.assumptions}
        found["location_memories"] = [*known["location_memories"], *told]
        if player in self._preachers_of(condition):
            goal = self.priests.community_goal or known["community_goal"]
            found |= {"role": "priest", "traits": list(self.priests.traits), "community_goal": goal}
        return found

    def _preachers_of(self, condition: str) -> frozenset[str]:
        if condition not in self._preaching:
            self._preaching[condition] = frozenset(self.preachers(condition))
        return self._preaching[condition]

    @cached_property
    def _preaching(self) -> dict[str, frozenset[str]]:
        """Cache of condition -> preachers."""
        return {}

    def is_deaf(self, condition: str) -> bool:
        """Return True if nobody hears anybody under a condition."""
        own = self.conditions.get(condition.partition("+")[0])
        return own is not None and own.deaf

    def settlement(self, condition: str) -> PeopleSettled:
        """Return homes, preachers, and words of levels and topics, for the log."""
        x, _, z = self.world.origin
        preaching = self._preachers_of(condition)
        return PeopleSettled(
            field=_moved(self.field.bounds, x, z),
            towns={
                name: TownTold(at=(town.at[0] + x, town.at[1] + z), radius=town.radius)
                for name, town in self.towns.items()
            },
            people={
                name: Folk(town=self.town_of(name), role="priest" if name in preaching else "") for name in self.players
            },
            hearing=self.hearing.say,
            deaf=self.is_deaf(condition),
            direct=list(self.faith.direct),
            indirect=list(self.faith.indirect),
            memes={name: list(words) for name, words in self.memes.items()},
        )


def _moved(bounds: tuple[int, int, int, int], x: int, z: int) -> tuple[int, int, int, int]:
    return bounds[0] + x, bounds[1] + z, bounds[2] + x, bounds[3] + z


def _spots(population: Population, land: Land, towns: Mapping[str, Town], share: float) -> list[Flat]:
    """Return a cell of its own for each player: in towns first, then anywhere outside of them."""
    chance = random.Random(f"homes:{population.seed}")
    each = max(1, round(share * population.count))
    if each * len(towns) > population.count:
        raise PersonaError(
            f"in_town {share:g}: {len(towns)} towns of {each} have more than the {population.count} people of "
            "population.count: make one smaller"
        )
    taken: dict[Flat, None] = {}
    for name, town in towns.items():
        room = 2 * town.radius * town.radius
        if each > room:
            raise PersonaError(f"towns.{name}: radius {town.radius} has no room for {each} people: make it larger")
        _fill(taken, each, partial(_in_disc, chance, town))
    x0, z0, x1, z1 = land.bounds
    rest = population.count - len(taken)
    if 4 * rest > (x1 - x0 - 2 * EDGE) * (z1 - z0 - 2 * EDGE) - sum(4 * town.radius**2 for town in towns.values()):
        raise PersonaError(f"field: has no room for {rest} people outside of the towns: make it larger")
    _fill(taken, rest, lambda: _outside(chance, land, towns.values()))
    return list(taken)


def _fill(taken: dict[Flat, None], count: int, draw: Callable[[], Flat]) -> None:
    wanted = len(taken) + count
    while len(taken) < wanted:
        taken[draw()] = None


def _in_disc(chance: random.Random, town: Town) -> Flat:
    reach = town.radius - 1
    while True:
        i, k = chance.randint(-reach, reach), chance.randint(-reach, reach)
        if 0 < i * i + k * k <= reach * reach:
            return town.at[0] + i, town.at[1] + k


def _outside(chance: random.Random, land: Land, towns: Collection[Town]) -> Flat:
    x0, z0, x1, z1 = land.bounds
    while True:
        at = chance.randint(x0 + EDGE, x1 - EDGE), chance.randint(z0 + EDGE, z1 - EDGE)
        if all(dist(at, town.at) > town.radius + 1 for town in towns):
            return at
