"""Slot values as text for prompts and the bottleneck, and as plain data for prompts and the record."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from voyager_agents.piano.slots import (
    Alarm,
    Awareness,
    CivicDuty,
    ControllerDecision,
    Goal,
    GoalPlan,
    Memo,
    Percepts,
    Profile,
)
from voyager_agents.realtime_agent import ActOutcome, HeardWords, Letter

MAX_NAMES = 12


def render(slot: str, value: Any) -> str:  # noqa: ANN401 - of any slot
    """Return the slot's value as text; empty for None."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return _mapping(slot, value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return " ".join([_item(each) for each in value])
    words = _WORDS.get(type(value))
    return words(value) if words is not None else json.dumps(plain(value), ensure_ascii=False)


def _mapping(slot: str, value: Mapping[str, Any]) -> str:
    if slot == "profiles":
        return "; ".join(f"{name} ({each.sentiment:.0f}/10): {each.summary}" for name, each in value.items())
    if slot == "persona":
        return " ".join([*value["traits"], *value["location_memories"], value["community_goal"]])
    return json.dumps(plain(value), ensure_ascii=False)


def _item(value: object) -> str:
    match value:
        case HeardWords():
            return f"{value.speaker}: {value.text}"
        case Memo() | Letter():
            return value.text
        case _:
            return str(value)


def _percepts(seen: Percepts) -> str:
    x, y, z = (round(part) for part in seen.at)
    parts = [f"at {x}, {y}, {z}", f"health {seen.health:g}, food {seen.food:g}", "day" if seen.day else "night"]
    if seen.items:
        parts.append("has " + ", ".join(f"{count} {item}" for item, count in seen.items.items()))
    if seen.blocks:
        parts.append("sees " + ", ".join(f"{count} {block}" for block, count in seen.blocks.items()))
    if seen.mobs:
        kinds: dict[str, int] = {}
        for mob in seen.mobs:
            kinds[mob.kind] = kinds.get(mob.kind, 0) + 1
        parts.append("animals and mobs: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    if seen.players:
        parts.append("near: " + ", ".join(each.name for each in seen.players[:MAX_NAMES]))
    return "; ".join(parts)


def plain(value: Any) -> Any:  # noqa: ANN401 - any slot's value, as plain data
    """Return the value as plain data for prompts and the record. A profile omits its time and source."""
    if isinstance(value, Profile):
        return {"summary": value.summary, "sentiment": round(value.sentiment, 2), "activity": value.activity}
    return _plain(value, plain)


def _whole(value: Any) -> Any:  # noqa: ANN401 - as above
    """Return a nested value as plain data, with all fields."""
    return _plain(value, _whole)


def _plain(value: Any, part: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - as above
    if isinstance(value, _SIMPLE):
        return value
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, Mapping):
        return {str(key): part(each) for key, each in value.items()}
    names = _names(type(value))
    if names:
        return {name: _whole(getattr(value, name)) for name in names}
    return [part(each) for each in value] if isinstance(value, (tuple, list)) else value


_SIMPLE = (str, int, type(None))


def _names(kind: type) -> Sequence[str]:
    """Return the field names of a dataclass or named tuple; empty for other types."""
    return [field.name for field in fields(kind)] if is_dataclass(kind) else getattr(kind, "_fields", ())


_WORDS: Mapping[type, Callable[[Any], str]] = {
    Percepts: _percepts,
    Alarm: lambda alarm: f"{alarm.danger}: {alarm.what}; {alarm.answer}",
    Awareness: lambda awareness: awareness.advice,
    Goal: lambda goal: goal.text,
    CivicDuty: lambda duty: f"{duty.doing} ({duty.why})",
    GoalPlan: lambda made: " Then: ".join(made.steps),
    ControllerDecision: lambda choice: f"{choice.doing} ({choice.why})",
    ActOutcome: lambda outcome: f"{outcome.label}: {outcome.ended} {outcome.error}".strip(),
}
"""Type of a value -> function that renders it as text."""
