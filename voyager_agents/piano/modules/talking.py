"""Talking: words that express the controller's decision, for agreement of words and deeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, Utterance, When
from voyager_agents.piano.rendering import plain, render
from voyager_agents.piano.slots import CivicDuty, ControllerDecision, SpokenWords


def rule(view: SlotView) -> Result:
    """Return a sentence about the decided activity; about a random one if the decision is not broadcast."""
    decision: ControllerDecision | None = view.get("decision")
    said: SpokenWords | None = view["said"]
    if "decision" in view:
        if decision is None or not decision.speak or (said is not None and said.choice >= decision.number):
            return NOTHING
        activity, to, number = decision.activity, decision.to, decision.number
        duty: CivicDuty | None = view["duty"]
        if duty is not None and duty.doing == decision.doing and duty.words:
            return Result({"said": SpokenWords(duty.words, to, "say", number, view.now)}, words=Utterance(duty.words))
    else:
        activity, to, number = _musing(view), "", 0
    templates = view.rules["activities"].get(activity, {}).get("says")
    if not templates:
        return NOTHING
    text = view.chance.choice(templates)
    text = f"{to}, {text}" if to else text
    return Result({"said": SpokenWords(text, to, "say", number, view.now)}, words=Utterance(text))


def _musing(view: SlotView) -> str:
    """Return a random activity to talk about, for agents whose decision is not broadcast."""
    return str(view.chance.choice(sorted(view.rules["activities"])))


def purpose(view: SlotView) -> object:
    """Return the number of the decision that the words express."""
    decision: ControllerDecision | None = view.get("decision")
    return None if decision is None else decision.number


class Spoken(Strict):
    """Answer schema: a model's words."""

    text: str = Field(max_length=400)
    voice: Literal["say", "shout", "whisper"]
    to: str = Field(max_length=16)


def form(view: SlotView) -> AnswerForm[Spoken]:
    """Return the form of spoken words; its schema offers the known players as addressees."""
    addressee = {"type": "string", "enum": ["", *view.known_players]}
    return AnswerForm("talking", Spoken, {"text": "...", "voice": "say", "to": ""}, narrowed={"to": addressee})


def ask(view: SlotView) -> Mapping[str, Any] | None:
    """Return the decision and the context of the conversation; None if nothing is to be said."""
    decision: ControllerDecision | None = view.get("decision")
    said: SpokenWords | None = view["said"]
    if "decision" in view and (
        decision is None or not decision.speak or (said is not None and said.choice >= decision.number)
    ):
        return None
    return {
        "decision": plain(decision) if decision is not None else None,
        "goal": render("goal", view["goal"]),
        "heard": [plain(each) for each in view["hearing"]],
        "you_said_last": said.text if said is not None else "",
        "traits": view["persona"]["traits"],
        "near": [each.name for each in view["percepts"].players],
    }


def read(view: SlotView, answer: Spoken) -> Result:
    """Return the model's words; an empty text records the decision as answered without speaking."""
    decision: ControllerDecision | None = view.get("decision")
    number = decision.number if decision is not None else 0
    said = SpokenWords(answer.text, answer.to, answer.voice, number, view.now)
    if not answer.text.strip():
        return Result({"said": said})
    return Result({"said": said}, words=Utterance(answer.text, answer.voice, answer.to))


MODULE = Module(
    name="talking",
    reads=("persona", "decision", "goal", "hearing", "percepts", "said", "duty"),
    writes=("said",),
    when=When(changes=("decision",), least_s=1.0),
    rule=rule,
    role="talking",
    ask=ask,
    form=form,
    read=read,
    purpose=purpose,
    speaks=True,
    prompt="talking",
)
