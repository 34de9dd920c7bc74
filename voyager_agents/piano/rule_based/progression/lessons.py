"""Lessons of explorers from outcomes: a fruitless act is avoided, longer each time."""

from __future__ import annotations

from collections.abc import Mapping

from voyager_agents.piano.module import NOTHING, Result, SlotView
from voyager_agents.piano.rule_based.progression import errands
from voyager_agents.piano.rule_based.progression.knowledge import knowledge
from voyager_agents.piano.slots import Awareness
from voyager_agents.realtime_agent import ActOutcome

CRAFT, SMELT, GATHER, DIG, HUNT = "craft", "smelt", "gather", "dig", "hunt"
"""Kinds of deeds beside errands."""
PAID = frozenset({CRAFT, SMELT, errands.BARGAIN, errands.STRIP})
"""Kinds of deeds that take something for what they give."""
FILLED: Mapping[str, str] = {
    errands.MILK: "milk_bucket",
    errands.WATER: "water_bucket",
    errands.LAVA: "lava_bucket",
    errands.BOTTLE: "potion",
}
"""Kind of errand -> what it is for."""
REFLEXES = ("fight ", "flee ", "eat ")
"""Starts of the labels of answers to danger."""
MAX_FAILURES = 6
"""Failures in a row that make a deed wait longer."""


def learn(view: SlotView) -> Result:
    """Judge an act by its purpose: items that came by the way, such as ones just thrown away, are no success."""
    outcome: ActOutcome | None = view["outcome"]
    if outcome is None or outcome.ended == "stopped":
        return NOTHING
    numbers, before = view.rules["awareness"], view["awareness"]
    avoid = {label: until for label, until in before.avoid.items() if until > view.now}
    if outcome.label.startswith(REFLEXES):
        if outcome.ended in ("failed", "late"):
            avoid[outcome.label] = view.now + view.rules["reflex"]["vain_s"]
        return Result({"awareness": Awareness(before.advice, avoid, before.failures)})
    kind, _, what = outcome.label.partition(":")
    if kind == errands.TIDY:
        # Who tidies again at once picks up what it has just left, and leaves it again.
        avoid[kind] = view.now + numbers["avoid_s"]
        return Result({"awareness": Awareness("", avoid, before.failures)})
    if _served(kind, what, outcome):
        return Result({"awareness": Awareness("", avoid, 0)})
    for_s = min(numbers["most_s"], numbers["avoid_s"] * 2**before.failures)
    avoid[outcome.label] = view.now + for_s
    advice = f"{outcome.label} brought nothing; do something else."
    return Result({"awareness": Awareness(advice, avoid, min(before.failures + 1, MAX_FAILURES))})


def _served(kind: str, what: str, outcome: ActOutcome) -> bool:
    """Return whether the deed brought what it was for."""
    gained = {item for item, change in outcome.gained.items() if change > 0}
    if kind == HUNT:
        return not gained.isdisjoint(knowledge().hunted.get(what, ()))
    if kind in FILLED:
        return FILLED[kind] in gained
    if kind in PAID:
        return bool(gained) and any(change < 0 for change in outcome.gained.values())
    return bool(gained)
