"""A scenario as data: what is built, who plays, what counts, when it ends, what is compared.

The models are frozen and refuse unknown keys; `dilemmas.scenarios.loader` reads them from YAML and turns every refusal
into one line. Code in the scenario's folder interprets a spec and holds no number of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from bridge.worlds import FLAT
from common.plugins import entries
from contracts.loading import LIBRARY
from dilemmas.minecraft.layout import Cell
from dilemmas.minecraft.renewal import FLAT_SURFACE
from dilemmas.scenarios import vanilla
from voyager_agents import PLAYERS
from voyager_agents.registry import FAMILIES

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+$")]
"""A Minecraft id without its namespace, e.g. `iron_ore`."""
Block = Annotated[Identifier, AfterValidator(vanilla.block)]
"""The id of a block that Minecraft has."""
Item = Annotated[Identifier, AfterValidator(vanilla.item)]
"""The id of an item that Minecraft has."""
PlayerName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]{3,16}$")]
"""What Minecraft allows as a player's name."""
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""Name of a scenario or a condition: lower-case words joined by hyphens."""
Count = Annotated[int, Field(ge=1, le=64)]
Capability = Literal["chests", "scoreboard", "spectators", "signals", "virtual-clock"]

Observable = Literal["scenario", "facts", "contract", "inventories", "chat", "last_run", "reward", "judge_critique"]
"""A part of `voyager_agents.agent.Observation` that a scenario may grant its players."""


def _player_kind(kind: str) -> str:
    if kind not in PLAYERS:
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
"""A mode of play that some family of agents plays."""
PlayerKind = Annotated[str, AfterValidator(_player_kind)]
"""Kind of reference player (`voyager_agents.reference.PLAYERS`)."""
LibraryName = Annotated[str, AfterValidator(_library_name)]
"""A contract that comes with Accord (`contracts/library`)."""


class Frozen(BaseModel):
    """Base of all spec models: immutable, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)


class BlockBox(Frozen):
    """A cuboid of one block, both corners included."""

    start: Cell = Field(alias="from")
    end: Cell = Field(alias="to")
    block: Block


class Chest(Frozen):
    """The shared chest and what lies in it at the start."""

    at: Cell
    facing: Literal["north", "east", "south", "west"]
    items: dict[Item, Count]


