"""Item knowledge: recipes, smelting, and drops of blocks and mobs, from the engine's tables (`items.json`).

`node tests/js/world/items_table.js` writes the file, and a test checks that it is current.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

FILE = Path(__file__).with_name("items.json")
RANKS = ("wooden_pickaxe", "stone_pickaxe", "iron_pickaxe", "diamond_pickaxe")
"""Pickaxes in ascending order: each one mines everything that an earlier one mines."""
ALIKE: Mapping[str, tuple[str, ...]] = {
    "wooden_pickaxe": ("golden_pickaxe",),
    "wooden_shovel": ("stone_shovel", "iron_shovel", "golden_shovel", "diamond_shovel"),
}
"""Tool -> equivalent tools."""

RUBBLE = ("cobblestone", "cobbled_deepslate", "blackstone")
"""Interchangeable materials of stone tools."""


@dataclass(frozen=True)
class CraftingRecipe:
    """Recipe of an item."""

    item: str
    gives: int
    """Number of items that one use yields."""
    table: bool
    """True if the recipe needs a crafting table."""
    of: Mapping[str, int]
    """Ingredient -> number needed."""


class ItemKnowledge:
    """Lookups in the item table."""

    def __init__(self, data: Mapping[str, Mapping[str, object]]) -> None:
        """Create the lookups from `data`, the content of `items.json`."""
        self._data: Mapping[str, object] = data
        raw: Mapping[str, Sequence[Mapping[str, object]]] = data["recipes"]  # type: ignore[assignment]
        self.recipes: dict[str, tuple[CraftingRecipe, ...]] = {
            item: tuple(CraftingRecipe(item, int(str(e["gives"])), bool(e["table"]), dict(e["of"])) for e in entries)  # type: ignore[call-overload]
            for item, entries in raw.items()
        }
        self.smelts: Mapping[str, str] = data["smelts"]  # type: ignore[assignment]
        """Smelted item -> its result."""
        self.drops: Mapping[str, Mapping[str, str]] = data["drops"]  # type: ignore[assignment]
        """Item -> block that drops it -> lowest tool needed; empty for bare hands."""
        self.mobs: Mapping[str, Sequence[str]] = data["mobs"]  # type: ignore[assignment]
        """Item -> the mobs that drop it."""
        self.ways: Mapping[str, str] = data["ways"]  # type: ignore[assignment]
        """Obtainable item -> description of a way to obtain it."""
        self.others: Sequence[str] = data["others"]  # type: ignore[assignment]
        """Items of the game that cannot be obtained."""

    def alike(self, item: str) -> tuple[str, ...]:
        """Return the items that can replace the item, itself included: all logs for a log, all rubble for rubble."""
        if item.endswith("_log"):
            return tuple(each for each in self.drops if each.endswith("_log") and not each.startswith("stripped_"))
        return RUBBLE if item in RUBBLE else (item,)

    @cached_property
    def made(self) -> tuple[str, ...]:
        """Items that can be crafted or smelted, sorted."""
        return tuple(sorted({*self.recipes, *self.smelted_from}))

    @cached_property
    def uses(self) -> Mapping[str, frozenset[str]]:
        """Ingredient -> items that can be crafted with it."""
        found: dict[str, set[str]] = {}
        for item, recipes in self.recipes.items():
            for recipe in recipes:
                for part in recipe.of:
                    found.setdefault(part, set()).add(item)
        return {part: frozenset(items) for part, items in found.items()}

    @cached_property
    def smelted_from(self) -> Mapping[str, tuple[str, ...]]:
        """Item -> items that smelt into it."""
        found: dict[str, list[str]] = {}
        for what, result in self.smelts.items():
            found.setdefault(result, []).append(what)
        return {item: tuple(sorted(whats)) for item, whats in found.items()}

    @cached_property
    def gives(self) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """Block -> its drops as (item, lowest tool needed)."""
        found: dict[str, list[tuple[str, str]]] = {}
        for item, blocks in self.drops.items():
            for block, tool in blocks.items():
                found.setdefault(block, []).append((item, tool))
        return {block: tuple(pairs) for block, pairs in found.items()}

    @cached_property
    def hunted(self) -> Mapping[str, tuple[str, ...]]:
        """Mob -> items that it drops."""
        found: dict[str, list[str]] = {}
        for item, mobs in self.mobs.items():
            for mob in mobs:
                found.setdefault(mob, []).append(item)
        return {mob: tuple(sorted(items)) for mob, items in found.items()}


@cache
def knowledge() -> ItemKnowledge:
    """Return the item knowledge from Accord's table."""
    return ItemKnowledge(json.loads(FILE.read_text(encoding="utf-8")))


@cache
def item_names() -> frozenset[str]:
    """Return the names of all items of the game."""
    known = knowledge()
    return frozenset({*known.ways, *known.others})


def serves(tool: str, held: Mapping[str, int]) -> bool:
    """Return whether a held item can replace the tool; True for bare hands (empty `tool`)."""
    if not tool or held.get(tool):
        return True
    if any(held.get(other) for other in ALIKE.get(tool, ())):
        return True
    return tool in RANKS and any(held.get(better) for better in RANKS[RANKS.index(tool) + 1 :])
