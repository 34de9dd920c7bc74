"""Short-term memory: an agent's current sights, plan, recent events and recent actions."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from voyager_agents.commons_harvest import HarvestTurn
from voyager_agents.generative.council import CouncilView

LAST_EVENTS = 10
"""Number of recent events kept."""
LAST_STEPS = 20
"""Number of the latest steps of institutions kept."""
LAST_ACTIONS = 5
"""Number of the agent's own recent actions kept."""


@dataclass(frozen=True)
class PlanMade:
    """Plan of an agent: goal, course of action and next steps."""

    goal: str
    plan: str
    steps: tuple[str, ...]
    """Next steps, in order."""
    round: int
    """Round in which the plan was made."""
    reason: str = ""
    """Reason for making the plan."""

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as JSON-compatible data, for prompts."""
        return {"goal": self.goal, "plan": self.plan, "steps": list(self.steps), "since_round": self.round}


@dataclass
class ShortTermMemory:
    """Working memory of one agent, overwritten every turn."""

    turn: HarvestTurn | None = None
    now: tuple[str, ...] = ()
    """Nearest visible things, in words."""
    changes: tuple[str, ...] = ()
    """Differences between spatial memory and the current view, in words."""
    plan: PlanMade | None = None
    events: deque[str] = field(default_factory=lambda: deque(maxlen=LAST_EVENTS))
    actions: deque[str] = field(default_factory=lambda: deque(maxlen=LAST_ACTIONS))
    council: CouncilView | None = None
    law: tuple[str, ...] = ()
    """Clauses of the law in force."""
    institutions: deque[Mapping[str, Any]] = field(default_factory=lambda: deque(maxlen=LAST_STEPS))
    """Steps of institutions that the agent may know, oldest first."""

    def clear(self) -> None:
        """Reset the memory before a new game."""
        self.turn = self.plan = self.council = None
        self.now = self.changes = self.law = ()
        self.institutions.clear()
        self.events.clear()
        self.actions.clear()

    def to_dict(self) -> dict[str, Any]:
        """Return the current state for prompts; empty before the first turn."""
        turn = self.turn
        if turn is None:
            return {}
        return {
            "round": turn.round,
            "you": {"name": turn.player, "at": list(turn.at), "apples": turn.apples, "out": turn.out},
            "others": [name for name in turn.players if name != turn.player],
            "in_sight_nearest_first": list(self.now),
            "changes": list(self.changes),
            "last_events": list(self.events),
            "your_last_actions": list(self.actions),
            "plan": self.plan.to_dict() if self.plan else None,
        }
