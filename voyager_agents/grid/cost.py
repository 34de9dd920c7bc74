"""Cost estimates of players that ask a model, sized by their real prompts.

A text player makes one call for each step in which it has a choice, a planner one for each plan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.asking import MAX_SHOWN, TRIES
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing, sizing_asker
from voyager_agents.grid.options import PLANNER, ROLE, history_of, review_of
from voyager_agents.grid.planner import PlannerPlayer
from voyager_agents.grid.players import GridTurn
from voyager_agents.grid.words import WordsPlayer

ANSWER = '{"why": "A hammer is worth more to me than wood.", "action": "pick hammer"}'
"""Typical answer, used for sizing."""
TOKENS = 26
"""Tokens of a typical answer."""


PLAN = '{"why": "I need stone for a hammer.", "plan": {"goal": "gather", "resource": "stone", "amount": 2}}'
"""Typical plan, used for sizing."""
PLAN_TOKENS = 40
"""Tokens of a typical plan."""


class TypicalReply(Strict):
    """Answer that names an action."""

    why: str
    action: str


class GatherExample(Strict):
    """Typical plan."""

    goal: str
    resource: str
    amount: int


class TypicalPlan(Strict):
    """Answer that states a plan."""

    why: str
    plan: GatherExample


FORM = AnswerForm("grid", TypicalReply, {"why": "one short sentence", "action": "one of your actions"}, reasoning="why")
PLAN_FORM = AnswerForm(
    "grid_plan",
    TypicalPlan,
    {"why": "<one short sentence>", "plan": "<one of your plans now>"},
    reasoning="why",
)


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of a text player in a game.

    Lower bound: one call for each step with the game's shortest text. Upper bound: two calls for each step with the
    longest text and a full history.
    """
    context = run.context
    assert run.words is not None, "families of grid games play grid games"
    shown = run.words(context.player)
    texts = (shown.shortest, shown.longest)
    shortest, longest = shown.apart if shown.apart is not None and context.see == "image" else texts
    least, most = run.extent
    found = []
    for seen, history, filled in ((shortest, 0, 0), (longest, history_of(context.options), 1)):
        sizing = Sizing(ANSWER, TOKENS)
        player = WordsPlayer(context, sizing_asker(context, ROLE, sizing), history=history)
        player.observe(run.first_observation())
        for step in range(1, 2 + filled * history):
            await player.choose(GridTurn(step, shown.rules, seen), FORM)
        found.append(sizing.asked[-1])
    return {ROLE: (found[0].times(least), _tries(found[1]).times(most))}


async def estimate_planner_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of a planner in a game.

    Lower bound: every plan lasts until it is reviewed. Upper bound: a plan for each step with the longest text and a
    full history, and each answer corrected.
    """
    context = run.context
    assert run.plans is not None, "families of grid games play grid games"
    texts, history = run.plans(context.player), history_of(context.options)
    least, most = run.extent
    found = []
    for turn, count in ((texts.shortest, 0), (texts.longest, history)):
        sizing = Sizing(PLAN, PLAN_TOKENS)
        asker = sizing_asker(context, PLANNER, sizing)
        player = PlannerPlayer(context, asker, history=count, review=review_of(context.options))
        player.observe(run.first_observation())
        for step in range(1, 2 + count):
            await player.plan(replace(turn, step=step), PLAN_FORM, str)
        found.append(sizing.asked[-1])
    plans = math.ceil(least / review_of(context.options))
    return {PLANNER: (found[0].times(plans), _tries(found[1]).times(most))}


def _tries(longest: CallCost) -> CallCost:
    """Return the cost of a question whose answers are all unusable but the last."""
    again = CallCost(1, longest.prompt + MAX_SHOWN // CHARS_A_TOKEN, longest.completion, longest.stable)
    return longest.plus(again.times(TRIES - 1))
