"""Skill execution: an act for the current decision, as calls of skills or as a program. It replaces the current act.

With a skill library, matching skills are shown to the model, and calls and programs may use them. A program that gains
its expected items becomes a skill (`voyager_agents.piano.agent_skills`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import bounded_schema, limit_values, list_schema, text_schema
from voyager_agents.errors import ReplyError
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.primitives import CALLABLE
from voyager_agents.piano.rendering import plain, render
from voyager_agents.piano.rule_based.activity_tables import activity_of, due_act
from voyager_agents.piano.slots import BodyAction, ControllerDecision, due_duty
from voyager_agents.prompts.fitting import ShownPrimitives
from voyager_agents.realtime_agent import Act, PrimitiveCall

MAX_PROGRAM = 20_000
SCHEMA_PROGRAM = 1500
"""Maximum length of a program under a schema, in characters: grammars of local engines refuse longer repetitions."""
COUNTED = {"item", "count"}
"""Keys of an entry of `ITEMS`."""
ITEM = re.compile(r"[a-z0-9_]{1,64}")
MAX_ITEMS = 2304
"""Maximum count of an expected item: 36 full stacks of 64."""


def rule(view: SlotView) -> Result:
    """Return the first possible act of the decided activity, or the duty's act; nothing if that act is running."""
    decision: ControllerDecision | None = view["decision"]
    action: BodyAction | None = view["action"]
    if decision is None or not view.at("percepts").version or _reflex_acts(view, action):
        return NOTHING
    if action is not None and action.running and action.doing == decision.doing:
        return NOTHING
    duty = due_duty(view["duty"], view["errand"])
    if duty is not None and duty.doing == decision.doing:
        # A duty's act runs once; a repeated request comes as a new duty.
        done = action is not None and action.doing == decision.doing and action.by == MODULE.name
        return NOTHING if done else Result(act=duty.act)
    places = view["persona"].get("places", {})
    avoid = (view.get("awareness").avoid if view.get("awareness") else {}) or {}
    act = due_act(
        decision.activity,
        view.rules,
        view["percepts"],
        places,
        avoid,
        now=view.now,
        chance=view.chance,
        forbids=view["forbids"],
    )
    if act is None:
        return NOTHING
    if action is not None and action.running and action.label == act.label:
        return NOTHING
    return Result(act=act)


def _reflex_acts(view: SlotView, action: BodyAction | None) -> bool:
    return view["alarm"] is not None and action is not None and action.running and action.by == "reflex"


def _counts(value: object) -> object:
    """Return items with their counts as a map, where they are listed as schemas ask for them; any other value as is."""
    if not isinstance(value, list) or any(not isinstance(each, dict) or each.keys() != COUNTED for each in value):
        return value
    return {each["item"]: each["count"] for each in value}


def _argument(value: object) -> object:
    return _counts(value) if value else value


class CallAnswer(Strict):
    """Answer schema: one call of a primitive or skill."""

    name: str = Field(max_length=60)
    args: list[Annotated[Any, BeforeValidator(_argument)]] = Field(max_length=8)


class SkillAnswer(Strict):
    """Answer schema: a model's act, either calls or a program."""

    label: str = Field(min_length=1, max_length=120)
    calls: list[CallAnswer] | None = Field(default=None, max_length=8)
    program: str | None = Field(default=None, max_length=MAX_PROGRAM)
    gains: Annotated[dict[str, int], BeforeValidator(_counts)] = Field(default_factory=dict, max_length=8)
    """Expected gains of a program: item -> number of additional items held at its end."""


EXAMPLE = {"label": "...", "calls": [{"name": "goTo", "args": [{"x": 0, "y": 64, "z": 0}, 2]}]}
ITEMS = list_schema(
    {
        "type": "object",
        "properties": {
            "item": {"type": "string", "pattern": "^[a-z0-9_]{1,40}$"},
            "count": {"type": "integer", "minimum": 1, "maximum": MAX_ITEMS},
        },
        "required": ["item", "count"],
        "additionalProperties": False,
    },
    0,
    4,
)
"""JSON schema of items with their counts: a list, since grammars bound neither the keys of a map nor their number."""
ARGUMENT = {
    "anyOf": [
        {"type": "number"},
        {"type": "string", "maxLength": 100},
        {"type": "boolean"},
        {
            "type": "object",
            "properties": {"x": {"type": "number"}, "y": {"type": "number"}, "z": {"type": "number"}},
            "required": ["x", "y", "z"],
            "additionalProperties": False,
        },
        ITEMS,
    ]
}
"""JSON schema of an argument: a number, a text, a truth value, a position, or items with their counts."""


