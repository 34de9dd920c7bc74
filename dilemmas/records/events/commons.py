"""Events of a harvested commons: positions, growth, harvests, attacks and decisions.

Deeds are what the server shows. A decision is an agent's stated intention and may have no effect.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, is_empty

Place = tuple[int, int]
"""(x, z) of a cell: column and row, counted from the field's north-west corner."""


class FieldPlanted(EventModel):
    """State of the field at the start of an episode."""

    kind: Literal["field_planted"] = "field_planted"
    columns: int
    rows: int
    trees: dict[str, list[Place]]
    """Tree -> its cells, each with an apple."""


class FieldStepped(EventModel):
    """One step of the rules, with the state observed before it."""

    kind: Literal["field"] = "field"
    step: int
    """Number of the step, from 0; a step is one second of game time, or one round."""
    positions: dict[str, tuple[float, float]]
    """Player -> (x, z) in cells, for players inside the field."""
    out: list[str]
    """Immobilized players."""
    grown: list[Place]
    """Cells in which an apple grew in this step."""
    lost: list[Place] = Field(default_factory=list)
    """Cells that lost their apple because somebody dug the ground away."""
    apples: dict[str, int]
    """Tree -> number of apples after the step."""


class DeedSeen(EventModel):
    """A player took an apple or tried to immobilize another player."""

    kind: Literal["deed"] = "deed"
    step: int
    round: int | None = None
    """Number of the round, from 1; None in games without rounds."""
    deed: Literal["take", "attack"]
    player: str
    at: Place
    """Cell of the apple or of the target."""
    tree: str = ""
    left: int = 0
    """Number of apples left on the tree."""
    target: str = ""
    hit: bool = False
    """True if the server shows that the target was hit."""


class Decided(EventModel):
    """An agent's decision in a round."""

    kind: Literal["decision"] = "decision"
    round: int
    player: str
    at: Place
    """Cell of the player when it decided."""
    move: str
    to: Place | None
    target: str
    said: str
    why: str
    fault: str = ""
    """Reason for an unusable answer or an illegal move; empty if there is none."""
    stood_in: str = Field(default="", exclude_if=is_empty)
    """Name of the stand-in that moved for the player; empty if the player's own decision counted."""
    out: bool = False
    """True if the player was immobilized, so that the decision had no effect."""
    last_apple: bool = False
    """True if the nearest visible apple was the last one of its tree."""
    closer: bool = False
    """True if `last_apple` holds and the move brought the player closer to that apple."""


class CouncilEntry(EventModel):
    """A statement, agreement, ruling or judgement between rounds; see `voyager_agents.turn_agent.Council`."""

    kind: Literal["council"] = "council"
    entry: dict[str, Any]


class GroundsUsed(EventModel):
    """A player harvested, cleared or placed blocks of a public good under institutions, by the server's counts."""

    kind: Literal["grounds_used"] = "grounds_used"
    t_s: float
    player: str
    deed: Literal["harvest", "clear", "litter"]
    block: str
    count: int
    """Number of blocks since the last look at the counts."""
    waste: int
    """Blocks of waste at that time."""


CommonsEvent = FieldPlanted | FieldStepped | DeedSeen | Decided | CouncilEntry | GroundsUsed
"""Any event of a commons."""
