"""Events of a commons that is harvested: where everybody is, what grew, who took what, who was hit, who decided what.

Deeds are what the server shows; a decision is what an agent said it would do, and may come to nothing.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel

Place = tuple[int, int]
"""(x, z) of a cell: column and row from the field's north-west corner."""


class FieldPlanted(EventModel):
    """The field as it is at the start of an episode."""

    kind: Literal["field_planted"] = "field_planted"
    columns: int
    rows: int
    trees: dict[str, list[Place]]
    """Tree -> its cells; there is an apple in each."""


class FieldStepped(EventModel):
    """One step of the rules, and what was found before it."""

    kind: Literal["field"] = "field"
    step: int
    """From 0; one second of game time, or one round."""
    positions: dict[str, tuple[float, float]]
    """Player -> (x, z) in cells; of players in the field alone."""
    out: list[str]
    """Players that are immobilized."""
    grown: list[Place]
    """Cells in which an apple has grown in this step."""
    lost: list[Place] = Field(default_factory=list)
    """Cells whose apple is gone without having been taken, since somebody dug its ground away."""
    apples: dict[str, int]
    """Tree -> apples on it after the step."""


class DeedSeen(EventModel):
    """A player took an apple, or tried to immobilize another."""

    kind: Literal["deed"] = "deed"
    step: int
    round: int | None = None
    """From 1; None where nobody plays in rounds."""
    deed: Literal["take", "attack"]
    player: str
    at: Place
    """The apple's cell; where the target was."""
    tree: str = ""
    left: int = 0
    """Apples on that tree right after it."""
    target: str = ""
    hit: bool = False
    """Whether the server shows that the target was hit."""


class Decided(EventModel):
    """What an agent decided in a round."""

    kind: Literal["decision"] = "decision"
    round: int
    player: str
    at: Place
    """Where it stood."""
    move: str
    to: Place | None
    target: str
    said: str
    why: str
    fault: str = ""
    """Why it came to nothing: an answer that could not be used, or a move that is not legal; empty for neither."""
    out: bool = False
    """It was immobilized, so that the decision had no effect."""
    last_apple: bool = False
    """The apple nearest to the player, in sight, was the last one of its tree."""
    closer: bool = False
    """With `last_apple`: after its move it was nearer to that cell than before."""


class CouncilEntry(EventModel):
    """What was said, agreed, ruled or judged between the rounds; see `voyager_agents.turn_agent.Council`."""

    kind: Literal["council"] = "council"
    entry: dict[str, Any]


CommonsEvent = FieldPlanted | FieldStepped | DeedSeen | Decided | CouncilEntry
"""Any event of a commons."""
