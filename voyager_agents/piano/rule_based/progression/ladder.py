"""Materials of the next tools: held items that are reserved for them, and items still to be mined.

Tools unlock all other items. Without reservations an explorer may craft its last wood into slabs and lack a handle for
a pickaxe, or gather nearby blocks first and get wood late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from voyager_agents.piano.rule_based.progression.knowledge import RANKS, CraftingRecipe, ItemKnowledge, serves

DEPTH = 6
"""Maximum depth of the recipe tree from a tool down to mined items."""


@dataclass(frozen=True)
class Needs:
    """Materials of the next tools."""

    kept: Counter[str]
    """Held items that are reserved for the next tools."""
    lacks: Counter[str]
    """Items that must still be mined for the next tools."""


def missing(tools: Sequence[str], had: frozenset[str], held: Mapping[str, int], near: Sequence[str]) -> list[str]:
    """Return the tools that were never held, or are lost. A better pickaxe replaces a lower one.

    Args:
        tools: Names of the tools.
        had: Items that were ever held.
        held: Held items with their counts.
        near: Blocks in sight; a placed tool, such as a furnace, counts as held.
    """

    def there(tool: str) -> bool:
        return tool in near or (serves(tool, held) if tool in RANKS else bool(held.get(tool)))

    return [tool for tool in tools if tool not in had or not there(tool)]


def needs(known: ItemKnowledge, tools: Sequence[str], held: Mapping[str, int]) -> Needs:
    """Return the held and missing materials of the tools, allocated in the given order."""
    found = _Count(known, Counter(held))
    for tool in tools:
        found.part(tool, 1, frozenset(), itself=True)
    return Needs(found.kept, found.lacks)


class _Count:
    """Counter of materials: the amounts taken from a stock, and the amounts missing."""

    def __init__(self, known: ItemKnowledge, stock: Counter[str]) -> None:
        self.known, self.stock = known, stock
        self.kept: Counter[str] = Counter()
        self.lacks: Counter[str] = Counter()

    def part(self, item: str, count: int, above: frozenset[str], *, itself: bool = False) -> None:
        """Add `count` of an item: from the stock, else from its ingredients, else as missing.

        Args:
            item: The item.
            count: Number of items needed.
            above: Items whose recipes lead to this one, to stop cycles.
            itself: True for the tool to make, which is never taken from the stock.
        """
        if not itself:
            have = min(self.stock[item], count)
            self.stock[item] -= have
            self.kept[item] += have
            count -= have
        if count <= 0:
            return
        recipe = self._recipe(item, above)
        if recipe is not None and len(above) < DEPTH:
            times = -(-count // recipe.gives)
            for part, each in recipe.of.items():
                self.part(part, each * times, above | {item})
            self.stock[item] += times * recipe.gives - count
            return
        raw = self.known.smelted_from.get(item, ())
        if raw and item not in above:
            self.part(max(raw, key=lambda each: self.stock[each]), count, above | {item})
        else:
            self.lacks[item] += count

    def _recipe(self, item: str, above: frozenset[str]) -> CraftingRecipe | None:
        """Return the recipe with the most ingredients in stock; never one that only unpacks a storage block."""
        fits = [each for each in _unpacked(self.known, item) if above.isdisjoint(each.of)]
        return max(fits, key=lambda each: (self._rich(each), -len(each.of)), default=None)

    def _rich(self, recipe: CraftingRecipe) -> int:
        """Return the number of the recipe's ingredients in stock, or craftable from a single item in stock."""
        return sum(min(each, self._worth(part)) for part, each in recipe.of.items())

    def _worth(self, part: str) -> int:
        of = self.known.recipes.get(part, ())
        return self.stock[part] + sum(
            each.gives * self.stock[one] for each in of for one in each.of if len(each.of) == 1
        )


@lru_cache(maxsize=4096)
def _unpacked(known: ItemKnowledge, item: str) -> tuple[CraftingRecipe, ...]:
    """Return the item's recipes, except those that only unpack an ingredient crafted from the item alone."""

    def packs(part: str) -> bool:
        return any(each.of.keys() == {item} for each in known.recipes.get(part, ()))

    return tuple(each for each in known.recipes.get(item, ()) if not any(packs(part) for part in each.of))
