"""What a mode of play is: how agents of one kind play a scenario, and what a run does around an episode.

A mode is stateless and stands in `dilemmas.modes.registry.MODES`; families of agents name the one that they play
(`voyager_agents.registry.Family.plays`). Runs, resuming, estimates and checks ask the mode; nothing else asks for its
name. An episode is the unit that is played on a newly built world and settled by the judge; a mode whose agents go on
for the whole run has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from bridge.types import Limits, Outcome, PolicyResult
from dilemmas.modes.arena import Arena
from dilemmas.records.events import (
    ActionEvent,
    BotEvent,
    Decided,
    DeedSeen,
    EndReason,
    EndStateRead,
    FieldPlanted,
    FieldStepped,
    HostEvent,
    InventoryEvent,
    Line,
    ModelCalled,
    PolicyEvent,
    StateSeen,
    UnknownTelemetry,
)
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.protocol import EndState, Scenario
from voyager_agents.agent import Observation

Agents = Mapping[str, Any]
"""Player -> its agent, of the kind that the mode asks for: an `Agent`, a `TurnTaker` and so on."""

PASSING = (
    StateSeen, ModelCalled, ActionEvent, InventoryEvent, PolicyEvent, BotEvent, HostEvent, UnknownTelemetry,
    FieldPlanted, FieldStepped, DeedSeen, Decided,
)  # fmt: skip
"""Events that come at every step and that no mode settles an episode by: a run that goes on does not hold them, so that
what it holds does not grow with what happened. A mode that needs one in `restore` or `can_settle` takes it out."""


@dataclass(frozen=True)
class Played:
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
    """(payer, payee, amount) of what players owe each other by rules that they made while they played."""

    @property
    def failed(self) -> list[str]:
        """Players whose program did not work: it threw, was no program, or had not ended when the time was over."""
        bad = (Outcome.THREW, Outcome.SYNTAX, Outcome.TIMEOUT)
        return [name for name, result in self.results.items() if result.outcome in bad]


@dataclass(frozen=True)
class Preparation:
    """What a mode works with before an episode, and after the last one."""

    episode: int
    """From 1; after the last one, the number that the next would have."""
    agents: Agents
    authors: Mapping[str, str]
    """Player -> who writes or decides, for the record."""
    show: Callable[[str], Observation]
    """Player -> what it may see before that episode."""
    thinking: Callable[[], AbstractAsyncContextManager[None]]
    """Models are asked inside of it."""
    record: RunRecord
    programs: dict[str, str]
    """Player -> its program now; what the mode writes here the run keeps."""
    files: dict[str, str]
    """Player -> where that program is, relative to the run directory."""


class Mode(Protocol):
    """One way to play. It holds no state of a run: whatever must outlast a crash is in the log."""

    @property
    def name(self) -> str:
        """As families and scenarios name it."""

    @property
    def several(self) -> bool:
        """Whether a run can have several episodes, so that players can negotiate again between them."""

    def check(self, scenario: Scenario) -> None:
        """Whether the scenario has what it takes to be played so. Raises UsageError in one line."""

    def extent(self, scenario: Scenario, player: str, limit_s: float, episodes: int) -> tuple[int, int]:
        """How long a run is for that player, at least and at most, in what families count calls by: episodes, rounds,
        seconds. `limit_s` is an episode's time limit, `episodes` the most that are asked for."""

    async def due(self, preparation: Preparation, played: Played | None, *, anew: bool) -> list[str]:
        """Players that prepare for the episode to come, after the one that was played; nobody: the run is over.

        `played` is None before the first episode. With `anew` another contract is negotiated after each. Raises
        AgentError, where agents are asked.
        """

    async def prepare(self, preparation: Preparation, players: Sequence[str]) -> None:
        """Let these players prepare for the episode; once, however often infrastructure breaks it. Raises AgentError.

        What is prepared is logged, and stands when the episode is played again.
        """

    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> Played:
        """Play an episode on the built arena; logs `PoliciesStarted` first and `EndStateRead` in the end.

        Models are asked inside `async with arena.thinking()`. Nothing goes on when it returns or raises. Raises
        InfrastructureError when a part was lost (it is played again on a new world), AgentError.
        """

    async def conclude(self, preparation: Preparation) -> None:
        """Let the agents look back at the last episode of the run. Raises AgentError."""

    def restore(self, end: EndStateRead, since: Sequence[Line]) -> Played:
        """The episode that ended so, from the log's lines since `PoliciesStarted`, as far as they tell.

        `since` holds no events of `PASSING`.
        """

    def can_settle(self, since: Sequence[Line]) -> bool:
        """Whether these lines of an episode that was played tell all that it takes to settle it; `since` as above.

        Where they do not, a run that was interrupted before the end of that episode plays it again.
        """
