"""Drives: hunger, shelter, safety and company, from food, night, mobs and the nearness of others.

The module is optional (`modules: [drives]`). Levels follow from the body's senses alone; the tables are in
`voyager_agents/piano/rule_based/drives/drives.yaml`. Goals weigh them, traders value goods by them, models read them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import dist

from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.modules.perception import DARK, DAY
from voyager_agents.piano.rule_based.drives import tables
from voyager_agents.piano.slots import Drives

MAX_FOOD = 20.0
GRAIN = 10
"""Steps of a level that others see: a smaller change is none."""
EVERY_S = 2.0


def rule(view: SlotView) -> Result:
    """Move each drive by what the senses show; write the levels if one of them has changed by a step."""
    table, before = tables()["drives"], view["drives"]
    state: Mapping[str, float] = view["drive_levels"] or {}
    levels = {}
    for name, drive in table.items():
        if drive["sense"] == "food":
            levels[name] = 1 - view["feel"].food / MAX_FOOD
        else:
            step_s = drive["rises_s"] if SENSES[drive["sense"]](view) else -drive["falls_s"]
            levels[name] = min(1.0, max(0.0, state.get(name, 0.0) + EVERY_S / step_s))
    shown = {name: round(level * GRAIN) / GRAIN for name, level in levels.items()}
    writes: dict[str, object] = {} if levels == state else {"drive_levels": levels}
    if before is None or before.levels != shown:
        urgent = max(shown, key=lambda name: shown[name])
        pressing = urgent if shown[urgent] >= tables()["urgent"] else ""
        drives = Drives(shown, pressing)
        writes["drives"] = drives if before is None else replace(before, levels=shown, pressing=pressing)
    return Result(writes) if writes else NOTHING


def outside_at_night(view: SlotView) -> bool:
    """Return True if it is night and the villager is away from the place that gives shelter."""
    senses, persona = tables()["senses"], view["persona"]
    night = (persona.get("day_start", 0) + view.now * 20) % DAY >= DARK
    place = persona.get("places", {}).get(senses["place"])
    return bool(night and place is not None and dist(place, view["feel"].position) > senses["sheltered"])


def danger(view: SlotView) -> bool:
    """Return True if a hostile mob is near, or health is low."""
    senses = tables()["senses"]
    near = any(mob.hostile and mob.distance <= senses["danger"] for mob in view["sight"].mobs)
    return bool(near or view["feel"].health < senses["health"])


def alone(view: SlotView) -> bool:
    """Return True if nobody is near."""
    return not any(each.distance <= tables()["senses"]["company"] for each in view["sight"].players)


SENSES: Mapping[str, Callable[[SlotView], bool]] = {
    "outside_at_night": outside_at_night,
    "danger": danger,
    "alone": alone,
}
"""Name of a sense in the tables -> its function."""


MODULE = Module(
    name="drives",
    reads=("persona", "feel", "sight", "drives", "drive_levels"),
    writes=("drives", "drive_levels"),
    when=When(every_s=EVERY_S),
    rule=rule,
    slots={"drive_levels": Mapping},
    first={"drive_levels": {}},
)
