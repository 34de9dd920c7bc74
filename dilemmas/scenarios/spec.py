"""Model of a scenario file: world, players, payoffs, end of an episode, conditions.

The models are frozen and refuse unknown keys. `dilemmas.scenarios.loader` reads them from YAML and turns every refusal
into one line. Code in a scenario's folder interprets its spec and holds no numbers of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from bridge.worlds import FLAT
from contracts.loading import LIBRARY
from dilemmas.minecraft.layout import Cell
from dilemmas.minecraft.renewal import FLAT_SURFACE
from dilemmas.records.events.base import is_empty
from dilemmas.scenarios.axes import Axes
from dilemmas.scenarios.fields import Block, Count, Frozen, Identifier, Item, PlayerName, Slug
from voyager_agents import PLAYERS
from voyager_agents.registry import FAMILIES, is_kind

Capability = Literal["chests", "scoreboard", "spectators", "signals", "virtual-clock"]

Observable = Literal["scenario", "facts", "contract", "inventories", "chat", "last_run", "reward", "judge_critique"]
"""Part of `voyager_agents.agent.Observation` that a scenario may grant its players."""


def _player_kind(kind: str) -> str:
    if kind not in PLAYERS and not is_kind(kind):
        raise ValueError(f"{kind!r} is not known; choose one of {', '.join(sorted(PLAYERS))}")
    return kind


def _library_name(name: str) -> str:
    names = sorted(path.stem for path in LIBRARY.glob("*.yaml"))
    if name not in names:
        raise ValueError(f"{name!r} does not come with Accord; legal are {', '.join(names)}")
    return name


def _mode_name(name: str) -> str:
    families = list(FAMILIES.values())
    known = dict.fromkeys([*(each.plays for each in families), *(mode for each in families for mode in each.also)])
    if name not in known:
        raise ValueError(f"{name!r} is played by no agents; choose from {', '.join(known)}")
    return name


ModeName = Annotated[str, AfterValidator(_mode_name)]
"""Mode of play that some family of agents plays."""
PlayerKind = Annotated[str, AfterValidator(_player_kind)]
"""Kind of reference player (`voyager_agents.reference.PLAYERS`), or another family's kind of players."""
LibraryName = Annotated[str, AfterValidator(_library_name)]
"""Contract that comes with Accord (`contracts/library`)."""


class BlockBox(Frozen):
    """Cuboid of one block, both corners included."""

    start: Cell = Field(alias="from")
    end: Cell = Field(alias="to")
    block: Block


class Chest(Frozen):
    """Shared chest and its contents at the start."""

    at: Cell
    facing: Literal["north", "east", "south", "west"]
    items: dict[Item, Count]


