"""Plan of one agent, as a planner states it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GridPlan:
    """A goal and its details; details that the goal does not need keep their defaults."""

    goal: str
    """Name of a goal in `grid_games.planning.goals.GOALS`."""
    resource: str = ""
    amount: int = 1
    """Units to gather, craft or drop; steps to explore or wait."""
    partner: int | None = None
    """Other agent: the one a drop is for, or the one addressed."""
    cell: int | None = None
    """Number of the cell to go to or to drop at."""
    group: int | None = None
    share: float | None = None
    words: tuple[int, ...] | None = None
