"""Programs and their reports in one world on the embedded server, which all tests here use one after the other."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from accord.doctor.sandbox import sandbox_checks
from bridge.confinement import UID, confinement
from bridge.errors import BotLostError
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Event, Limits, ProgramError, ProgramOutcome
from tests.fakes.world_events import host_pids, until

pytestmark = [pytest.mark.live, pytest.mark.asyncio(loop_scope="module")]

PLAYERS = ["Gizmo", "Glitch"]
SHORT = Limits(wall_s=20)
NOTHING = "async function main (bot) {}"
FOREVER = "async function main (bot) { for (;;) await bot.waitForTicks(1) }"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def opened(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EmbeddedWorld]:
    async with EmbeddedWorld(seed=1, log_dir=tmp_path_factory.mktemp("world")) as world:
        await world.connect(PLAYERS)
        yield world


@pytest_asyncio.fixture(loop_scope="module")
async def world(opened: EmbeddedWorld) -> EmbeddedWorld:
    """Return the world with empty hands and at rest: what the test before did has been reported."""
    await opened.command("clear @a")
    results = await opened.run(dict.fromkeys(PLAYERS, NOTHING), SHORT)
    assert {result.outcome for result in results.values()} == {ProgramOutcome.RETURNED}
    return opened


def status_of(pid: int) -> dict[str, str]:
    """Return the kernel's status of a process."""
    return dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())


async def test_two_programs_start_in_one_tick(world: EmbeddedWorld) -> None:
    program = "async function main (bot) { await bot.waitForTicks(10) }"
    results = await world.run(dict.fromkeys(PLAYERS, program), SHORT)
    first, second = (results[name] for name in PLAYERS)
    assert first.outcome is second.outcome is ProgramOutcome.RETURNED
    assert first.started_tick is not None
    assert first.started_tick == second.started_tick
    assert first.ended_tick is not None
    assert first.ended_tick - first.started_tick >= 9


async def test_logs_actions_and_items_are_reported_in_order(world: EmbeddedWorld) -> None:
    stream = world.events()
    program = 'async function main (bot) { console.log("first"); await say(bot, "second") }'
    await world.run({"Gizmo": program}, SHORT)
    await world.command("give Gizmo minecraft:raw_iron 3")
    told: list[str] = []

    def note(event: Event) -> bool:
        if event.kind in ("policy", "log", "action"):
            told.append(event.data.get("state") or event.data.get("text") or event.data["name"])
        return event.kind == "inventory" and event.data["items"] == {"raw_iron": 3}

    await until(stream, note)
    assert told == ["started", "first", "say", "ended"]


async def test_chat_is_reported_once_with_its_speaker(world: EmbeddedWorld) -> None:
    stream = world.events()
    await world.run({"Gizmo": 'async function main (bot) { bot.chat("hello all") }'}, SHORT)
    await world.run({"Glitch": 'async function main (bot) { bot.chat("the end") }'}, SHORT)
    heard: list[tuple[str | None, str]] = []

    def note(event: Event) -> bool:
        if event.kind == "chat":
            heard.append((event.data["from"], event.data["text"]))
        return event.kind == "chat" and event.data["text"] == "the end"

    await until(stream, note)
    assert heard == [("Gizmo", "hello all"), ("Glitch", "the end")]


async def test_a_whisper_is_heard_by_the_other_program(world: EmbeddedWorld) -> None:
    hear = "await new Promise((resolve) => bot.once('whisper', (from, text) => { console.log(from, text); resolve() }))"
    stream = world.events()
    await world.run(
        {
            "Gizmo": "async function main (bot) { await bot.waitForTicks(10); bot.whisper('Glitch', 'east is mine') }",
            "Glitch": f"async function main (bot) {{ {hear} }}",
        },
        SHORT,
    )
    heard = await until(stream, lambda event: event.kind == "log")
    assert heard.data == {"bot": "Glitch", "level": "info", "text": "Gizmo east is mine"}


async def test_observe_shows_what_the_world_did(world: EmbeddedWorld) -> None:
    stream = world.events()
    await world.command("give Glitch minecraft:diamond 2")
    await until(stream, lambda e: e.kind == "inventory" and e.data["items"] == {"diamond": 2})
    seen = await world.observe("Glitch")
    assert seen.items == {"diamond": 2}
    assert (seen.name, seen.gamemode, seen.health) == ("Glitch", "survival", 20)
    with pytest.raises(BotLostError, match="Judy is not in the world; in it: Gizmo, Glitch"):
        await world.observe("Judy")


