"""Specs of scenarios in which agents live: population, hearing, sight, knowledge.

The players follow from the personas: written in the file, in files of their own, or generated from a seed. A persona's
spawn is in the world's coordinates, as in the paper; a generated persona starts at one of the spec's `spawns`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from contracts.institutions.assembly import Assembly
from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.fields import Frozen, PlayerName
from dilemmas.scenarios.societies.constitution import ConstitutionSpec
from dilemmas.scenarios.spec import BlockBox, ScenarioSpec
from voyager_agents.errors import PersonaError
from voyager_agents.personas import Persona, Spot, generate, load_personas, read_personas
from voyager_agents.personas.generator import MAX_PERSONAS
from voyager_agents.realtime_agent import Voice

PASSABLE = frozenset(
    {"air", "water", "short_grass", "grass", "dandelion", "poppy", "wheat", "carrots", "potatoes", "torch", "snow"}
)
"""Blocks that a player can stand in."""


class VoiceRanges(Frozen):
    """Ranges of voices, in blocks."""

    say: float = Field(default=16, gt=0, le=64)
    shout: float = Field(default=32, gt=0, le=64)
    whisper: float = Field(default=4, gt=0, le=64)

    def by_voice(self) -> dict[Voice, float]:
        """Return voice -> range, in blocks."""
        return {"say": self.say, "shout": self.shout, "whisper": self.whisper}


class Population(Frozen):
    """The people of a society."""

    count: Annotated[int, Field(ge=2, le=MAX_PERSONAS)] = 30
    """Number of generated personas, if none are given."""
    seed: int = 0
    """Seed of the generated personas. It is the same in all runs, so that runs differ in events alone."""
    traits: tuple[str, ...] | None = None
    """Traits of all generated personas; None for traits of each one's own."""
    inventories: bool = False
    """True if each generated persona has some items."""
    personas: tuple[dict[str, Any], ...] = ()
    """Personas, written here."""
    files: tuple[str, ...] = ()
    """Files of personas, relative to the working directory."""


class Home(Frozen):
    """Area in which generated personas start: within `radius` blocks of the middle."""

    at: Cell
    radius: int = Field(default=6, ge=1, le=500)


class PlayerProfile(Frozen):
    """Persona of a player in a scenario of another kind that is lived in."""

    traits: tuple[str, ...] = ()
    community_goal: str = ""
    trade: str | None = None
    """Work of a player without a model (`voyager_agents/piano/rule_based/taxation/civics.yaml`)."""
    office: Literal["constituent", "influencer", "manager", "visitor"] = "visitor"
    wants: tuple[float, float] | None = None
    """Tax rates that an influencer wants, in percent."""


class InLife(Frozen):
    """Data that a scenario of another kind needs for agents to live in it (`life:` in its file)."""

    people: dict[PlayerName, PlayerProfile]
    hearing: VoiceRanges = VoiceRanges()
    sight: float = Field(default=16, gt=0, le=64)
    interests: tuple[str, ...] = ()
    places: dict[str, Cell] = Field(default_factory=dict)
    location_memories: tuple[str, ...] = ()
    constitution: ConstitutionSpec | None = None

    def check(self, players: Sequence[str]) -> None:
        """Check that the people are the players. Raises ValueError."""
        if set(self.people) != set(players):
            raise ValueError(f"life.people: {', '.join(self.people)}: the players are {', '.join(players)}")
        if self.constitution is not None:
            self.constitution.check(players)

    def voice_ranges(self) -> dict[Voice, float]:
        """Return voice -> range, in blocks."""
        return self.hearing.by_voice()

    def assembly(self, condition: str) -> Assembly | None:
        """Return the assembly of one attempt, the same under every condition."""
        return None if self.constitution is None else self.constitution.assembly(list(self.people))

    def persona(self, player: str, origin: Cell) -> dict[str, Any]:
        """Return a player's persona as plain data."""
        known = self.people[player].model_dump(mode="json", exclude_none=True)
        places = {name: [a + b for a, b in zip(cell, origin, strict=True)] for name, cell in self.places.items()}
        return {"name": player, "location_memories": list(self.location_memories), "places": places, **known}


