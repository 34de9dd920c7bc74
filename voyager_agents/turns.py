"""Agents that act turn by turn: what one is shown before each of its turns, and what it answers.

Beside agents that write one program for an episode (`voyager_agents.agent`) these look, decide and act once a round, as
generative agents do in Commons Harvest. The scenario turns each decision into a program for the player's bot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from voyager_agents.agent import Observation

Place = tuple[int, int]
"""(x, z) of a cell of the field, counted from its north-west corner."""
Move = Literal["go", "immobilize", "stay", "explore"]


@dataclass(frozen=True)
class Seen:
    """One thing in sight."""

    what: str
    """`apple`, `bare` (an apple's cell without an apple), `tree`, or `player`."""
    at: Place
    name: str = ""
    """Which one: the tree's or the player's name; of an apple's cell the tree that it belongs to."""
    note: str = ""
    """What is visible about it, such as how many apples the tree has left or that the player lies immobilized."""


@dataclass(frozen=True)
class Deed:
    """One thing that a player did, as the world's record has it: the ground on which promises are judged."""

    kind: Literal["take", "attack"]
    """`take`: it took an apple. `attack`: it tried to immobilize `target`."""
    player: str
    at: Place
    """The apple's cell; where the target was, for an attack."""
    tree: str = ""
    """Of a take: the tree that the apple belonged to."""
    left: int = 0
    """Of a take: apples on that tree right after it."""
    target: str = ""
    hit: bool = False
    """Of an attack: whether the target was immobilized."""


@dataclass(frozen=True)
class Turn:
    """All that an agent is shown before its turn."""

    player: str
    players: tuple[str, ...]
    round: int
    """From 1."""
    at: Place
    size: Place
    """Columns and rows of the field."""
    seen: tuple[Seen, ...]
    """Nearest first."""
    events: tuple[str, ...] = ()
    """What this player witnessed since its last turn, oldest first, in words."""
    said: tuple[tuple[str, str], ...] = ()
    """(speaker, text) heard since its last turn."""
    deeds: tuple[Deed, ...] = ()
    """What this player saw others and itself do since its last turn, oldest first; `events` tells the rest."""
    apples: float = 0.0
    """Reward so far."""
    out: bool = False
    """Immobilized: whatever it decides has no effect this turn."""


@dataclass(frozen=True)
class Decision:
    """What an agent does with its turn."""

    move: Move
    to: Place | None = None
    """Where to, for `go` and `explore`; where the other player was seen, for `immobilize`."""
    target: str = ""
    """Whom to immobilize."""
    say: str = ""
    """Said aloud, heard by all; empty for silence."""
    why: str = ""
    """The agent's own reason; recorded, never shown to others."""
    fault: str = ""
    """What was wrong with the agent's own answer when it could not be used and the agent stays; recorded."""


class TurnTaker(Protocol):
    """An agent that acts turn by turn."""

    name: str

    async def take(self, turn: Turn) -> Decision:
        """Its decision for this turn. Raises AgentError for an agent that cannot go on."""


@runtime_checkable
class Observes(Protocol):
    """A turn-taker that is shown what there is to know before a negotiation and before a game, its contract too."""

    def observe(self, observation: Observation) -> None:
        """Takes in what there is to see."""


class Council(Protocol):
    """Where agents talk, agree and make rules between the rounds, and where their deeds are held against their words.

    The scenario logs every entry that the three calls return, in their order: plain JSON mappings whose `what` names
    them. Agreements, rules, penalties and reputation follow from those entries alone.
    """

    async def talk(self, turns: Mapping[str, Turn]) -> Sequence[Mapping[str, Any]]:
        """Before the players decide: player -> what it is shown this round; those out of the game do not speak."""

    def judge(self, round: int, deeds: Sequence[Deed]) -> Sequence[Mapping[str, Any]]:
        """After a round was played: all its deeds, in the order in which the world recorded them."""

    def close(self, round: int) -> Sequence[Mapping[str, Any]]:
        """After the last round: what was still open is settled."""

    def transfers(self) -> Mapping[str, float]:
        """Player -> apples received less apples paid so far; they sum to zero."""
