"""What a mode of play is: how agents of one kind play a scenario, and what a run does around an episode.

A mode has no state and is registered in `dilemmas.modes.registry.MODES`. Each family of agents names the mode that it
plays (`voyager_agents.registry.Family.plays`). Runs, resuming, estimates and checks ask the mode and never look at its
name. An episode is played on a newly built world and settled by the judge. A mode whose agents live through the whole
run has one episode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from bridge.types import Limits, PolicyResult, ProgramOutcome
from dilemmas.modes.arena import Arena
from dilemmas.records.events import (
    ActBegan,
    ActEnded,
    ActionEvent,
    AssemblyEntry,
    BotEvent,
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
    MindNoted,
    MindTold,
    MobsSeen,
    ModelCalled,
    OptionChosen,
    PlacesSeen,
    PolicyEvent,
    RoundPlayed,
    SeasonClosed,
    SeasonOpened,
    Shown,
    SlotWritten,
    SocietyChanged,
    Speech,
    StateSeen,
    TaxMoved,
    UnknownTelemetry,
)
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.protocol import EndState, Scenario
from voyager_agents.agent import Observation

Agents = Mapping[str, Any]
"""Player -> its agent, of the kind that the mode asks for: an `Agent`, a `TurnTaker` and so on."""

PASSING = (
    StateSeen, ModelCalled, ActionEvent, InventoryEvent, PolicyEvent, BotEvent, HostEvent, UnknownTelemetry,
    FieldPlanted, FieldStepped, DeedSeen, Decided, LifeBegan, LifeEnded, LifeSummed, LifeRated, Speech, ChoiceMade,
    ActBegan, ActEnded, SlotWritten, MindNoted, GroundLaid, PlacesSeen, MobsSeen, Shown, MindTold, GridBegun,
    SocietyChanged,
    GridSocialAct, GridExchanged, GridFault, GridEnded, LetterSent, AssemblyEntry, SeasonOpened, TaxMoved, SeasonClosed,
    GameBegun, RoundPlayed, OptionChosen,
)  # fmt: skip
"""Events that come at every step and that no mode settles an episode by: a run that goes on does not hold them, so that
what it holds does not grow with what happened. A mode that needs one in `restore` or `can_settle` takes it out."""


@dataclass(frozen=True)
class PlayedEpisode:
    """What an attempt at an episode left behind."""

    reason: EndReason
    state: EndState
    results: dict[str, PolicyResult]
    """Player -> how its program ended; empty where players have none for the whole episode."""
    chat: tuple[tuple[str, str], ...]
    logs: dict[str, tuple[str, ...]]
    """Player -> what its program printed."""
    game_s: float
    wall_s: float
    bookings: tuple[tuple[str, str, float], ...] = ()
    """(payer, payee, amount) that players owe each other by rules that they made during play."""

    @property
    def failed(self) -> list[str]:
        """Players whose program failed: it threw, was no program, or still ran at the time limit."""
        bad = (ProgramOutcome.THREW, ProgramOutcome.SYNTAX, ProgramOutcome.TIMEOUT)
        return [name for name, result in self.results.items() if result.outcome in bad]


@dataclass(frozen=True)
class Preparation:
    """What a mode works with before an episode, and after the last one."""

    episode: int
    """The episode's number, from 1. After the last episode: the number that a next one would have."""
    agents: Agents
    authors: Mapping[str, str]
    """Player -> who writes or decides, for the record."""
    show: Callable[[str], Observation]
    """Player -> what it may see before that episode."""
    thinking: Callable[[], AbstractAsyncContextManager[None]]
    """The context inside which models are asked."""
    record: RunRecord
    programs: dict[str, str]
    """Player -> its program now. The run keeps what the mode writes here."""
    files: dict[str, str]
    """Player -> where that program is, relative to the run directory."""
    keepers: frozenset[str] = frozenset()
    """Players who keep a program that ended well (`voyager_agents.registry.Family.keeps_programs`)."""


class Mode(Protocol):
    """One way to play. It holds no state of a run: all that must outlast a crash is in the log."""

    @property
    def name(self) -> str:
        """The name that families and scenarios use."""

    @property
    def several(self) -> bool:
        """Whether a run can have several episodes, so that players can negotiate again between them. Where it has one,
        agents are asked in it, and a repeat of an episode that was broken off begins with agents made anew."""

    def check(self, scenario: Scenario) -> None:
        """Check that the scenario can be played in this mode. Raises UsageError in one line."""

    def extent(
        self, scenario: Scenario, player: str, limit_s: float, episodes: int, *, keeps: bool = False
    ) -> tuple[int, int]:
        """Return the least and the most units of a run for that player.

        Families count their calls by these units (episodes, rounds, seconds). `limit_s` is an episode's time limit,
        `episodes` the most episodes of the run; `keeps`: the player may keep a program and ask for no other one.
        """

    async def due(self, preparation: Preparation, played: PlayedEpisode | None, *, anew: bool) -> list[str]:
        """The players that prepare for the next episode. An empty list ends the run.

        `played` is the last episode, None before the first one. With `anew` players negotiate again after each
        episode. Raises AgentError where agents are asked.
        """

    async def prepare(self, preparation: Preparation, players: Sequence[str]) -> None:
        """Let these players prepare for the episode. Raises AgentError.

        This happens once for an episode. What is prepared is logged, and stands when the episode is played again.
        """

    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> PlayedEpisode:
        """Play an episode on the built arena. Logs `PoliciesStarted` first and `EndStateRead` last.

        Models are asked inside `async with arena.thinking()`. Nothing runs on when this returns or raises. Raises
        AgentError, and InfrastructureError when a part was lost; then the episode is played again on a new world.
        """

    async def conclude(self, preparation: Preparation) -> None:
        """Let the agents review the last episode of the run. Raises AgentError."""

    def restore(self, end: EndStateRead, since: Sequence[LogLine]) -> PlayedEpisode:
        """The episode with that end state, as far as the log's lines since `PoliciesStarted` tell.

        `since` holds no events of `PASSING`.
        """

    def can_settle(self, since: Sequence[LogLine]) -> bool:
        """Whether these lines of a played episode hold all that the judge needs; `since` as above.

        If not, a run that was interrupted before the end of that episode plays it again.
        """
