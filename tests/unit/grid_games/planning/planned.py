"""Helpers of the tests of plans: an agent on a small map, and games played by the scripted planner."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from grid_games import Batch, load, observe
from grid_games.oracle import plan_of
from grid_games.planning import GridPlan, PlanRunner, ScriptedPlanner, view_of
from tests.unit.grid_games.play import empty

SIZE = (9, 9)
"""Map of the tests; the window has 5 by 5 cells."""


def cell(row: int, column: int) -> int:
    return row * SIZE[1] + column


def explorers(agents: int = 1, **changes: object) -> Batch:
    """Return explorers on an empty map that is larger than their windows."""
    return empty(agents, SIZE, **changes)


def runner(batch: Batch, agent: int = 0, review: int = 20) -> PlanRunner:
    """Return a runner that has seen the current step."""
    found = PlanRunner(batch.game, batch.actions, agent, 0, review)
    look(batch, found, agent)
    return found


def look(batch: Batch, mine: PlanRunner, agent: int = 0) -> None:
    mine.see(view_of(batch, observe(batch), agent))


def step(batch: Batch, mine: PlanRunner, agent: int = 0, other: str = "stay") -> str:
    """Play the next action of a plan while all others do the same thing; return the action's name."""
    names = [str(action) for action in batch.actions]
    actions = np.full((batch.size, batch.agents), names.index(other), np.intp)
    actions[0, agent] = mine.act()
    batch.step(actions)
    look(batch, mine, agent)
    return names[actions[0, agent]]


def carry_out(batch: Batch, mine: PlanRunner, plan: GridPlan, agent: int = 0, most: int = 30) -> list[str]:
    """Carry out a plan until it ends; return the names of its actions."""
    assert mine.fault(plan) is None
    mine.adopt(plan)
    done: list[str] = []
    while mine.review() is None and len(done) < most:
        done.append(step(batch, mine, agent))
    return done


@dataclass
class PlannedGame:
    """Result of a game played by the scripted planner."""

    score: float
    plans: Counter[int] = field(default_factory=Counter)
    """Agent -> number of its plans."""
    refused: int = 0


def play_scripted(name: str, seed: int, review: int = 20) -> PlannedGame:
    """Play a game whose agents each follow the plans of the scripted planner."""
    game = load(name)
    batch, script = Batch(game, [seed]), ScriptedPlanner(game)
    runners = [PlanRunner(game, batch.actions, agent, seed, review) for agent in range(game.agents)]
    found = PlannedGame(0.0)
    while batch.time[0] < game.steps:
        parts, actions = observe(batch), np.zeros((1, game.agents), np.intp)
        for agent, each in enumerate(runners):
            view = view_of(batch, parts, agent)
            each.see(view)
            if view.mask.sum() == 1:
                each.skip()
                actions[0, agent] = view.mask.argmax()
                continue
            if each.review() is not None:
                plan = script.plan(each.start)
                assert each.fault(plan) is None, plan
                each.adopt(plan)
                found.plans[agent] += 1
            actions[0, agent] = each.act()
        batch.step(actions)
    found.score = float(batch.rewards.sum()) / plan_of(game).total
    found.refused = int(batch.refused.sum())
    return found
