"""Short-term memory: what an agent needs at hand in every round: what it sees now, its plan, its last deeds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from voyager_agents.commons_harvest import HarvestTurn
from voyager_agents.generative.council import CouncilView

LAST_EVENTS = 10
LAST_ACTIONS = 5


@dataclass(frozen=True)
class PlanMade:
    """Current aim of the agent."""

    goal: str
    plan: str
    steps: tuple[str, ...]
    """Next steps, in order."""
    round: int
    reason: str = ""
    """Why it was made."""

    def plain(self) -> dict[str, Any]:
        """For prompts."""
        return {"goal": self.goal, "plan": self.plan, "steps": list(self.steps), "since_round": self.round}


@dataclass
class ShortTermMemory:
    """Constantly overwritten; nothing in it outlives its use."""

    turn: HarvestTurn | None = None
    now: tuple[str, ...] = ()
    """The nearest things in sight, in words."""
    changes: tuple[str, ...] = ()
    """Differences from what was known."""
    plan: PlanMade | None = None
    events: deque[str] = field(default_factory=lambda: deque(maxlen=LAST_EVENTS))
    actions: deque[str] = field(default_factory=lambda: deque(maxlen=LAST_ACTIONS))
    council: CouncilView | None = None

    def clear(self) -> None:
        """Forget all: another game begins."""
        self.turn = self.plan = self.council = None
        self.now = self.changes = ()
        self.events.clear()
        self.actions.clear()

    def plain(self) -> dict[str, Any]:
        """Return the present, for prompts. Only after the first turn."""
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
            "plan": self.plan.plain() if self.plan else None,
        }
