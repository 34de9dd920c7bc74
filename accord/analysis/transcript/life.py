"""Transcript steps of realtime agents: slots, decisions, actions, speech, faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from accord.analysis.transcript.model import TranscriptStep, code_part, list_part, text_part
from accord.analysis.transcript.thought_texts import values
from accord.analysis.transcript.transcript_state import TranscriptState
from dilemmas.records import events as log
from voyager_agents.thought_events import ACTION, EMBEDDING

CONTROLLER, TALKING, EXECUTION = "controller", "talking", "skill_execution"
"""Modules whose calls lead to decisions, words and actions."""
SLOTS = {"goal": "plan", "plan": "plan", "social": "understood", "people": "understood", "memory": "recalled"}
"""Slot -> kind of step; any other slot is a thought."""


def began(event: log.LifeBegan, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Note the start of a life; from then on speech is reported together with its hearers."""
    state.lives = True
    if event.attempt > 1:
        yield state.new_step(event.player, "lost", f"begins again (attempt {event.attempt})", trouble=True)


def ended(event: log.LifeEnded, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the step of a life that ended early."""
    yield from state.take_actions(event.player)
    after = "begins again" if event.again else "is out"
    yield state.new_step(
        event.player, "lost", f"its agent has ended; it {after}", parts=text_part("", event.error), trouble=True
    )


def slot(event: log.SlotWritten, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the new value of a slot."""
    yield from state.take_actions(event.player)
    calls = state.claim_calls(event.player, (event.writer, EMBEDDING))
    name = event.slot.replace("_", " ")
    value = dict(event.value) if isinstance(event.value, Mapping) else event.value
    text = str(value.pop("text", "")) if isinstance(value, dict) else ""
    lines = _lines(value)
    short = text or (lines.pop() if len(lines) == 1 else "")
    parts = list_part("", lines)
    title = f"{name}: {short}" if short else f"{name}, version {event.version}"
    kind = SLOTS.get(event.slot, "thought")
    yield state.new_step(event.player, kind, title, parts=(*parts, *text_part("written by", event.writer)), calls=calls)


def choice(event: log.ChoiceMade, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a decision, with its reason and what passed the bottleneck."""
    yield from state.take_actions(event.player)
    calls = state.claim_calls(event.player, (CONTROLLER, EMBEDDING))
    chosen = {key: value for key, value in event.choice.items() if value not in (None, "", [], {})}
    doing, why = str(chosen.pop("doing", "")), str(chosen.pop("why", ""))
    rest = [f"{key}: {values([value])}" for key, value in chosen.items() if key not in ("number", "t_s", "speak")]
    passed = [
        str(each.get("slot", "")) + (f" ({each['cut']} cut off)" if each.get("cut") else "") for each in event.passed
    ]
    parts = (*text_part("why", why), *list_part("", rest), *text_part("passed the bottleneck", ", ".join(passed)))
    yield state.new_step(event.player, "decided", f"decides: {doing}", parts=parts, calls=calls)


def act_began(event: log.ActBegan, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a program with its source, or a model's tool call; other calls are reported when they have ended."""
    if not event.program and event.by != log.TOOL_CALLS:
        return
    yield from state.take_actions(event.player)
    calls = state.claim_calls(event.player, (ACTION, EXECUTION, EMBEDDING))
    if not event.program:
        state.tool_calls[event.player] = event.number
        yield state.new_step(event.player, "decided", f"calls {event.label}", calls=calls)
        return
    yield state.new_step(
        event.player, "wrote", f"runs a program: {event.label}", parts=(code_part(event.program),), calls=calls
    )


def act_ended(event: log.ActEnded, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Note the outcome of an action, unless it is a tool call whose prints say the same."""
    if state.tool_calls.pop(event.player, None) == event.number and event.ended in ("done", "failed"):
        return []
    bad = event.ended in ("failed", "lost")
    got = ", ".join(f"{count:+d} {item}" for item, count in event.gained.items() if count)
    how = "" if event.ended == "done" else f", {event.ended}"
    why = f": {event.error}" if event.error else ""
    return state.note_action(event.player, f"{event.label}{how}{why}{f' ({got})' if got else ''}", trouble=bad)


def speech(event: log.Speech, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a speech step with its hearers."""
    yield from state.take_actions(event.speaker)
    calls = () if event.program else state.claim_calls(event.speaker, (TALKING, EMBEDDING))
    verb = {"say": "says", "shout": "shouts", "whisper": f"whispers to {event.to}"}[event.voice]
    heard = text_part("heard by", ", ".join(event.hearers) or "nobody")
    others = tuple(event.hearers)
    yield state.new_step(event.speaker, "said", f"{verb}: {event.text}", parts=heard, calls=calls, others=others)


def noted(event: log.MindNoted, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a fault of a module that did not stop the agent."""
    yield from state.take_actions(event.player)
    calls = state.claim_calls(event.player, (event.module, EMBEDDING))
    title = {
        "unreadable": f"{event.module}: an answer of no use",
        "stale": f"{event.module}: an answer that came too late for its purpose",
        "fault": f"{event.module}: its code failed",
    }[event.what]
    parts = (*text_part("", event.reason), *text_part("as it came", event.text))
    yield state.new_step(event.player, "fault", title, parts=parts, calls=calls, trouble=True)


def _lines(value: Any) -> list[str]:  # noqa: ANN401 - plain data of a slot
    """Return a slot's value, a line for each of its parts."""
    if isinstance(value, Mapping):
        shown = {key: each for key, each in value.items() if key != "t_s" and each not in (None, "", [], {})}
        return [f"{key}: {values([each])}" for key, each in shown.items()]
    if isinstance(value, list | tuple):
        return [values([each]) for each in value]
    return [values([value])]
