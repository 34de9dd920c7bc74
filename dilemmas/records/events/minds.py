"""Events of players' minds: what they were shown, and what they thought; for the reader of the record alone."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel
from voyager_agents.thought_events import Step


class Shown(EventModel):
    """What a player was shown of the run so far, as its scenario grants it; chat and programs are in the log."""

    kind: Literal["shown"] = "shown"
    player: str
    contract: str | None = None
    """The name of the contract by which it is bound."""
    inventories: dict[str, dict[str, int]] = Field(default_factory=dict)
    """Player -> item -> count at the end of the episode before."""
    chat: int = 0
    """Lines of chat of the episode before."""
    outcome: str = ""
    """How its own program ended, with the error; empty before the first episode."""
    printed: int = 0
    """Lines that its program printed."""
    reward: float | None = None
    """Of the episode before, transfers included."""
    critique: str = ""
    """The judge's."""


class MindTold(EventModel):
    """One step of a player's mind, as the agent tells it (`voyager_agents.thought_events`)."""

    kind: Literal["mind_step"] = "mind_step"
    player: str
    step: Annotated[Step, Field(discriminator="what")]


MindEvent = Shown | MindTold
"""Any event of a mind."""
