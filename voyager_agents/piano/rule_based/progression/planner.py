"""Planner of explorers: the next item that one can get, from the items it holds and had, and the blocks in sight.

Means are found from ends: for every item that was never held its recipe is followed down to what can be dug, hunted or
smelted with the tools at hand; what that takes is what is wanted of the land. All of it is a function of what is given.
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
"""Steps of crafting that are thought ahead."""
MAX_STEPS = 16
"""Recipes used in one deed."""
TABLE, FURNACE = "crafting_table", "furnace"
SPARE = "stone_pickaxe"
Step = tuple[str, int, bool]
"""Item, how often its recipe is used, whether at a table."""


@dataclass(frozen=True)
class ExplorerState:
    """State of an explorer."""

    held: Mapping[str, int]
    had: Collection[str]
    """Every item that it has ever held."""
    near: Collection[str] = ()
    """Stations that stand near."""
    mobs: Mapping[str, float] = field(default_factory=dict)
    """Kind of mob in sight -> how far the nearest is."""
    health: float = 20.0
    day: bool = True


class Planner:
    """Plans for one moment of one explorer."""

    def __init__(self, standing: ExplorerState, numbers: Mapping[str, Any], known: ItemKnowledge | None = None) -> None:
        """`numbers` is the table of `progression.yaml`."""
        self.now = standing
        self.known = known or knowledge()
        self.numbers = numbers

    @cached_property
    def crafts(self) -> list[Step]:
        """All that can be crafted now and was never held, each once, with what it takes; what matters most first."""
        stock, ladder, left_alone = dict(self.now.held), set(self.ladder), False
        steps: list[Step] = []
        for item in self._within_reach():
            if len(steps) >= MAX_STEPS:
                break
            if item not in ladder and not left_alone:
                # What the next tools take is left alone from here on.
                stock, left_alone = dict(Counter(stock) - self._needs_of(stock, steps).kept), True
            trial, made = dict(stock), list[Step]()
            if not self._make(item, 1, trial, made, DEPTH, frozenset()):
                continue
            if any(table for _, _, table in made) and TABLE not in self.now.near and not trial.get(TABLE):
                # First a table, then the item as far as there is enough for both.
                trial, made = dict(stock), list[Step]()
                if not self._make(TABLE, 1, trial, made, DEPTH, frozenset()):
                    continue
                self._make(item, 1, trial, made, DEPTH, frozenset())
            steps, stock = [*steps, *made], trial
        return steps

    @cached_property
    def ladder(self) -> list[str]:
        """Tools never held, or lost, in the order in which they are made."""
        now = self.now
        return missing(self.numbers["first"], frozenset(now.had), now.held, tuple(now.near))

    @cached_property
    def needs(self) -> Needs:
        """Materials of the next tools."""
        return self._needs_of(self.now.held, ())

    def _needs_of(self, held: Mapping[str, int], steps: Sequence[Step]) -> Needs:
        made = {item for item, _, _ in steps}
        ahead = [tool for tool in self.ladder if tool not in made][: self.numbers["ahead"]]
        # Who wears its last pickaxe out below the ground is glad of a handle for another one.
        spare = [SPARE] if SPARE in self.now.had else []
        found = needs(self.known, [*ahead, *spare], held)
        if (found.kept["raw_iron"] or found.lacks["raw_iron"]) and not any(held.get(each) for each in _COALS):
            # A fire takes coal, and wood where there is none.
            found.lacks["coal"] += 2
            found.kept.update(dict.fromkeys((item for item in held if item.endswith("_log")), 2))
        return found

    def _within_reach(self) -> list[str]:
        """Return items never held, and lost tools, whose parts are held or can be crafted, regardless of counts."""
        held = self.now.held
        own = frozenset(item for item, count in held.items() if count)
        have = _craftable(self.known, own)
        found = have.difference(self.now.had, own)
        lost = [tool for tool in self.ladder if tool in have and not held.get(tool)]
        return sorted(found.union(lost), key=_ranks(self.known, tuple(self.numbers["first"])).__getitem__)

    def _make(
        self, item: str, count: int, stock: dict[str, int], steps: list[Step], depth: int, above: frozenset[str]
    ) -> bool:
        """Craft so many of that item out of the stock; changes stock and steps, and says whether it can be done."""
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
        """Return those of which most is held first."""
        found = self.known.recipes.get(item, ())
        if len(found) < 2:
            return list(found)
        return sorted(found, key=lambda each: -_of_it(each, stock))[:3]

    @cached_property
    def smelts(self) -> list[tuple[str, str, int]]:
        """(what, fuel, how many): all that gives something new or wanted, where there is fuel and a furnace."""
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
        """Item -> how many of it all that was never held takes, as far as it can be come by with the tools at hand."""
        return _wanted(self.known, frozenset(self.now.had), self._tools(), self.numbers["forage"]["stock"])

    def _tools(self) -> tuple[str, ...]:
        return tuple(sorted(item for item in self.now.held if item.endswith(("_pickaxe", "_shovel")) or item in _TOOLS))

    @cached_property
    def gathers(self) -> dict[str, int]:
        """Block -> how many of it are worth digging, with the tools at hand."""
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
        """Those blocks that the next tools wait for."""
        held, found = self.now.held, dict[str, int]()
        for lack, count in self.needs.lacks.items():
            for item in self.known.alike(lack):
                for block, tool in self.known.drops.get(item, {}).items():
                    if serves(tool, held) and block not in _LEFT_ALONE:
                        found[block] = max(self.numbers["forage"]["stock"] // 2, count)
        return found

    def hunts(self) -> list[str]:
        """Return the mobs in sight that drop something new or wanted, the nearest first."""
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
        """Return whether one of those is food, and none is held."""
        foods = self.numbers["reflex"]["foods"][:-3]
        return not any(self.now.held.get(item) for item in foods) and any(item in foods for item in drops)


_TOOLS = frozenset({"shears", "bucket", "fishing_rod", "furnace"})
_COALS = ("coal", "charcoal", "coal_block", "lava_bucket")
_LEFT_ALONE = frozenset({"crafting_table", "furnace", "lava", "water", "chest"})


def _of_it(recipe: CraftingRecipe, stock: Mapping[str, int]) -> int:
    """Return the amount held of the recipe's parts."""
    found = 0
    for part, count in recipe.of.items():
        held = stock.get(part, 0)
        found += min(held, count)
    return found


