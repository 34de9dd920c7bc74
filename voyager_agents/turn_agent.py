"""Agents that act turn by turn: they look, decide and act once a round.

Beside agents that write one program for an episode (`voyager_agents.agent`) these are asked in every round. What they
are shown (a turn), what they answer (a decision) and what counts as a deed is the scenario's own, such as those in
`voyager_agents.commons_harvest`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from voyager_agents.agent import Observation

Shown = TypeVar("Shown", contravariant=True)
"""Observation of a player before its turn."""
Decided = TypeVar("Decided", covariant=True)
"""Decision of a player for its turn."""
Done = TypeVar("Done", contravariant=True)
"""A deed, as the world's record has it."""


class TurnTaker(Protocol[Shown, Decided]):
    """An agent that acts turn by turn."""

    name: str

    async def take(self, turn: Shown) -> Decided:
        """Return its decision for this turn. Raises AgentError for an agent that cannot go on."""


@runtime_checkable
class Observes(Protocol):
    """A turn-taker that is shown what there is to know before a negotiation and before a game, its contract too."""

    def observe(self, observation: Observation) -> None:
        """Take in what there is to see."""


class Council(Protocol[Shown, Done]):
    """Forum between rounds: agents talk, agree and make rules, and their deeds are compared with their words.

    The mode logs every entry that the three calls return, in their order: plain JSON mappings whose `what` names them.
    Agreements, rules, penalties and reputation follow from those entries alone.
    """

    async def talk(self, turns: Mapping[str, Shown]) -> Sequence[Mapping[str, Any]]:
        """Before the players decide: player -> what it is shown this round; those out of the game do not speak."""

    def judge(self, round: int, deeds: Sequence[Done]) -> Sequence[Mapping[str, Any]]:
        """After a round was played: all its deeds, in the order in which the world recorded them."""

    def close(self, round: int) -> Sequence[Mapping[str, Any]]:
        """After the last round: what was still open is settled."""

    def transfers(self) -> Mapping[str, float]:
        """Player -> reward received less reward paid so far; they sum to zero."""


@runtime_checkable
class HasCouncil(Protocol):
    """A turn-taker that meets others between the rounds; those of one council share it."""

    council: Council[Any, Any] | None
