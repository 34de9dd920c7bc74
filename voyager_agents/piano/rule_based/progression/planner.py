"""Planner of explorers: the items to obtain next, from the items held now and before, and the blocks in sight.

The planner works backwards. It expands the recipe of every item that was never held down to materials that can be
mined, hunted or smelted with the held tools; these are the wanted materials. All results depend only on the inputs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from voyager_agents.piano.rule_based.progression.knowledge import CraftingRecipe, ItemKnowledge, knowledge, serves
from voyager_agents.piano.rule_based.progression.ladder import Needs, missing, needs

DEPTH = 5
"""Maximum depth of nested recipes."""
MAX_STEPS = 16
"""Number of recipes after which one crafting act takes no further items."""
TABLE, FURNACE = "crafting_table", "furnace"
SPARE = "stone_pickaxe"
Step = tuple[str, int, bool]
"""Crafting step: (item, number of recipe uses, True if at a crafting table)."""


@dataclass(frozen=True)
class ExplorerState:
    """State of an explorer at one moment."""

    held: Mapping[str, int]
    """Held items with their counts."""
    had: Collection[str]
    """Items that were ever held."""
    near: Collection[str] = ()
    """Blocks in sight, such as crafting table and furnace."""
    mobs: Mapping[str, float] = field(default_factory=dict)
    """Kind of mob in sight -> distance of the nearest one, in blocks."""
    health: float = 20.0
    day: bool = True


class Planner:
    """Plans of one explorer at one moment."""

    def __init__(self, standing: ExplorerState, numbers: Mapping[str, Any], known: ItemKnowledge | None = None) -> None:
        """Create the planner.

        Args:
            standing: State of the explorer.
            numbers: Table of `progression.yaml`.
            known: Item knowledge; None for Accord's table.
        """
        self.now = standing
        self.known = known or knowledge()
        self.numbers = numbers

    @cached_property
    def crafts(self) -> list[Step]:
        """Crafting steps for one of each item that was never held and can be made now, most important items first."""
        stock, ladder, left_alone = dict(self.now.held), set(self.ladder), False
        steps: list[Step] = []
        for item in self._within_reach():
            if len(steps) >= MAX_STEPS:
                break
            if item not in ladder and not left_alone:
                # From here on materials of the next tools are reserved.
                stock, left_alone = dict(Counter(stock) - self._needs_of(stock, steps).kept), True
            trial, made = dict(stock), list[Step]()
            if not self._make(item, 1, trial, made, DEPTH, frozenset()):
                continue
            if any(table for _, _, table in made) and TABLE not in self.now.near and not trial.get(TABLE):
                # Make a crafting table first, then the item if the stock suffices for both.
                trial, made = dict(stock), list[Step]()
                if not self._make(TABLE, 1, trial, made, DEPTH, frozenset()):
                    continue
                self._make(item, 1, trial, made, DEPTH, frozenset())
            steps, stock = [*steps, *made], trial
        return steps

    @cached_property
    def ladder(self) -> list[str]:
        """Tools to make next (never held, or lost), in order."""
        now = self.now
        return missing(self.numbers["first"], frozenset(now.had), now.held, tuple(now.near))

    @cached_property
    def needs(self) -> Needs:
        """Materials of the next tools."""
        return self._needs_of(self.now.held, ())

    def _needs_of(self, held: Mapping[str, int], steps: Sequence[Step]) -> Needs:
        made = {item for item, _, _ in steps}
        ahead = [tool for tool in self.ladder if tool not in made][: self.numbers["ahead"]]
        # Reserve a handle for a spare pickaxe, in case the last one breaks underground.
        spare = [SPARE] if SPARE in self.now.had else []
        found = needs(self.known, [*ahead, *spare], held)
        if (found.kept["raw_iron"] or found.lacks["raw_iron"]) and not any(held.get(each) for each in _COALS):
            # Smelting needs fuel: coal, or wood without coal.
            found.lacks["coal"] += 2
            found.kept.update(dict.fromkeys((item for item in held if item.endswith("_log")), 2))
        return found

    def _within_reach(self) -> list[str]:
        """Return items never held, and lost tools, whose ingredients are held or craftable, regardless of counts."""
        held = self.now.held
        own = frozenset(item for item, count in held.items() if count)
        have = _craftable(self.known, own)
        found = have.difference(self.now.had, own)
        lost = [tool for tool in self.ladder if tool in have and not held.get(tool)]
        return sorted(found.union(lost), key=_ranks(self.known, tuple(self.numbers["first"])).__getitem__)

    def _make(
        self, item: str, count: int, stock: dict[str, int], steps: list[Step], depth: int, above: frozenset[str]
    ) -> bool:
        """Plan to craft `count` of the item, and return whether the stock suffices.

        On success `stock` and `steps` are updated in place; otherwise they are unchanged.
        """
        if depth == 0 or item in above:
            return False
        for recipe in self._recipes(item, stock):
            trial, made = dict(stock), list[Step]()
            times = -(-count // recipe.gives)
            if self._parts(recipe, times, trial, made, depth, above | {item}):
                trial[item] = trial.get(item, 0) + times * recipe.gives
                stock.clear()
                stock.update(trial)
                steps.extend([*made, (item, times, recipe.table)])
                return True
        return False

    def _parts(
        self,
        recipe: CraftingRecipe,
        times: int,
        stock: dict[str, int],
        steps: list[Step],
        depth: int,
        above: frozenset[str],
    ) -> bool:
        for part, each in recipe.of.items():
            lack = each * times - stock.get(part, 0)
            if lack > 0 and not self._make(part, lack, stock, steps, depth - 1, above):
                return False
            stock[part] = stock.get(part, 0) - each * times
            if stock[part] < 0:
                return False
        return True

    def _recipes(self, item: str, stock: Mapping[str, int]) -> list[CraftingRecipe]:
        """Return up to three recipes of the item, those with the most held ingredients first."""
        found = self.known.recipes.get(item, ())
        if len(found) < 2:
            return list(found)
        return sorted(found, key=lambda each: -_of_it(each, stock))[:3]

    @cached_property
    def smelts(self) -> list[tuple[str, str, int]]:
        """Smelting jobs (input, fuel, count) with a new or wanted result; empty without a furnace or fuel."""
        held = self.now.held
        if FURNACE not in self.now.near and not held.get(FURNACE):
            return []
        fuel = self._fuel()
        if not fuel:
            return []
        wanted, numbers = self.wanted, self.numbers["smelt"]
        found = []
        for what, result in self.known.smelts.items():
            count = held.get(what, 0) - (what == fuel)
            new = result not in self.now.had
            if count <= 0 or not (new or (result in numbers["again"] and wanted[result] > held.get(result, 0))):
                continue
            lack = max(1, wanted[result] - held.get(result, 0))
            found.append((what, fuel, min(count, lack, numbers["most"] if result in numbers["many"] else 2)))
        first = {"raw_iron": 0, "iron_ore": 0, "sand": 1, "oak_log": 2}
        found.sort(key=lambda each: (first.get(each[0], 5), each[0]))
        return found[: numbers["kinds"]]

    def _fuel(self) -> str:
        held = self.now.held
        named = next((item for item in self.numbers["fuels"] if held.get(item)), "")
        if named:
            return str(named)
        least = 1 if held.get("raw_iron") else 4
        wood = [item for item in held if item.endswith(("_planks", "_log")) and held[item] >= least]
        return max(wood, key=lambda item: (item.endswith("_planks"), held[item], item), default="")

    @cached_property
    def wanted(self) -> Counter[str]:
        """Material -> number needed for all items never held, capped; only what the held tools make obtainable."""
        return _wanted(self.known, frozenset(self.now.had), self._tools(), self.numbers["forage"]["stock"])

    def _tools(self) -> tuple[str, ...]:
        return tuple(sorted(item for item in self.now.held if item.endswith(("_pickaxe", "_shovel")) or item in _TOOLS))

    @cached_property
    def gathers(self) -> dict[str, int]:
        """Block -> number worth mining with the held tools, urgent blocks included."""
        held, had, wanted = self.now.held, self.now.had, self.wanted
        found: dict[str, int] = {}
        for block, drops in self.known.gives.items():
            for item, tool in drops:
                if not serves(tool, held):
                    continue
                lack = wanted[item] - held.get(item, 0) if item in had else max(1, wanted[item])
                if lack > 0 and block not in _LEFT_ALONE:
                    found[block] = max(found.get(block, 0), min(lack, 8))
        return {**found, **self.urgent}

    @cached_property
    def urgent(self) -> dict[str, int]:
        """Block -> number to mine for the missing materials of the next tools."""
        held, found = self.now.held, dict[str, int]()
        for lack, count in self.needs.lacks.items():
            for item in self.known.alike(lack):
                for block, tool in self.known.drops.get(item, {}).items():
                    if serves(tool, held) and block not in _LEFT_ALONE:
                        found[block] = max(self.numbers["forage"]["stock"] // 2, count)
        return found

    def hunts(self) -> list[str]:
        """Return the mobs in sight with new, wanted or food drops, nearest first; none without a weapon."""
        numbers, held, had, wanted = self.numbers["hunt"], self.now.held, self.now.had, self.wanted
        armed = any(held.get(item) for item in self.numbers["reflex"]["weapons"])
        found = []
        for mob, distance in self.now.mobs.items():
            dares = mob not in numbers["hostile"] or self.now.health >= numbers["health"]
            if not armed or not dares or mob in numbers["never"] or distance > numbers["reach"]:
                continue
            drops = self.known.hunted.get(mob, ())
            if any(item not in had or wanted[item] > held.get(item, 0) for item in drops) or self._hungry(drops):
                found.append((distance, mob))
        return [mob for _, mob in sorted(found)]

    def _hungry(self, drops: Collection[str]) -> bool:
        """Return whether the drops include food while none is held."""
        foods = self.numbers["reflex"]["foods"][:-3]
        return not any(self.now.held.get(item) for item in foods) and any(item in foods for item in drops)


_TOOLS = frozenset({"shears", "bucket", "fishing_rod", "furnace"})
_COALS = ("coal", "charcoal", "coal_block", "lava_bucket")
_LEFT_ALONE = frozenset({"crafting_table", "furnace", "lava", "water", "chest"})


def _of_it(recipe: CraftingRecipe, stock: Mapping[str, int]) -> int:
    """Return the number of the recipe's ingredients in stock."""
    found = 0
    for part, count in recipe.of.items():
        held = stock.get(part, 0)
        found += min(held, count)
    return found


