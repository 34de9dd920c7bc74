"""Survival terrain on the mock world: programs work on it, and equal seeds give equal land and events."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from bridge.mock_world import MockWorld
from bridge.types import Event, Limits, ProgramOutcome

LIMITS = Limits(wall_s=60)
WALKER = """async function main (bot) {
  const ground = bot.blockAt(bot.entity.position.offset(0, -1, 0))
  console.log(ground.name, ground.biome.name)
  const log = bot.findBlock({ matching: (block) => block.name.endsWith('_log'), maxDistance: 48 })
  await mineBlock(bot, log.name, 1)
}"""


async def play(world: MockWorld, into: list[Event]) -> Any:  # noqa: ANN401
    async def listen() -> None:
        async for event in world.events():
            into.append(event)

    await world.connect(["Gizmo"])
    listener = asyncio.create_task(listen())
    await asyncio.sleep(0)
    results = await world.run({"Gizmo": WALKER}, LIMITS)
    await asyncio.sleep(0)
    listener.cancel()
    return results["Gizmo"]


def told(events: list[Event]) -> list[tuple[str, int, object]]:
    return [(event.kind, event.tick, event.data) for event in events]


async def test_the_same_seed_gives_the_same_land_and_events(tmp_path: Path) -> None:
    first: list[Event] = []
    second: list[Event] = []
    other: list[Event] = []
    async with MockWorld(1, tmp_path, terrain="survival") as world:
        result = await play(world, first)
        assert result.outcome is ProgramOutcome.RETURNED, result
        assert (await world.observe("Gizmo")).items == {"oak_log": 1}
    async with MockWorld(2, tmp_path, terrain="survival") as world:
        await play(world, other)
        await world.renew(1)
        await play(world, second)
    assert told(second) == told(first)
    assert told(other) != told(first)
    said = [event.data["text"] for event in first if event.kind == "log"]
    assert said == ["grass_block forest"]


async def test_the_flat_world_tells_its_biome_too(tmp_path: Path) -> None:
    look = """async function main (bot) {
      const { biome } = bot.blockAt(bot.entity.position.offset(0, -1, 0))
      if (biome.name !== 'plains') throw new Error(biome.name)
    }"""
    async with MockWorld(1, tmp_path) as world:
        await world.connect(["Gizmo"])
        results = await world.run({"Gizmo": look}, LIMITS)
        assert results["Gizmo"].outcome is ProgramOutcome.RETURNED, results
