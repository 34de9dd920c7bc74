"""Types of a turn in Commons Harvest: observation, decision and recorded acts.

The agents of `voyager_agents.turn_agent` that play it get a `HarvestTurn` and return a `HarvestDecision`. The scenario
turns each decision into a program for the player's bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TAKES = "harvest"
"""Kind of turns (`voyager_agents.family.Family.takes`)."""
Place = tuple[int, int]
"""(x, z) of a cell of the field, counted from its north-west corner."""
Move = Literal["go", "immobilize", "stay", "explore"]


@dataclass(frozen=True)
class Seen:
    """One visible object."""

    what: str
    """`apple`, `bare` (an apple's cell without an apple), `tree`, or `player`."""
    at: Place
    name: str = ""
    """Name of the tree or the player; for an apple's cell, the tree that the cell belongs to."""
    note: str = ""
    """Visible details, such as the number of apples left on a tree, or that a player is immobilized."""


@dataclass(frozen=True)
class HarvestAct:
    """A player's act in the world's record. Promises are judged by these acts."""

    kind: Literal["take", "attack"]
    """`take`: it took an apple. `attack`: it tried to immobilize `target`."""
    player: str
    at: Place
    """Cell of the apple; for an attack, the target's cell."""
    tree: str = ""
    """For `take`: the tree that the apple belonged to."""
    left: int = 0
    """For `take`: apples left on that tree right afterwards."""
    target: str = ""
    hit: bool = False
    """For `attack`: True if the target was immobilized."""


@dataclass(frozen=True)
class HarvestTurn:
    """An agent's observation before its turn."""

    player: str
    players: tuple[str, ...]
    round: int
    """Round number, from 1."""
    at: Place
    size: Place
    """Columns and rows of the field."""
    seen: tuple[Seen, ...]
    """Nearest first."""
    events: tuple[str, ...] = ()
    """Events that this player witnessed since its last turn, in words, oldest first."""
    said: tuple[tuple[str, str], ...] = ()
    """(speaker, text) heard since its last turn."""
    deeds: tuple[HarvestAct, ...] = ()
    """Acts that this player saw since its last turn, its own included, oldest first. `events` has everything else."""
    apples: float = 0.0
    """Reward so far, in apples."""
    out: bool = False
    """True while the player is immobilized; its decision then has no effect."""


@dataclass(frozen=True)
class HarvestDecision:
    """An agent's decision for its turn."""

    move: Move
    to: Place | None = None
    """Destination of `go` and `explore`; for `immobilize`, the cell where the target was seen."""
    target: str = ""
    """Player to immobilize."""
    say: str = ""
    """Message that all players hear; empty for none."""
    why: str = ""
    """The agent's reasoning; recorded, never shown to others."""
    fault: str = ""
    """Fault of an unusable answer, for which the agent stays put; recorded."""


def act_text(act: HarvestAct) -> str:
    """Format a recorded act as text."""
    if act.kind == "take":
        return f"{act.player} took the apple at {spot(act.at)}, {act.tree}: {act.left} are left there"
    outcome = "immobilized" if act.hit else "attacked without hitting"
    return f"{act.player} {outcome} {act.target} at {spot(act.at)}"


def spot(at: Place) -> str:
    """Format a cell as text."""
    return f"({at[0]}, {at[1]})"
