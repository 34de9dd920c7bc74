"""Commons Harvest turn by turn: what a player is shown before its turn, what it decides, what counts as a deed.

The agents of `voyager_agents.turn_agent` that play it get a `HarvestTurn` and answer with a `HarvestDecision`; the
scenario turns each decision into a program for the player's bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TAKES = "harvest"
"""Name of this kind of turns (`voyager_agents.family.Family.takes`)."""
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
    """Visible details, such as the number of apples left on a tree, or that a player lies immobilized."""


@dataclass(frozen=True)
class HarvestAct:
    """One thing that a player did, as the world's record has it: the ground on which promises are judged."""

    kind: Literal["take", "attack"]
    """`take`: it took an apple. `attack`: it tried to immobilize `target`."""
    player: str
    at: Place
    """The apple's cell; where the target was, for an attack."""
    tree: str = ""
    """For `take`: the tree that the apple belonged to."""
    left: int = 0
    """For `take`: apples on that tree right after it."""
    target: str = ""
    hit: bool = False
    """For `attack`: True if the target was immobilized."""


@dataclass(frozen=True)
class HarvestTurn:
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
    """Events that this player witnessed since its last turn, oldest first, in words."""
    said: tuple[tuple[str, str], ...] = ()
    """(speaker, text) heard since its last turn."""
    deeds: tuple[HarvestAct, ...] = ()
    """Acts that this player saw since its last turn, its own included, oldest first; `events` has everything else."""
    apples: float = 0.0
    """Reward so far."""
    out: bool = False
    """Immobilized: whatever it decides has no effect this turn."""


@dataclass(frozen=True)
class HarvestDecision:
    """An agent's decision for its turn."""

    move: Move
    to: Place | None = None
    """Destination of `go` and `explore`; for `immobilize`, the place where the target was seen."""
    target: str = ""
    """Whom to immobilize."""
    say: str = ""
    """Said aloud, heard by all; empty for silence."""
    why: str = ""
    """The agent's own reason; recorded, never shown to others."""
    fault: str = ""
    """Fault of the agent's answer, if it could not be used and the agent stays; recorded."""
