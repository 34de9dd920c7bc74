"""`seen(bot)`: what programs are told is in view, the same on the mock world and on the embedded server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from bridge.types import Limits, ProgramOutcome
from bridge.worlds import open_world

PROGRAM = """async function play (bot) {
  await bot.look(0, 0, true)
  for (const each of seen(bot, 40)) {
    console.log(JSON.stringify([each.what, each.name, each.position.toArray(), each.distance, each.side, each.count]))
  }
  try { seen(bot, 65) } catch (error) { console.log(error.name) }
}"""
SCENE = (
    "kill @e[type=!player]",
    "tp Gizmo 0.5 -60 0.5 180 0",
    "tp Glitch 2.5 -60 -6.5 0 0",
    "setblock 0 -60 -8 gold_block",
    "fill -6 -60 -12 -3 -57 -12 stone",
    "setblock -4 -59 -15 lapis_block",
    "setblock 3 -60 -4 glass",
    "setblock 5 -60 -7 poppy",
    "setblock 0 -60 6 redstone_block",
    "summon cow 4 -60 -10 {NoAI:1b}",
)


async def told(name: str, folder: Path) -> list[Any]:
    """Return what a program prints that looks at the scene."""
    async with open_world(name, seed=1, log_dir=folder) as world:
        await world.connect(["Gizmo", "Glitch"])
        await world.commands(SCENE)
        await world.sleep(1.5)
        lines: list[Any] = []
        stream = world.events()

        async def listen() -> None:
            async for event in stream:
                if event.kind == "log":
                    lines.append(json.loads(event.data["text"]) if "[" in event.data["text"] else event.data["text"])
                if event.kind == "policy" and event.data.get("state") == "ended":
                    return

        listening = asyncio.create_task(listen())
        result = (await world.run({"Gizmo": PROGRAM}, Limits(wall_s=20)))["Gizmo"]
        assert result.outcome is ProgramOutcome.RETURNED
        await listening
        return lines


async def test_programs_see_the_same_on_mock_and_embedded_and_nothing_that_is_hidden(tmp_path: Path) -> None:
    mock = await told("mock", tmp_path)
    assert await told("embedded", tmp_path) == mock
    *seen, refusal = mock
    assert refusal == "BadArgument"
    found = {(what, name) for what, name, *_ in seen}
    assert {
        ("player", "Glitch"),
        ("mob", "cow"),
        ("block", "gold_block"),
        ("block", "glass"),
        ("block", "poppy"),
    } <= found
    assert not {("block", "lapis_block"), ("block", "redstone_block"), ("player", "Gizmo")} & found
    sides = {name: side for _, name, _, _, side, _ in seen}
    assert (sides["gold_block"], sides["poppy"]) == ("ahead", "right")
