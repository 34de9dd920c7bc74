"""Agents that act turn by turn: what one is shown before each of its turns, and what it answers.

Beside agents that write one program for an episode (`voyager_agents.agent`) these look, decide and act once a round, as
generative agents do in Commons Harvest. The scenario turns each decision into a program for the player's bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

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


class TurnTaker(Protocol):
    """An agent that acts turn by turn."""

    name: str

    async def take(self, turn: Turn) -> Decision:
        """Its decision for this turn. Raises AgentError for an agent that cannot go on."""
