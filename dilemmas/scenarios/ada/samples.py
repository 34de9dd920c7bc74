"""Texts of grid games for players who answer in words: questions for plans, and samples for cost estimates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from grid_games import Batch, GridGame, observe
from grid_games.planning import PlanReview, PlanRunner, open_goals, view_of
from grid_games.planning.runner import Cause
from grid_games.policies import RandomPolicy
from grid_games.text import describe, describe_situation, goals_text, rules_of_play
from voyager_agents.grid import GridTexts, PlanTexts, PlanTurn

SAMPLES = 40
"""Situations of a game of which the shortest and the longest question for a plan are taken."""
REASONS: Mapping[Cause, str] = {
    "first": "you have no plan yet.",
    "done": "your last plan is done.",
    "impossible": "your last plan has become impossible: {}.",
    "changed": "something has changed: {}.",
    "review": "{} since you made your last plan.",
}
"""Cause of a new plan -> the reason as planners read it, with a place for its details."""


def plan_turn(batch: Batch, runner: PlanRunner, review: PlanReview) -> PlanTurn:
    """Return the question for a plan.

    Args:
        batch: The batch.
        runner: The agent's runner, which has seen the current step.
        review: The monitor's finding that a new plan is needed.
    """
    start = runner.start
    return PlanTurn(
        step=start.view.time + 1,
        kind=batch.game.rules,
        rules=rules_of_play(batch.game, start.view.agent),
        goals=goals_text(batch.actions),
        reason=REASONS[review.cause].format(review.text),
        ended="" if review.cause == "first" else ": ".join(filter(None, (review.cause, review.text))),
        seen=describe_situation(start, open_goals(start)),
    )


def sample_texts(game: GridGame, agent: int) -> GridTexts:
    """Return the texts of a game that is played at random, for one agent."""
    batch, policy = Batch(game, [0]), RandomPolicy(0)
    seen: list[str] = []
    apart: list[str] = []
    for _ in range(game.steps):
        if batch.mask[0, agent].sum() > 1:
            parts: dict[str, Any] = {name: part[0, agent] for name, part in observe(batch).items()}
            seen.append(describe(game, batch.actions, parts))
            apart.append(describe(game, batch.actions, parts, cells=False))
        batch.step(np.asarray(policy.act(batch)))
    seen.sort(key=len)
    apart.sort(key=len)
    return GridTexts(rules_of_play(game, agent), seen[0], seen[-1], (apart[0], apart[-1]))


def sample_plans(game: GridGame, agent: int) -> PlanTexts:
    """Return questions for a plan in a game that is played at random, for one agent."""
    batch, policy = Batch(game, [0]), RandomPolicy(0)
    runner = PlanRunner(game, batch.actions, agent, 0, game.steps)
    turns: list[PlanTurn] = []
    every = max(1, game.steps // SAMPLES)
    for step in range(game.steps):
        if batch.mask[0, agent].sum() > 1 and (step % every == 0 or not turns):
            runner.see(view_of(batch, observe(batch), agent))
            turns.append(plan_turn(batch, runner, PlanReview("review", "20 steps have passed")))
        batch.step(np.asarray(policy.act(batch)))
    turns.sort(key=lambda turn: len(turn.seen))
    return PlanTexts(turns[0], turns[-1])
