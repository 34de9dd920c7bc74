"""Tree of items: recipes, steps of each item from bare hands, and reasons for unreached items."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache

from voyager_agents.piano.rule_based.progression.knowledge import ItemKnowledge, knowledge

TABLE, FURNACE = "crafting_table", "furnace"
NETHER = (
    r"nether|blaze|ghast|magma|quartz|glowstone|soul_|crimson|warped|basalt|blackstone|piglin|wither|shroomlight|"
    r"weeping|twisting|debris|respawn_anchor|lodestone|comparator|observer|brewing|daylight_detector|beacon",
    "needs the Nether",
)
END = (r"^end_|ender_|purpur|chorus|elytra|dragon|shulker|popped", "needs the End")
OTHERS: tuple[tuple[str, str], ...] = (
    (
        r"spawn_egg|command_block|^barrier$|^light$|structure_|jigsaw|debug_stick|knowledge_book|^bedrock$|^spawner$|"
        r"end_portal_frame|reinforced_deepslate|infested_|petrified_|_head$|_skull$|^player_|budding_|^farmland$|"
        r"^dirt_path$|frogspawn|chorus_plant|trial_spawner|^vault$",
        "no way without commands, or only with silk touch",
    ),
    NETHER,
    END,
    (r"enchant|potion|arrow$|experience_bottle|golden_apple", "needs enchanting or brewing"),
    (
        r"pottery|smithing_template|disc|sherd|goat_horn|trident|heart_of|conduit|nautilus|prismarine|sponge|sea_lantern|"
        r"totem|echo|sculk|recovery|brush|suspicious|sniffer|torchflower|pitcher|banner_pattern|map$|horse_armor|saddle",
        "needs trading, or what lies in ruins, wrecks and other structures",
    ),
    (r"amethyst|azalea|dripleaf|dripstone|moss|glow_|spore|rooted|hanging_roots|mangrove|mud|coral|pearlescent|frog"
     r"|ochre|verdant|calcite|tuff|copper|candle|honey|beehive|bee_nest|red_sand|mycelium|podzol|ice|snow",
     "needs land or creatures that are not there, or a finer tool"),
)  # fmt: skip
"""(pattern of names, reason why such items cannot be obtained); the first match counts."""
NO_WAY = "the engine has no way to it"


@cache
def depths() -> Mapping[str, int]:
    """Return obtainable item -> steps from bare hands, each tool, station, recipe and fire being one."""
    known = knowledge()
    found: dict[str, int] = {}
    while True:
        before = len(found), sum(found.values())
        for item in known.ways:
            best = min(_costs(known, item, found), default=None)
            if best is not None and best < found.get(item, 99):
                found[item] = best
        if (len(found), sum(found.values())) == before:
            break
    return {**dict.fromkeys(known.ways, 1), **found}


def _costs(known: ItemKnowledge, item: str, found: Mapping[str, int]) -> list[int]:
    """Return the steps to an item by each known way."""
    # Blocks of villages are no source of crafted items.
    dug = [tool for block, tool in known.drops.get(item, {}).items() if block != item or item not in known.recipes]
    costs = [found[tool] + 1 if tool else 0 for tool in dug if not tool or tool in found]
    # A monster's rare drop is no source of smelted items.
    costs += [1] if item in known.mobs and item not in known.smelted_from and item not in known.recipes else []
    for recipe in known.recipes.get(item, ()):
        needs = [*recipe.of, *([TABLE] if recipe.table else [])]
        if all(part in found for part in needs):
            costs.append(1 + max(found[part] for part in needs))
    for what in known.smelted_from.get(item, ()):
        if what in found and FURNACE in found:
            costs.append(1 + max(found[what], found[FURNACE]))
    return costs


def parents(item: str, reached: Collection[str]) -> list[str]:
    """Return the reached ingredients or tool of an item, by its shallowest recipe."""
    known, deep = knowledge(), depths()
    recipes = [each for each in known.recipes.get(item, ()) if all(part in reached for part in each.of)]
    if recipes:
        best = min(recipes, key=lambda each: (max(deep.get(part, 9) for part in each.of), sorted(each.of)))
        return sorted(best.of)
    smelted = [what for what in known.smelted_from.get(item, ()) if what in reached]
    if smelted:
        return smelted[:1]
    tools = sorted({tool for tool in known.drops.get(item, {}).values() if tool in reached})
    return tools[:1]


def reason(item: str, reached: Collection[str]) -> str:
    """Return the reason why nobody held an item, given the held items."""
    known = knowledge()
    if item not in known.ways:
        return next((why for pattern, why in OTHERS if re.search(pattern, item)), NO_WAY)
    if any(all(part in reached for part in each.of) for each in known.recipes.get(item, ())):
        return "could have been crafted"
    deep = depths()
    # A recipe from a deeper item, such as the item's own block, is no way to it.
    recipes = [r for r in known.recipes.get(item, ()) if max(deep.get(part, 99) for part in r.of) < deep[item]]
    if recipes:
        least = min(([part for part in each.of if part not in reached] for each in recipes), key=len)
        return f"needs {', '.join(sorted(least))}"
    if item in known.smelted_from and item not in known.drops:
        held = [what for what in known.smelted_from[item] if what in reached]
        return "could have been smelted" if held else f"needs {known.smelted_from[item][0]}"
    return _elsewhere(known, item) or _undug(known, item, reached)


def _elsewhere(known: ItemKnowledge, item: str) -> str | None:
    """Return the only dimension with an item's blocks and mobs, or None for this one."""
    sources = [*known.drops.get(item, ()), *known.mobs.get(item, ())] or [f"{item}: {known.ways[item]}"]
    found = (why for pattern, why in (NETHER, END) if all(re.search(pattern, each) for each in sources))
    return next(found, None)


def _undug(known: ItemKnowledge, item: str, reached: Collection[str]) -> str:
    """Return the reason why nobody has dug or found an item."""
    tools = set(known.drops.get(item, {}).values())
    if tools and not any(not tool or tool in reached for tool in tools):
        return f"needs {min(tools)}"
    if tools:
        return "its block was not found or not dug"
    return f"was not come by ({known.ways[item]})"


def unreached(reached: Collection[str]) -> Mapping[str, list[str]]:
    """Return reason -> items that nobody held for it, the commonest reason first."""
    known = knowledge()
    found: dict[str, list[str]] = {}
    for item in (*known.ways, *known.others):
        if item not in reached:
            found.setdefault(reason(item, reached), []).append(item)
    return dict(sorted(found.items(), key=lambda each: (-len(each[1]), each[0])))
