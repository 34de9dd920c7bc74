"""Errands of explorers: further uses of items and surroundings, besides crafting, smelting and digging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from voyager_agents.piano.rule_based.progression.planner import Planner

SLEEP, MILK, SHEAR, FISH, WATER, LAVA, BOTTLE, LOOT, BARGAIN, STRIP, FARM, TIDY = (
    "sleep", "milk", "shear", "fish", "scoop water", "scoop lava", "fill bottle", "loot", "bargain", "strip", "farm",
    "tidy",
)  # fmt: skip
"""Kinds of errands."""
CROPS = {"wheat": "wheat_seeds", "carrots": "carrot", "potatoes": "potato", "beetroots": "beetroot_seeds"}
"""Crop -> the item to sow."""
FRUITS = {"wheat": "wheat", "carrots": "carrot", "potatoes": "baked_potato", "beetroots": "beetroot"}
"""Crop -> item that makes it worth farming while it was never held."""
TOOLS = ("_pickaxe", "_axe", "_shovel", "_sword", "_hoe", "_bed", "bucket")
"""Suffixes of items that are never left behind."""
KEPT = frozenset(
    {"shears", "fishing_rod", "crafting_table", "furnace", "emerald", "flint_and_steel", "coal", "charcoal"}
)
"""Further items that are never left behind."""
SLOTS = 36
"""Number of inventory slots, hotbar included."""
STACK, SMALL = 64, 16
SMALLER = ("snowball", "egg", "bucket", "honey_bottle", "_sign", "_banner")
"""Suffixes of items with a maximum stack size of 16."""


def errands(planner: Planner) -> list[str]:
    """Return the possible errands as `KIND` or `KIND:OBJECT`, best first."""
    return [*_care(planner), *_people(planner), *_vessels(planner), *_work(planner)]


def _care(planner: Planner) -> Iterator[str]:
    """Yield errands for the explorer's own needs."""
    now = planner.now
    if not now.day and any(item.endswith("_bed") for item in now.held):
        yield SLEEP


def _people(planner: Planner) -> Iterator[str]:
    """Yield errands in villages: looting chests and trading with villagers."""
    now = planner.now
    if "chest" in now.near:
        yield LOOT
    if "villager" in now.mobs and (now.held.get("emerald") or spare(planner)):
        yield BARGAIN


def _vessels(planner: Planner) -> Iterator[str]:
    """Yield errands with a bucket or a bottle."""
    held, had, near, mobs = planner.now.held, planner.now.had, planner.now.near, planner.now.mobs
    if held.get("bucket"):
        if "milk_bucket" not in had and "cow" in mobs:
            yield MILK
        if "water_bucket" not in had and "water" in near:
            yield WATER
        if "lava_bucket" not in had and "lava" in near:
            yield LAVA
    if held.get("glass_bottle") and "potion" not in had and "water" in near:
        yield BOTTLE


def _work(planner: Planner) -> Iterator[str]:
    """Yield errands with shears, an axe, a hoe or a fishing rod."""
    held, had, near = planner.now.held, planner.now.had, planner.now.near
    if held.get("shears") and "sheep" in planner.now.mobs and planner.wanted["white_wool"] > held.get("white_wool", 0):
        yield SHEAR
    if axe_of(planner):
        for log in (item for item, count in sorted(held.items()) if item.endswith("_log") and count):
            if not log.startswith("stripped_") and f"stripped_{log}" not in had:
                yield f"{STRIP}:{log}"
    if held.get("bone_meal") and any(held.get(item) for item in held if item.endswith("_hoe")):
        for crop, seed in CROPS.items():
            if held.get(seed) and FRUITS[crop] not in had:
                yield f"{FARM}:{crop}"
    if held.get("fishing_rod") and "water" in near and not {"cod", "salmon", "pufferfish"} <= set(had):
        yield FISH


def axe_of(planner: Planner) -> str:
    """Return the name of a held axe; empty without one."""
    return next((item for item, count in sorted(planner.now.held.items()) if item.endswith("_axe") and count), "")


def crowded(planner: Planner) -> bool:
    """Return whether the inventory is almost full. Slots of unstackable items are underestimated."""
    free: int = planner.numbers["tidy"]["free"]
    held = planner.now.held
    return sum(-(-count // (SMALL if item.endswith(SMALLER) else STACK)) for item, count in held.items()) > SLOTS - free


def useless(planner: Planner) -> list[str]:
    """Return the least useful held items, best to discard first; never tools, food or reserved materials."""
    foods, wanted, held = planner.numbers["reflex"]["foods"], planner.wanted, planner.now.held
    kept = planner.needs.kept
    found = [
        item
        for item in held
        if held[item] and not item.endswith(TOOLS) and item not in KEPT and item not in foods and not kept[item]
    ]
    return sorted(found, key=lambda item: (wanted[item], -held[item], item))[: planner.numbers["tidy"]["most"]]


def spare(planner: Planner) -> list[str]:
    """Return the items with enough in stock to sell some; never tools."""
    least = planner.numbers["tidy"]["spare"]
    return sorted(item for item, count in planner.now.held.items() if count >= least and not item.endswith(TOOLS))


def errand(kind: str, what: str, planner: Planner, way: dict[str, Any]) -> tuple[Any, ...] | None:
    """Return an errand's routine and its arguments; None if the errand is no longer possible.

    Args:
        kind: Kind of the errand.
        what: Object of the errand; empty without one.
        planner: Planner of the current moment.
        way: Direction in which to walk away, for `tidy`.
    """
    now = planner.now
    simple = {
        MILK: ("milk",),
        SHEAR: ("shear",),
        FISH: ("angle",),
        WATER: ("scoop", "water", "bucket"),
        LAVA: ("scoop", "lava", "bucket"),
        BOTTLE: ("scoop", "water", "glass_bottle"),
        FARM: ("farm", what),
    }
    if kind in simple:
        return simple[kind]
    match kind:
        case "sleep":
            bed = next((item for item in now.held if item.endswith("_bed")), None)
            return None if bed is None else ("rest", bed)
        case "loot":
            return ("loot", sorted(now.had), sorted(item for item, count in planner.wanted.items() if count))
        case "bargain":
            return ("bargain", sorted(now.had), spare(planner))
        case "strip":
            return ("strip", what, axe_of(planner)) if axe_of(planner) else None
        case "tidy":
            return ("tidy", useless(planner), way)
        case _:
            return None
