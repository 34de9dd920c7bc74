"""Calls skipped because nothing that a module reads has changed (`skip=unchanged`).

A module that was answered is not asked again while the slots that it heeds, and those of the controller's bottleneck,
tell it the same. Its own slots do not count, since its last answer wrote them. Values count by what they mean:

- Percepts change with every step: players and mobs count by name and kind when they come into sight, unless they were
  in sight in the last `AWAY_S`; items count by doublings of their number, health and food by steps. The place and the
  blocks in sight do not count.
- Memories do not count for the controller: they follow from words, outcomes and goals, which it sees too.
- Goals, plans, memories and words count by their texts, not by their times or order, and only what is new counts.
- Acts that were done count by their names; each failed act is another one.

A module is asked after `MAX_QUIET_S` in any case, so that slow changes reach it. A module that judges one thing at a
time (`Module.repeats`), as the lesson of an act does, gets its answer to an equal question of that time again, although
other questions came between: it is read again, without a call. A module whose answers are draws
(`Module.draws`), as goals are, is always asked: at the same question another answer is another choice, and a society
whose people choose less often is another society.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from common.answers.reading import Strict
from voyager_agents.piano.module import Module
from voyager_agents.piano.slots import Awareness, ControllerDecision, Drives, Goal, GoalPlan, Memo, Percepts, Profile
from voyager_agents.piano.state import SlotState
from voyager_agents.realtime_agent import ActOutcome, HeardWords

MAX_QUIET_S = 90.0
"""Maximum game seconds between two calls of a module that is due."""
AWAY_S = 60.0
"""Maximum game seconds out of sight after which a player or mob is not news again."""
MEMORIES = frozenset({"recalled", "working_memory"})
"""Slots of the bottleneck that do not count."""
_STEP = 5
"""Points of health and food that count as one step."""


def has_news(before: object, now: object) -> bool:
    """Return True if a key has something that the earlier key lacks. Words and memories that are gone are no news."""
    if isinstance(before, frozenset) and isinstance(now, frozenset):
        return not now <= before
    if isinstance(before, tuple) and isinstance(now, tuple) and len(before) == len(now):
        return any(map(has_news, before, now))
    return before != now


class RecentAnswers:
    """A module's usable answers in the last `MAX_QUIET_S`."""

    def __init__(self) -> None:
        self._kept: list[tuple[object, Strict, float]] = []
        """Key of the question, answer, and game time of the question in seconds; the answer that holds is the last."""

    def keep(self, key: object, answer: Strict, at_s: float) -> None:
        """Add an answer, which holds from now on."""
        self._kept = [each for each in self._kept if each[0] != key and at_s - each[2] < MAX_QUIET_S]
        self._kept.append((key, answer, at_s))

    def is_unchanged(self, key: object, now: float) -> bool:
        """Return True if a question has no news for the answer that holds."""
        if not self._kept:
            return False
        last, _, at_s = self._kept[-1]
        return now - at_s < MAX_QUIET_S and not has_news(last, key)

    def again(self, key: object, now: float) -> Strict | None:
        """Return the answer to an equal question, which holds again from now on; None if there is none."""
        for each in self._kept:
            if each[0] == key and now - each[2] < MAX_QUIET_S:
                self._kept.remove(each)
                self._kept.append(each)
                return each[1]
        return None


class Sightings:
    """Players and mobs that an agent has seen lately, each with the time when it came into sight."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[float, float]] = {}
        """Name of a player or kind of a mob -> times of its arrival and of its last sighting, in game seconds."""

    def see(self, names: Iterable[str], now: float) -> None:
        """Add the players and mobs in sight now."""
        for name in names:
            arrived = self._seen[name][0] if name in self._seen else now
            self._seen[name] = arrived, now
        self._seen = {name: times for name, times in self._seen.items() if now - times[1] <= AWAY_S}

    @property
    def key(self) -> frozenset[tuple[str, float]]:
        """Players and mobs in sight in the last `AWAY_S`, each with the time of its arrival."""
        return frozenset((name, arrived) for name, (arrived, _) in self._seen.items())


def state_key(
    module: Module, state: SlotState, more: Collection[str] = (), sightings: Sightings | None = None
) -> object:
    """Return what the module's slots tell it: equal keys, equal questions but for times and small changes.

    Args:
        module: The module.
        state: Slots of the agent.
        more: Slots of the bottleneck that its prompt shows.
        sightings: Players and mobs seen lately, which count instead of those in sight; None for those in sight.
    """
    slots = dict.fromkeys((*(module.reads if module.heeds is None else module.heeds), *more))
    unheeded = {*module.writes, *(MEMORIES if more else ())}
    recent = None if sightings is None else sightings.key
    return tuple((slot, _key(state.value(slot), recent)) for slot in slots if slot not in unheeded)


def in_sight(seen: Percepts) -> Iterable[str]:
    """Return the names of players and the kinds of mobs in sight."""
    return (*(each.name for each in seen.players), *(f"mob {each.kind}" for each in seen.mobs))


_KEYS: Mapping[type, Callable[[Any], object]] = {
    Goal: lambda goal: goal.text,
    Memo: lambda memo: memo.text,
    HeardWords: lambda heard: (heard.speaker, heard.text),
    ActOutcome: lambda outcome: outcome.label if outcome.ended == "done" else outcome,
    ControllerDecision: lambda choice: (choice.doing, choice.expects),
    Awareness: lambda awareness: (awareness.advice, sorted(awareness.avoid), awareness.failures),
    GoalPlan: lambda plan: plan.steps,
    Profile: lambda profile: (profile.summary, round(profile.sentiment), profile.activity),
    Drives: lambda drives: drives.pressing,
}
"""Type of a value -> function that returns its key; other values are their own."""


def _key(value: Any, recent: frozenset[tuple[str, float]] | None = None) -> object:  # noqa: ANN401 - a value of any slot
    if isinstance(value, Percepts):
        return _percepts(value, frozenset(in_sight(value)) if recent is None else recent)
    if (of_type := _KEYS.get(type(value))) is not None:
        return of_type(value)
    if isinstance(value, Mapping):
        return {key: _key(each) for key, each in value.items()}
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        keys = [_key(each) for each in value]
        return frozenset(keys) if all(isinstance(each, str | tuple) for each in keys) else keys
    return value


def _percepts(seen: Percepts, others: frozenset[Any]) -> object:
    return (
        int(seen.health // _STEP),
        int(seen.food // _STEP),
        sorted((item, count.bit_length()) for item, count in seen.items.items()),
        seen.day,
        others,
    )
