"""Bots, hosts and policies on the embedded server: results of runs, and nothing left after a loss or an end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from accord.doctor.sandbox import sandbox_checks
from bridge.confinement import UID, confinement
from bridge.errors import BotLostError, HostError, InfrastructureError
from bridge.fleet import Fleet
from bridge.mock_world import MockWorld
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.supervisor import close_supervisor
from bridge.types import Address, Event, Limits, ProgramError, ProgramOutcome

pytestmark = pytest.mark.live

ROOT = Path(__file__).resolve().parent.parent.parent
FAKE_HOST = ROOT / "tests" / "js" / "host" / "fixtures" / "fake_host.js"
PLAYERS = ["Gizmo", "Glitch"]
SHORT = Limits(wall_s=20)
NOTHING = "async function main (bot) {}"
FOREVER = "async function main (bot) { for (;;) await bot.waitForTicks(1) }"
PATIENCE_S = 60.0


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[EmbeddedWorld]:
    async with EmbeddedWorld(seed=1, log_dir=tmp_path) as opened:
        await opened.connect(PLAYERS)
        yield opened


async def until(stream: AsyncIterator[Event], wanted: Callable[[Event], bool]) -> Event:
    """Return the first event that satisfies `wanted`."""
    async with asyncio.timeout(PATIENCE_S):
        async for event in stream:
            if wanted(event):
                return event
    raise AssertionError("the stream ended")


async def host_pids(world: EmbeddedWorld) -> list[int]:
    return [host["pid"] for host in (await world.fleet.stats())["hosts"]]


def gone(pids: list[int]) -> bool:
    """Return True if none of these processes runs any more (a zombie does not run)."""
    states = []
    for pid in pids:
        status = Path(f"/proc/{pid}/status")
        try:
            states.append(next(line for line in status.read_text().splitlines() if line.startswith("State:")))
        except FileNotFoundError:
            continue
    return all("Z" in state for state in states)


def soon_gone(pids: list[int]) -> bool:
    """Return True if the processes end within a reasonable time."""
    deadline = time.monotonic() + PATIENCE_S
    while not gone(pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    return gone(pids)


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


async def test_random_numbers_come_from_the_seed_and_dates_from_the_world(world: EmbeddedWorld, tmp_path: Path) -> None:
    program = "async function main (bot) { console.log(Math.random(), Math.random(), Date.now()) }"
    said: list[list[float]] = []
    ticks: list[int] = []
    async with MockWorld(seed=1, log_dir=tmp_path / "mock") as mock:
        await mock.connect(["Gizmo"])
        for each in (world, mock):
            stream = each.events()
            await each.run({"Gizmo": program}, SHORT)
            log = await until(stream, lambda event: event.kind == "log")
            said.append([float(text) for text in log.data["text"].split()])
            assert log.tick is not None
            ticks.append(log.tick)
    embedded, mocked = said
    assert embedded[:2] == mocked[:2]
    assert mocked[2] == ticks[1] * 50
    # A host estimates the world's age between two packets: early minutes of the world, not today's date.
    assert abs(embedded[2] - ticks[0] * 50) <= 60_000


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


async def test_a_kicked_player_is_infrastructure_and_may_come_back(world: EmbeddedWorld) -> None:
    stream = world.events()
    task = asyncio.create_task(world.run(dict.fromkeys(PLAYERS, FOREVER), SHORT))
    await until(stream, lambda e: e.kind == "policy" and e.data["bot"] == "Glitch")
    await world.command("kick Gizmo")
    ended = await until(stream, lambda e: e.kind == "policy" and e.data["state"] == "ended")
    assert (ended.data["bot"], ended.data["result"]["outcome"]) == ("Gizmo", "infrastructure")
    await world.cancel()
    results = await task
    assert (results["Gizmo"].outcome, results["Glitch"].outcome) == (
        ProgramOutcome.INFRASTRUCTURE,
        ProgramOutcome.CANCELLED,
    )
    await world.connect(PLAYERS)
    assert (await world.run({"Gizmo": NOTHING}, SHORT))["Gizmo"].outcome is ProgramOutcome.RETURNED


async def test_a_killed_host_is_infrastructure_and_its_bots_come_back(world: EmbeddedWorld) -> None:
    stream = world.events()
    task = asyncio.create_task(world.run(dict.fromkeys(PLAYERS, FOREVER), SHORT))
    await until(stream, lambda e: e.kind == "policy" and e.data["bot"] == "Glitch")
    for pid in await host_pids(world):
        os.kill(pid, signal.SIGKILL)
    results = await task
    assert {result.outcome for result in results.values()} == {ProgramOutcome.INFRASTRUCTURE}
    again = await world.run(dict.fromkeys(PLAYERS, NOTHING), SHORT)
    assert {result.outcome for result in again.values()} == {ProgramOutcome.RETURNED}


async def test_a_killed_supervisor_is_noticed_and_replaced(world: EmbeddedWorld) -> None:
    stream = world.events()
    pids = await host_pids(world)
    task = asyncio.create_task(world.run(dict.fromkeys(PLAYERS, FOREVER), SHORT))
    await until(stream, lambda e: e.kind == "policy" and e.data["bot"] == "Glitch")
    os.kill((await world.fleet.stats())["supervisor"]["pid"], signal.SIGKILL)
    with pytest.raises(HostError):
        await task
    await world.connect(PLAYERS)
    results = await world.run(dict.fromkeys(PLAYERS, NOTHING), SHORT)
    assert {result.outcome for result in results.values()} == {ProgramOutcome.RETURNED}
    assert gone(pids)


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


async def test_a_host_that_hangs_dies_with_its_supervisor() -> None:
    fleet = Fleet(host_script=FAKE_HOST)
    await fleet.open()
    fleet.use(Address("127.0.0.1", 1, "1.20.4"))
    await fleet.connect(["hang"])
    stats = await fleet.stats()
    hanging = asyncio.create_task(fleet.observe("hang"))
    await asyncio.sleep(0)  # the examination is requested first
    await fleet.echo()
    os.kill(stats["supervisor"]["pid"], signal.SIGKILL)
    with pytest.raises(HostError):
        await hanging
    assert await asyncio.to_thread(soon_gone, [host["pid"] for host in stats["hosts"]])
    await fleet.close()


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


async def test_two_worlds_in_one_process_do_not_meet(tmp_path: Path) -> None:
    async with EmbeddedWorld(1, tmp_path / "a") as one, EmbeddedWorld(2, tmp_path / "b") as two:
        await asyncio.gather(one.connect(PLAYERS), two.connect(PLAYERS))
        stream = two.events()
        await one.command("give Gizmo minecraft:diamond 1")
        await two.command("give Gizmo minecraft:coal 1")
        await until(stream, lambda e: e.kind == "inventory" and e.data["items"] != {})
        results = await asyncio.gather(*(world.run({"Gizmo": NOTHING}, SHORT) for world in (one, two)))
        assert [each["Gizmo"].outcome for each in results] == [ProgramOutcome.RETURNED] * 2
        assert (await two.observe("Gizmo")).items == {"coal": 1}


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


async def test_a_server_that_is_gone_is_infrastructure(world: EmbeddedWorld) -> None:
    stream = world.events()
    task = asyncio.create_task(world.run({"Gizmo": FOREVER}, SHORT))
    await until(stream, lambda e: e.kind == "policy")
    pid = world.server.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert (await task)["Gizmo"].outcome is ProgramOutcome.INFRASTRUCTURE
    with pytest.raises(InfrastructureError):
        await world.connect(["Judy"])


PLAYING = """
import asyncio, json, sys
from pathlib import Path
from bridge.mock_world import MockWorld
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits

