"""Protocol of modes: the way agents of one kind play a scenario, and the steps around an episode.

A mode has no state and is registered in `dilemmas.modes.registry.MODES`. Each family of agents names its mode
(`voyager_agents.family.Family.plays`). Runs, resumption, estimates and checks call the mode and never compare its
name. An episode is played on a newly built world and settled by the judge. A mode whose agents live through the whole
run has one episode.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from bridge.types import Limits, PolicyResult, ProgramOutcome
from common.hooks import DeclaredHooks
from dilemmas.modes.arena import Arena
from dilemmas.records.events import (
    ActBegan,
    ActEnded,
    ActionEvent,
    AssemblyEntry,
    BattleFought,
    BotEvent,
    BuildingSeen,
    ChoiceMade,
    Decided,
    DeedSeen,
    EndReason,
    EndStateRead,
    FieldPlanted,
    FieldStepped,
    GameBegun,
    GridBegun,
    GridEnded,
    GridExchanged,
    GridFault,
    GridPlanned,
    GridSocialAct,
    GroundLaid,
    HostEvent,
    InventoryEvent,
    LetterSent,
    LifeBegan,
    LifeEnded,
    LifeRated,
    LifeSummed,
    LogLine,
    MapDrawn,
    MindNoted,
    MindTold,
    MobsSeen,
    ModelCalled,
    ObjectiveReached,
    OptionChosen,
    OrderGiven,
    PictureTaken,
    PlacesSeen,
    PlanDrawn,
    PolicyEvent,
    RoundPlayed,
    SeasonClosed,
    SeasonOpened,
    Shown,
    SlotWritten,
    SocietyChanged,
    SoupServed,
    Speech,
    StateSeen,
    StationsSeen,
    SupportGiven,
    TaxMoved,
    UnknownTelemetry,
    WorkDone,
)
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import EndState
from voyager_agents.agent import Observation

Agents = Mapping[str, Any]
"""Player -> its agent, of the kind that the mode expects, such as `Agent` or `TurnTaker`."""

TRANSIENT_EVENTS = (
    StateSeen, ModelCalled, ActionEvent, InventoryEvent, PolicyEvent, BotEvent, HostEvent, UnknownTelemetry,
    FieldPlanted, FieldStepped, DeedSeen, Decided, LifeBegan, LifeEnded, LifeSummed, LifeRated, Speech, ChoiceMade,
    ActBegan, ActEnded, SlotWritten, MindNoted, GroundLaid, PlacesSeen, MobsSeen, Shown, MindTold, GridBegun,
    SocietyChanged,
    GridSocialAct, GridExchanged, GridFault, GridPlanned, GridEnded,
    LetterSent, AssemblyEntry, SeasonOpened, TaxMoved, SeasonClosed,
    GameBegun, RoundPlayed, OptionChosen, MapDrawn, OrderGiven, BattleFought, SupportGiven, ObjectiveReached,
    StationsSeen, WorkDone, SoupServed, PictureTaken, PlanDrawn, BuildingSeen,
)  # fmt: skip
"""Frequent events that no mode needs to settle an episode.