@lru_cache(maxsize=1024)
def _craftable(known: ItemKnowledge, held: frozenset[str]) -> frozenset[str]:
    """Return the held items and all items craftable from them, regardless of counts."""
    have, open_items = set(held), list(held)
    while open_items:
        for item in known.uses.get(open_items.pop(), ()):
            if item not in have and any(each.of.keys() <= have for each in known.recipes[item]):
                have.add(item)
                open_items.append(item)
    return frozenset(have)


@lru_cache(maxsize=8)
def _ranks(known: ItemKnowledge, first: tuple[str, ...]) -> Mapping[str, int]:
    """Return the priority of each item: items of `first` in order, then items with few ingredients."""
    place = {item: number for number, item in enumerate(first)}

    def size(item: str) -> int:
        return min((sum(each.of.values()) for each in known.recipes.get(item, ())), default=9)

    order = sorted({*known.recipes, *first}, key=lambda item: (place.get(item, len(place)), size(item), item))
    return {item: number for number, item in enumerate(order)}


@lru_cache(maxsize=4096)
def _wanted(known: ItemKnowledge, had: frozenset[str], tools: tuple[str, ...], stock: int) -> Counter[str]:
    """Return the number wanted of each material for all items never held, capped at `stock`."""
    total = dict(_all_taken(known, tools))
    for item in had.intersection(known.made):
        for part, count in _taken(known, item, tools):
            total[part] -= count
    return Counter({item: min(stock, count) for item, count in total.items() if count})


