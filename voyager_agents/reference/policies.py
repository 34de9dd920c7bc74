"""JavaScript building blocks of the programs that reference players write."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from contracts import ScheduledAct, ScheduleStep
from voyager_agents.facts import Facts

_INDENT = "  "


def program(name: str, comment: str, lines: Sequence[str]) -> str:
    """Return one async function with these lines, named after the player; the comment states its purpose."""
    identifier = re.sub(r"\W", "_", name)
    body = "\n".join(f"{_INDENT}{line}" if line else "" for line in lines)
    return f"// {' '.join(comment.split())}\nasync function {identifier} (bot) {{\n{body}\n}}\n"


def literal(value: object) -> str:
    """Return the value as a JavaScript literal."""
    return json.dumps(value, ensure_ascii=True)


def chest_lines(facts: Facts) -> tuple[str, ...]:
    """Return code that declares the chest's position; empty without a chest."""
    if facts.chest is None:
        return ()
    return (f"const chest = new Vec3({', '.join(str(int(part)) for part in facts.chest)})",)


MINE_ALL = (
    "// Another player may be faster at a block: go on until none is left or none can be had.",
    "const mineAll = async (name, count) => {",
    "  let left = count",
    "  for (let pass = 0; left > 0 && pass < 4; pass++) {",
    "    try {",
    "      left -= (await mineBlock(bot, name, left)).mined",
    "    } catch (error) {",
    "      if (['BlockNotFound', 'NoTool', 'NoPath'].includes(error.name)) return",
    "      throw error",
    "    }",
    "  }",
    "}",
)
"""Code that declares `mineAll(name, count)`."""

TAKE = (
    "const take = async (items) => {",
    "  try {",
    "    return await getItemFromChest(bot, chest, items)",
    "  } catch (error) {",
    "    if (error.name === 'ItemNotInChest') return {}",
    "    throw error",
    "  }",
    "}",
)
"""Code that declares `take(items)`, which returns the items obtained, {} for none."""


def wait_ticks(ticks: int) -> tuple[str, ...]:
    """Return code that waits `ticks` ticks (20 per second); empty for 0."""
    return (f"await bot.waitForTicks({ticks})",) if ticks > 0 else ()


def step_lines(step: ScheduleStep) -> tuple[str, ...]:
    """Return code for one step of a schedule; it needs `chest`, `take` and `mineAll`."""
    match step.do:
        case ScheduledAct.TAKE:
            return (
                f"if (((await take({_items(step)}))[{literal(step.item)}] ?? 0) < {step.count}) {{",
                f"  await say(bot, {literal(f'The chest has no {step.item} for me.')})",
                "  return",
                "}",
            )
        case ScheduledAct.MINE:
            return (f"await mineAll({literal(step.block)}, {step.count})",)
        case ScheduledAct.RETURN:
            return (f"await depositItemIntoChest(bot, chest, {_items(step)})",)
        case ScheduledAct.SIGNAL:
            return (f"await sendSignal(bot, {literal(step.other)}, {literal(step.name)})",)
        case ScheduledAct.WAIT:
            return (
                "try {",
                f"  await waitSignal(bot, {literal(step.name)})",
                "} catch (error) {",
                "  // The other player ended without the signal: look for oneself what can still be done.",
                "  if (error.name !== 'SenderEnded' && error.name !== 'Deadlock') throw error",
                "}",
            )


def _items(step: ScheduleStep) -> str:
    return items({step.item: step.count})


def items(counts: Mapping[str, int]) -> str:
    """Return item counts as a JavaScript object literal."""
    return "{ " + ", ".join(f"{literal(name)}: {count}" for name, count in counts.items()) + " }"
