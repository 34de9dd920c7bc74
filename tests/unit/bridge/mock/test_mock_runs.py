"""Runs of several bots in the mock world at the same time, and what they leave behind."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bridge.errors import BridgeError, CommandError
from bridge.mock_world import COMMANDS_AT_ONCE
from bridge.types import Event, Limits, ProgramOutcome, Senses
from tests.unit.bridge.mock.played import LIMITS, MINER, SLEEPER, furnish, gather, play, world_in

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


def test_an_event_loop_that_ends_while_programs_run_does_end(tmp_path: Path) -> None:
    """The loop cancels the run together with the task that reads the world's answers."""

    async def live(begun: asyncio.Event) -> None:
        async with world_in(tmp_path) as world:
            await furnish(world)
            running = asyncio.create_task(world.run({"Gizmo": SLEEPER}, LIMITS))
            await world.sleep(1)
            begun.set()
            await running

    async def fail_meanwhile() -> None:
        begun = asyncio.Event()
        kept = asyncio.create_task(live(begun))
        await begun.wait()
        raise ValueError(kept.get_name())

    with pytest.raises(ValueError, match="Task"):
        asyncio.run(fail_meanwhile())


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