@lru_cache(maxsize=1024)
def _craftable(known: ItemKnowledge, held: frozenset[str]) -> frozenset[str]:
    """Return the held items, and everything that could be crafted of them, given enough."""
    have, open_items = set(held), list(held)
    while open_items:
        for item in known.uses.get(open_items.pop(), ()):
            if item not in have and any(each.of.keys() <= have for each in known.recipes[item]):
                have.add(item)
                open_items.append(item)
    return frozenset(have)


@lru_cache(maxsize=8)
def _ranks(known: ItemKnowledge, first: tuple[str, ...]) -> Mapping[str, int]:
    """Item -> its place: those named first, then cheap things, as far as their recipes tell."""
    place = {item: number for number, item in enumerate(first)}

    def size(item: str) -> int:
        return min((sum(each.of.values()) for each in known.recipes.get(item, ())), default=9)

    order = sorted({*known.recipes, *first}, key=lambda item: (place.get(item, len(place)), size(item), item))
    return {item: number for number, item in enumerate(order)}


@lru_cache(maxsize=4096)
def _wanted(known: ItemKnowledge, had: frozenset[str], tools: tuple[str, ...], stock: int) -> Counter[str]:
    """Return the wanted amount of every item, capped: the materials of all items without those of items that were
    held."""
    total = dict(_all_taken(known, tools))
    for item in had.intersection(known.made):
        for part, count in _taken(known, item, tools):
            total[part] -= count
    return Counter({item: min(stock, count) for item, count in total.items() if count})


@lru_cache(maxsize=256)
def _all_taken(known: ItemKnowledge, tools: tuple[str, ...]) -> Mapping[str, int]:
    """Return the materials of one of each item together."""
    total: Counter[str] = Counter()
    for item in known.made:
        for part, count in _taken(known, item, tools):
            total[part] += count
    return total


@lru_cache(maxsize=65536)
def _taken(known: ItemKnowledge, item: str, tools: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the materials of one item."""
    return tuple(_leaves(known, item, 1, dict.fromkeys(tools, 1), DEPTH, frozenset()))


def _leaves(
    known: ItemKnowledge, item: str, count: int, held: Mapping[str, int], depth: int, above: frozenset[str]
) -> Iterator[tuple[str, int]]:
    """Yield the materials of `count` of an item, intermediate items included."""
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
    """Return whether that item is dug out of the land with the tools at hand."""
    return any(serves(tool, held) for tool in known.drops.get(item, {}).values()) and item not in known.recipes
