"""Events of building together: the drawn plan, and the building as the server shows it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, is_absent


class PlanDrawn(EventModel):
    """Plan of the run and the part that each player sees."""

    kind: Literal["plan_drawn"] = "plan_drawn"
    plan: str
    parts: dict[str, list[tuple[int, int, int, str]]]
    """Player -> [x, y, z, block] of its part, in world coordinates."""


class BuildingSeen(EventModel):
    """Blocks of the site, whenever they have changed, and once more at the end."""

    kind: Literal["building"] = "building"
    right: list[tuple[int, int, int]]
    """Cells in which the block of the plan stands, in world coordinates."""
    filled: int
    """Number of blocks in the site, right and wrong ones."""
    blocks: int
    """Number of blocks of the plan."""
    t_s: float | None = Field(default=None, exclude_if=is_absent)
    """Second of the episode; None for the reading at the end."""


BuildingEvent = PlanDrawn | BuildingSeen
"""Any event of building together."""
