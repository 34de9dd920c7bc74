"""Events of an episode: programs, server state, end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import Field

from dilemmas.records.events.base import EndReason, EventModel, EventPart, is_empty


class EpisodeStarted(EventModel):
    """Start of an episode; an `attempt` above 1 repeats one that the infrastructure broke."""

    kind: Literal["episode_started"] = "episode_started"
    attempt: int


class PolicyWritten(EventModel):
    """A player wrote its program for this episode."""

    kind: Literal["policy_written"] = "policy_written"
    player: str
    author: str
    source: str
    file: str
    """Path of the file with the same source, relative to the run directory."""
    attempt: int
    thought: str = ""
    """The author's reasoning; empty for a program that was kept."""
    stood_in: str = Field(default="", exclude_if=is_empty)
    """Name of the stand-in that wrote the program; empty for the author's own."""


class PoliciesStarted(EventModel):
    """All policies were handed over; they start in the same tick."""

    kind: Literal["policies_started"] = "policies_started"
    players: list[str]


class PolicyProblem(EventPart):
    """Error that ended a program; line and column count from 1 in the player's own source."""

    name: str
    message: str
    line: int | None = None
    column: int | None = None


class PolicyEnded(EventModel):
    """End of a player's program."""

    kind: Literal["policy_ended"] = "policy_ended"
    player: str
    outcome: str
    error: PolicyProblem | None
    wall_ms: float
    cpu_ms: float
    stood_in: str = Field(default="", exclude_if=is_empty)
    """Name of the stand-in that acted after an unusable tool call; empty if the player acted itself."""


class Holdings(EventPart):
    """A player's items on the server and their value to the player.

    The scenario's reading of the world, the record, the judge and the measures all use this shape.
    """

    items: dict[str, int]
    """Item -> count of watched items, without zeros."""
    mined: dict[str, int]
    """Block -> number broken by the player, without zeros."""
    reward: float
    """Value of the items in emeralds."""

    @classmethod
    def of(cls, items: Mapping[str, int], mined: Mapping[str, int], prices: Mapping[str, float]) -> Self:
        """Build holdings with the reward that follows from `prices`. No other code computes a reward.

        Args:
            items: Item -> count.
            mined: Block -> number broken.
            prices: Item -> emeralds per item.
        """
        held = {item: count for item, count in items.items() if count}
        reward = float(sum(prices[item] * count for item, count in held.items() if item in prices))
        return cls(items=held, mined={block: count for block, count in mined.items() if count}, reward=reward)


class StateSeen(EventModel):
    """State between two steps, from the server, reduced to the changes since the previous `state` of the attempt.

    The first one of an attempt (after `episode_started`) names all players and blocks. Later, a missing player or block
    is unchanged. `dilemmas.records.states.WholeStates` restores full states.
    """

    kind: Literal["state"] = "state"
    t_s: float
    players: dict[str, Holdings]
    """Player -> all current holdings, for players whose holdings changed."""
    world: dict[str, int] = Field(default_factory=dict)
    """Block -> current count, for blocks that the scenario's rules depend on and whose count changed."""


class EndStateRead(EventModel):
    """Ground truth for rewards, read from the server after all policies ended."""

    kind: Literal["end_state"] = "end_state"
    t_s: float
    players: dict[str, Holdings]
    chest: dict[str, int]
    reason: EndReason = "policies_returned"
    """Reason for the end of the episode."""
    wall_s: float = 0.0


class Critique(EventModel):
    """A critic's assessment of a player after the episode."""

    kind: Literal["critique"] = "critique"
    player: str
    text: str
    success: bool | None = None


class PlayerAccount(EventPart):
    """A player's account at the end of the episode."""

    items: dict[str, int]
    reward: float
    transfer: float
    payoff: float


class EpisodeEnded(EventModel):
    """An episode ended and was settled."""

    kind: Literal["episode_ended"] = "episode_ended"
    reason: EndReason
    game_s: float
    wall_s: float
    players: dict[str, PlayerAccount]
    goals: dict[str, bool] = Field(default_factory=dict, exclude_if=is_empty)
    """Player with a secret goal -> whether it was reached."""


class EpisodeBroken(EventModel):
    """The infrastructure failed; nothing of this attempt is scored."""

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
