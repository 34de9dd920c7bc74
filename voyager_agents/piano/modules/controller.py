"""Cognitive controller: the high-level decision from the slots of the bottleneck, which the other modules follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.rendering import render
from voyager_agents.piano.rule_based.activity_tables import activity_of
from voyager_agents.piano.slots import CivicDuty, ControllerDecision, Goal, due_duty


def rule(view: SlotView) -> Result:
    """Decide to work towards the goal, and whether to announce it or to answer a speaker. A duty takes precedence."""
    numbers = view.rules["controller"]
    before: ControllerDecision | None = view["decision"]
    duty = due_duty(view["duty"], view["errand"])
    if duty is not None:
        return _dutiful(duty, before, view.now)
    goal: Goal | None = view.get("goal")
    activity = goal.activity if goal is not None else _wish(view)
    spoken = _addressed(view, before)
    same = before is not None and before.activity == activity
    if same and not spoken and before is not None and view.now - before.t_s < numbers["patience_s"]:
        return NOTHING
    extroversion = (view.get("persona") or {}).get("extroversion", 0.5)
    tells = view.chance.random() < numbers["tell_base"] + numbers["tell_extroversion"] * extroversion
    answers = bool(spoken) and view.chance.random() < numbers["answer"]
    choice = ControllerDecision(
        number=1 if before is None else before.number + 1,
        doing=f"do some {activity}" if activity else "look around",
        activity=activity,
        why=goal.text if goal is not None else "it seems useful",
        speak=answers or tells,
        to=spoken if answers else "",
        purpose="answer" if answers else "tell what I do",
        expects=f"{activity} goes on" if activity else "",
        t_s=view.now,
    )
    return Result({"decision": choice})


def _dutiful(duty: CivicDuty, before: ControllerDecision | None, now: float) -> Result:
    """Return the decision to fulfil the duty and to say its words; nothing if it is already the decision."""
    if before is not None and (before.doing, before.why) == (duty.doing, duty.why):
        return NOTHING
    number = 1 if before is None else before.number + 1
    speak, to = bool(duty.words), duty.to
    return Result(
        {"decision": ControllerDecision(number, duty.doing, "", duty.why, speak, to, "duty" * speak, "", now)}
    )


def _wish(view: SlotView) -> str:
    """Return an activity for an agent without a goal: its trade, one heard of recently, or a random one."""
    if trade := (view.get("persona") or {}).get("trade"):
        return str(trade)
    heard = view.get("hearing") or ()
    for each in reversed(heard):
        if activity := activity_of(each.text, view.rules):
            return activity
    return str(view.chance.choice(sorted(view.rules["activities"])))


def _addressed(view: SlotView, before: ControllerDecision | None) -> str:
    """Return the player who last addressed the agent since its last decision; empty for none."""
    since = -1.0 if before is None else before.t_s
    named = [each.speaker for each in view.get("hearing") or () if each.addressed and each.t_s > since]
    return named[-1] if named else ""


class ControllerAnswer(Strict):
    """Answer schema: a model's decision."""

    why: str = Field(max_length=300)
    doing: str = Field(min_length=1, max_length=200)
    speak: bool
    to: str = Field(max_length=16)
    purpose: str = Field(max_length=200)
    expects: str = Field(max_length=200)


EXAMPLE = {"why": "...", "doing": "...", "speak": False, "to": "", "purpose": "", "expects": "..."}


def form(view: SlotView) -> AnswerForm[ControllerAnswer]:
    """Return the form of a decision; its schema offers the known players as addressees."""
    addressee = {"type": "string", "enum": ["", *view.known_players]}
    return AnswerForm("controller", ControllerAnswer, EXAMPLE, reasoning="why", narrowed={"to": addressee})


def ask(view: SlotView) -> Mapping[str, Any]:
    """Return the last decision, time, duty, law and drives; the agent adds the slots that pass the bottleneck."""
    due = due_duty(view["duty"], view["errand"])
    duty = {"duty": render("duty", due)} if due is not None else {}
    law = {"law": list(view["law"])} if view["law"] else {}
    drives = {"drives": dict(view["drives"].levels)} if view["drives"] is not None else {}
    return {"last_decision": render("decision", view["decision"]), "now_s": view.now, **duty, **law, **drives}


def read(view: SlotView, answer: ControllerAnswer) -> Result:
    """Return the model's decision; nothing if it keeps the last act and adds no words.

    Words that the last decision asked for are still to be said.
    """
    before: ControllerDecision | None = view["decision"]
    number = 1 if before is None else before.number + 1
    activity = activity_of(f"{answer.doing} {answer.why}", view.rules)
    if before is not None and before.doing == answer.doing and not answer.speak:
        return NOTHING
    return Result(
        {"decision": ControllerDecision(number=number, activity=activity, t_s=view.now, **answer.model_dump())}
    )


MODULE = Module(
    name="controller",
    reads=("decision", "duty", "errand", "law", "drives"),
    writes=("decision",),
    when=When(every_s=20.0, least_s=2.0),
    rule=rule,
    role="controller",
    ask=ask,
    form=form,
    read=read,
    prompt="controller",
)
