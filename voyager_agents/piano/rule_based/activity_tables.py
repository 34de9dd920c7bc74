"""Lookups in the tables of `village.yaml`: activities that a text mentions, and the next act of an activity."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import dist
from typing import Any

from bridge.types import Place
from voyager_agents.piano.slots import Percepts
from voyager_agents.realtime_agent import Act, PrimitiveCall

_WORD = re.compile(r"[a-z_]+")
FAR = 9.0
"""Horizontal distance from a place beyond which an agent counts as away from it, in blocks."""


def activity_of(text: str, rules: Mapping[str, Any]) -> str:
    """Return the activity with the most keywords in the text; the first on a tie; empty for none."""
    found = activities_of(text, rules)
    return found[0] if found else ""


def activities_of(text: str, rules: Mapping[str, Any]) -> tuple[str, ...]:
    """Return all activities with keywords in the text, most keywords first."""
    return _about(text.lower(), _words(rules))


def _words(rules: Mapping[str, Any]) -> tuple[tuple[str, frozenset[str]], ...]:
    key = id(rules)
    if key not in _KNOWN:
        _KNOWN[key] = tuple((name, frozenset(each["words"])) for name, each in rules["activities"].items())
    return _KNOWN[key]


_KNOWN: dict[int, tuple[tuple[str, frozenset[str]], ...]] = {}


@lru_cache(maxsize=4096)
def _about(text: str, words: tuple[tuple[str, frozenset[str]], ...]) -> tuple[str, ...]:
    said = _WORD.findall(text)
    scored = [(-sum(word in known for word in said), number, name) for number, (name, known) in enumerate(words)]
    return tuple(name for score, _, name in sorted(scored) if score < 0)


def due_act(
    activity: str,
    rules: Mapping[str, Any],
    seen: Percepts,
    places: Mapping[str, Sequence[float]],
    avoid: Mapping[str, float],
    *,
    now: float,
    chance: random.Random,
    forbids: frozenset[str] = frozenset(),
) -> Act | None:
    """Return the first act of an activity whose conditions hold; None without one.

    Args:
        activity: Name of the activity.
        rules: Tables of rule-based agents.
        seen: Current percepts.
        places: Known places: name -> x, y, z.
        avoid: Label of an act -> game time until which it is avoided, in seconds.
        now: Current game time, in seconds.
        chance: Random number generator.
        forbids: Blocks, mobs and places that the agent keeps away from.
    """
    table = rules["activities"].get(activity)
    for entry in table["acts"] if table else ():
        if forbids and not forbids.isdisjoint(_things(entry)):
            continue
        if avoid.get(entry["label"], 0.0) <= now and holds(entry, seen, places):
            calls = tuple(
                PrimitiveCall(call[0], tuple(_argument(each, places, chance) for each in call[1:]))
                for call in entry["do"]
            )
            return Act(entry["label"], calls, pause_s=entry.get("pause", rules["pause_s"]))
    return None


def _things(entry: Mapping[str, Any]) -> list[str]:
    """Return the blocks, mobs and places that an act is about."""
    arguments = [each for call in entry["do"] for each in call[1:] if isinstance(each, str)]
    return [each.removeprefix("$").partition("~")[0] for each in arguments]


def holds(entry: Mapping[str, Any], seen: Percepts, places: Mapping[str, Sequence[float]]) -> bool:
    """Return whether the conditions of an act hold: items, sights, distances to places and time of day."""
    sights = {*seen.blocks, *(mob.kind for mob in seen.mobs)}
    has = entry.get("has", {})
    return (
        all(seen.items.get(item, 0) >= count for item, count in has.items())
        and not any(seen.items.get(item) for item in entry.get("lacks", ()))
        and ("sees" not in entry or any(name in sights for name in entry["sees"]))
        and ("far" not in entry or _away(seen.at, places.get(entry["far"])))
        and ("near" not in entry or not _away(seen.at, places.get(entry["near"])))
        and ("night" not in entry or entry["night"] != seen.day)
    )


def _away(at: Place, place: Sequence[float] | None) -> bool:
    return place is not None and dist((at[0], at[2]), (place[0], place[2])) > FAR


def _argument(value: Any, places: Mapping[str, Sequence[float]], chance: random.Random) -> Any:  # noqa: ANN401 - JSON
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    name, _, spread = value[1:].partition("~")
    x, y, z = places.get(name, (0.0, 64.0, 0.0))
    far = int(spread or 0)
    return {"x": x + chance.randint(-far, far), "y": y, "z": z + chance.randint(-far, far)}
