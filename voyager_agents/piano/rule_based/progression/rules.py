"""Module rules of explorers, with the numbers of `progression.yaml`."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from math import hypot
from pathlib import Path
from typing import Any

from voyager_agents.piano.bottleneck import SlotGate
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.modules.reflex import fight
from voyager_agents.piano.modules.reflex import rule as reflex
from voyager_agents.piano.rule_based.progression import errands
from voyager_agents.piano.rule_based.progression.lessons import CRAFT, DIG, GATHER, HUNT, SMELT, learn
from voyager_agents.piano.rule_based.progression.planner import ExplorerState, Planner
from voyager_agents.piano.rule_based.progression.routine_programs import program
from voyager_agents.piano.slots import Alarm, BodyAction, ControllerDecision, Goal, Percepts
from voyager_agents.realtime_agent import Act, ActOutcome

FILE = Path(__file__).with_name("progression.yaml")
BOTTLENECK = (SlotGate("goal", 60), SlotGate("percepts", 120))
"""Default bottleneck of an explorer's controller."""
NUMBERS = ("forage", "hunt", "smelt", "awareness")
"""Numeric sections of the table, which a scenario may override (`assumptions`)."""
WHY: Mapping[str, str] = {
    CRAFT: "You make what you have never held of what you carry.",
    SMELT: "You smelt what you carry into something new.",
    GATHER: "You look for what you have never held, above the ground.",
    DIG: "You look for ores and stones below the ground.",
    HUNT: "You hunt for what the animals and monsters near you leave.",
    errands.SLEEP: "You sleep until the morning.",
    errands.MILK: "You milk a cow.",
    errands.SHEAR: "You shear a sheep.",
    errands.FISH: "You fish for what the water has.",
    errands.WATER: "You fill a bucket with water.",
    errands.LAVA: "You fill a bucket with lava.",
    errands.BOTTLE: "You fill a bottle with water.",
    errands.LOOT: "You look into the chests that you see.",
    errands.BARGAIN: "You trade with the villagers near you.",
    errands.STRIP: "You cut the bark off a log.",
    errands.FARM: "You farm for what a field gives.",
    errands.TIDY: "You leave behind what is of no use any more.",
}
"""Kind of act -> text of the goal that it serves."""
LIMITS: Mapping[str, float] = {
    CRAFT: 60, SMELT: 150, GATHER: 90, DIG: 120, HUNT: 80, errands.SLEEP: 100, errands.FISH: 120, errands.LOOT: 90,
    errands.BARGAIN: 90,
}  # fmt: skip
"""Kind of act -> time limit in game seconds; 60 for other kinds."""


def collect(view: SlotView) -> Result:
    """Add the held items to the collection."""
    had: frozenset[str] = view["collection"]
    new = [item for item in view["feel"].items if item not in had]
    return Result({"collection": had.union(new)}) if new else NOTHING


def guard(view: SlotView) -> Result:
    """Answer danger by the standard reflex, with explorers' exceptions.

    An explorer fights if fleeing fails, pauses reactions that were in vain, and does not eat while it flees or fights.
    """
    before: Alarm | None = view["alarm"]
    found = reflex(view)
    alarm: Alarm | None = found.writes.get("alarm")
    if found.act is None or alarm is None:
        return found
    again_s, avoid = view.rules["reflex"]["again_s"], view["awareness"].avoid
    if alarm.danger == "hunger" and _answering(view):
        return NOTHING
    same = before is not None and (before.danger, before.what) == (alarm.danger, alarm.what)
    if before is not None and same and view.now - before.since_s < again_s:
        return NOTHING
    act = found.act
    vain = avoid.get(act.label, 0.0) > view.now
    if alarm.answer == "flees" and (vain or _followed(view, act, again_s)):
        act, alarm = fight(alarm.what), replace(alarm, answer="fights")
        vain = avoid.get(act.label, 0.0) > view.now
    return NOTHING if vain else Result({"alarm": alarm}, act=act)


def _answering(view: SlotView) -> bool:
    """Return whether a reflex act is running."""
    action: BodyAction | None = view["action"]
    return action is not None and action.running and action.by == "reflex"