class Mound(Frozen):
    """A heap of one ore."""

    block: Block
    drop: Item
    """The item that the right tool gets from one block."""
    cells: tuple[Cell, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len(set(self.cells)) != len(self.cells):
            raise ValueError("lists a cell twice; each cell holds one block")
        return self


class ToolSpec(Frozen):
    """What a tool of the chest does, as players are told; vanilla decides it."""

    speed: float = Field(gt=0)
    """Vanilla's mining speed of the material (stone 4, iron 6)."""
    harvests: tuple[Block, ...]
    """Blocks that yield their drop to it; it breaks all others for nothing."""


class WorldSpec(Frozen):
    """What is built, in blocks relative to `origin`; the ground's top is at y = origin.y - 1."""

    origin: Cell
    boxes: tuple[BlockBox, ...]
    gamerules: dict[str, bool | int] = Field(default_factory=dict)


class MiningWorld(WorldSpec):
    """Ground with a chest of tools and mounds of ore."""

    chest: Chest
    mounds: dict[Identifier, Mound] = Field(min_length=1)
    tools: dict[Identifier, ToolSpec]


class PlayerSpec(Frozen):
    """One player: where it starts, what it holds, what an item is worth to it."""

    spawn: Cell
    yaw: float = Field(ge=-180, le=180)
    """Degrees; 0 looks along +z, 90 along -x."""
    items: dict[Item, Count] = Field(default_factory=dict)
    prices: dict[Item, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """Emeralds per item held at the end; every player of a dilemma has some."""
    personality: Slug | None = None
    """One of the scenario's personalities, whatever the condition."""
    bot: str | None = None
    """The kind of reference player that plays this part, whatever agents play the others."""
    every: int = Field(default=1, ge=1, le=10)
    """In rounds: it acts once in so many rounds."""


class ObserverSpec(Frozen):
    """The judge in the world: a spectator, who sees everything and can touch nothing."""

    name: PlayerName
    spawn: Cell


class RulesSpec(Frozen):
    """What changes by itself. Double-Vein changes nothing."""

    step_s: float = Field(gt=0, le=60)
    """Seconds of game time between two steps of the scenario."""
    swap_spawns: bool = False
    """The seed decides who starts on which side."""


class EndSpec(Frozen):
    """When an episode ends: at the first of these."""

    time_limit_s: float = Field(gt=0, le=36_000)
    all_collected: bool
    policies_returned: bool
    open_ended: bool = False
    """Players do not know the time limit: a program that is still running then has not failed."""


class DilemmaSpec(Frozen):
    """The two strategies of the dilemma; `accord schelling` plays them."""

    cooperate: PlayerKind
    """The kind of reference player (`voyager_agents.reference.PLAYERS`) that cooperates."""
    defect: PlayerKind
    """The kind of reference player that defects."""
    usual: PlayerKind | None = Field(default=None, exclude_if=lambda kind: kind is None)
    """The kind that plays where nothing else is asked for; None for Accord's `reference`, which knows the facts of
    Accord's own scenarios only."""


BOUNDED = frozenset({"episodes", "rounds"})
"""Modes of play in which players have no business beyond what the scenario has built."""
JUDGES = ("formal", "language", "both", "formal-language", "language-formal")
"""Which judge counts: the first named; a second one only records. `both` is formal-language."""


def judge_name(name: str) -> str:
    """The name of one of Accord's judges or a plugin's. Raises ValueError."""
    legal = [*JUDGES, *entries("judges")]
    if name not in legal:
        raise ValueError(f"{name!r} is not legal; choose one of {', '.join(legal)}")
    return name


Judging = Annotated[str, AfterValidator(judge_name)]
"""Who judges: of `JUDGES`, or a plugin's judge."""


class Axes(Frozen):
    """How a contract comes about and what it may contain. Every axis combines with every other."""

    scope: Literal["both", "coordination", "transfers"] = "both"
    """Roles and payments, or one of them alone."""
    rounds: int | None = Field(default=None, ge=1, le=1000)
    """Messages that the negotiation may take; None for the study's number."""
    opens: str = "first"
    """Who proposes first: the first or the second player, the one that the seed names (`seed`), or a player."""
    renegotiate: Literal["never", "stands", "lapses"] = "never"
    """Whether the players negotiate again after each episode, and what becomes of the old contract when they do not
    agree: it stands, or it lapses."""
    greedy: tuple[PlayerName, ...] = ()
    """The players that are told to get all they can out of the negotiation."""
    typed: bool | None = None
    """Whether the agreed text is turned into terms that all ratify; None: where a formal judge needs them, or where the
    text alone would move nothing because an amount in it cannot be read with certainty."""
    judge: Judging | None = None
    """None for the study's."""

    @property
    def bargained(self) -> list[str]:
        """Axes that are set and mean nothing without a negotiation."""
        return [key for key in ("rounds", "opens", "renegotiate", "greedy", "typed") if key in self.model_fields_set]

    def check_players(self, players: Iterable[str]) -> None:
        """Whether all named are players. Raises ValueError."""
        names = list(players)
        if self.opens not in ("first", "second", "seed", *names):
            raise ValueError(f"opens: {self.opens!r} is not legal; choose first, second, seed or {', '.join(names)}")
        for name in self.greedy:
            if name not in names:
                raise ValueError(f"greedy: {name!r} is not a player; choose from {', '.join(names)}")


class ConditionSpec(Axes):
    """One condition of the comparison: no contract, a written one, or one that the players negotiate."""

    contract: Literal["none", "given", "negotiated"]
    about: str
    library: LibraryName | None = None
    """Name of a contract that comes with Accord (`contracts/library`)."""
    file: str | None = None
    """A contract's file, relative to the scenario's file."""
    personality: Slug | dict[PlayerName, Slug] | None = None
    """One of the scenario's personalities for all players that have none of their own, or for those named here."""
    agents: dict[str, Any] = Field(default_factory=dict)
    """What the condition sets for the agents' family, such as its modules."""

    @model_validator(mode="after")
    def _source_when_given(self) -> Self:
        if self.sources != (self.contract == "given"):
            raise ValueError("a contract that is 'given' needs one of 'library' and 'file', and no other has either")
        if self.contract != "negotiated" and self.bargained:
            raise ValueError(f"{self.bargained[0]} is for a contract that is 'negotiated', not {self.contract!r}")
        if self.contract == "none" and self.model_fields_set & {"scope", "judge"}:
            raise ValueError("without a contract there is nothing that a scope or a judge could be for")
        return self

    @property
    def sources(self) -> int:
        """How many say where a contract that is given comes from."""
        return sum(source is not None for source in (self.library, self.file))

    @property
    def axes(self) -> Axes:
        """Only the axes, with those set that are set here."""
        return Axes(**{key: getattr(self, key) for key in Axes.model_fields if key in self.model_fields_set})


class ScenarioSpec(Frozen):
    """A scenario, whole."""

    PRICED: ClassVar[bool] = True
    """Whether it is a dilemma: players hold what has a price for them, and there are two strategies."""
    TURNS: ClassVar[str] = ""
    """What kind of turns it has, where it is played in rounds (`voyager_agents.family.Family.takes`)."""

    plays: tuple[ModeName, ...] = Field(default=("episodes",), min_length=1)
    """The modes in which it can be played (`dilemmas.modes.registry.MODES`); the first is the default."""
    scenario: Slug
    """The registered scenario whose code interprets this spec."""
    name: Slug
    version: int = Field(ge=1)
    """Grows whenever payoffs change."""
    about: str
    text: str
    """The description as players read it."""
    task: str
    """What a player is asked to do."""
    common_knowledge: str = ""
    """What all players are also told about each other."""
    personalities: dict[Slug, str] = Field(default_factory=dict)
    """Name -> what a player of that personality is told about itself; empty text for none."""
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

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.observer.name in self.players:
            raise ValueError(f"the observer {self.observer.name!r} is also a player; give it a name of its own")
        spawns = [player.spawn for player in self.players.values()]
        distinct([*self.built(), *spawns], "spawn or part of the world")
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
        """(where, name) of every personality that somebody has."""
        for player, spec in self.players.items():
            if spec.personality is not None:
                yield f"players.{player}", spec.personality
        for condition, each in self.conditions.items():
            given = each.personality
            for name in given.values() if isinstance(given, dict) else [] if given is None else [given]:
                yield f"conditions.{condition}", name

    def character(self, player: str, condition: str) -> str:
        """What that player is told about itself and the others under that condition, beside the scenario's text."""
        # A condition that is put together on the command line, such as negotiate+transfers, begins with its base.
        spec = self.conditions.get(condition.partition("+")[0])
        given = None if spec is None else spec.personality
        named = given.get(player) if isinstance(given, dict) else None
        usual = given if isinstance(given, str) else None
        name = named or self.players[player].personality or usual
        about = "" if name is None else self.personalities[name].replace("{player}", player)
        return "\n".join(part for part in (about, self.common_knowledge) if part)

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """Who that player is under that condition, where its agent lives there; else nothing."""
        return {}

    def agent_options(self, condition: str) -> dict[str, Any]:
        """What that condition sets for the agents' family; a family refuses what it does not know."""
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
        """True if players are kept where the scenario has built, all of which is made anew for each episode.

        Elsewhere players roam, or the land around is not known: only a new world is as it was.
        """
        on_flat_land = self.world.origin[1] == FLAT_SURFACE and self.required_terrain == FLAT
        return on_flat_land and not BOUNDED.isdisjoint(self.plays)

    def built(self) -> list[Cell]:
        """The cells that the scenario fills with something, each for one thing only."""
        return []

    def resolved(self) -> dict[str, Any]:
        """The spec as plain data for config.yaml."""
        return self.model_dump(mode="json", by_alias=True)


class MiningSpec(ScenarioSpec):
    """A mining dilemma, whole: a chest of tools, mounds of ore."""

    world: MiningWorld

    def built(self) -> list[Cell]:
        """The cells of chest and ores."""
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


def distinct(cells: Iterable[Cell], what: str) -> None:
    """Whether each cell stands there once. Raises ValueError."""
    for one, next_one in pairwise(sorted(cells)):
        if one == next_one:
            raise ValueError(f"cell {list(one)} is used twice ({what}); each needs its own")
