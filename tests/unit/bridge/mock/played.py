"""Helpers of the tests of the mock world: worlds, programs and their events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from bridge.mock_world import MockWorld
from bridge.types import Event, Limits

LIMITS = Limits(wall_s=60)
MINER = 'async function main (bot) { await mineBlock(bot, "iron_ore", 4); console.log(Math.random()) }'
SLEEPER = "async function main (bot) { for (;;) await bot.waitForTicks(20) }"


def world_in(folder: Path, seed: int = 1, *, threaded: bool = True) -> MockWorld:
    return MockWorld(seed, folder, threaded=threaded)


async def furnish(world: MockWorld) -> None:
    await world.connect(["Gizmo", "Glitch"])
    await world.command("give Gizmo stone_pickaxe")
    await world.command("give Glitch stone_pickaxe")
    await world.command("fill 6 -60 0 9 -60 1 iron_ore")


async def gather(world: MockWorld, into: list[Event]) -> None:
    async for event in world.events():
        into.append(event)


async def play(folder: Path, policies: Mapping[str, str], seed: int = 1) -> list[Event]:
    events: list[Event] = []
    async with world_in(folder, seed) as world:
        listener = asyncio.create_task(gather(world, events))
        await asyncio.sleep(0)
        await furnish(world)
        await world.run(policies, LIMITS)
        listener.cancel()
    return events
