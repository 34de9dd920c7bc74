"""Lessons of explorers from outcomes: fruitless acts are avoided, for longer after each failure."""

from __future__ import annotations

from collections.abc import Mapping

from voyager_agents.piano.module import NOTHING, Result, SlotView
from voyager_agents.piano.rule_based.progression import errands
from voyager_agents.piano.rule_based.progression.knowledge import knowledge
from voyager_agents.piano.slots import Awareness
from voyager_agents.realtime_agent import ActOutcome

CRAFT, SMELT, GATHER, DIG, HUNT = "craft", "smelt", "gather", "dig", "hunt"
"""Kinds of acts besides errands."""
PAID = frozenset({CRAFT, SMELT, errands.BARGAIN, errands.STRIP})
"""Kinds of acts that consume items to gain others."""
FILLED: Mapping[str, str] = {
    errands.MILK: "milk_bucket",
    errands.WATER: "water_bucket",
    errands.LAVA: "lava_bucket",
    errands.BOTTLE: "potion",
}
"""Kind of errand -> the item that it is to gain."""
REFLEXES = ("fight ", "flee ", "eat ")
"""Prefixes of the labels of reflex acts."""
MAX_FAILURES = 6
"""Number of consecutive failures up to which the waiting time doubles."""


def learn(view: SlotView) -> Result:
    """Judge an act by its purpose. Items picked up by chance, such as discarded ones, do not count as success."""
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
        # Tidying again at once would pick up the discarded items and discard them again.
        avoid[kind] = view.now + numbers["avoid_s"]
        return Result({"awareness": Awareness("", avoid, before.failures)})
    if _served(kind, what, outcome):
        return Result({"awareness": Awareness("", avoid, 0)})
    for_s = min(numbers["most_s"], numbers["avoid_s"] * 2**before.failures)
    avoid[outcome.label] = view.now + for_s
    advice = f"{outcome.label} brought nothing; do something else."
    return Result({"awareness": Awareness(advice, avoid, min(before.failures + 1, MAX_FAILURES))})


def _served(kind: str, what: str, outcome: ActOutcome) -> bool:
    """Return whether the act gained the items that are its purpose."""
    gained = {item for item, change in outcome.gained.items() if change > 0}
    if kind == HUNT:
        return not gained.isdisjoint(knowledge().hunted.get(what, ()))
    if kind in FILLED:
        return FILLED[kind] in gained
    if kind in PAID:
        return bool(gained) and any(change < 0 for change in outcome.gained.values())
    return bool(gained)
