"""Random short programs of primitives, and reference policies, for telling two worlds apart; all from a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.conformance.plot import Plot

CHEST = "at(0, 0, 4)"
STEPS = 5
"""Steps of a random program."""
EDGE = 9
"""How far from its middle a program moves and builds."""

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
    """What two worlds are compared by."""

    name: str
    bodies: tuple[str, ...]
    """One function's body per player."""


def random_programs(seed: int, count: int) -> list[Program]:
    """That many programs; the same seed gives the same ones."""
    dice = random.Random(seed)
    return [
        Program(f"random {seed}/{number}", (_body([_step(dice) for _ in range(STEPS)]),)) for number in range(count)
    ]


def _step(dice: random.Random) -> str:
    make: Callable[[random.Random], str] = dice.choice(_KINDS)
    return make(dice)


def _place(dice: random.Random) -> str:
    return f"at({dice.randint(-EDGE, EDGE)}, 0, {dice.randint(-EDGE, EDGE)})"


def _walk(dice: random.Random) -> str:
    return f"goTo(bot, {_place(dice)}, {dice.choice((1, 2))})"


def _mine(dice: random.Random) -> str:
    name = dice.choice(("coal_ore", "iron_ore", "oak_log", "sandstone", "gold_ore"))
    return f"mineBlock(bot, {json.dumps(name)}, {dice.randint(1, 3)})"


def _take(dice: random.Random) -> str:
    name = dice.choice(("dirt", "oak_log", "iron_pickaxe", "coal", "diamond"))
    return f"getItemFromChest(bot, {CHEST}, {{ {name}: {dice.randint(1, 4)} }})"


def _put(dice: random.Random) -> str:
    name = dice.choice(("cobblestone", "stick", "dirt", "coal", "raw_iron"))
    return f"depositItemIntoChest(bot, {CHEST}, {{ {name}: {dice.randint(1, 8)} }})"


def _build(dice: random.Random) -> str:
    return f"placeItem(bot, {json.dumps(dice.choice(('cobblestone', 'dirt', 'oak_planks')))}, {_place(dice)})"


def _hold(dice: random.Random) -> str:
    return f"equipItem(bot, {json.dumps(dice.choice(('stone_pickaxe', 'iron_pickaxe', 'stick')))})"


def _craft(dice: random.Random) -> str:
    name = dice.choice(("oak_planks", "oak_planks", "stick", "torch", "stone_pickaxe", "stone_axe"))
    return f"craftItem(bot, {json.dumps(name)}, {dice.randint(1, 3)})"


_KINDS = (_walk, _mine, _mine, _take, _put, _build, _hold, _craft, _craft)
"""What a step may be."""

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
    tell({{ left }})"""


def _body(steps: list[str]) -> str:
    lines = "\n".join(f"    await step(() => {each})" for each in steps)
    return f"""
    const ends = []
    const step = async (work) => {{ ends.push(await caught(work())) }}
    const began = Date.now()
{lines}
    tell({{ ends, ms: Date.now() - began }})
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
    tell({{ ends: [mined], ms: Date.now() - began }})""",
            f"""
    const began = Date.now()
    await waitSignal(bot, "yours")
    await getItemFromChest(bot, {CHEST}, {{ iron_pickaxe: 1 }})
    const {{ mined }} = await mineBlock(bot, "iron_ore", 6)
    tell({{ ends: [mined], ms: Date.now() - began }})
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
    """The land that every program finds."""
    for command in FURNITURE:
        await plot.command(command)
    for name in plot.names:
        await plot.give(*HOLDINGS, to=name)
