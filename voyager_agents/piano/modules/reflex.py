"""Reflex: immediate reaction to danger, independent of the controller: flee or fight mobs, eat when hungry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any

from bridge.types import NearMob, Place, Sensed
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.slots import Alarm
from voyager_agents.realtime_agent import Act, PrimitiveCall

MAX_S = 8.0
"""Time limit of a reaction, in seconds."""


def rule(view: SlotView) -> Result:
    """Return the current alarm, with an act unless the same danger is already being answered."""
    feel: Sensed = view["feel"]
    numbers = view.rules["reflex"]
    before: Alarm | None = view["alarm"]
    alarm, act = _danger(feel, numbers, view.now)
    if alarm is None:
        return Result({"alarm": None}) if before is not None else NOTHING
    action = view["action"]
    answering = action is not None and action.running and action.by == "reflex"
    if before is not None and before.danger == alarm.danger and before.what == alarm.what and answering:
        return NOTHING
    return Result({"alarm": alarm}, act=act)


def _danger(feel: Sensed, numbers: Mapping[str, Any], now: float) -> tuple[Alarm | None, Act | None]:
    hostile = [mob for mob in feel.mobs if mob.hostile and mob.distance <= numbers["danger_blocks"]]
    if hostile:
        return _meet(feel, hostile[0], numbers, now)
    if feel.food > numbers["eat_below"]:
        return None, None
    food = next((item for item in numbers["foods"] if feel.items.get(item)), None)
    if food is not None:
        return Alarm("hunger", f"food {feel.food:g}", now, f"eats {food}"), _eating(food)
    return None, None


def _meet(feel: Sensed, mob: NearMob, numbers: Mapping[str, Any], now: float) -> tuple[Alarm, Act]:
    """Return the reaction to a hostile mob: fight with a weapon and good health, else flee."""
    armed = any(feel.items.get(item) for item in numbers["weapons"])
    if armed and feel.health > 10:
        return Alarm("mob", mob.kind, now, "fights"), fight(mob.kind)
    away = _away(feel.position, mob.position, numbers["flee_blocks"])
    act = Act(f"flee from the {mob.kind}", (PrimitiveCall("goTo", (away, 3)),), limit_s=MAX_S)
    return Alarm("mob", mob.kind, now, "flees"), act


def fight(kind: str) -> Act:
    """Return an act that fights the nearest mob of the kind."""
    return Act(f"fight the {kind}", (PrimitiveCall("killMob", (kind, int(MAX_S))),), limit_s=MAX_S)


def _eating(food: str) -> Act:
    return Act(f"eat {food}", (PrimitiveCall("eatFood", (food,)),), limit_s=MAX_S)


def _away(at: Place, danger: Sequence[float], blocks: float) -> dict[str, float]:
    dx, dz = at[0] - danger[0], at[2] - danger[2]
    length = hypot(dx, dz) or 1.0
    return {
        "x": round(at[0] + dx / length * blocks, 1),
        "y": round(at[1], 1),
        "z": round(at[2] + dz / length * blocks, 1),
    }


MODULE = Module(
    name="reflex",
    reads=("feel", "alarm", "action"),
    writes=("alarm",),
    when=When(every_s=0.25, events=("hurt",)),
    rule=rule,
    acts=True,
)
