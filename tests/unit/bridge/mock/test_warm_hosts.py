"""Hosts of the tests that serve one world after another: a world in such a host is a new world."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.errors import HostError
from bridge.mock_world import MockWorld
from bridge.types import Event
from tests.fakes.warm_hosts import HOSTS, WarmHosts
from tests.unit.bridge.mock.played import LIMITS, MINER, SLEEPER, furnish, gather, play, world_in

BOTH = {"Gizmo": MINER, "Glitch": MINER}


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch) -> Iterator[WarmHosts]:
    """Yield the hosts, of which none waits."""
    HOSTS.end()
    monkeypatch.setattr(HOSTS, "used", True)
    yield HOSTS
    HOSTS.end()


def told(events: list[Event]) -> list[tuple[str, int, object]]:
    return [(event.kind, event.tick, event.data) for event in events]


async def test_a_world_in_a_used_host_is_a_new_one(
    tmp_path: Path, hosts: WarmHosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(hosts, "used", False)
        fresh = await play(tmp_path, BOTH, seed=7)
    assert not hosts.waiting
    # Another land and region, trusted programs, and a program that still runs when its world is left.
    async with MockWorld(3, tmp_path, threaded=False, terrain="survival", region=(1, 2)) as other:
        used = other.pid
        await other.connect(["Gizmo", "Glint"])
        running = asyncio.create_task(other.run({"Glint": SLEEPER}, LIMITS))
        await other.sleep(1)
    with pytest.raises(HostError):
        await running
    assert hosts.waiting
    again: list[Event] = []
    async with world_in(tmp_path, seed=7) as world:
        assert world.pid == used
        assert await world.now() == 0
        listener = asyncio.create_task(gather(world, again))
        await asyncio.sleep(0)
        await furnish(world)
        await world.run(BOTH, LIMITS)
        listener.cancel()
    assert told(again) == told(fresh)


async def test_a_host_that_ended_is_replaced(tmp_path: Path, hosts: WarmHosts) -> None:
    async with world_in(tmp_path) as world:
        ended = world.pid
    os.kill(ended, signal.SIGKILL)
    async with world_in(tmp_path) as world:
        assert world.pid != ended
        assert await world.command("time query daytime") == "The time is 1000"


async def test_the_host_of_a_lost_world_does_not_wait(tmp_path: Path, hosts: WarmHosts) -> None:
    async with world_in(tmp_path) as world:
        os.kill(world.pid, signal.SIGKILL)
        with pytest.raises(HostError):
            await world.run({"Gizmo": SLEEPER}, LIMITS)
    assert not hosts.waiting


async def test_worlds_open_at_once_have_hosts_of_their_own(tmp_path: Path, hosts: WarmHosts) -> None:
    async with world_in(tmp_path) as one:
        pid = one.pid
    async with world_in(tmp_path) as one, world_in(tmp_path) as other:
        assert one.pid == pid
        assert other.pid != pid
