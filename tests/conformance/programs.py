"""Random short programs of primitives, and reference policies, generated from a seed to compare two worlds."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.conformance.plot import Plot

CHEST = "at(0, 0, 4)"
MOST_STEPS = 10
"""Mean number of steps of a random program; hypothesis draws five on average."""
EDGE = 9
"""Maximum distance from the plot's middle at which a program moves and builds, in blocks."""

FURNITURE = (
    "setblock ~ ~ ~4 chest",
    "item replace block ~ ~ ~4 container.0 with dirt 20",
    "item replace block ~ ~ ~4 container.1 with oak_log 4",
    "item replace block ~ ~ ~4 container.2 with iron_pickaxe 1",
    "item replace block ~ ~ ~4 container.3 with coal 3",
    "fill ~6 ~ ~-2 ~7 ~1 ~-1 coal_ore",
    "fill ~-8 ~ ~5 ~-7 ~ ~7 iron_ore",
    "fill ~4 ~ ~7 ~6 ~ ~7 sandstone",
    "fill ~-3 ~ ~-8 ~-1 ~ ~-8 oak_log",
    "setblock ~3 ~ ~3 crafting_table",
)
HOLDINGS = ("stone_pickaxe", "cobblestone 6", "stick 2")


@dataclass(frozen=True)
class Program:
    """Programs that are compared in two worlds."""

    name: str
    bodies: tuple[str, ...]
    """One function body per player."""


def random_programs(seed: int, count: int) -> list[Program]:
    """Return at most `count` programs, deterministic in `seed`; they equal those of a test `drawing(seed)` from
    `batches`.
    """
    drawn: list[list[list[str]]] = []

    @drawing(seed)
    @given(batches(count))
    def keep(batch: list[list[str]]) -> None:
        drawn.append(batch)

    keep()
    return programs_of(drawn[-1])


