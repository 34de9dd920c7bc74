"""Mock world with its real process, tested through the interface that scenarios use."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bridge.errors import BotLostError, BridgeError, CommandError, HostError
from bridge.mock_world import COMMANDS_AT_ONCE, EVENT_QUANTUM, MockWorld
from bridge.types import Event, Limits, ProgramOutcome, Senses
from bridge.worlds import open_world
from common.errors import PrerequisiteError

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


WANDERER = """async function main (bot) {
  for (let n = 0; n < 2; n++) {
    await goTo(bot, new Vec3(Math.floor(Math.random() * 12), -60, Math.floor(Math.random() * 12)), 1).catch(() => {})
    await bot.waitForTicks(1 + Math.floor(Math.random() * 20))
    console.log(Math.random())
  }
}"""


async def live_apart(folder: Path, bots: int, first: int, last: int) -> list[Event]:
    """Let each bot run programs, sleep, be cancelled, look around and run console commands, all concurrently."""
    events: list[Event] = []
    async with world_in(folder, threaded=False) as world:
        listener = asyncio.create_task(gather(world, events))
        await asyncio.sleep(0)
        names = [f"b{number}" for number in range(bots)]
        await world.connect(names)

        async def live(number: int) -> None:
            for turn in range(4):
                for _ in range(number % 4):
                    await asyncio.sleep(0)
                if (number + turn) % 3 == 0:
                    await asyncio.gather(world.run({names[number]: SLEEPER}, LIMITS), cut(number))
                else:
                    await world.run({names[number]: WANDERER}, LIMITS)
                seen = await world.sense(names, Senses(radius=6))
                near = len(seen[names[number]].players)
                await world.commands([f"say {names[number]} sees {near}", f"give {names[number]} stick"])

        async def cut(number: int) -> None:
            await world.sleep(0.5 + number * 0.05)
            await world.cancel([names[number]])

        await asyncio.gather(*(live(number) for number in range(first, last)))
        listener.cancel()
    return events


async def test_bots_that_live_apart_do_the_same_every_time(tmp_path: Path) -> None:
    events = await live_apart(tmp_path, 12, 0, 12)
    assert await live_apart(tmp_path, 12, 0, 12) == events
    assert sum(event.kind == "policy" for event in events) == 12 * 4 * 2


async def test_what_a_bot_draws_does_not_depend_on_who_else_runs(tmp_path: Path) -> None:
    def drawn(events: list[Event], bot: str) -> list[str]:
        return [event.data["text"] for event in events if event.kind == "log" and event.data["bot"] == bot]

    alone, among = await live_apart(tmp_path, 6, 3, 4), await live_apart(tmp_path, 6, 0, 6)
    assert drawn(alone, "b3") == drawn(among, "b3") != []
    assert drawn(among, "b3") != drawn(among, "b1")


async def test_the_end_of_one_run_is_no_other_runs(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await furnish(world)
        waiting = asyncio.create_task(world.run({"Gizmo": SLEEPER}, Limits(wall_s=30)))
        await world.sleep(1)
        for _ in range(2):
            assert (await world.run({"Glitch": MINER}, LIMITS))["Glitch"].outcome is ProgramOutcome.RETURNED
            await world.command("fill 6 -60 0 9 -60 1 iron_ore")
        sleeping = asyncio.create_task(world.run({"Glitch": SLEEPER}, LIMITS))
        await world.sleep(1)
        await world.cancel(["Glitch"])
        assert (await sleeping)["Glitch"].outcome is ProgramOutcome.CANCELLED
        sleeping = asyncio.create_task(world.run({"Glitch": SLEEPER}, LIMITS))
        await world.sleep(1)
        sleeping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sleeping
        result = (await waiting)["Gizmo"]
    assert (result.outcome, result.wall_ms) == (ProgramOutcome.TIMEOUT, 30_000)


async def test_cancelling_a_caller_ends_its_own_run_alone(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await furnish(world)
        both = asyncio.create_task(world.run({"Gizmo": SLEEPER, "Glitch": SLEEPER}, LIMITS))
        await world.sleep(1)
        await world.cancel(["Gizmo"])
        again = asyncio.create_task(world.run({"Gizmo": SLEEPER}, Limits(wall_s=5)))
        await world.sleep(1)
        both.cancel()
        with pytest.raises(asyncio.CancelledError):
            await both
        assert (await again)["Gizmo"].outcome is ProgramOutcome.TIMEOUT


async def test_a_run_whose_caller_is_cancelled_before_it_began_ends_too(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await furnish(world)
        running = asyncio.create_task(world.run({"Gizmo": SLEEPER}, LIMITS))
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await world.sleep(1)
        assert (await world.run({"Gizmo": MINER}, LIMITS))["Gizmo"].outcome is ProgramOutcome.RETURNED


async def test_signals_stay_within_their_run(tmp_path: Path) -> None:
    send = 'async function main (bot) { await caught(sendSignal(bot, "Glitch", "go")) }'
    wait = 'async function main (bot) { await caught(waitSignal(bot, "go")) }'
    caught = "const caught = (promise) => promise.then(() => console.log('came'), (error) => console.log(error.name))\n"
    events: list[Event] = []
    async with world_in(tmp_path) as world:
        await furnish(world)
        listener = asyncio.create_task(gather(world, events))
        await asyncio.gather(world.run({"Gizmo": caught + send}, LIMITS), world.run({"Glitch": caught + wait}, LIMITS))
        listener.cancel()
    told = {event.data["bot"]: event.data["text"] for event in events if event.kind == "log"}
    assert told == {"Gizmo": "UnknownPlayer", "Glitch": "SenderEnded"}


async def test_commands_are_one_crossing_and_each_has_its_answer(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        texts = [f"setblock {x} -60 0 stone" for x in range(COMMANDS_AT_ONCE + 5)]
        texts[7] = "frobnicate"
        replies = await world.commands(texts)
        assert await world.commands([]) == []
    refusal = replies[7]
    assert isinstance(refusal, CommandError)
    assert (refusal.command, refusal.reply.startswith("Unknown or incomplete")) == ("frobnicate", True)
    replies[7] = "Changed the block at 7, -60, 0"
    assert replies == [f"Changed the block at {x}, -60, 0" for x in range(COMMANDS_AT_ONCE + 5)]


async def test_many_events_of_one_moment_are_heard_when_the_moment_is_over(tmp_path: Path) -> None:
    """A consumer that reacts to a crowd's events does so at the same tick in every run, however many events arrive."""
    talk = "async function main (bot) { for (;;) { await bot.waitForTicks(1); console.log('tick') } }"
    async with world_in(tmp_path, threaded=False) as world:
        names = [f"b{number}" for number in range(60)]
        await world.connect(names)
        heard: list[int] = []

        async def watch() -> None:
            async for event in world.events():
                if event.kind == "log":
                    heard.append(await world.now())

        watcher = asyncio.create_task(watch())
        await world.run(dict.fromkeys(names, talk), Limits(wall_s=3))
        watcher.cancel()
    assert set(heard) == {20, 40, 60}


