"""Protocol of agents, and the observations that they may get.

An agent has `name`, `observe` and `act`. Before each episode `observe` receives one `Observation`, and `act` returns
one `Action`, a program for the agent's bot. `PERMITTED_OBSERVATIONS` lists every field that an observation may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from contracts import Contract
from voyager_agents.errors import ObservationError
from voyager_agents.facts import ScenarioFacts

if TYPE_CHECKING:
    from voyager_agents.tool_calls.outcome import CallOutcome
    from voyager_agents.tool_calls.toolbox import PrimitiveUse

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
        "remaining",
        "played",
        "pictured",
    }
)
"""Names of the fields that an observation may have. Other players' programs, thoughts, critiques, prompts and seeds are
excluded on purpose."""


@dataclass(frozen=True)
class LastRun:
    """An agent's own program in the previous episode, and its outcome."""

    policy: str
    outcome: str
    """returned | threw | syntax | timeout | cancelled"""
    error: str = ""
    """Name and message of the error; empty without an error."""
    line: int | None = None
    """Line number of the error in `policy`, from 1."""
    log: tuple[str, ...] = ()
    """Lines that the program printed."""


@dataclass(frozen=True)
class PicturedTexts:
    """Description of a scenario for roles that see pictures: without the words for what these show."""

    scenario: str = ""
    facts: ScenarioFacts | None = None


@dataclass(frozen=True)
class Observation:
    """Everything that an agent sees before it writes its program for an episode."""

    player: str
    """The player that receives this observation."""
    players: tuple[str, ...]
    episode: int = 0
    """Episode number, from 0."""
    task: str = ""
    scenario: str = ""
    """The scenario's description in words."""
    facts: ScenarioFacts | None = None
    """The scenario's description as data."""
    contract: Contract | None = None
    """The agreed contract; None if there is none."""
    inventories: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Player -> item -> count for all players at the end of the previous episode."""
    chat: tuple[tuple[str, str], ...] = ()
    """(speaker, text) of each chat message in the previous episode."""
    last_run: LastRun | None = None
    """The player's program in the previous episode; None before the first episode."""
    reward: float | None = None
    """Reward of the previous episode in emeralds, transfers included."""
    judge_critique: str = ""
    remaining: int = 0
    """Number of episodes of the run after the coming one; reference players count on it."""
    played: int = 0
    """Number of rounds played in this episode; above 0 if the episode goes on after a talk."""
    pictured: PicturedTexts | None = None
    """The description beside pictures (`--see image`); None if all roles read the same words."""

    def __post_init__(self) -> None:
        if self.player not in self.players:
            raise ObservationError(f"player: {self.player!r} is not among the players {', '.join(self.players)}")

    def shown_to(self, *, drawn: bool) -> Observation:
        """Return the observation for a role.

        Args:
            drawn: True if the role sees pictures instead of words for what they show.
        """
        if not drawn or self.pictured is None:
            return self
        return replace(self, scenario=self.pictured.scenario, facts=self.pictured.facts)

    @property
    def other(self) -> str:
        """Name of the other player in a game of two. Raises ObservationError for any other number of players."""
        others = [name for name in self.players if name != self.player]
        if len(others) != 1:
            raise ObservationError(f"players: {list(self.players)!r}: exactly two are needed here")
        return others[0]


def permitted(offered: Mapping[str, Any]) -> Observation:
    """Return an observation with these fields. Raises ObservationError for a field that agents may not see."""
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
    """An agent's decision for an episode: a program for its bot. The other fields are only recorded."""

    policy: str
    """JavaScript: one `async function name(bot) {...}`."""
    thought: str = ""
    critique: str = ""
    """The agent's own critique of its last program."""
    success: bool | None = None
    """True if the agent's critic rates the task as done; None without a critic."""
    stood_in: str = ""
    """Name of the stand-in that wrote the program (`common.answers.stand_ins`); empty for the agent's own."""


class CallSession(Protocol):
    """Source of the calls that a player makes in an episode (`voyager_agents.tool_calls.session.ToolSession`)."""

    async def next_call(self, last: CallOutcome | None) -> PrimitiveUse | None:
        """Return the next call, or None to stop; `last` is the outcome of the call before.

        Raises ReplyError without a usable answer, and what the model raises.
        """

    def program(self, use: PrimitiveUse) -> str:
        """Return the program that makes a call."""


class Agent(Protocol):
    """Protocol of agents. An agent that can negotiate also has `speak` (`contracts.Negotiator`)."""

    name: str

    def observe(self, observation: Observation) -> None:
        """Store an observation; the next call of `act` refers to it."""

    async def act(self) -> Action:
        """Return the program for the next episode. Raises AgentError (ModelError, ReplyError) if the agent has none."""


@runtime_checkable
class Learner(Agent, Protocol):
    """An agent that learns: it writes a new program for every episode and reviews the previous one."""

    async def conclude(self) -> tuple[str, bool | None]:
        """Return a review of the last episode passed to `observe`: (critique, True if the task was done).

        Raises as `act` does.
        """


@runtime_checkable
class Reviewer(Agent, Protocol):
    """An agent with a critic that decides if a successful program is kept."""

    async def review(self) -> tuple[str, bool]:
        """Return a review of the last episode passed to `observe`: (critique, True if the program may stay unchanged).

        The next `act` about the same episode does not review it again. Raises as `act` does.
        """


BY_CALLS = "// This player acts by tool calls.\nasync function calls (bot) {}\n"
"""Program of an agent that acts by tool calls, for the record; it is never run."""


@runtime_checkable
class Caller(Agent, Protocol):
    """An agent that can act by tool calls during the episode; `act` then returns the program `BY_CALLS`."""

    by_calls: bool
    """True if it acts by tool calls."""

    def begin_calls(self) -> CallSession:
        """Return the calls for the episode of the last `act`; a repeated episode begins anew."""


class Observer:
    """Base class of agents: stores a name and the last observation."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._observation: Observation | None = None

    def observe(self, observation: Observation) -> None:
        """Store an observation. Raises ObservationError if it is another player's."""
        if observation.player != self.name:
            raise ObservationError(f"player: {observation.player!r}: this agent is {self.name!r}")
        self._observation = observation

    def _seen(self) -> Observation:
        if self._observation is None:
            raise ObservationError(f"{self.name}: observe comes before act and speak")
        return self._observation