class Mound(Frozen):
    """Heap of one ore."""

    block: Block
    drop: Item
    """Item that the right tool gets from one block."""
    cells: tuple[Cell, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len(set(self.cells)) != len(self.cells):
            raise ValueError("lists a cell twice; each cell holds one block")
        return self


class ToolSpec(Frozen):
    """Description of a tool of the chest, as players read it; vanilla decides its effects."""

    speed: float = Field(gt=0)
    """Vanilla's mining speed of the material (stone 4, iron 6)."""
    harvests: tuple[Block, ...]
    """Blocks that yield their drop to the tool; it breaks all others for nothing."""


class WorldSpec(Frozen):
    """Blocks of the scenario, relative to `origin`; the ground's top is at y = origin.y - 1."""

    origin: Cell
    boxes: tuple[BlockBox, ...]
    gamerules: dict[str, bool | int] = Field(default_factory=dict)


class MiningWorld(WorldSpec):
    """Ground with a chest of tools and mounds of ore."""

    chest: Chest
    mounds: dict[Identifier, Mound] = Field(min_length=1)
    tools: dict[Identifier, ToolSpec]


class GoalSpec(Frozen):
    """Goal of one player, which no other player is told of."""

    text: str = Field(min_length=1, max_length=1000)
    """The goal as the player reads it."""
    holds: str
    """Condition over the observables at an episode's end, as in contracts: `Gizmo.items.diamond >= 2`."""


class PlayerSpec(Frozen):
    """Spawn, first items and prices of one player."""

    spawn: Cell
    yaw: float = Field(ge=-180, le=180)
    """Degrees; 0 looks along +z, 90 along -x."""
    items: dict[Item, Count] = Field(default_factory=dict)
    prices: dict[Item, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """Item -> emeralds for one held at the end; every player of a dilemma has a price for some item."""
    personality: Slug | None = None
    """One of the scenario's personalities, under all conditions."""
    bot: str | None = None
    """Kind of reference player that plays this part, whatever agents play the others."""
    every: int = Field(default=1, ge=1, le=10)
    """In rounds: the player acts once in this many rounds."""
    knows: tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...] = Field(default=(), exclude_if=is_empty)
    """Facts that this player alone is told."""
    goal: GoalSpec | None = Field(default=None, exclude_if=is_empty)
    """Secret goal of the player, beside the payoff."""

    @property
    def secrets(self) -> str:
        """Facts and goal that only this player is told, as text; empty without any."""
        told = [f"- {fact}" for fact in self.knows]
        known = ["You know, and nobody told the others:", *told] if told else []
        goal = [f"Your own goal, which nobody told the others: {self.goal.text}"] if self.goal else []
        return "\n".join([*known, *goal])


class ObserverSpec(Frozen):
    """The judge in the world: a spectator that sees everything and can touch nothing."""

    name: PlayerName
    spawn: Cell


class RulesSpec(Frozen):
    """Changes of the world that the scenario makes by itself. Double-Vein makes none."""

    step_s: float = Field(gt=0, le=60)
    """Interval between two steps of the scenario, in seconds of game time."""
    swap_spawns: bool = False
    """True if the seed decides which player starts on which side."""


class EndSpec(Frozen):
    """Conditions that end an episode, whichever holds first."""

    time_limit_s: float = Field(gt=0, le=36_000)
    all_collected: bool
    policies_returned: bool
    open_ended: bool = False
    """True if players do not know the time limit: a program that is still running then has not failed."""


class DilemmaSpec(Frozen):
    """The two strategies of the dilemma, which `accord schelling` plays."""

    cooperate: PlayerKind
    """Kind of reference player (`voyager_agents.reference.PLAYERS`) that cooperates."""
    defect: PlayerKind
    """Kind of reference player that defects."""
    usual: PlayerKind | None = Field(default=None, exclude_if=lambda kind: kind is None)
    """Default kind of reference player; None for `reference`, which knows only the facts of Accord's own scenarios."""


BOUNDED = frozenset({"episodes", "rounds"})
"""Modes of play in which players have no business beyond the blocks of the scenario."""


class ConditionSpec(Axes):
    """Condition of the comparison: no contract, a written one, or one that the players negotiate."""

    contract: Literal["none", "given", "negotiated"]
    about: str
    library: LibraryName | None = None
    """Name of a contract that comes with Accord (`contracts/library`)."""
    file: str | None = None
    """File of a contract, relative to the scenario's file."""
    personality: Slug | dict[PlayerName, Slug] | None = None
    """Personality of all players that have none of their own, or of the players named here."""
    agents: dict[str, Any] = Field(default_factory=dict)
    """Options of the agents' family under this condition, such as its modules."""
    institutions: dict[str, Any] = Field(default_factory=dict, exclude_if=is_empty)
    """Changes to the scenario's institutions under this condition (`dilemmas.scenarios.institutions`)."""

    @model_validator(mode="after")
    def _source_when_given(self) -> Self:
        if self.sources != (self.contract == "given"):
            raise ValueError("a contract that is 'given' needs one of 'library' and 'file', and no other has either")
        if self.contract != "negotiated" and self.bargained:
            raise ValueError(f"{self.bargained[0]} is for a contract that is 'negotiated', not {self.contract!r}")
        if self.contract == "none" and self.model_fields_set & {"scope", "judge", "force", "deposit"}:
            raise ValueError("without a contract there is nothing that a scope, a judge or a force could be for")
        return self

    @property
    def sources(self) -> int:
        """Number of sources of a given contract that are named."""
        return sum(source is not None for source in (self.library, self.file))

    @property
    def axes(self) -> Axes:
        """The axes alone, with the values that are set here."""
        return Axes(**{key: getattr(self, key) for key in Axes.model_fields if key in self.model_fields_set})


class ScenarioSpec(Frozen):
    """Model of a whole scenario file."""

    PRICED: ClassVar[bool] = True
    """True for a dilemma: players hold items with prices, and there are two strategies."""
    TURNS: ClassVar[str] = ""
    """Kind of turns of a scenario in rounds (`voyager_agents.family.Family.takes`)."""
    WORLDLESS: ClassVar[bool] = False
    """True for a game in rounds of words alone, which no world is needed for."""
    DERIVED: ClassVar[frozenset[str]] = frozenset()
    """Fields that follow from others, so that a file may not name them."""

    plays: tuple[ModeName, ...] = Field(default=("episodes",), min_length=1)
    """Modes in which the scenario can be played (`dilemmas.modes.registry.MODES`); the first is the default."""
    scenario: Slug
    """Registered scenario whose code interprets this spec."""
    name: Slug
    version: int = Field(ge=1)
    """Version of the scenario, which grows whenever payoffs change."""
    about: str
    text: str
    """Description of the scenario, as players read it."""
    task: str
    """Task of the players."""
    common_knowledge: str = ""
    """Further text that all players read about each other."""
    personalities: dict[Slug, str] = Field(default_factory=dict)
    """Name -> text that a player of that personality reads about itself; an empty text for none."""
    needs: tuple[Capability, ...]
    world: WorldSpec
    players: dict[PlayerName, PlayerSpec] = Field(min_length=2)
    observer: ObserverSpec
    rules: RulesSpec
    end: EndSpec
    dilemma: DilemmaSpec | None = None
    """None for a scenario that is no dilemma."""
    observables: tuple[Observable, ...]
    conditions: dict[Slug, ConditionSpec] = Field(min_length=1)
    institutions: dict[str, Any] = Field(default_factory=dict, exclude_if=is_empty)
    """Institution -> on, off or its settings (`dilemmas.scenarios.institutions`)."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.observer.name in self.players:
            raise ValueError(f"the observer {self.observer.name!r} is also a player; give it a name of its own")
        spawns = [player.spawn for player in self.players.values()]
        check_distinct([*self.built(), *spawns], "spawn or part of the world")
        self._check_payoffs()
        self._check_personalities()
        for name, condition in self.conditions.items():
            try:
                condition.check_players(self.players)
            except ValueError as error:
                raise ValueError(f"conditions.{name}.{error}") from None
        return self

    def _check_payoffs(self) -> None:
        if not self.PRICED:
            return
        if self.dilemma is None:
            raise ValueError("dilemma: is missing; add it")
        for name, player in self.players.items():
            if not player.prices:
                raise ValueError(f"players.{name}.prices: is missing; add at least one")

    def _check_personalities(self) -> None:
        for where, name in self._personalities_used():
            if name not in self.personalities:
                legal = ", ".join(self.personalities) or "none: add some under personalities"
                raise ValueError(f"{where}: personality {name!r} is not there; legal are {legal}")
        for condition, each in self.conditions.items():
            for player in each.personality if isinstance(each.personality, dict) else ():
                if player not in self.players:
                    legal = ", ".join(self.players)
                    raise ValueError(f"conditions.{condition}: personality of {player!r}: the players are {legal}")

    def _personalities_used(self) -> Iterator[tuple[str, str]]:
        """Yield (key, name) of every personality that is used."""
        for player, spec in self.players.items():
            if spec.personality is not None:
                yield f"players.{player}", spec.personality
        for condition, each in self.conditions.items():
            given = each.personality
            for name in given.values() if isinstance(given, dict) else [] if given is None else [given]:
                yield f"conditions.{condition}", name

    def character(self, player: str, condition: str, *, drawn: bool = False) -> str:
        """Return the text about itself and the others that a player reads beside the scenario's text.

        Args:
            player: Name of the player.
            condition: Name of the run's condition.
            drawn: True if the player sees pictures instead of words for what they show.
        """
        # A condition that is put together on the command line, such as negotiate+transfers, begins with its base.
        spec = self.conditions.get(condition.partition("+")[0])
        given = None if spec is None else spec.personality
        named = given.get(player) if isinstance(given, dict) else None
        usual = given if isinstance(given, str) else None
        name = named or self.players[player].personality or usual
        about = "" if name is None else self.personalities[name].replace("{player}", player)
        own = self.players[player].secrets
        return "\n".join(part for part in (about, self.common_knowledge, own) if part)

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """Return the persona of a player under a condition as plain data; empty unless the player's agent lives."""
        return {}

    def agent_options(self, condition: str) -> dict[str, Any]:
        """Return the condition's options of the agents' family, which refuses unknown ones."""
        return {}

    @property
    def required_terrain(self) -> str:
        """Terrain that the scenario is played on, of `bridge.worlds.TERRAINS`."""
        return FLAT

    @property
    def region_count(self) -> int:
        """Number of regions that the mock world deals the players out to, who are out of each other's reach."""
        return 1

    @property
    def bounded(self) -> bool:
        """True if players are kept within the scenario's blocks, which are all built anew for each episode.

        If False, players roam, or the land around is unknown, and only a new world is clean.
        """
        on_flat_land = self.world.origin[1] == FLAT_SURFACE and self.required_terrain == FLAT
        return on_flat_land and not BOUNDED.isdisjoint(self.plays)

    def built(self) -> list[Cell]:
        """Return the cells that the scenario fills, each for one purpose only."""
        return []

    def resolved(self) -> dict[str, Any]:
        """Return the spec as plain data for config.yaml."""
        return self.model_dump(mode="json", by_alias=True)


class MiningSpec(ScenarioSpec):
    """Model of a mining dilemma: a chest of tools, mounds of ore."""

    world: MiningWorld

    def built(self) -> list[Cell]:
        """Return the cells of chest and ores."""
        return [self.world.chest.at, *(cell for mound in self.world.mounds.values() for cell in mound.cells)]

    @model_validator(mode="after")
    def _harvestable(self) -> Self:
        blocks = {mound.block for mound in self.world.mounds.values()}
        for name, tool in self.world.tools.items():
            for block in tool.harvests:
                if block not in blocks:
                    legal = ", ".join(sorted(blocks))
                    raise ValueError(f"tool {name} harvests {block!r}, which no mound has; the mounds have {legal}")
        return self


def check_distinct(cells: Iterable[Cell], what: str) -> None:
    """Check that no cell is listed twice. Raises ValueError."""
    for one, next_one in pairwise(sorted(cells)):
        if one == next_one:
            raise ValueError(f"cell {list(one)} is used twice ({what}); each needs its own")
