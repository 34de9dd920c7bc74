"""Events of players' minds: observations shown and thoughts; no measure uses them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel
from voyager_agents.thought_events import Step


class Shown(EventModel):
    """Observation of the run so far, as the scenario grants it; chat and programs are elsewhere in the log."""

    kind: Literal["shown"] = "shown"
    player: str
    contract: str | None = None
    """Name of the contract that binds the player."""
    inventories: dict[str, dict[str, int]] = Field(default_factory=dict)
    """Player -> item -> count at the end of the previous episode."""
    chat: int = 0
    """Number of chat lines in the previous episode."""
    outcome: str = ""
    """Outcome of the player's own program with its error; empty before the first episode."""
    printed: int = 0
    """Number of lines printed by the player's program."""
    reward: float | None = None
    """Reward of the previous episode, transfers included."""
    critique: str = ""
    """The judge's critique."""


class MindTold(EventModel):
    """One reasoning step, as the agent reports it (`voyager_agents.thought_events`)."""

    kind: Literal["mind_step"] = "mind_step"
    player: str
    step: Annotated[Step, Field(discriminator="what")]


MindEvent = Shown | MindTold
"""Any event of a mind."""
