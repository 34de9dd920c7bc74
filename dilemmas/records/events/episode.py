"""Events of an episode: programs, what the server says of the state, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import Field

from dilemmas.records.events.base import EndReason, EventModel


class EpisodeStarted(EventModel):
    """An episode begins; `attempt` above 1 repeats one that infrastructure broke."""

    kind: Literal["episode_started"] = "episode_started"
    attempt: int


class PolicyWritten(EventModel):
    """A player has written its program for this episode."""

    kind: Literal["policy_written"] = "policy_written"
    player: str
    author: str
    source: str
    file: str
    """Where the same source is, relative to the run directory."""
    attempt: int
    thought: str = ""
    """What its author thought of it; empty for a program that was kept."""


class PoliciesStarted(EventModel):
    """All policies were handed over; they start in the same tick."""

    kind: Literal["policies_started"] = "policies_started"
    players: list[str]


class PolicyProblem(EventModel):
    """What a program died of; positions count in the player's own source, from 1."""

    name: str
    message: str
    line: int | None = None
    column: int | None = None


class PolicyEnded(EventModel):
    """How a player's program ended."""

    kind: Literal["policy_ended"] = "policy_ended"
    player: str
    outcome: str
    error: PolicyProblem | None
    wall_ms: float
    cpu_ms: float


class Holdings(EventModel):
    """What a player has, as the server says, and what that is worth to it: the one shape of it, from the scenario's
    reading of the world to the record, the judge and the measures."""

    items: dict[str, int]
    """Item -> count, of the items that the scenario watches; held ones only (no zero entries)."""
    mined: dict[str, int]
    """Block -> how many the player broke (no zero entries)."""
    reward: float
    """Emeralds for the items."""

    @classmethod
    def of(cls, items: Mapping[str, int], mined: Mapping[str, int], prices: Mapping[str, float]) -> Self:
        """With the reward that follows from `prices` (item -> emeralds for one); nothing else computes a reward."""
        held = {item: count for item, count in items.items() if count}
        reward = float(sum(prices[item] * count for item, count in held.items() if item in prices))
        return cls(items=held, mined={block: count for block, count in mined.items() if count}, reward=reward)


class StateSeen(EventModel):
    """The state between two steps, from the server: what has changed since the `state` before it in the same attempt.

    The first one of an attempt (after `episode_started`) has all players and all blocks. A player who is missing later
    holds what it held at the last one that names it; a block that is missing is there as often as then.
    `dilemmas.records.states.WholeStates` rebuilds whole states.
    """

    kind: Literal["state"] = "state"
    t_s: float
    players: dict[str, Holdings]
    """Player -> all that it holds now, of those for whom something has changed."""
    world: dict[str, int] = Field(default_factory=dict)
    """Block -> how many of it there are now, of the blocks that the scenario's rules depend on and whose number has
    changed."""


class EndStateRead(EventModel):
    """The truth that rewards are computed from: read from the server after all policies had ended."""

    kind: Literal["end_state"] = "end_state"
    t_s: float
    players: dict[str, Holdings]
    chest: dict[str, int]
    reason: EndReason = "policies_returned"
    """Why the episode ended."""
    wall_s: float = 0.0


class Critique(EventModel):
    """What a player's critic said after the episode."""

    kind: Literal["critique"] = "critique"
    player: str
    text: str
    success: bool | None = None


class PlayerAccount(EventModel):
    """A player's end of the episode."""

    items: dict[str, int]
    reward: float
    transfer: float
    payoff: float


class EpisodeEnded(EventModel):
    """An episode is over and settled."""

    kind: Literal["episode_ended"] = "episode_ended"
    reason: EndReason
    game_s: float
    wall_s: float
    players: dict[str, PlayerAccount]


class EpisodeBroken(EventModel):
    """Infrastructure failed: nothing of this attempt is scored."""

    kind: Literal["infrastructure"] = "infrastructure"
    attempt: int
    reason: str
    repeated: bool


PlayEvent = (
    EpisodeStarted
    | PolicyWritten
    | PoliciesStarted
    | PolicyEnded
    | StateSeen
    | EndStateRead
    | Critique
    | EpisodeEnded
    | EpisodeBroken
)
"""Any event of an episode."""
