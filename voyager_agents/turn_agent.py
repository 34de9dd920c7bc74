"""Protocols of agents that observe, decide and act once a round.

Agents of `voyager_agents.agent` write one program for an episode; these agents are called in every round. The scenario
defines the types of a turn, a decision and a deed, as `voyager_agents.commons_harvest` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from voyager_agents.agent import Observation

Shown = TypeVar("Shown", contravariant=True)
"""Type of a turn: the observation that a player gets before it decides."""
Decided = TypeVar("Decided", covariant=True)
"""Type of a player's decision for its turn."""
Done = TypeVar("Done", contravariant=True)
"""Type of a deed: an action in the world's record."""


class TurnTaker(Protocol[Shown, Decided]):
    """An agent that acts turn by turn."""

    name: str

    async def take_turn(self, turn: Shown) -> Decided:
        """Return the decision for this turn. Raises AgentError if the agent cannot continue."""


@runtime_checkable
class Observes(Protocol):
    """A turn-taker that gets an observation before negotiation and before the game, including the contract."""

    def observe(self, observation: Observation) -> None:
        """Store an observation."""


@runtime_checkable
class SeesEnd(Protocol):
    """A turn-taker that is shown the game once it is over."""

    async def see_end(self, turn: Any) -> None:  # noqa: ANN401 - the scenario's type of a turn
        """Note the player's observation after the last round."""


class Council(Protocol[Shown, Done]):
    """Forum between rounds in which agents talk, make agreements and rules, and are held to them.

    The mode logs every entry that the methods return, in order: plain JSON mappings with a discriminator `what`.
    Agreements, rules, penalties and reputation are derived from those entries alone.
    """

    async def talk(self, turns: Mapping[str, Shown]) -> Sequence[Mapping[str, Any]]:
        """Return the entries of a discussion before the players decide.

        `turns` maps each player still in the game to its observation of this round.
        """

    def judge(self, round: int, deeds: Sequence[Done]) -> Sequence[Mapping[str, Any]]:
        """Return the entries that follow from a round's deeds, given in the world's order."""

    def close(self, round: int) -> Sequence[Mapping[str, Any]]:
        """Settle what is still open after the last round, and return the entries."""

    def transfers(self) -> Mapping[str, float]:
        """Return player -> net reward received so far; the values sum to zero."""


@runtime_checkable
class HasCouncil(Protocol):
    """A turn-taker that joins a council between rounds; members of one council share the object."""

    council: Council[Any, Any] | None
