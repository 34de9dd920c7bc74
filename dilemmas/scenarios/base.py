"""Base class of all scenarios.

A scenario acts on the world by vanilla commands only, and reads the end state from the server only. So neither an
agent's program nor a bot's telemetry can change a reward.

A scenario has abilities (`ABILITIES`): it can be played in rounds, has measures of its own, and so on. It declares an
ability by overriding all of its hooks. A public method that is neither a hook nor marked with `common.hooks.helper` is
an error when the class is made, and so is an ability of which a hook is missing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from common.hooks import DeclaredHooks
from contracts.errors import Refused
from dilemmas.errors import SpecError
from dilemmas.minecraft import commands
from dilemmas.minecraft.layout import Layout
from dilemmas.records.events import Event, Holdings, LogLine
from dilemmas.scenarios.protocol import (
    COUNT,
    CivicLife,
    EndState,
    Gathering,
    LifeSpec,
    MeasureTally,
    NoRules,
    RoundGame,
    Rules,
    ValueBounds,
    Vocabulary,
)
from dilemmas.scenarios.spec import Observable, ScenarioSpec

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from bridge.worlds import World
    from common.answers.stand_ins import StandIn
    from contracts import Contract
    from contracts.institutions import Norm
    from contracts.institutions.assembly import Assembly
    from contracts.institutions.frame import HostSlots, PartSettings
    from dilemmas.minecraft.commands import Command
    from grid_games import GridGame
    from voyager_agents.cost import Range
    from voyager_agents.facts import ScenarioFacts
    from voyager_agents.grid import GridTexts, PlanTexts
    from voyager_agents.piano.role_classifier import RoleClassifier
    from voyager_agents.prompts.folder import Prompts
    from voyager_agents.realtime_agent import Voice

Ability = Literal["round-game", "trial", "grid-game", "repeats", "measures", "society", "tally", "rating"]

ABILITIES: Mapping[Ability, tuple[str, ...]] = {
    "round-game": ("round_range", "turn_range", "round_game"),
    "trial": ("iterations", "min_iterations", "iteration_s", "interests", "task", "goal"),
    "grid-game": ("grid_game", "choice_range", "sample_texts", "sample_plans"),
    "repeats": ("with_rounds",),
    "measures": ("measures",),
    "society": ("society",),
    "tally": ("tally",),
    "rating": ("rate_lives", "rating_cost"),
}
"""Ability -> hooks that a scenario with that ability overrides. All other optional hooks have neutral defaults."""


class Scenario(DeclaredHooks, ABC):
    """One scenario, made from its spec. It holds no state of a run."""

    Spec: ClassVar[type[ScenarioSpec]]
    """Model of the scenario's YAML file."""
    permitted: ClassVar[frozenset[Observable]] = frozenset(get_args(Observable))
    """Parts of an observation that players may be shown. A variant may grant less, never more."""
    abilities: ClassVar[frozenset[Ability]] = frozenset()
    """The abilities whose hooks the class overrides; set when the class is made."""

    stand_ins: ClassVar[tuple[StandIn, ...]] = ("idle",)
    """Legal stand-ins for players without a usable answer, the usual one first."""

    reads: ClassVar[Collection[str] | None] = None
    """Kinds of events that the scenario's measures use; None for all kinds."""
    civic_slots: ClassVar[HostSlots | None] = None
    """Slots of institutions that the scenario fills and carries out; None if it can have no institutions."""
    civic_modes: ClassVar[tuple[str, ...]] = ("rounds", "life")
    """Modes of play in which its institutions act."""
    civic_unit: ClassVar[str] = "emeralds"
    """Unit in which people earn and pay under its institutions."""
    gathers: Mapping[str, Gathering] = {}
    """Measure -> way to combine it over the players; a measure that is not named is summed."""

    spec: ScenarioSpec
    path: Path
    """The YAML file that the spec came from; paths of contract files are relative to it."""

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401 - what other base classes take
        """Set `abilities`.

        Raises:
            TypeError: A public name is neither a hook nor a marked helper, or a hook of an ability is missing.
        """
        super().__init_subclass__(**options)
        found = set[Ability]()
        for ability, hooks in ABILITIES.items():
            missing = [name for name in hooks if getattr(cls, name) is getattr(Scenario, name)]
            if not missing:
                found.add(ability)
            elif len(missing) < len(hooks):
                raise TypeError(f"{cls.__qualname__}: the ability {ability!r} lacks the hook {missing[0]!r}")
        cls.abilities = frozenset(found)

    def __init__(self, spec: ScenarioSpec, path: Path) -> None:
        """Keep the spec and check the parts of an observation that it grants.

        Raises:
            SpecError: The spec shows its players more than `permitted`.
        """
        beyond = sorted(set(spec.observables) - self.permitted)
        if beyond:
            legal = ", ".join(sorted(self.permitted))
            raise SpecError(f"{path}: observables: {', '.join(beyond)} may not be shown here; legal are {legal}")
        self.spec = spec
        self.path = path

    @cached_property
    def layout(self) -> Layout:
        """The layout that makes the usual commands for the spec."""
        return Layout(self.spec)

    def drawn(self, seed: int) -> Scenario:
        """Return the scenario as a run with that seed plays it; itself, unless its seed decides what players know."""
        return self

    # The world, by vanilla commands.

    @abstractmethod
    def build(self) -> Sequence[Command]:
        """Return commands that build the world as new, before the first bot joins and between runs."""

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that put the joined players at their spawns with their first items, counters at zero."""
        return self.layout.placing(seed, {})

    async def settle_players(self, world: World, seed: int) -> Sequence[Event]:
        """Move players to places that are looked for on the land itself, and return events for the log."""
        return ()

    def rules(self, seed: int) -> Rules:
        """Return the rules of one attempt, stepped every `rules.step_s` seconds of game time.

        The seed decides all chance. By default nothing happens by itself, and a step reads the state.
        """
        return ReadOnlyRules(self)

    def finished(self, state: EndState) -> bool:
        """Return True to end the episode. The mode ends it at the time limit and when all programs have returned."""
        return False

    @abstractmethod
    async def read(self, world: World) -> EndState:
        """Read the state from the server."""

    def opening_events(self, condition: str) -> Sequence[Event]:
        """Return events for the log before each attempt at an episode, such as every player's home."""
        return ()

    # Payoffs and contracts.

    @abstractmethod
    def facts(self) -> ScenarioFacts | None:
        """Return the scenario's text as data for players that reason from payoffs, or None without payoffs."""

    def facts_under(self, condition: str) -> ScenarioFacts | None:
        """Return the facts under that condition; by default the same under all."""
        return self.facts()

    def facts_of(self, player: str, condition: str) -> ScenarioFacts | None:
        """Return the facts that a player is shown under that condition; by default the same for all."""
        return self.facts_under(condition)

    def plan_picture(self, player: str, size: tuple[int, int]) -> tuple[bytes, str] | None:
        """Return a picture that the player alone is shown with every view, and its caption; None for none.

        Args:
            player: Name of the player.
            size: Width and height in pixels.
        """
        return None

    @property
    def civic_every_s(self) -> float:
        """Seconds from one step of the institutions to the next where agents live or programs run."""
        return 30.0

    @property
    def civic_members(self) -> Sequence[str]:
        """Names of the people under the scenario's institutions."""
        return tuple(self.spec.players)

    def civic_life(self, world: World) -> CivicLife | None:
        """Return the world side of institutions where agents live; None if none can act there."""
        return None

    def under(self, institutions: Mapping[str, PartSettings]) -> Scenario:
        """Return the scenario under institutions (part -> settings); itself, unless they change its game."""
        return self

    def read_norm(self, raw: Mapping[str, Any]) -> Norm:
        """Return the typed norm of a clause of a law. Raises Refused for one that this world does not know."""
        raise Refused("term", "term: this scenario has no typed clauses; leave the clauses of the law out")

    def norm_schema(self) -> Mapping[str, Any] | None:
        """Return the JSON schema of a typed clause, or None without typed clauses."""
        return None

    def norm_forms(self) -> str:
        """Return the JSON forms of typed clauses in words, for prompts; empty without typed clauses."""
        return ""

    @abstractmethod
    def vocabulary(self) -> Vocabulary:
        """Return the items and blocks that contracts and judges can name. An absent one counts as 0."""

    def draft_contract(self, condition: str) -> Contract | None:
        """Return the contract that the scenario itself makes for that condition, or None."""
        return None

    # Life (`dilemmas.modes.life`): a scenario is lived in if its spec says how.

    @property
    def living(self) -> LifeSpec | None:
        """Senses, voices and constitution of agents that live in the scenario; None if it is not lived in."""
        return None

    def assembly(self, condition: str) -> Assembly | None:
        """Return the assembly of one attempt under that condition, or None without a constitution."""
        return None if self.living is None else self.living.assembly(condition)

    def voice_ranges(self, condition: str) -> Mapping[Voice, float]:
        """Return voice -> range under that condition, in blocks; 0 if nobody can hear it."""
        return {} if self.living is None else self.living.voice_ranges()

    # Ability "round-game" (`dilemmas.modes.rounds`).

    def round_range(self, limit_s: float) -> tuple[int, int]:
        """Return the minimum and maximum number of rounds of a game with that time limit, in seconds of game time."""
        raise NotImplementedError

    def turn_range(self, limit_s: float) -> tuple[int, int]:
        """Return the minimum and maximum number of rounds in which one player has a turn."""
        raise NotImplementedError

    def round_game(self, rules: Rules, notices: Sequence[str]) -> RoundGame:
        """Return one attempt with rules from `rules`. All players read the notices before the first round."""
        raise NotImplementedError

    # Ability "trial" (`dilemmas.modes.iterations`).

    @property
    def iterations(self) -> int:
        """Maximum number of programs that a player writes in a run."""
        raise NotImplementedError

    @property
    def min_iterations(self) -> int:
        """Minimum number of programs: less than `iterations` only if a run ends as soon as its goal is held."""
        raise NotImplementedError

    @property
    def iteration_s(self) -> float:
        """Time limit of one program, in seconds of game time."""
        raise NotImplementedError

    @property
    def interests(self) -> Sequence[str]:
        """Blocks that players are told of when they see them."""
        raise NotImplementedError

    def task(self, condition: str) -> str:
        """Return the task of the players under that condition."""
        raise NotImplementedError

    def goal(self, condition: str) -> Mapping[str, int]:
        """Return item -> count that ends the run once a player holds it; empty if only time ends it."""
        raise NotImplementedError

    # Ability "grid-game" (`dilemmas.modes.grid`).

    def grid_game(self, condition: str) -> GridGame:
        """Return the game under that condition; its agents are the spec's players, in the same order."""
        raise NotImplementedError

    def choice_range(self, limit_s: float) -> tuple[int, int]:
        """Return the minimum and maximum number of steps in which one player has a choice (a step is a second)."""
        raise NotImplementedError

    def sample_texts(self, player: str) -> GridTexts:
        """Return texts that the game shows that player in a game that is played at random."""
        raise NotImplementedError

    def sample_plans(self, player: str) -> PlanTexts:
        """Return questions for a plan that the game asks that player in a game that is played at random."""
        raise NotImplementedError

    # Ability "repeats".

    def with_rounds(self, rounds: int) -> Mapping[str, Any]:
        """Return the changes to the scenario's data that make it a game of that many rounds."""
        raise NotImplementedError

    def with_stand_in(self, stand_in: StandIn) -> Mapping[str, Any]:
        """Return the changes to the scenario's data for one of its `stand_ins`; none if the mode applies it."""
        return {}

    # Abilities "measures", "society" and "tally": from the log alone.

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return measure -> player -> value for the last episode of a run."""
        raise NotImplementedError

    def bounds(self) -> dict[str, ValueBounds]:
        """Return measure -> least and most possible value for a player, also of `reward`.

        Intervals of means are cut to them. A measure that is not named is unbounded.
        """
        return {"reward": COUNT}  # prices are not negative

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Return plain data about all players together in the last episode of a run.

        `result.json` has it under the scenario's name.
        """
        raise NotImplementedError

    def tally(self) -> MeasureTally:
        """Return a new counter of the measures, so that a long log need not be read again after the run.

        A class that measures something else than its base class needs a tally of its own as well.
        """
        raise NotImplementedError

    # Ability "rating": a model rates lives after they were lived (its role is `voyager_agents.roles.RATER`).

    async def rate_lives(self, lines: Iterable[LogLine], rater: RoleClassifier) -> Sequence[Event]:
        """Return the model's ratings of the last episode in the log, as events for the log.

        Raises:
            BudgetExhausted: A budget of the run is used up.
            QuotaExhausted: The account with the model's provider is used up.
        """
        raise NotImplementedError

    async def rating_cost(self, seconds: float, prompts: Prompts) -> Range:
        """Return the least and greatest cost of the ratings of lives of that many seconds of game time."""
        raise NotImplementedError


class ReadOnlyRules(Rules):
    """Rules that change nothing and read the scenario's state at each step."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    async def step(self, world: World, t_s: float) -> EndState:
        """Return the state now."""
        return await self._scenario.read(world)


class UnpaidScenario(Scenario):
    """A scenario without payoffs and contracts, in which nothing happens by itself; its mode of play ends it."""

    permitted: ClassVar[frozenset[Observable]] = frozenset({"scenario", "inventories", "chat"})

    def rules(self, seed: int) -> Rules:
        """Return rules under which nothing happens."""
        return NoRules()

    async def read(self, world: World) -> EndState:
        """Read the players' inventories from the server."""
        names = list(self.spec.players)
        held = await commands.together(commands.inventory(world, name) for name in names)
        return EndState({name: Holdings.of(items, {}, {}) for name, items in zip(names, held, strict=True)})

    def facts(self) -> ScenarioFacts | None:
        """Return None: there are no payoffs to reason from."""
        return None

    def vocabulary(self) -> Vocabulary:
        """Return no items and no blocks: no contract is made."""
        return Vocabulary(items=(), blocks=())