async def main():
    async with EmbeddedWorld(1, Path(sys.argv[1])) as world, MockWorld(1, Path(sys.argv[1])) as mock:
        await world.connect(["Gizmo"])
        stats = await world.fleet.stats()
        pids = [mock.pid, world.server.pid, stats["supervisor"]["pid"], *(host["pid"] for host in stats["hosts"])]
        print(json.dumps(pids), flush=True)
        await world.run({"Gizmo": "async function main (bot) { for (;;) await bot.waitForTicks(1) }"}, Limits())

asyncio.run(main())
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_end_of_python_ends_everything(tmp_path: Path, how: signal.Signals) -> None:
    playing = subprocess.Popen(
        [sys.executable, "-c", PLAYING, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with playing:
        assert playing.stdout is not None
        pids = json.loads(playing.stdout.readline())
        playing.send_signal(how)
        playing.wait(PATIENCE_S)
    assert soon_gone(pids)


async def test_nothing_of_a_closed_world_remains(tmp_path: Path) -> None:
    async with EmbeddedWorld(1, tmp_path) as world:
        await world.connect(PLAYERS)
        pids = await host_pids(world)
        supervisor = (await world.fleet.stats())["supervisor"]["pid"]
    assert gone(pids)
    await asyncio.to_thread(close_supervisor)
    assert gone([supervisor])