async def test_who_is_not_in_the_world_is_missing_and_unknown_blocks_are_named(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await furnish(world)
        assert list(await world.sense(["Judy", "Glitch", "Gizmo"])) == ["Glitch", "Gizmo"]
        with pytest.raises(BridgeError, match='no block "iron_or"; nearest: iron_ore'):
            await world.sense(["Gizmo"], Senses(blocks=("iron_or",)))


FLOOD = """
async function flood (bot) {
  for (let i = 0; i < 250; i++) {
    const sent = []
    for (let j = 0; j < 50; j++) sent.push(sendSignal(bot, "Glitch", "go").catch(() => {}))
    await Promise.all(sent)
    await bot.waitForTicks(1)
  }
}
"""
TAKER = """
async function take (bot) {
  for (let i = 0; i < 12000; i++) await waitSignal(bot, "Gizmo")
}
"""


async def test_a_program_that_signals_for_ever_does_not_fill_the_record(tmp_path: Path) -> None:
    events = await play(tmp_path, {"Gizmo": FLOOD, "Glitch": TAKER})
    kinds = [event.kind for event in events]
    assert kinds.count("signal") == 5000
    # Up to 5000 signals and 5000 waits, each logged as an action of its own program.
    assert kinds.count("action") <= 2 * 5000
    lines = [event.data["text"] for event in events if event.kind == "log" and event.data["bot"] == "Gizmo"]
    assert "7500 signals were refused: a program may send 5000" in lines
    assert "7500 actions are not recorded: of a program the first 5000 are" in lines


@pytest.mark.parametrize("slots", [[], [1]], ids=["the cursor", "the grid"])
async def test_nothing_stays_in_hand_or_grid_when_a_program_ends(tmp_path: Path, slots: list[int]) -> None:
    program = f"""async function main (bot) {{
      for (const slot of [bot.inventory.items()[0].slot, ...{slots}]) await bot.clickWindow(slot, 0, 0)
    }}"""
    async with world_in(tmp_path) as world:
        await world.connect(["Gizmo"])
        await world.command("give Gizmo diamond 6")
        result = (await world.run({"Gizmo": program}, LIMITS))["Gizmo"]
        assert result.outcome is ProgramOutcome.RETURNED, result.error
        assert "diamond" in await world.command("data get entity Gizmo Inventory")
        assert (await world.observe("Gizmo")).items == {"diamond": 6}
