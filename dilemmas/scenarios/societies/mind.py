"""Measures of minds: agreement of words and deeds, reaction times, use and lateness of modules."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dilemmas.scenarios.societies.lives import PlayerLife
from voyager_agents.piano.rule_based.activity_tables import activity_of

MAX_ANSWER_DELAY_S = 30.0
"""Maximum delay in seconds of an act that answers an event."""


@dataclass(frozen=True)
class ModuleUse:
    """Use of one module in a minute of life, averaged over the agents."""

    runs: float
    calls: float
    tokens: float
    stale: float
    """Share of all calls whose answers came too late for their purpose, 0 to 1."""
    late_p99: float
    """99th percentile of lateness in seconds, of the worst agent."""
    late_most: float


def coherence(lives: Iterable[PlayerLife], table: Mapping[str, Any]) -> float | None:
    """Return the share of decisions with words and deeds whose kinds of work agree, or None without such decisions.

    If a decision started no act, its deeds are those that were going on.
    """
    found = [agrees for life in lives for agrees in agreements(life, table).values()]
    return sum(found) / len(found) if found else None


@dataclass(frozen=True)
class SpokenAndDone:
    """A decision that both words and deeds follow."""

    choice: int
    said: Sequence[str]
    did: Sequence[str]
    """Labels of its acts; if it started none, of the acts that were going on."""


def spoken_and_done(life: PlayerLife) -> list[SpokenAndDone]:
    """Return all decisions with words and deeds, in the order of the words."""
    deeds: dict[int, dict[str, None]] = {}
    for act in life.acts:
        if act.by == "skill_execution" and act.choice is not None:
            deeds.setdefault(act.choice, {})[act.label] = None
    words: dict[int, dict[str, None]] = {}
    for _, text, choice in life.words:
        if choice is not None:
            words.setdefault(choice, {})[text] = None
    numbers = sorted(deeds)
    found = []
    for choice, spoken in words.items():
        place = bisect_right(numbers, choice)
        if place:
            found.append(SpokenAndDone(choice, list(spoken), list(deeds[numbers[place - 1]])))
    return found


def agreements(life: PlayerLife, table: Mapping[str, Any]) -> dict[int, bool]:
    """Return number of a decision -> True if its words and deeds agree.

    A model's rating counts if there is one, else that of the table of words.

    Args:
        life: The life.
        table: Table of kinds of work.
    """
    # Imported here, because it loads PIANO, which a report without minds does not need.
    from voyager_agents.piano.modules.skill_execution import about

    found: dict[int, bool] = {}
    for each in spoken_and_done(life):
        rated = life.rated_agreements.get(each.choice)
        if rated is not None:
            found[each.choice] = rated
            continue
        acted = {about(label, table) for label in each.did} - {""}
        spoken = {activity_of(text, table) for text in each.said} - {""}
        if acted and spoken:
            found[each.choice] = bool(acted & spoken)
    return found


def reactions(life: PlayerLife) -> list[float]:
    """Return seconds from each event that asks for an answer to the next act or words, without unanswered events."""
    answers = sorted([*(act.t_s for act in life.acts), *(t_s for t_s, _, _ in life.words)])
    found = []
    for t_s in life.events:
        place = bisect_right(answers, t_s)
        if place < len(answers) and answers[place] - t_s <= MAX_ANSWER_DELAY_S:
            found.append(answers[place] - t_s)
    return found


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that a `share` of the values does not exceed, or None without values."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)] if ordered else None


def uses(lives: Sequence[PlayerLife], until: float) -> dict[str, ModuleUse]:
    """Return module -> use, for each agent and minute of life."""
    minutes = len(lives) * until / 60
    names = dict.fromkeys(name for life in lives for name in life.modules)
    return {name: _use(lives, name, minutes) for name in names} if minutes else {}


def _use(lives: Sequence[PlayerLife], name: str, minutes: float) -> ModuleUse:
    told = [life.modules[name] for life in lives if name in life.modules]
    asked = [life.calls.get(name, (0, 0)) for life in lives]
    calls = max(sum(each.get("calls", 0) for each in told), float(sum(count for count, _ in asked)))
    return ModuleUse(
        runs=sum(each.get("runs", 0) for each in told) / minutes,
        calls=calls / minutes,
        tokens=sum(tokens for _, tokens in asked) / minutes,
        stale=sum(each.get("stale", 0) for each in told) / calls if calls else 0.0,
        late_p99=max((each.get("late_p99", 0.0) for each in told), default=0.0),
        late_most=max((each.get("late_most", 0.0) for each in told), default=0.0),
    )
