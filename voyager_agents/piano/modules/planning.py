"""Planning: slow, deliberate planning of steps towards the goal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import list_schema, text_schema
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.rendering import render
from voyager_agents.piano.slots import Goal, GoalPlan


def rule(view: SlotView) -> Result:
    """Return a plan of the acts of the goal's activity, in the table's order."""
    goal: Goal | None = view["goal"]
    if goal is None or goal.activity not in view.rules["activities"]:
        return NOTHING
    before: GoalPlan | None = view["plan"]
    steps = tuple(entry["label"] for entry in view.rules["activities"][goal.activity]["acts"])
    if before is not None and before.steps == steps:
        return NOTHING
    return Result({"plan": GoalPlan(steps, goal.t_s)})


class Steps(Strict):
    """Answer schema: a model's plan."""

    steps: list[Annotated[str, Field(max_length=400)]] = Field(min_length=1, max_length=8)


MAX_STEP = 200
"""Maximum characters of a step that are kept."""
FORM = AnswerForm(
    "planning",
    Steps,
    {"steps": ["...", "..."]},
    narrowed={"steps": list_schema(text_schema(MAX_STEP), 1, 8)},
)


def ask(view: SlotView) -> Mapping[str, Any] | None:
    """Return the goal, the percepts, the advice and the plan so far; None if the plan is still valid."""
    goal: Goal | None = view["goal"]
    before: GoalPlan | None = view["plan"]
    if goal is None or (
        before is not None and view.at("plan").t_s >= view.at("goal").t_s and not view["awareness"].advice
    ):
        return None
    return {
        "goal": goal.text,
        "now": render("percepts", view["percepts"]),
        "learned": view["awareness"].advice,
        "places": view["persona"]["location_memories"],
        "plan_until_now": list(before.steps) if before else [],
    }


def read(view: SlotView, answer: Steps) -> Result:
    """Return the model's plan."""
    goal: Goal | None = view["goal"]
    return Result({"plan": GoalPlan(tuple(step[:MAX_STEP] for step in answer.steps), goal.t_s if goal else view.now)})


MODULE = Module(
    name="planning",
    reads=("persona", "goal", "plan", "percepts", "awareness"),
    writes=("plan",),
    when=When(changes=("goal", "awareness"), least_s=5.0),
    rule=rule,
    role="planning",
    ask=ask,
    form=FORM,
    read=read,
    prompt="planning",
    heeds=("persona", "goal", "awareness"),
)
