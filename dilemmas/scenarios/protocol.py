"""What a scenario is: commands that build it, rules that step it, an end rule, and a reading of the end state.

A scenario acts on the world by vanilla commands only, and reads the end state from the server only. So no word of a
policy and no telemetry of a bot changes a reward.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from bridge.types import PolicyResult
from bridge.worlds import World
from contracts import Contract
from contracts.institutions.assembly import Assembly, Summons
from dilemmas.errors import SpecError
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import Event, Holdings, LogLine
from dilemmas.scenarios.spec import Observable, ScenarioSpec
from grid_games import GridGame
from voyager_agents.cost import Range
from voyager_agents.facts import ScenarioFacts
from voyager_agents.grid import GridTexts
from voyager_agents.piano.rater import RoleClassifier
from voyager_agents.prompts.folder import Prompts
from voyager_agents.realtime_agent import Voice


@dataclass(frozen=True)
class EndState:
    """The truth about the world, read from the server by commands."""

    players: dict[str, Holdings]
    chest: dict[str, int] = field(default_factory=dict)
    """Item -> count in the shared chest; empty also when the chest is gone."""
    world: dict[str, int] = field(default_factory=dict)
    """Block -> how many stand in the world, for the blocks that the scenario's rules depend on."""
    happened: tuple[Event, ...] = field(default=(), compare=False)
    """Events for the record: what the rules found or did since the last reading."""


@dataclass(frozen=True)
class Vocabulary:
    """The items and blocks that contracts can name."""

    items: tuple[str, ...]
    blocks: tuple[str, ...]


class Rules(Protocol):
    """A scenario's own rules in one attempt at an episode. They hold the state of that attempt."""

    async def step(self, world: World, t_s: float) -> EndState:
        """Do all that is due up to `t_s` seconds of game time after the start, and read the state."""


@runtime_checkable
class TellsPlaces(Protocol):
    """Rules whose own events tell where the players are (`FieldStepped`), so that nobody else asks the server."""

    @property
    def positions(self) -> Mapping[str, tuple[float, float]]:
        """Player -> (x, z) in cells of the scenario, at the last step."""


class Scenario(Protocol):
    """One scenario, made from its spec. It holds no state of a run."""

    path: Path
    """The YAML file that the spec came from; contract files are relative to it."""

    @property
    def spec(self) -> ScenarioSpec:
        """What is played, as data."""

    def build(self) -> Sequence[Command]:
        """Commands that build the world as new, before the first bot joins and between runs."""

    def place(self, seed: int) -> Sequence[Command]:
        """Commands that put the joined players at their spawns with their first items, and set counters to zero."""

    def rules(self, seed: int) -> Rules:
        """The rules for one attempt, stepped every `rules.step_s` seconds of game time. The seed decides all chance."""

    def finished(self, state: EndState) -> bool:
        """Whether the scenario's own end rule holds. The mode looks after time limit and returned policies."""

    async def read(self, world: World) -> EndState:
        """The state now, read from the server."""

    def facts(self) -> ScenarioFacts:
        """The scenario's text as data, for players that reason from payoffs."""

    def vocabulary(self) -> Vocabulary:
        """The items and blocks that contracts and judges can name. One that did not occur counts as 0."""


class RoundGame(Protocol):
    """One attempt at a scenario in rounds: what players see, what they may decide, and what follows.

    In each round the mode calls `turn` for each player, then `programs`, `stepped`, `settled` and `deeds`. Before the
    first round it calls `stepped` with number 0. Turns, decisions and deeds are the scenario's own types
    (`voyager_agents.turn_agent`).
    """

    @property
    def round_s(self) -> float:
        """Seconds of game time that a round takes at least."""

    @property
    def move_s(self) -> float:
        """Seconds of game time that a player's move may take."""

    def turn(self, player: str, number: int) -> Any:  # noqa: ANN401 - the scenario's own type
        """What that player is shown before its turn, in the round of that number (from 1)."""

    def programs(self, number: int, decisions: Mapping[str, Any]) -> Mapping[str, str]:
        """Player -> the program that carries out its decision. A player that does nothing has no program.

        A decision that is not legal costs the turn, and its player is told why before the next turn.
        """

    def stepped(self, number: int, state: EndState) -> Sequence[Event]:
        """Take in what the rules found and did after the moves. Returns the events for the record."""

    def settled(self, number: int, results: Mapping[str, PolicyResult]) -> Sequence[Event]:
        """Compare each decision with what came of it; `results` are the programs'. Returns events for the record."""

    @property
    def deeds(self) -> Sequence[Any]:
        """What was done in the last round, for those who judge it."""


@runtime_checkable
class RoundScenario(Protocol):
    """What a scenario in rounds has beside `Scenario`."""

    def rounds(self, limit_s: float) -> tuple[int, int]:
        """The least and the most rounds of a game with that time limit."""

    def turns(self, limit_s: float) -> tuple[int, int]:
        """The least and the most rounds in which one player has a turn."""

    def game(self, rules: Rules, told: Sequence[str]) -> RoundGame:
        """One attempt, with rules from `Scenario.rules`. All players are told `told` before the first round."""


@runtime_checkable
class DraftsContracts(Protocol):
    """A scenario that makes contracts for conditions whose contract comes from no file."""

    def contract(self, condition: str) -> Contract | None:
        """The contract of that condition; None where it is not made so."""


@runtime_checkable
class Repeats(Protocol):
    """A scenario that can be played for another number of rounds than its file says."""

    def repeated(self, rounds: int) -> Mapping[str, Any]:
        """The changes to its data that make it so."""