def drawing(seed: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorator that draws a hypothesis test from one seed only, and shrinks failing examples.

    Hypothesis starts with the simplest batch, in which programs do nothing; the second one is random. Further ones
    would repeat parts of the second.
    """
    decorate: Callable[..., Callable[..., None]] = settings(
        max_examples=2,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    return lambda test: decorate(hypothesis.seed(seed)(test))


def batches(count: int) -> SearchStrategy[list[list[str]]]:
    """Return a strategy for the steps of `count` concurrent programs; the simplest program has none."""
    return st.lists(st.lists(_STEP, max_size=MOST_STEPS), min_size=count, max_size=count)


def programs_of(batch: Sequence[Sequence[str]]) -> list[Program]:
    """Return each distinct non-empty program once; its name lists its steps, so that it can be read and repeated."""
    return [Program("; ".join(steps), (_body(steps),)) for steps in dict.fromkeys(map(tuple, batch)) if steps]


def _call(text: str, **parts: SearchStrategy[Any]) -> SearchStrategy[str]:
    """Return a strategy for calls of a primitive with drawn arguments."""
    return st.fixed_dictionaries(parts).map(lambda drawn: text.format(**drawn))


def _one_of(*names: str) -> SearchStrategy[str]:
    """Return a strategy for names as JavaScript literals."""
    return st.sampled_from(names).map(json.dumps)


_PLACE = st.tuples(st.integers(-EDGE, EDGE), st.integers(-EDGE, EDGE)).map(lambda at: f"at({at[0]}, 0, {at[1]})")
_STEP = st.one_of(
    _call("goTo(bot, {place}, {range})", place=_PLACE, range=st.integers(1, 2)),
    _call(
        "mineBlock(bot, {name}, {count})", name=_one_of("coal_ore", "sandstone", "gold_ore"), count=st.integers(1, 3)
    ),
    _call("mineBlock(bot, {name}, {count})", name=_one_of("iron_ore", "oak_log"), count=st.integers(1, 3)),
    _call(
        f"getItemFromChest(bot, {CHEST}, {{{{ {{name}}: {{count}} }}}})",
        name=_one_of("dirt", "oak_log", "iron_pickaxe", "coal", "diamond"),
        count=st.integers(1, 4),
    ),
    _call(
        f"depositItemIntoChest(bot, {CHEST}, {{{{ {{name}}: {{count}} }}}})",
        name=_one_of("cobblestone", "stick", "dirt", "coal", "raw_iron"),
        count=st.integers(1, 8),
    ),
    _call("placeItem(bot, {name}, {place})", name=_one_of("cobblestone", "dirt", "oak_planks"), place=_PLACE),
    _call("equipItem(bot, {name})", name=_one_of("stone_pickaxe", "iron_pickaxe", "stick")),
    _call("craftItem(bot, {name}, {count})", name=_one_of("oak_planks", "stick", "torch"), count=st.integers(1, 3)),
    _call("craftItem(bot, {name}, {count})", name=_one_of("stone_pickaxe", "stone_axe"), count=st.integers(1, 2)),
)
"""Calls of primitives, about half of which fail."""

_LOOK_ROUND = f"""
    const left = []
    const ores = {{}}
    for (let x = -{EDGE}; x <= {EDGE}; x++) for (let z = -{EDGE}; z <= {EDGE}; z++) for (let y = 0; y < 3; y++) {{
      const block = bot.blockAt(at(x, y, z))
      // Which of several blocks at the same distance is mined first hangs on the tenth of a block where a bot stands.
      if (/_ore$|^sandstone$|^oak_log$/.test(block.name)) ores[block.name] = (ores[block.name] ?? 0) + 1
      else if (block.name !== "air") left.push(block.name + " " + [x, y, z])
    }}
    for (const name of Object.keys(ores)) left.push(ores[name] + " " + name)
    const place = (entity) => String(entity.position.minus(at(0, 0, 0)))
    const items = Object.values(bot.entities).filter((entity) => entity.name === "item")
    tell({{ left, lies: [...items.map((item) => item.getDroppedItem()?.name + " " + place(item)),
      "bot " + place(bot.entity)] }})"""


def _body(steps: Sequence[str]) -> str:
    lines = "\n".join(f"    await step(() => {each})" for each in steps)
    return f"""
    const ends = []
    const took = []
    const step = async (work) => {{
      const at = Date.now()
      ends.push(await caught(work()))
      took.push(Date.now() - at)
    }}
    const began = Date.now()
{lines}
    tell({{ ends, took, ms: Date.now() - began }})
    await bot.waitForTicks(10)
{_LOOK_ROUND}"""


REFERENCE = (
    Program(
        "reference: one tool for two, by signals",
        (
            f"""
    const began = Date.now()
    await getItemFromChest(bot, {CHEST}, {{ iron_pickaxe: 1 }})
    const {{ mined }} = await mineBlock(bot, "coal_ore", 4)
    await depositItemIntoChest(bot, {CHEST}, {{ iron_pickaxe: 1 }})
    await sendSignal(bot, others[0], "yours")
    tell({{ ends: [mined], took: [], ms: Date.now() - began }})""",
            f"""
    const began = Date.now()
    await waitSignal(bot, "yours")
    await getItemFromChest(bot, {CHEST}, {{ iron_pickaxe: 1 }})
    const {{ mined }} = await mineBlock(bot, "iron_ore", 6)
    tell({{ ends: [mined], took: [], ms: Date.now() - began }})
    await bot.waitForTicks(10)
{_LOOK_ROUND}""",
        ),
    ),
    Program(
        "reference: from logs to torches and a pickaxe",
        (
            _body(
                [
                    f"getItemFromChest(bot, {CHEST}, {{ oak_log: 3 }})",
                    'mineBlock(bot, "coal_ore", 2)',
                    'craftItem(bot, "oak_planks", 3)',
                    'craftItem(bot, "stick", 3)',
                    'craftItem(bot, "torch", 2)',
                    'craftItem(bot, "stone_pickaxe")',
                ]
            ),
        ),
    ),
    Program(
        "reference: fetch, mine, build and store",
        (
            _body(
                [
                    f"getItemFromChest(bot, {CHEST}, {{ oak_log: 2 }})",
                    'mineBlock(bot, "coal_ore", 2)',
                    'placeItem(bot, "oak_log", at(2, 0, -3))',
                    'placeItem(bot, "oak_log", at(2, 1, -3))',
                    f"depositItemIntoChest(bot, {CHEST}, {{ coal: 2, stick: 1 }})",
                ]
            ),
        ),
    ),
)


async def furnish(plot: Plot) -> None:
    """Prepare the land that every program finds."""
    for command in FURNITURE:
        await plot.command(command)
    for name in plot.names:
        await plot.give(*HOLDINGS, to=name)
