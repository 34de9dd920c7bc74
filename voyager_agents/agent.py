"""Protocol of agents, and the observations that they may get.

An agent has `name`, `observe` and `act`. Before each episode it is shown one `Observation` and answers with one
`Action`, a program for its bot. `PERMITTED_OBSERVATIONS` lists all that an observation may hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, runtime_checkable

from contracts import Contract
from voyager_agents.errors import ObservationError
from voyager_agents.facts import ScenarioFacts

PERMITTED_OBSERVATIONS = frozenset(
    {
        "player",
        "players",
        "episode",
        "task",
        "scenario",
        "facts",
        "contract",
        "inventories",
        "chat",
        "last_run",
        "reward",
        "judge_critique",
    }
)
"""Names of the parts of an observation. Left out on purpose: others' programs, thoughts, critiques, prompts and
seeds."""


@dataclass(frozen=True)
class LastRun:
    """An agent's own program in the episode before, and how it ended."""

    policy: str
    outcome: str
    """returned | threw | syntax | timeout | cancelled"""
    error: str = ""
    """Name and message; empty when there was none."""
    line: int | None = None
    """Line of the error in `policy`, from 1."""
    log: tuple[str, ...] = ()
    """Lines that the program printed."""


@dataclass(frozen=True)
class Observation:
    """All that an agent sees before it writes its program for an episode."""

    player: str
    """The player that is shown this."""
    players: tuple[str, ...]
    episode: int = 0
    """Counts from 0."""
    task: str = ""
    scenario: str = ""
    """The scenario's description in words."""
    facts: ScenarioFacts | None = None
    """The scenario's description as data."""
    contract: Contract | None = None
    """The agreed contract; None without one."""
    inventories: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Player -> item -> count at the end of the episode before, for all players."""
    chat: tuple[tuple[str, str], ...] = ()
    """(speaker, text) of the episode before."""
    last_run: LastRun | None = None
    """None before the first episode."""
    reward: float | None = None
    """Emeralds of the episode before, transfers included."""
    judge_critique: str = ""

    def __post_init__(self) -> None:
        if self.player not in self.players:
            raise ObservationError(f"player: {self.player!r} is not among the players {', '.join(self.players)}")

    @property
    def other(self) -> str:
        """The other player of two. Raises ObservationError when there are more or fewer."""
        others = [name for name in self.players if name != self.player]
        if len(others) != 1:
            raise ObservationError(f"players: {list(self.players)!r}: exactly two are needed here")
        return others[0]


def permitted(offered: Mapping[str, Any]) -> Observation:
    """Return the observation made of these parts. Raises ObservationError for a part that an agent may not see."""
    for key in offered:
        if key not in PERMITTED_OBSERVATIONS:
            legal = ", ".join(sorted(PERMITTED_OBSERVATIONS))
            raise ObservationError(f"observation: {key!r} may not be seen by an agent: permitted are {legal}")
    needed = {"player", "players"} - set(offered)
    if needed:
        raise ObservationError(f"observation: {', '.join(sorted(needed))} missing")
    return Observation(**offered)


if {each.name for each in fields(Observation)} != PERMITTED_OBSERVATIONS:
    raise ObservationError("Observation and PERMITTED_OBSERVATIONS disagree: change both, on purpose")


@dataclass(frozen=True)
class Action:
    """An agent's decision for an episode: a program for its bot. All other fields are for the record only."""

    policy: str
    """JavaScript: one `async function name(bot) {...}`."""
    thought: str = ""
    critique: str = ""
    """The agent's own critique of its last program."""
    success: bool | None = None
    """True if its critic found the task done; None without a critic."""


class Agent(Protocol):
    """A player's mind. An agent that can negotiate also has `speak` (`contracts.Negotiator`)."""

    name: str

    def observe(self, observation: Observation) -> None:
        """Take in an observation; the next `act` is about it."""

    async def act(self) -> Action:
        """Return the program for the next episode. Raises AgentError (ModelError, ReplyError) when there is none."""


@runtime_checkable
class Learner(Agent, Protocol):
    """An agent that learns: it writes for every episode, and looks back at the last one."""

    async def conclude(self) -> tuple[str, bool | None]:
        """Review the last episode, which `observe` showed: (critique, whether its task was done).

        Raises as `act` does.
        """


@runtime_checkable
class Reviewer(Agent, Protocol):
    """An agent with a critic, who decides whether to keep a program that ended well."""

    async def review(self) -> tuple[str, bool]:
        """Review the last episode, which `observe` showed: (critique, whether the program may stay as it is).

        The next `act` about the same episode asks for no second review. Raises as `act` does.
        """


class Observer:
    """Base of agents: a name, and the last observation."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._observation: Observation | None = None

    def observe(self, observation: Observation) -> None:
        """Take in an observation. Raises ObservationError for another player's."""
        if observation.player != self.name:
            raise ObservationError(f"player: {observation.player!r}: this agent is {self.name!r}")
        self._observation = observation

    def _seen(self) -> Observation:
        if self._observation is None:
            raise ObservationError(f"{self.name}: observe comes before act and speak")
        return self._observation