class LivedSpec(ScenarioSpec):
    """Model of a scenario in which agents live."""

    PRICED: ClassVar[bool] = False

    population: Population = Population()
    home: Home
    hearing: VoiceRanges = VoiceRanges()
    sight: float = Field(default=16, gt=0, le=64)
    """Sight of bodies, in blocks."""
    interests: tuple[str, ...] = ()
    """Blocks that bodies notice."""
    places: dict[str, Cell] = Field(default_factory=dict)
    """Name -> a place that agents know."""
    location_memories: tuple[str, ...] = ()
    """Knowledge of places that all agents have; {name} is replaced by that place's position."""
    communities: dict[str, str] = Field(default_factory=dict)
    """Name -> goal of a community; a condition names one (`agents: {community: NAME}`)."""
    constitution: ConstitutionSpec | None = None
    """A law that its people can amend."""

    @model_validator(mode="before")
    @classmethod
    def _peopled(cls, data: Any) -> Any:  # noqa: ANN401 - whatever was given
        """Make the players from the personas if no players are given."""
        if not isinstance(data, dict) or "players" in data:
            return data
        try:
            personas = cls.people(data)
        except PersonaError as error:
            raise ValueError(str(error)) from None
        if personas is None:
            return data
        origin = data["world"]["origin"]
        players = {
            each.name: {
                "spawn": [int(part) - int(base) for part, base in zip(each.spawn_location.cell, origin, strict=True)],
                "yaw": 0,
                "items": dict(each.inventory),
                **cls.played(each.name, data),
            }
            for each in personas
        }
        return {**data, "players": players}

    @model_validator(mode="after")
    def _standing(self) -> Self:
        # A village makes its boxes anew at each call, and many people spawn there.
        boxes = tuple(self.solids())
        for name, player in self.players.items():
            for cell in (player.spawn, (player.spawn[0], player.spawn[1] + 1, player.spawn[2])):
                block = _block_at(cell, boxes)
                if block is not None and block not in PASSABLE:
                    raise ValueError(
                        f"persona {name!r} spawns inside of {block} at {list(self.absolute(cell))}: move its "
                        "spawn_location to a free place"
                    )
        return self

    @model_validator(mode="after")
    def _constituted(self) -> Self:
        if self.constitution is not None:
            self.constitution.check(list(self.players))
        return self

    def voice_ranges(self) -> dict[Voice, float]:
        """Return voice -> range, in blocks."""
        return self.hearing.by_voice()

    def assembly(self, condition: str) -> Assembly | None:
        """Return the assembly of one attempt under that condition."""
        return None if self.constitution is None else self.constitution.assembly(list(self.players))

    @classmethod
    def people(cls, data: Mapping[str, Any]) -> list[Persona] | None:
        """Return the personas from the spec's raw data, or None if it is incomplete. Raises PersonaError."""
        return personas_of(data)

    @classmethod
    def played(cls, name: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return further data of a persona's player from the spec's raw data, such as its `bot`."""
        return {}

    def absolute(self, cell: Cell) -> Cell:
        """Return a cell in the world's coordinates."""
        x, y, z = self.world.origin
        return (x + cell[0], y + cell[1], z + cell[2])

    def solids(self) -> Iterator[BlockBox]:
        """Yield the boxes in the order in which they are built."""
        yield from self.world.boxes

    @cached_property
    def personas(self) -> Mapping[str, Persona]:
        """Player -> persona."""
        found = self.people(self.model_dump(mode="json", by_alias=True))
        return {each.name: each for each in found or ()}

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """Return a player's persona under that condition, as plain data."""
        known = self.personas[player].to_dict()
        knows = known["location_memories"] or [self._located(text) for text in self.location_memories]
        community = str(self.agent_options(condition).get("community", ""))
        goal = known["community_goal"] or self.communities.get(community, "")
        places = {name: list(self.absolute(cell)) for name, cell in self.places.items()}
        return {**known, "location_memories": knows, "community_goal": goal, "places": places}

    def agent_options(self, condition: str) -> dict[str, Any]:
        """Return the condition's own `agents`."""
        own = self.conditions.get(condition.partition("+")[0])
        return dict(own.agents) if own else {}

    def _located(self, text: str) -> str:
        for name, cell in self.places.items():
            text = text.replace("{" + name + "}", ", ".join(str(part) for part in self.absolute(cell)))
        return text


def _block_at(cell: Cell, boxes: Iterable[BlockBox]) -> str | None:
    """Return the block of the last box that holds a cell, or None."""
    found = None
    for box in boxes:
        if all(min(a, b) <= at <= max(a, b) for at, a, b in zip(cell, box.start, box.end, strict=True)):
            found = box.block
    return found


def personas_of(data: Mapping[str, Any]) -> list[Persona] | None:
    """Return the personas of a spec's raw data, or None if it is incomplete. Raises PersonaError."""
    try:
        population = Population.model_validate(data.get("population") or {})
        home = Home.model_validate(data["home"])
        origin: Sequence[int] = data["world"]["origin"]
        x, y, z = (int(part) + int(base) for part, base in zip(home.at, origin, strict=True))
    except (KeyError, TypeError, ValueError):
        return None
    if population.files:
        return load_personas(Path(each) for each in population.files)
    if population.personas:
        return read_personas(list(population.personas), "population.personas")
    chance = random.Random(f"homes:{population.seed}")
    cells = [(i, k) for i in range(-home.radius, home.radius + 1) for k in range(-home.radius, home.radius + 1)]
    cells = [each for each in cells if (each[0] ** 2 + each[1] ** 2) <= home.radius**2]
    if len(cells) < population.count:
        raise PersonaError(
            f"home.radius {home.radius} has room for {len(cells)}, not for {population.count}: make it larger"
        )
    chance.shuffle(cells)
    spawns = [Spot(x=x + i + 0.5, y=y, z=z + k + 0.5) for i, k in cells[: population.count]]
    options: dict[str, Any] = {"traits": population.traits, "inventories": population.inventories}
    return generate(population.count, population.seed, spawns, **options)