@runtime_checkable
class LivedScenario(Protocol):
    """What a scenario in which agents live (`dilemmas.modes.life`) has beside `Scenario`;
    `dilemmas.scenarios.inhabited` has most of it."""

    @property
    def inhabited(self) -> bool:
        """Whether its spec says who lives there."""

    @property
    def sight(self) -> float:
        """How far bodies see, in blocks; at most 64."""

    @property
    def interests(self) -> Sequence[str]:
        """The blocks that they notice."""

    @property
    def reach(self) -> Mapping[Voice, float]:
        """Voice -> how far it carries, in blocks."""


@runtime_checkable
class Constituted(Protocol):
    """A scenario whose people may have a constitution."""

    def assembly(self, condition: str) -> Assembly | None:
        """The assembly of one attempt under that condition; None where there is none."""


@runtime_checkable
class Announcing(Protocol):
    """Rules that tell players something, wherever they are."""

    def announcements(self) -> Sequence[Summons]:
        """What is to be told since it was asked last, oldest first."""


@runtime_checkable
class TrialScenario(Protocol):
    """What a scenario that is played in iterations (`dilemmas.modes.iterations`) has beside `Scenario`."""

    @property
    def iterations(self) -> int:
        """How many programs a player writes in a run at most."""

    @property
    def least(self) -> int:
        """How many at least: fewer than all only where a run ends as soon as what is asked for is held."""

    @property
    def iteration_s(self) -> float:
        """Game seconds that a program may take."""

    @property
    def interests(self) -> Sequence[str]:
        """Blocks of which players are told where they see them."""

    def task(self, condition: str) -> str:
        """What a player is asked to do under that condition."""

    def goal(self, condition: str) -> Mapping[str, int]:
        """Item -> how many of it somebody has to hold for the run to be over; empty where only its end is."""


@runtime_checkable
class GridScenario(Protocol):
    """What a scenario that is played on arrays (`dilemmas.modes.grid`) has beside `Scenario`."""

    def grid_game(self, condition: str) -> GridGame:
        """The game under that condition; its agents are the spec's players, in the same order."""

    def choices(self, limit_s: float) -> tuple[int, int]:
        """The least and the most steps in which one player has a choice, with that time limit (a step is a second)."""

    def words(self, player: str) -> GridTexts:
        """Texts that the game shows that player, from play that is imagined."""


@runtime_checkable
class HearsByCondition(Protocol):
    """A scenario in which agents live and hear differently by condition."""

    def reach_under(self, condition: str) -> Mapping[Voice, float]:
        """Voice -> how far it carries under that condition, in blocks; 0: nobody hears it."""


@runtime_checkable
class Opens(Protocol):
    """A scenario that has something to tell the record before each attempt at an episode."""

    def opening(self, condition: str) -> Sequence[Event]:
        """What is so under that condition, such as who lives where."""


@runtime_checkable
class Settles(Protocol):
    """A scenario that looks for its players' places on the land itself, when the land is there."""

    async def settle(self, world: World, seed: int) -> Sequence[Event]:
        """Put all players where they begin, by commands; returns events for the record."""


@runtime_checkable
class Landed(Protocol):
    """A spec that says on which land its scenario is played."""

    @property
    def terrain(self) -> str:
        """One of `bridge.worlds.TERRAINS`."""


@runtime_checkable
class Apart(Protocol):
    """A spec that says that its players are out of each other's reach, so that a world may have them in regions."""

    @property
    def regions(self) -> int:
        """How many; what happens depends on it, and not on the machine's cores."""


@runtime_checkable
class MeasuredScenario(Protocol):
    """A scenario with measures of its own. It may name the kinds of events that they use in an attribute `reads`."""

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Measure -> player -> value for the last episode of a run, computed from the run's log alone."""


Gathering = Literal["sum", "mean", "each"]
"""Way to put a measure of single players together: their sum, their mean, or not at all (`each`)."""


@runtime_checkable
class Gathers(Protocol):
    """A measured scenario with measures that are not summed over the players."""

    gathers: Mapping[str, Gathering]
    """Measure -> how it is gathered; a measure that is not named is summed."""


@runtime_checkable
class MeasuredSociety(Protocol):
    """A scenario with measures of all its players together; they stand in result.json under the scenario's name."""

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Plain data about the last episode of a run, computed from the run's log alone."""


class MeasureTally(Protocol):
    """What a scenario measures of a run, counted event by event."""

    def take(self, event: Event) -> None:
        """The next event of the run's log."""

    def measures(self) -> dict[str, dict[str, float]]:
        """As `MeasuredScenario.measures`, of the events so far."""

    def society(self) -> dict[str, Any]:
        """As `MeasuredSociety.society`, of the events so far."""


@runtime_checkable
class Tallied(Protocol):
    """A measured scenario that counts while a run is played, so that a long log need not be read again.

    A class that measures something else than its base class has a tally of its own as well.
    """

    def tally(self) -> MeasureTally:
        """A new one."""


@runtime_checkable
class RatedSociety(Protocol):
    """A scenario whose lives a model may rate after they were lived: its role is `voyager_agents.roles.RATER`."""

    async def rated(self, lines: Iterable[LogLine], rater: RoleClassifier) -> Sequence[Event]:
        """What the model makes of the last episode in that log, for the log; measures read it there. Raises
        BudgetExhausted, QuotaExhausted."""

    async def rating_cost(self, seconds: float, prompts: Prompts) -> Range:
        """What the model is asked about lives of so many seconds, at least and at most."""


def within(permitted: frozenset[Observable], spec: ScenarioSpec, path: Path) -> None:
    """Check that the spec shows its players only what the scenario permits. Raises SpecError."""
    beyond = sorted(set(spec.observables) - permitted)
    if beyond:
        legal = ", ".join(sorted(permitted))
        raise SpecError(f"{path}: observables: {', '.join(beyond)} may not be shown here; legal are {legal}")