def form(view: SlotView) -> AnswerForm[SkillAnswer]:
    """Return the form of an act; its schema offers the primitives and skills that may be called."""
    call = limit_values(bounded_schema(CallAnswer), {"name": sorted({*CALLABLE, *view.skills})})
    call["properties"]["args"] = list_schema(ARGUMENT, 0, 8)
    narrowed = {
        "calls": list_schema(call, 1, 8),
        "program": text_schema(SCHEMA_PROGRAM, 1),
        "gains": ITEMS,
    }
    sets = (("label", "calls"), ("label", "program", "gains"))
    return AnswerForm("skill_execution", SkillAnswer, EXAMPLE, narrowed=narrowed, alternatives=sets)


def ask(view: SlotView) -> Mapping[str, Any] | None:
    """Return the decision, percepts, places, last outcome, plan and primitives; None if no new act is needed."""
    decision: ControllerDecision | None = view["decision"]
    action: BodyAction | None = view["action"]
    if decision is None or not view.at("percepts").version or _reflex_acts(view, action):
        return None
    if action is not None and action.running and action.doing == decision.doing:
        return None
    due = due_duty(view["duty"], view["errand"])
    return {
        "decision": plain(decision),
        "now": render("percepts", view["percepts"]),
        "places": view["persona"].get("places", {}),
        "last_outcome": render("outcome", view["outcome"]),
        "plan": render("plan", view["plan"]),
        "primitives": ShownPrimitives.of_page(view.docs, f"{decision.doing}. {decision.why}"),
        **({"duty": render("duty", due)} if due is not None else {}),
        **({"law": list(view["law"])} if view["law"] else {}),
    }


def read(view: SlotView, answer: SkillAnswer) -> Result:
    """Return the model's act.

    Raises ReplyError for unknown calls, illegal gains, or an answer with both or neither of calls and program.
    """
    if bool(answer.calls) == bool(answer.program):
        raise ReplyError("form", "give calls or a program, one of them")
    for step in answer.calls or ():
        if step.name not in CALLABLE and step.name not in view.skills:
            raise ReplyError("unknown", f"there is no primitive or skill {step.name[:40]!r}")
    for item, count in answer.gains.items():
        if not ITEM.fullmatch(item) or not 1 <= count <= MAX_ITEMS:
            raise ReplyError("form", f"gains: {item[:40]!r}: {count}: name an item and how many, from 1")
    if answer.program:
        return Result(act=Act(answer.label, program=answer.program, gains=answer.gains))
    return Result(
        act=Act(answer.label, tuple(PrimitiveCall(step.name, tuple(step.args)) for step in answer.calls or ()))
    )


def skills(view: SlotView) -> str:
    """Return the query for the skill library: the decided act and its expected result."""
    decision: ControllerDecision | None = view["decision"]
    return "" if decision is None else f"{decision.doing} {decision.expects}".strip()


def purpose(view: SlotView) -> object:
    """Return the text of the decided act."""
    decision: ControllerDecision | None = view["decision"]
    return None if decision is None else decision.doing


def about(label: str, rules: Mapping[str, Any]) -> str:
    """Return the activity that an act's label belongs to, for measures of agreement between words and deeds."""
    for name, table in rules["activities"].items():
        if any(entry["label"] == label for entry in table["acts"]):
            return str(name)
    return activity_of(label, rules)


MODULE = Module(
    name="skill_execution",
    reads=(
        "persona",
        "decision",
        "percepts",
        "action",
        "alarm",
        "awareness",
        "outcome",
        "plan",
        "duty",
        "errand",
        "law",
        "forbids",
    ),
    writes=(),
    when=When(changes=("decision",), events=("act_ended",), every_s=5.0),
    rule=rule,
    role="skill_execution",
    ask=ask,
    form=form,
    read=read,
    purpose=purpose,
    skills=skills,
    acts=True,
    prompt="skill_execution",
)