A running study does not keep them, so that its memory does not grow with the log. A mode that needs one in `restore` or
`can_settle` removes it from this tuple.
"""


@dataclass(frozen=True)
class PlayedEpisode:
    """Result of one attempt at an episode."""

    reason: EndReason
    state: EndState
    results: dict[str, PolicyResult]
    """Player -> end of its program; empty in modes without one program per episode."""
    chat: tuple[tuple[str, str], ...]
    logs: dict[str, tuple[str, ...]]
    """Player -> lines printed by its program."""
    game_s: float
    wall_s: float
    bookings: tuple[tuple[str, str, float], ...] = ()
    """(payer, payee, amount) owed under rules that players made during play."""

    @property
    def failed(self) -> list[str]:
        """Players whose program threw, was invalid, or ran into the time limit."""
        bad = (ProgramOutcome.THREW, ProgramOutcome.SYNTAX, ProgramOutcome.TIMEOUT)
        return [name for name, result in self.results.items() if result.outcome in bad]


@dataclass(frozen=True)
class Preparation:
    """Context of a mode before an episode and after the last one."""

    episode: int
    """Number of the episode, from 1; after the last episode, the number of a next one."""
    agents: Agents
    authors: Mapping[str, str]
    """Player -> its author, for the record."""
    show: Callable[[str], Observation]
    """Player -> its observation before the episode."""
    thinking: Callable[[], AbstractAsyncContextManager[None]]
    """Context inside which models are asked."""
    record: RunRecord
    programs: dict[str, str]
    """Player -> its current program. The run keeps what the mode writes here."""
    files: dict[str, str]
    """Player -> path of its program, relative to the run directory."""
    keepers: frozenset[str] = frozenset()
    """Players who keep a program that ended well (`voyager_agents.family.Family.keeps_programs`)."""


class Mode(DeclaredHooks, ABC):
    """Base class of ways to play. A mode holds no state of a run: everything that must survive a crash is in the log.

    A public name in a subclass that is no hook of this class is refused (`common.hooks`).
    """

    name: str
    """Name used by families and scenarios."""
    several: bool = False
    """True if a run can have several episodes, between which players can negotiate again.

    If False, agents are asked during the episode, and a repeated attempt starts with new agents."""
    civic: bool = False
    """True if institutions can act in the mode (`dilemmas.modes.civics`)."""
    unit: str = "s"
    """Unit of progress shown to the user; `s` for seconds of game time."""
    timed: bool = True
    """True if times in the log are in that unit."""

    @abstractmethod
    def check(self, scenario: Scenario) -> None:
        """Check that the mode can play the scenario. Raises UsageError with a message of one line."""

    @abstractmethod
    def extent(
        self, scenario: Scenario, player: str, limit_s: float, episodes: int, *, keeps: bool = False
    ) -> tuple[int, int]:
        """Return the minimum and maximum number of a player's units in a run.

        Families count their calls in these units (episodes, rounds, seconds).

        Args:
            scenario: Scenario of the run.
            player: Name of the player.
            limit_s: Time limit of an episode, in seconds.
            episodes: Maximum number of episodes.
            keeps: True if the player may keep a program and write no other one.
        """

    def round_count(self, scenario: Scenario, limit_s: float) -> int:
        """Return the maximum number of rounds or steps between which players can talk; 0 if there are none."""
        return 0

    def civic_steps(self, scenario: Scenario, limit_s: float) -> int:
        """Return the maximum number of steps of institutions after the first one, in which they may ask models."""
        return self.round_count(scenario, limit_s)

    @abstractmethod
    async def due(self, preparation: Preparation, played: PlayedEpisode | None, *, anew: bool) -> list[str]:
        """Return the players who prepare for the next episode. An empty list ends the run.

        Raises AgentError if agents are asked and fail.

        Args:
            preparation: Context of the coming episode.
            played: Last episode; None before the first one.
            anew: True if players negotiate again after each episode.
        """

    @abstractmethod
    async def prepare(self, preparation: Preparation, players: Sequence[str]) -> None:
        """Let the players prepare for the episode. Raises AgentError.

        Preparation happens once per episode, is logged, and remains valid if the episode is repeated.
        """

    @abstractmethod
    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> PlayedEpisode:
        """Play an episode in the built arena. Logs `PoliciesStarted` first and `EndStateRead` last.

        Models are asked inside `async with arena.thinking()`. No task outlives this call. Raises AgentError, and
        InfrastructureError if a component is lost; the episode is then repeated on a new world.
        """

    @abstractmethod
    async def conclude(self, preparation: Preparation) -> None:
        """Let the agents review the last episode of the run. Raises AgentError."""

    @abstractmethod
    def restore(self, end: EndStateRead, since: Sequence[LogLine]) -> PlayedEpisode:
        """Return the episode with that end state, as far as the log describes it.

        Args:
            end: End state of the episode.
            since: Lines since `PoliciesStarted`, without events of `TRANSIENT_EVENTS`.
        """

    @abstractmethod
    def can_settle(self, since: Sequence[LogLine]) -> bool:
        """Return True if these lines of a played episode hold all that the judge needs.

        Otherwise a run interrupted before the end of that episode repeats it. `since` is as in `restore`.
        """
