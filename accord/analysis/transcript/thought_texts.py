"""Transcript texts of agents' thoughts: one table from the kind of a `voyager_agents.thought_events` step to its text.

A step that is not in the table is shown field by field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from accord.analysis.transcript.model import StepPart, list_part, text_part
from voyager_agents import thought_events


@dataclass(frozen=True)
class ThoughtText:
    """Text of a thought."""

    kind: str
    title: str
    parts: tuple[StepPart, ...] = ()
    trouble: bool = False


def _perceived(step: thought_events.TurnPerceived) -> ThoughtText:
    new = [f"#{each.id} {each.text} ({each.kind}, poignancy {each.poignancy})" for each in step.remembered]
    title = f"sees {count(len(step.sees), 'thing')}, {len(new) or 'nothing'} new"
    react = text_part("a reason to plan anew", step.react)
    return ThoughtText("saw", title, (*list_part("in sight", step.sees), *list_part("remembered", new), *react))


def _recalled(step: thought_events.Recalled) -> ThoughtText:
    found = [
        f"{each.score:.3f}  #{each.id} {each.text} ({each.kind}, round {each.round}; similar {each.similarity:.2f}, "
        f"recent {each.recency:.2f}, poignant {each.poignancy:.2f})"
        for each in step.memories
    ]
    what = "a plan" if step.purpose == "plan" else step.purpose
    title = f"remembers {count(len(found), 'memory', 'memories')} for {what}"
    query = text_part("asked for", step.query) if step.query != step.purpose else ()
    return ThoughtText("recalled", title, (*query, *list_part("memories, best first", found)))


def _planned(step: thought_events.PlanWritten) -> ThoughtText:
    parts = (*text_part("how", step.plan), *list_part("next steps", step.steps))
    why = text_part("because", step.reason)
    return ThoughtText("plan", f"plans: {step.goal}", (*parts, *why, *text_part("reasoning", step.reasoning)))


def _reflected(step: thought_events.Reflected) -> ThoughtText:
    drawn = [
        f"#{each.id} {each.text} (from {', '.join(f'#{number}' for number in each.evidence) or 'nothing'})"
        for each in step.insights
    ]
    title = f"reflects: {count(len(drawn), 'insight')}"
    return ThoughtText("insight", title, (*list_part("questions", step.questions), *list_part("insights", drawn)))


def _understood(step: thought_events.HypothesesHeld) -> ThoughtText:
    known = [
        f"{each.get('id', '')} {each.get('text', '')}: {each.get('status', '')} "
        f"(for {each.get('for', 0)}, against {each.get('against', 0)})"
        for each in step.hypotheses
    ]
    title = f"weighs {count(len(known), 'hypothesis', 'hypotheses')}, {len(step.confirmed) or 'none'} confirmed"
    return ThoughtText("understood", title, (*list_part("hypotheses", known), *list_part("confirmed", step.confirmed)))


def _deliberated(step: thought_events.Deliberated) -> ThoughtText:
    acts = [act_details(act) for act in step.acts]
    title = f"prepares {count(len(acts), 'act')} for the council" if acts else "says nothing at the council"
    return ThoughtText("thought", title, (*text_part("", step.reasoning), *list_part("acts", acts)))


def _task(step: thought_events.TaskTaken) -> ThoughtText:
    goal = ", ".join(f"{count} {item}" for item, count in step.goal.items())
    again = f" (program {step.attempt} of {step.attempts})" if step.attempt > 1 else ""
    parts = (*text_part("done when it holds", goal), *text_part("why", step.reasoning))
    past = f"{step.completed} completed, {step.given_up} given up" if step.completed or step.given_up else ""
    return ThoughtText("task", f"task: {step.text}{again}", (*parts, *text_part("tasks so far", past)))


def _questioned(step: thought_events.Questioned) -> ThoughtText:
    answers = [f"{question} {answer}" for question, answer in step.answers.items()]
    return ThoughtText("task", f"asks itself {count(len(answers), 'question')}", list_part("", answers))


def _skills(step: thought_events.SkillsFound) -> ThoughtText:
    found = [f"{each.name} (version {each.version}): {each.description}" for each in step.skills]
    names = ", ".join(each.name for each in step.skills)
    title = f"may use {count(len(found), 'skill')}: {names}" if found else "has no skill to use yet"
    return ThoughtText("skills", title, (*text_part("looked up", step.query), *list_part("best first", found)))


def _learned(step: thought_events.SkillLearned) -> ThoughtText:
    parts = (*text_part("", step.description), *text_part("by the task", step.task))
    if step.fault:
        return ThoughtText(
            "learned", f"could not keep {step.name} as a skill", (*text_part("why", step.fault), *parts), True
        )
    return ThoughtText("learned", f"learned the skill {step.name} (version {step.version})", parts)


def _reviewed(step: thought_events.Reviewed) -> ThoughtText:
    word = {True: "a success", False: "no success", None: "cannot be read"}[step.success]
    parts = (
        *text_part("", step.text),
        *text_part("but the world says", step.world),
        *text_part("reasoning", step.reasoning),
    )
    return ThoughtText("critic", f"its critic: {word}", parts, step.success is None)


def _unusable(step: thought_events.Unusable) -> ThoughtText:
    after = "gave up" if step.final else "asked again"
    return ThoughtText("fault", f"{step.part}: {step.kind} answer, {after}", text_part("", step.why), trouble=True)


def _shortened(step: thought_events.PromptShortened) -> ThoughtText:
    parts = ", ".join(f"{name} ({count(steps, 'step')})" for name, steps in step.shortened.items()) or "nothing"
    over = f", still {step.over} over the limit" if step.over else ""
    title = f"its prompt of {step.tokens} tokens was shortened to fit {step.limit}{over}"
    return ThoughtText("fault" if step.over else "thought", title, text_part("shortened", parts), bool(step.over))


def _strategy(step: thought_events.StrategyWritten) -> ThoughtText:
    read = f" after reading {count(step.advice, 'strategy', 'strategies')}" if step.advice else ""
    parts = (*text_part("", step.text), *text_part("why", step.reasoning))
    return ThoughtText("thought", f"writes its strategy{read}", parts)


def _noted(step: thought_events.Noted) -> ThoughtText:
    facts = [f"{name}: {_value(value)}" for name, value in step.facts.items()]
    return ThoughtText("thought", step.title, (*text_part("", step.text), *list_part("", facts)))


THOUGHT_TEXTS: Mapping[str, Callable[[Any], ThoughtText]] = {
    "perceived": _perceived,
    "recalled": _recalled,
    "planned": _planned,
    "reflected": _reflected,
    "understood": _understood,
    "deliberated": _deliberated,
    "task": _task,
    "questioned": _questioned,
    "skills": _skills,
    "learned": _learned,
    "reviewed": _reviewed,
    "unusable": _unusable,
    "shortened": _shortened,
    "strategy": _strategy,
    "noted": _noted,
}
"""Kind of thought (`Step.what`) -> function that returns its text."""


def words_of(step: thought_events.Step) -> ThoughtText:
    """Return the text of a thought."""
    if (make := THOUGHT_TEXTS.get(step.what)) is not None:
        return make(step)
    fields = {name: value for name, value in asdict(step).items() if name not in ("what", "role", "round")}
    return ThoughtText(
        "thought", str(step.what), list_part("", [f"{name}: {_value(value)}" for name, value in fields.items()])
    )


def roles_of(step: thought_events.Step) -> tuple[str, ...]:
    """Return the roles whose calls led to the thought. Embeddings are asked for on the way to any of them."""
    return tuple(dict.fromkeys((step.role, thought_events.EMBEDDING))) if step.role else ()


def act_details(act: Mapping[str, Any]) -> str:
    """Return an act of a council in words: its kind first, then the rest."""
    rest = {key: value for key, value in act.items() if key not in ("act", "what", "round", "player")}
    told_ = ", ".join(f"{key} {_value(value)}" for key, value in rest.items() if value not in (None, ""))
    return f"{act.get('act', '')}: {told_}" if told_ else str(act.get("act", ""))


def count(number: int, one: str, several: str = "") -> str:
    """Return a number with its noun, such as "2 items"."""
    return f"{number or 'no'} {one if number == 1 else several or f'{one}s'}"


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_value(each) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def values(items: Iterable[object]) -> str:
    """Return several values in a row."""
    return ", ".join(_value(each) for each in items)
