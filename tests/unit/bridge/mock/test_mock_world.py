"""Mock world with its real process, tested through the interface that scenarios use."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from bridge.errors import BotLostError, BridgeError, CommandError, HostError
from bridge.mock_world import EVENT_QUANTUM
from bridge.types import Event, Limits, ProgramOutcome
from bridge.worlds import open_world
from common.errors import PrerequisiteError
from tests.unit.bridge.mock.played import LIMITS, MINER, SLEEPER, furnish, gather, play, world_in


async def test_the_same_seed_and_policies_give_the_same_events(tmp_path: Path) -> None:
    both = {"Gizmo": MINER, "Glitch": MINER}
    first = await play(tmp_path, both)
    assert await play(tmp_path, both) == first
    assert await play(tmp_path, both, seed=2) != first
    assert [event.seq for event in first] == list(range(1, len(first) + 1))
    assert {"bot", "inventory", "policy", "action", "log"} <= {event.kind for event in first}


async def test_a_renewed_world_is_a_new_one(tmp_path: Path) -> None:
    both = {"Gizmo": MINER, "Glitch": MINER}
    fresh = await play(tmp_path, both, seed=7)
    renewed: list[Event] = []
    async with world_in(tmp_path, seed=1) as world:
        await furnish(world)
        await world.run({"Gizmo": MINER}, LIMITS)
        sleeping = asyncio.create_task(world.run({"Glitch": SLEEPER}, LIMITS))
        napping = asyncio.create_task(world.sleep(3600))
        await world.sleep(1)
        await world.renew(7)
        assert (await sleeping)["Glitch"].outcome is ProgramOutcome.CANCELLED
        with pytest.raises(HostError, match="renewed"):
            await napping
        assert await world.now() == 0
        listener = asyncio.create_task(gather(world, renewed))
        await asyncio.sleep(0)
        await furnish(world)
        await world.run(both, LIMITS)
        listener.cancel()
    told = [(event.kind, event.tick, event.data) for event in renewed]
    assert told == [(event.kind, event.tick, event.data) for event in fresh]


async def test_a_rule_that_steps_beside_the_programs_is_on_time_to_the_tick(tmp_path: Path) -> None:
    watch = """async function main (bot) {
      const seen = []
      while (seen.length < 5) {
        await bot.waitForTicks(1)
        const height = [0, 1, 2, 3, 4].filter((y) => bot.blockAt(new Vec3(3, -60 + y, 3)).name === "gold_block").length
        if (height > seen.length) { seen.push(Date.now()); console.log(Date.now()) }
      }
    }"""
    async with world_in(tmp_path) as world:
        await world.connect(["Gizmo"])
        ticks: list[int] = []

        async def rule() -> None:
            for y in range(5):
                await world.sleep(1.0)
                ticks.append(await world.now())
                await world.command(f"setblock 3 {-60 + y} 3 gold_block")

        logs: list[Event] = []
        listener = asyncio.create_task(gather(world, logs))
        results, _ = await asyncio.gather(world.run({"Gizmo": watch}, LIMITS), rule())
        listener.cancel()
    assert results["Gizmo"].outcome is ProgramOutcome.RETURNED
    assert ticks == [20, 40, 60, 80, 100]
    seen = [int(event.data["text"]) // 50 for event in logs if event.kind == "log"]
    assert seen == [21, 41, 61, 81, 101]


async def test_who_reacts_to_events_does_so_within_half_a_second_of_game_time(tmp_path: Path) -> None:
    async def ended_at() -> tuple[int, int]:
        async with world_in(tmp_path) as world:
            await furnish(world)
            found = asyncio.get_running_loop().create_future()

            async def watch() -> None:
                async for event in world.events():
                    if event.kind == "inventory" and "raw_iron" in event.data["items"] and not found.done():
                        found.set_result(event.tick)
                        await world.cancel(["Gizmo"])

            watcher = asyncio.create_task(watch())
            results = await world.run({"Gizmo": MINER}, LIMITS)
            watcher.cancel()
            assert results["Gizmo"].outcome is ProgramOutcome.CANCELLED
            ended = results["Gizmo"].ended_tick
            assert ended is not None
            return await found, ended

    first = await ended_at()
    assert await ended_at() == first
    assert 0 <= first[1] - first[0] <= EVENT_QUANTUM


async def test_an_hour_of_game_time_passes_in_a_moment(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await world.sleep(3600)
        assert await world.now() == 72_000


async def test_cancelling_the_caller_ends_the_programs_and_the_bots_play_on(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await furnish(world)
        running = asyncio.create_task(world.run({"Gizmo": SLEEPER}, Limits(wall_s=1e6)))
        await world.sleep(5)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        results = await world.run({"Gizmo": MINER}, LIMITS)
        assert results["Gizmo"].outcome is ProgramOutcome.RETURNED
        assert (await world.observe("Gizmo")).items == {"raw_iron": 4, "stone_pickaxe": 1}


async def test_a_bot_plays_one_program_at_a_time_and_must_be_there(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await furnish(world)
        running = asyncio.create_task(world.run({"Gizmo": SLEEPER}, Limits(wall_s=3)))
        await world.sleep(1)
        with pytest.raises(BridgeError, match="running a policy already"):
            await world.run({"Gizmo": MINER}, LIMITS)
        with pytest.raises(BotLostError, match="Nobody"):
            await world.run({"Nobody": MINER}, LIMITS)
        assert (await running)["Gizmo"].outcome is ProgramOutcome.TIMEOUT


async def test_memory_that_is_eaten_the_hard_way_costs_only_its_own_program(tmp_path: Path) -> None:
    eater = "async function main (bot) { const map = new Map(); for (let i = 0; ; i++) map.set(i, { i }) }"
    async with world_in(tmp_path) as world:
        await furnish(world)
        results = await world.run({"Gizmo": eater, "Glitch": MINER}, Limits(wall_s=60, memory_mb=24))
        assert results["Gizmo"].outcome in {ProgramOutcome.THREW, ProgramOutcome.TIMEOUT}
        assert results["Glitch"].outcome is ProgramOutcome.RETURNED


async def test_a_lost_process_is_infrastructure_for_everybody_who_waits(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await furnish(world)
        running = asyncio.create_task(world.run({"Gizmo": SLEEPER}, Limits(wall_s=1e6)))
        sleeping = asyncio.create_task(world.sleep(1e6))
        await world.sleep(1)
        os.kill(world.pid, signal.SIGKILL)
        with pytest.raises(HostError, match="ended"):
            await running
        with pytest.raises(HostError, match="ended"):
            await sleeping
        with pytest.raises(HostError, match="ended"):
            await world.now()


async def test_leaving_ends_the_process_whatever_runs(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await furnish(world)
        running = asyncio.create_task(world.run({"Gizmo": SLEEPER}, Limits(wall_s=1e6)))
        await world.sleep(1)
        pid = world.pid
    with pytest.raises(HostError, match="closed"):
        await running
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_commands_answer_and_refuse_in_vanillas_words(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await world.connect(["Gizmo"])
        assert await world.command("give Gizmo stick 2") == "Gave 2 [Stick] to Gizmo"
        assert await world.command("clear Gizmo dirt") == "No items were found on player Gizmo"
        with pytest.raises(CommandError, match="Unknown or incomplete command"):
            await world.command("frobnicate")


async def test_bad_input_is_one_line_that_says_what_is_legal(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match="port 25565"):
        open_world("mock", seed=1, log_dir=tmp_path, port=25565)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(PrerequisiteError, match="cannot be written"):
        async with world_in(blocked / "logs"):
            pass
    async with world_in(tmp_path) as world:
        with pytest.raises(ValueError, match="seconds is nan"):
            await world.sleep(float("nan"))
        with pytest.raises(ValueError, match="wall_s"):
            await world.run({"Gizmo": MINER}, Limits(wall_s=0))
        with pytest.raises(BridgeError, match="1 to 16 letters"):
            await world.connect(["no spaces"])
        with pytest.raises(BotLostError, match="Nobody"):
            await world.observe("Nobody")
        assert world.address is None
        assert await world.run({}, LIMITS) == {}


async def test_a_world_that_trusts_does_the_same_and_is_told_before_it_opens(tmp_path: Path) -> None:
    told: list[object] = []
    for trusting in (False, True):
        world = world_in(tmp_path)
        if trusting:
            world.trust()
        async with world:
            await furnish(world)
            results = await world.run({"Gizmo": MINER, "Glitch": MINER}, LIMITS)
            told.append((await world.now(), {name: (each.outcome, each.wall_ms) for name, each in results.items()}))
            with pytest.raises(ValueError, match="the mock world is open"):
                world.trust()
    assert told[0] == told[1]
    with pytest.raises(HostError, match="closed"):
        await world.now()


async def test_requests_of_one_moment_are_answered_in_their_order(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        replies = await asyncio.gather(*(world.command(f"setblock {x} -60 0 stone") for x in range(30)))
        assert replies == [f"Changed the block at {x}, -60, 0" for x in range(30)]


@pytest.mark.parametrize("delay_s", [0.0, 0.3])
async def test_an_answer_arrives_at_its_game_time_however_long_it_took_and_others_live_on(
    tmp_path: Path, delay_s: float
) -> None:
    """Two players think concurrently while Glitch counts seconds. The log is equal for a fast and a slow endpoint."""
    heard: list[tuple[int, str]] = []
    async with world_in(tmp_path) as world:
        await world.connect(["Gizmo", "Glitch"])
        counting = asyncio.create_task(world.run({"Glitch": SLEEPER}, LIMITS))
        await world.sleep(1)

        async def think(name: str, wait_s: float, cost_s: float) -> None:
            async def endpoint() -> str:
                await asyncio.sleep(wait_s)
                return name

            answer = await world.after(cost_s, endpoint())
            heard.append((await world.now(), answer))

        await asyncio.gather(think("first", delay_s, 2), think("second", 0, 2), think("quick", delay_s / 2, 0.5))
        await world.cancel()
        assert (await counting)["Glitch"].outcome is ProgramOutcome.CANCELLED
    assert heard == [(30, "quick"), (60, "first"), (60, "second")]


async def test_an_error_arrives_at_its_game_time_and_work_that_is_given_up_is_broken_off(tmp_path: Path) -> None:
    broken: list[str] = []

    async def fail() -> None:
        raise ValueError("no")

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            broken.append("off")

    async with world_in(tmp_path) as world:
        with pytest.raises(ValueError, match="no"):
            await world.after(1, fail())
        assert await world.now() == 20
        waiting = asyncio.create_task(world.after(1, endless()))
        await world.sleep(0.5)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert broken == ["off"]
        async with world.standing_still():
            assert await world.now() == 30


CLOCK_WATCHER = """async function main (bot) {
  for (let look = 0; look < 3; look++) {
    const full = Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'full' })
    console.log(Date(), new Date().toLocaleString(), full.format())
    const fine = Intl.DateTimeFormat('en', { fractionalSecondDigits: 3 })
    console.log(fine.format(), performance.now(), new Date(0).getHours())
    console.log(typeof WeakRef, typeof FinalizationRegistry, typeof Atomics, Math.random())
    await bot.waitForTicks(7)
  }
}"""


async def test_a_program_that_looks_at_every_clock_is_the_same_program_at_any_hour(tmp_path: Path) -> None:
    first = await play(tmp_path, {"Gizmo": CLOCK_WATCHER})
    assert await play(tmp_path, {"Gizmo": CLOCK_WATCHER}) == first
    said = [str(event.data["text"]) for event in first if event.kind == "log"]
    assert [text.count("1970") for text in said[::3]] == [3, 3, 3]
    assert said[2].startswith("undefined undefined undefined ")


async def test_programs_are_in_no_zone_of_the_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = asyncio.create_subprocess_exec

    async def elsewhere(*words: str, **given: Any) -> asyncio.subprocess.Process:  # noqa: ANN401 - of any kind
        return await start(*words, **{**given, "env": {"TZ": "Asia/Tokyo"}})

    here = await play(tmp_path, {"Gizmo": CLOCK_WATCHER})
    monkeypatch.setattr(asyncio, "create_subprocess_exec", elsewhere)
    assert await play(tmp_path, {"Gizmo": CLOCK_WATCHER}) == here


async def test_a_world_whose_answer_cannot_be_read_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def garble(line: bytes) -> None:
        raise ValueError("no JSON object")

    async with world_in(tmp_path) as world:
        monkeypatch.setattr(world._process._exchange, "receive", garble)
        for _ in range(2):
            with pytest.raises(HostError, match=r"answer cannot be read \(no JSON object\); see"):
                await world.command("list")
