"""Bots, hosts and policies on the embedded server: results of runs, and nothing left after a loss or an end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bridge.errors import HostError, InfrastructureError
from bridge.fleet import Fleet
from bridge.mock_world import MockWorld
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.supervisor import close_supervisor
from bridge.types import Address, Limits, ProgramOutcome
from tests.fakes.world_events import PATIENCE_S, host_pids, until

pytestmark = pytest.mark.live

ROOT = Path(__file__).resolve().parent.parent.parent
FAKE_HOST = ROOT / "tests" / "js" / "host" / "fixtures" / "fake_host.js"
PLAYERS = ["Gizmo", "Glitch"]
SHORT = Limits(wall_s=20)
NOTHING = "async function main (bot) {}"
FOREVER = "async function main (bot) { for (;;) await bot.waitForTicks(1) }"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[EmbeddedWorld]:
    async with EmbeddedWorld(seed=1, log_dir=tmp_path) as opened:
        await opened.connect(PLAYERS)
        yield opened


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
