"""Action awareness: comparison of expected and actual outcomes, which breaks loops of failing acts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.rendering import plain, render
from voyager_agents.piano.slots import Awareness
from voyager_agents.realtime_agent import ActOutcome


def rule(view: SlotView) -> Result:
    """Mark a failed act as avoided for some time; reset advice and failures after a success."""
    outcome: ActOutcome | None = view["outcome"]
    if outcome is None or outcome.ended == "stopped":
        return NOTHING
    numbers, before = view.rules["awareness"], view["awareness"]
    avoid = {label: until for label, until in before.avoid.items() if until > view.now}
    if outcome.ended == "done":
        return Result({"awareness": Awareness("", avoid, 0)})
    avoid[outcome.label] = view.now + numbers["avoid_s"]
    advice = f"{outcome.label} did not work ({outcome.error[:120]}); do something else."
    return Result({"awareness": Awareness(advice, avoid, before.failures + 1)})


class Lesson(Strict):
    """Answer schema: a model's lesson from an outcome."""

    why: str = Field(max_length=200)
    as_expected: bool
    avoid: bool
    advice: str = Field(max_length=300)


FORM = AnswerForm(
    "action_awareness",
    Lesson,
    {"why": "...", "as_expected": True, "avoid": False, "advice": ""},
    reasoning="why",
)


def ask(view: SlotView) -> Mapping[str, Any] | None:
    """Return the outcome, the expected result and the current percepts; None without a new outcome."""
    outcome: ActOutcome | None = view["outcome"]
    if outcome is None or outcome.ended == "stopped":
        return None
    decision = view.get("decision")
    expected = decision.expects if decision is not None else ""
    return {"expected": expected, "outcome": plain(outcome), "now": render("percepts", view["percepts"])}


def read(view: SlotView, answer: Lesson) -> Result:
    """Return the model's advice, with the updated acts to avoid and count of failures."""
    outcome: ActOutcome = view["outcome"]
    before: Awareness = view["awareness"]
    avoid = {label: until for label, until in before.avoid.items() if until > view.now}
    if answer.avoid:
        avoid[outcome.label] = view.now + view.rules["awareness"]["avoid_s"]
    failures = 0 if answer.as_expected else before.failures + 1
    return Result({"awareness": Awareness(answer.advice, avoid, failures)})


MODULE = Module(
    name="action_awareness",
    reads=("outcome", "decision", "percepts", "awareness"),
    writes=("awareness",),
    when=When(events=("act_ended",)),
    rule=rule,
    role="action_awareness",
    ask=ask,
    form=FORM,
    read=read,
    prompt="action_awareness",
    heeds=("outcome", "decision"),
    repeats=True,
)
