"""Pausing the embedded world, as the page does: players, programs and all limits stand still."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from accord.viewer.control import StudyControl
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits, ProgramOutcome
from bridge.worlds import BODIES, World

pytestmark = pytest.mark.live

LIMIT_S = 0.3
WAIT_S = 0.8
"""Longer than the limit, so that a running clock would have ended the program."""
LONG = Limits(wall_s=300)
FOREVER = "async function main (bot) { for (;;) await bot.waitForTicks(1) }"
WALK = "async function main (bot) { bot.setControlState('forward', true); await bot.waitForTicks(100000) }"


@pytest.fixture(params=BODIES)
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[EmbeddedWorld]:
    async with EmbeddedWorld(seed=1, log_dir=tmp_path, bodies=request.param) as opened:
        await opened.connect(["Gizmo", "Glitch"])
        yield opened


async def _moved(world: EmbeddedWorld, name: str) -> None:
    begin = (await world.observe(name)).position
    for _ in range(1200):
        if (await world.observe(name)).position != begin:
            return
        await asyncio.sleep(0.05)
    pytest.fail(f"{name} does not move")


async def test_players_programs_and_limits_stand_still_with_the_world(world: EmbeddedWorld) -> None:
    walking = asyncio.ensure_future(world.run({"Gizmo": WALK}, LONG))
    await _moved(world, "Gizmo")
    events = world.events()
    steering = StudyControl(lambda: cast(World, world), lambda: None)
    steering.worlds()
    assert await steering.ask("pause") == "paused"
    limited = asyncio.ensure_future(world.run({"Glitch": FOREVER}, Limits(wall_s=LIMIT_S)))
    async with asyncio.timeout(60):
        async for event in events:
            if event.kind == "policy" and event.data["bot"] == "Glitch":
                break
    age, place = await world.now(), (await world.observe("Gizmo")).position
    await asyncio.sleep(WAIT_S)
    assert (await world.now(), (await world.observe("Gizmo")).position) == (age, place)
    assert not limited.done()
    assert await steering.ask("go") == "running"
    assert (await limited)["Glitch"].outcome is ProgramOutcome.TIMEOUT
    await _moved(world, "Gizmo")
    # A program can be ended while the world stands still, and its resources are free for the next one.
    await steering.ask("pause")
    await world.cancel(["Gizmo"])
    assert (await walking)["Gizmo"].outcome is ProgramOutcome.CANCELLED
    await steering.close()
    after = await world.run({"Gizmo": "async function main (bot) { await bot.waitForTicks(2) }"}, LONG)
    assert after["Gizmo"].outcome is ProgramOutcome.RETURNED