@lru_cache(maxsize=256)
def _all_taken(known: ItemKnowledge, tools: tuple[str, ...]) -> Mapping[str, int]:
    """Return the total materials for one of every item."""
    total: Counter[str] = Counter()
    for item in known.made:
        for part, count in _taken(known, item, tools):
            total[part] += count
    return total


@lru_cache(maxsize=65536)
def _taken(known: ItemKnowledge, item: str, tools: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the materials of one item as (material, count)."""
    return tuple(_leaves(known, item, 1, dict.fromkeys(tools, 1), DEPTH, frozenset()))


def _leaves(
    known: ItemKnowledge, item: str, count: int, held: Mapping[str, int], depth: int, above: frozenset[str]
) -> Iterator[tuple[str, int]]:
    """Yield (material, count) for `count` of an item, intermediate items included."""
    if depth == 0 or item in above:
        return
    if above:
        yield item, count
    if above and _dug(known, item, held):
        return
    recipes: Sequence[CraftingRecipe] = known.recipes.get(item, ())
    if recipes:
        best = min(recipes, key=lambda each: (sum(each.of.values()), len(each.of)))
        for part, each in best.of.items():
            yield from _leaves(known, part, -(-each * count // best.gives), held, depth - 1, above | {item})
    for what in known.smelted_from.get(item, ())[:2]:
        yield from _leaves(known, what, count, held, depth - 1, above | {item})


def _dug(known: ItemKnowledge, item: str, held: Mapping[str, int]) -> bool:
    """Return whether the item cannot be crafted and is mined with the held tools."""
    return any(serves(tool, held) for tool in known.drops.get(item, {}).values()) and item not in known.recipes