def _followed(view: SlotView, flight: Act, again_s: float) -> bool:
    """Return whether the same flight ended less than `again_s` seconds ago."""
    outcome: ActOutcome | None = view["outcome"]
    return outcome is not None and outcome.label == flight.label and view.now - outcome.ended_s < again_s


class _Same:
    """Cache key that compares an object by identity."""

    __slots__ = ("of",)

    def __init__(self, of: Any) -> None:  # noqa: ANN401 - any object
        self.of = of

    def __hash__(self) -> int:
        return id(self.of)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.of is other.of


def _planner(view: SlotView) -> Planner:
    """Return the planner of this moment. Cached, since several modules use it in one turn."""
    return _planner_of(_Same(view["percepts"]), _Same(view["collection"]), _Same(view.rules))


@lru_cache(maxsize=64)
def _planner_of(seen: _Same, collection: _Same, table: _Same) -> Planner:
    percepts: Percepts = seen.of
    numbers: Mapping[str, Any] = table.of
    mobs: dict[str, float] = {}
    for mob in percepts.mobs:
        if abs(mob.position[1] - percepts.at[1]) > numbers["hunt"]["height"]:
            continue
        mobs[mob.kind] = min(mob.distance, mobs.get(mob.kind, mob.distance))
    standing = ExplorerState(
        percepts.items, collection.of, frozenset(percepts.blocks), mobs, percepts.health, percepts.day
    )
    return Planner(standing, numbers)


def want(view: SlotView) -> Result:
    """Choose the next kind of act as the goal: the best one that is not avoided."""
    if not view.at("percepts").version or _busy(view):
        return NOTHING
    avoid = view["awareness"].avoid
    chances = _chances(view, _planner(view))
    # If every act is avoided after recent failures, gather anyway.
    kind = next((each for each in chances if avoid.get(each, 0.0) <= view.now), GATHER)
    return Result({"goal": Goal(WHY[kind.partition(":")[0]], kind, view.now)})


def _busy(view: SlotView) -> bool:
    action: BodyAction | None = view["action"]
    return action is not None and action.running


def _chances(view: SlotView, planner: Planner) -> list[str]:
    """Return the possible acts, best first; at least one."""
    now, found = planner.now, list[str]()
    if errands.crowded(planner) and errands.useless(planner):
        # A full inventory has no room for crafted items.
        found.append(errands.TIDY)
    if planner.crafts:
        found.append(CRAFT)
    if planner.smelts:
        found.append(SMELT)
    found += errands.errands(planner)
    found += [f"{HUNT}:{mob}" for mob in planner.hunts()]
    deep = bool(_depths(view)) and (not now.day or view.chance.random() < _thirst(planner))
    return [*found, *([DIG, GATHER] if deep else [GATHER, DIG] if _depths(view) else [GATHER])]


def _thirst(planner: Planner) -> float:
    """Return the probability of digging by day, which grows with the number of ores never held."""
    held, had = planner.now.held, planner.now.had
    if "stone" in planner.urgent:
        return 1.0
    if any(block.endswith("_log") for block in planner.urgent):
        return 0.0
    if not held.get("stone_pickaxe") and not held.get("iron_pickaxe"):
        return 0.0
    lacks = sum(item not in had for item in ("coal", "raw_iron", "raw_copper", "redstone", "lapis_lazuli", "diamond"))
    return 0.1 + 0.05 * lacks


def _depths(view: SlotView) -> list[int]:
    held = view["percepts"].items
    table = view.rules["depths"]
    return next((table[tool] for tool in reversed(list(table)) if held.get(tool)), [])


def decide(view: SlotView) -> Result:
    """Decide for the goal's act; without a goal, for a random possible act."""
    if not view.at("percepts").version or _busy(view):
        return NOTHING
    before: ControllerDecision | None = view["decision"]
    goal: Goal | None = view.get("goal")
    kind = goal.activity if goal is not None else view.chance.choice(_chances(view, _planner(view)))
    why = goal.text if goal is not None else "it comes to mind"
    number = 1 if before is None else before.number + 1
    return Result(
        {
            "decision": ControllerDecision(
                number, f"{kind} {number}", kind, why, False, "", "", "something new", view.now
            )
        }
    )