@pytest.mark.parametrize(
    ("source", "outcome", "error"),
    [
        (NOTHING, ProgramOutcome.RETURNED, None),
        ("async function main (bot) {\n  bot.chat(]\n}", ProgramOutcome.SYNTAX, ProgramError("SyntaxError", "", 2, 12)),
        (
            "async function main (bot) {\n\n  null.at(0)\n}",
            ProgramOutcome.THREW,
            ProgramError("TypeError", "", 3, None),
        ),
        (
            "async function main (bot) { for (;;); }",
            ProgramOutcome.TIMEOUT,
            ProgramError("TimeoutError", "", None, None),
        ),
    ],
)
async def test_every_end_has_its_outcome(
    world: EmbeddedWorld, source: str, outcome: ProgramOutcome, error: ProgramError | None
) -> None:
    results = await world.run({"Gizmo": source, "Glitch": NOTHING}, SHORT)
    said = results["Gizmo"]
    assert said.outcome is outcome
    assert (said.error and said.error.name) == (error and error.name)
    assert (said.error and said.error.line) == (error and error.line)
    assert results["Glitch"].outcome is ProgramOutcome.RETURNED
    assert said.started_tick == results["Glitch"].started_tick


async def test_a_program_that_never_ends_is_stopped_and_its_bot_goes_on(world: EmbeddedWorld) -> None:
    results = await world.run({"Gizmo": FOREVER}, Limits(wall_s=0.5))
    assert results["Gizmo"].outcome is ProgramOutcome.TIMEOUT
    assert (await world.run({"Gizmo": NOTHING}, SHORT))["Gizmo"].outcome is ProgramOutcome.RETURNED


async def test_cancel_by_name_and_cancel_of_the_task(world: EmbeddedWorld) -> None:
    stream = world.events()
    task = asyncio.create_task(world.run(dict.fromkeys(PLAYERS, FOREVER), SHORT))
    await until(stream, lambda e: e.kind == "policy" and e.data["bot"] == "Glitch")
    await world.cancel(["Gizmo"])
    ended = await until(stream, lambda e: e.kind == "policy" and e.data["state"] == "ended")
    assert (ended.data["bot"], ended.data["result"]["outcome"]) == ("Gizmo", "cancelled")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    results = await world.run(dict.fromkeys(PLAYERS, NOTHING), SHORT)
    assert {result.outcome for result in results.values()} == {ProgramOutcome.RETURNED}


async def test_signals_cross_between_players(world: EmbeddedWorld) -> None:
    results = await world.run(
        {
            "Gizmo": 'async function main (b) { await sendSignal(b, "Glitch", "go"); await waitSignal(b, "done") }',
            "Glitch": 'async function main (b) { await waitSignal(b, "go"); await sendSignal(b, "Gizmo", "done") }',
        },
        SHORT,
    )
    assert {result.outcome for result in results.values()} == {ProgramOutcome.RETURNED}, results


async def test_a_host_is_shut_in_as_far_as_this_system_allows(world: EmbeddedWorld) -> None:
    found = confinement()
    (pid,) = await host_pids(world)
    status = status_of(pid)
    assert ({int(uid) for uid in status["Uid"].split()} == {UID}) == found.own_user
    assert (status["NoNewPrivs"].strip() == "1") == bool(found.command)
    assert (os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")) == found.own_network
    told = {check.name.removeprefix("sandbox: "): check.state for check in await sandbox_checks(world, "Gizmo")}
    missing = {"own user"} - ({"own user"} if found.own_user else set())
    missing |= {"own network"} - ({"own network"} if found.own_network else set())
    held = ("isolate", "permission model", "environment", "memory watchdog", "own user", "own network")
    assert told == {name: "warn" if name in missing else "ok" for name in held}


async def test_a_hundred_short_programs_leave_nothing_behind(world: EmbeddedWorld) -> None:
    program = 'async function main (bot) { bot.on("chat", () => {}); await bot.waitForTicks(1) }'

    async def rounds(count: int) -> int:
        for _ in range(count):
            results = await world.run(dict.fromkeys(PLAYERS, program), SHORT)
            assert {result.outcome for result in results.values()} == {ProgramOutcome.RETURNED}
        return int((await world.fleet.stats())["hosts"][0]["rss"])

    warm = await rounds(20)
    after = await rounds(50)
    assert after - warm < 48 * 2**20, f"{(after - warm) / 2**20:.0f} MB more after 100 programs"


async def test_game_time_passes_by_the_ticks_of_the_server(world: EmbeddedWorld) -> None:
    before = await world.now()
    await world.sleep(0.5)
    assert await world.now() - before >= 10


async def test_the_server_stands_still_for_an_answer_that_takes_longer_than_it_costs(world: EmbeddedWorld) -> None:
    asked, answers = await world.now(), asyncio.Event()

    async def endpoint() -> str:
        await answers.wait()
        return "late"

    thinking = asyncio.create_task(world.after(0.5, endpoint()))
    async with asyncio.timeout(30):
        while "frozen" not in await world.command("tick query"):  # noqa: ASYNC110 - the server tells nobody of it
            await asyncio.sleep(0.05)
    still = await world.now()
    assert (await world.now(), thinking.done()) == (still, False)
    answers.set()
    assert (await thinking, still >= asked + 10) == ("late", True)
    await world.sleep(0.1)
    assert await world.now() > still
