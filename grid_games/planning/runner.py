"""Execution of one agent's plans over many steps, and the monitor that says when a new plan is needed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from grid_games.actions import GridAction
from grid_games.core.tables import STAY, Tables
from grid_games.planning.goals import GOALS
from grid_games.planning.memory import MapMemory
from grid_games.planning.plan import GridPlan
from grid_games.planning.state import PlanState
from grid_games.planning.view import AgentView
from grid_games.spec import GridGame

Cause = Literal["first", "done", "impossible", "changed", "review"]
"""Reason for a new plan: none was made yet; done; impossible; the world differs; so many steps have passed."""


@dataclass(frozen=True)
class PlanReview:
    """The monitor's finding that a new plan is needed."""

    cause: Cause
    text: str = ""
    """Details, in words."""


class PlanRunner:
    """Controller and monitor of one agent.

    Before each step call `see`, then `review`; with a new plan `adopt` it; `act` returns the action.
    """

    def __init__(self, game: GridGame, actions: Sequence[GridAction], agent: int, seed: int, review: int) -> None:
        """Create a runner without a plan.

        Args:
            game: The game.
            actions: Its actions by number.
            agent: Index of the agent.
            seed: Seed of choices between ways of equal length.
            review: Steps after which a plan is reviewed at the latest.
        """
        self._tables = Tables(game)
        self._numbers = {action: number for number, action in enumerate(actions)}
        self._dice = random.Random(f"controller:{seed}:{agent}")
        self._limit = review
        self._seen: PlanState | None = None
        self._society: _Society | None = None
        """Social situation in which the plan was made."""
        self._news = ""
        self.memory = MapMemory(self._tables)
        self.plan: GridPlan | None = None
        self._done = self._steps = 0

    @property
    def state(self) -> PlanState:
        """Current situation; `see` must have been called."""
        assert self._seen is not None, "see comes first"
        return self._seen

    @property
    def start(self) -> PlanState:
        """Current situation as that of a new plan's first step."""
        return replace(self.state, done=0, steps=0)

    def see(self, view: AgentView) -> None:
        """Remember what the agent sees before a step."""
        self.memory.update(view)
        self._seen = PlanState(self._tables, self._numbers, view, self.memory, self._dice, self._done, self._steps)

    def review(self) -> PlanReview | None:
        """Return why a new plan is needed now, or None if the plan goes on."""
        plan, state = self.plan, self.state
        if plan is None:
            return PlanReview("first")
        goal = GOALS[plan.goal]
        if goal.reached(plan, state):
            return PlanReview("done")
        if (fault := goal.fault(plan, state)) is not None:
            return PlanReview("impossible", fault)
        if self._news:
            return PlanReview("changed", self._news)
        if self._society_changed():
            return PlanReview("changed", "groups, requests, claims or messages have changed")
        found = self.memory.found & state.pickable
        if goal.lookout and found.any() and self._steps:
            names = [each.name for each, new in zip(self._tables.game.resources, found, strict=True) if new]
            return PlanReview("changed", f"you have found {', '.join(names)}")
        return PlanReview("review", f"{self._steps} steps have passed") if self._steps >= self._limit else None

    def renew(self, news: str) -> None:
        """Ask for a new plan at the next review, because of news from outside the game, in words."""
        self._news = news

    def fault(self, plan: GridPlan) -> str | None:
        """Return why a new plan cannot be carried out from here, or None."""
        return GOALS[plan.goal].fault(plan, self.start)

    def adopt(self, plan: GridPlan) -> None:
        """Begin with a plan that has no fault."""
        self.plan, self._seen = plan, self.start
        self._done = self._steps = 0
        self._society, self._news = _society(self.state), ""

    def act(self) -> int:
        """Return the number of the plan's next action; `stay` without a plan."""
        if self.plan is None:
            return STAY
        action = GOALS[self.plan.goal].act(self.plan, self.state)
        self._steps += 1
        self._done += action > STAY
        return action

    def skip(self) -> None:
        """Count a step in which the agent had no choice or something else acted for it."""
        self._steps += 1

    def _society_changed(self) -> bool:
        """Return True if the graph differs from the plan's, or something new was said to the agent."""
        now, then = _society(self.state), self._society
        return then is None or now.graph != then.graph or (now.spoken and now.told != then.told)


@dataclass(frozen=True)
class _Society:
    """Social situation of an agent, for comparison."""

    graph: tuple[bool, bytes]
    """The agent's own edges and memberships if it may work; else those of all others, which its choice depends on."""
    told: tuple[bytes, ...]
    """Requests, claims and messages to the agent."""
    spoken: bool
    """True if there are any."""


def _society(state: PlanState) -> _Society:
    """Return the social situation of an agent."""
    parts, agent = state.view.parts, state.view.agent
    graph = parts["social_state"]
    if state.physical:
        part = np.concatenate([graph[agent], graph[:, agent]])
    else:
        part = graph != 0
        part[agent] = part[:, agent] = False
    told = [parts[name] for name in ("communication", "proposal") if name in parts]
    return _Society(
        (state.physical, part.tobytes()), tuple(each.tobytes() for each in told), any(each.any() for each in told)
    )
