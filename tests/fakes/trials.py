"""Small trial of Voyager's benchmark on flat land, and a model that follows a script in it."""

from __future__ import annotations

import json
from pathlib import Path

from voyager_agents.models.fake_server import Request

SMALL = """extends: {base}
name: small-trial
terrain: flat
begin: {{woodland: null}}
interests: [crafting_table, stone]
world:
  origin: [0, -60, 0]
  boxes: [{{from: [3, 0, 3], to: [4, 1, 4], block: stone}}]
players:
  Nova: {{spawn: [0, 0, 0], yaw: 0, items: {{oak_log: 4}}}}
observer: {{name: Judy, spawn: [0, 20, 0]}}
iterations: {iterations}
"""
PLANKS = """async function sawLogs(bot) {
  await craftItem(bot, "oak_planks", 3)
  await craftItem(bot, "crafting_table", 1)
  await craftItem(bot, "stick", 1)
}
"""
WOODEN = """async function makePickaxe(bot) {
  await placeItem(bot, "crafting_table", bot.entity.position.floored().offset(1, 0, 0))
  await craftItem(bot, "wooden_pickaxe", 1)
}
"""
STONE = """async function mineAndMake(bot) {
  await mineBlock(bot, "stone", 3)
  await goTo(bot, new Vec3(2, -60, 1), 1)
  await craftItem(bot, "stone_pickaxe", 1)
}
"""
BROKEN = "async function makePickaxe(bot) {\n  await craftItm(bot, 'wooden_pickaxe', 1)\n}\n"
TASKS = (
    ("Saw the logs", {"stick": 4}),
    ("Make a wooden pickaxe", {"wooden_pickaxe": 1}),
    ("Make a stone pickaxe", {"stone_pickaxe": 1}),
    ("Hold two tools", {"stone_pickaxe": 2}),
)


def small(folder: Path, iterations: int = 4, base: str = "voyager-progress", more: str = "") -> Path:
    """Write a trial on flat land with `iterations` iterations."""
    path = folder / "small.yaml"
    path.write_text(SMALL.format(base=base, iterations=iterations) + more, encoding="utf-8")
    return path


def climbs(request: Request) -> str:
    """Answer as a model that makes planks, errs once, and makes a wooden and then a stone pickaxe."""
    system, user = (request.messages[place]["content"] for place in (0, 1))
    if system.startswith("You choose what"):
        done = user.partition("Completed tasks: ")[2].partition("\n")[0]
        task, goal = TASKS[0 if done == "(none)" else 1 + done.count(";")]
        wanted = [{"item": item, "count": count} for item, count in goal.items()]
        return json.dumps({"reasoning": "next", "task": task, "goal": wanted})
    if system.startswith("You decide whether"):
        well = "ended: returned" in user
        return json.dumps({"reasoning": "", "success": well, "critique": "" if well else "Spell the names right."})
    if system.startswith("You describe"):
        return "Does what its name says."
    assert system.startswith("You write programs")
    task = user.partition("Task: ")[2].partition("\n")[0]
    if "Saw the logs" in task:
        source = PLANKS
    elif "stone pickaxe" in task or "two tools" in task:
        source = STONE
    else:
        source = WOODEN if "Spell the names right." in user else BROKEN
    return f"Plan.\n```javascript\n{source}```"
