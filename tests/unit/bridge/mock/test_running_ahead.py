"""Time of the mock world that passes while tasks still work."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bridge.mock_world import MockWorld
from bridge.pictures import PictureRequest
from bridge.types import Limits, ProgramOutcome, Senses
from bridge.worlds import RunsAhead

NAMES = ["Gizmo", "Glitch"]
FEEL = Senses(radius=8, most=6)
LIMITS = Limits(wall_s=30)
PROGRAM = "async function main (bot) { await bot.waitForTicks(2) }"


async def test_an_order_is_carried_out_at_the_tick_to_which_time_has_run(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world:
        assert isinstance(world, RunsAhead)
        await world.connect(NAMES)
        await world.until(10)
        world.run_ahead(15)
        run = asyncio.create_task(world.run({"Gizmo": PROGRAM}, LIMITS))
        await asyncio.sleep(0)
        assert await world.now() == 10
        await world.until(15)
        assert await world.now() == 15
        result = (await run)["Gizmo"]
        assert (result.started_tick, result.ended_tick) == (15, 17)


async def test_a_program_is_stopped_at_the_tick_to_which_time_has_run(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        run = asyncio.create_task(world.run({"Gizmo": PROGRAM.replace("2", "90")}, LIMITS))
        await world.until(5)
        world.run_ahead(10)
        stopping = asyncio.create_task(world.cancel(["Gizmo"]))
        await world.until(10)
        await stopping
        result = (await run)["Gizmo"]
        assert (result.outcome, result.ended_tick) == (ProgramOutcome.CANCELLED, 10)


async def test_ended_programs_are_heard_of_at_the_tick_reached_with_what_was_asked_for(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)

        async def hear() -> tuple[int | None, int]:
            result = (await world.run({"Gizmo": PROGRAM}, LIMITS))["Gizmo"]
            return result.ended_tick, await world.now()

        heard = asyncio.create_task(hear())
        await world.until(1)
        world.run_ahead(6, (NAMES, FEEL))
        await world.until(6, (NAMES, FEEL))
        assert await heard == (2, 6)
        assert max(each.tick for each in (await world.sense(NAMES, FEEL)).values()) == 6


async def test_senses_stay_known_while_time_runs_on(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        await world.until(5, (NAMES, FEEL))
        world.run_ahead(10, (NAMES, FEEL))
        found = await world.sense(NAMES, FEEL)
        assert {each.tick for each in found.values()} <= {0, 5}
        assert await world.now() == 5
        await world.until(10, (NAMES, FEEL))
        assert (await world.sense(NAMES, FEEL))["Gizmo"].tick == 10


async def test_time_runs_to_the_next_waking_task_and_not_past_it(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        woken = []

        async def wake(tick: int) -> None:
            await world.until(tick)
            woken.append(await world.now())

        waiting = asyncio.create_task(wake(3))
        await asyncio.sleep(0)
        world.run_ahead(5)
        await wake(5)
        await waiting
        assert woken == [3, 5]


async def test_a_task_that_waits_for_a_tick_already_passed_wakes_at_the_one_reached(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        world.run_ahead(5)
        await world.until(2)
        assert await world.now() == 5


async def test_a_paused_world_is_seen_while_its_time_has_run_ahead(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world, world.standing_still():
        await world.connect(NAMES)
        world.run_ahead(5)
        async with asyncio.timeout(60):
            picture = await world.picture(PictureRequest("Gizmo", 32, 18))
        assert picture.startswith(b"\x89PNG")
        assert await world.now() == 0


async def test_a_world_renewed_while_time_has_run_ahead_begins_at_zero(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        world.run_ahead(5)
        await world.renew(2)
        assert await world.now() == 0
        await world.connect(NAMES)
        await world.until(3)
        assert await world.now() == 3


async def test_a_look_under_way_when_time_begins_to_run_ahead_holds_up_nothing(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world, asyncio.timeout(60):
        await world.connect(NAMES)
        await world.until(10)
        view = asyncio.create_task(world.survey("bodies", players=[], items=[]))
        for _ in range(50):  # until the clock waits for the answer
            await asyncio.sleep(0)
        world.run_ahead(15)
        run = asyncio.create_task(world.run({"Gizmo": PROGRAM}, LIMITS))
        await world.until(15)
        await view
        assert (await run)["Gizmo"].started_tick == 15


async def test_time_that_passes_already_does_not_run_ahead(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path) as world, asyncio.timeout(60):
        await world.connect(NAMES)
        waiting = asyncio.create_task(world.until(20))
        for _ in range(50):  # until time passes
            await asyncio.sleep(0)
        world.run_ahead(15)
        await waiting
        assert await world.now() == 20