def act(view: SlotView) -> Result:
    """Return the program of the decided act."""
    decision: ControllerDecision | None = view["decision"]
    action: BodyAction | None = view["action"]
    if decision is None or _busy(view) or (action is not None and action.doing == decision.doing):
        return NOTHING
    kind, _, what = decision.activity.partition(":")
    call = _call(kind, what, view, _planner(view))
    if call is None:
        return NOTHING
    label = decision.activity
    return Result(act=Act(label, program=program(*call), limit_s=LIMITS.get(kind, 60.0)))


def _call(kind: str, what: str, view: SlotView, planner: Planner) -> tuple[Any, ...] | None:
    """Return the routine and its arguments; None if the act is no longer possible."""
    numbers = view.rules["forage"]
    match kind:
        case "craft":
            return ("craftAll", planner.crafts)
        case "smelt":
            return ("smeltAll", planner.smelts)
        case "gather" | "dig":
            way = _way(view, deep=kind == DIG)
            urgent = planner.urgent
            # On the first dig for stone, take nothing else on the way.
            wants = urgent if kind == DIG and "stone" in urgent else planner.gathers
            enough = max(urgent.values(), default=numbers["most"])
            return ("forage", wants, way, numbers["time_s"], numbers["most"], sorted(urgent), enough)
        case "hunt":
            return ("hunt", what, 2, view.rules["hunt"]["time_s"])
        case _:
            return errands.errand(kind, what, planner, _way(view, deep=False))


def _way(view: SlotView, *, deep: bool) -> dict[str, int | None]:
    """Return the walking direction: random, constant for `heading_s`, and homewards if far away or after failures."""
    numbers, at = view.rules["forage"], view["percepts"].at
    chance = random.Random(f"{view['persona'].get('name')}:{int(view.now / numbers['heading_s'])}:{deep}")
    x, z = chance.choice([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)])
    home: tuple[float, ...] = view["home"]
    failures: int = view["awareness"].failures
    lost = failures > 1 and failures % 2 == 0
    if home and hypot(at[0] - home[0], at[2] - home[2]) > (numbers["near"] if lost else numbers["home"]):
        x, z = _sign(home[0] - at[0]), _sign(home[2] - at[2])
    depths = _depths(view)
    return {"x": x, "y": chance.choice(depths) if deep and depths else None, "z": z}


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def settle(view: SlotView) -> Result:
    """Store the starting position as the home."""
    return NOTHING if view["home"] else Result({"home": tuple(view["feel"].position)})


COLLECTION = Module(
    name="collection",
    reads=("feel", "collection"),
    writes=("collection",),
    when=When(every_s=1.0, events=("act_ended",)),
    rule=collect,
    slots={"collection": frozenset},
    first={"collection": frozenset()},
)
"""Module that records all items that were ever held."""
HOME = Module(
    name="home",
    reads=("feel", "home"),
    writes=("home",),
    when=When(every_s=3600.0),
    rule=settle,
    slots={"home": tuple},
    first={"home": ()},
)
"""Module that records the starting position."""
_KNOWS = ("persona", "percepts", "collection", "action", "awareness", "home")
_CHANGES: Mapping[str, Mapping[str, Any]] = {
    "perception": {"when": When(every_s=2.0, events=("act_ended",))},
    "reflex": {
        "rule": guard,
        "reads": ("feel", "alarm", "action", "awareness", "outcome"),
        "when": When(every_s=0.5, events=("hurt",)),
    },
    "action_awareness": {"rule": learn},
    "goal_generation": {"rule": want, "reads": (*_KNOWS, "goal"), "when": When(every_s=5.0, events=("act_ended",))},
    "controller": {
        "rule": decide,
        "reads": (*_KNOWS, "decision", "goal"),
        "when": When(every_s=5.0, events=("act_ended",)),
    },
    "skill_execution": {
        "rule": act,
        "reads": (*_KNOWS, "decision"),
        "when": When(changes=("decision",), events=("act_ended",)),
    },
}
"""Module -> fields that differ for explorers. Standard modules that are missing here are left out."""


def adapt(modules: Mapping[str, Module]) -> dict[str, Module]:
    """Return the modules of explorers, derived from the ten standard modules."""
    found = {name: replace(modules[name], role=None, **changes) for name, changes in _CHANGES.items()}
    return {"perception": found.pop("perception"), COLLECTION.name: COLLECTION, HOME.name: HOME, **found}
