"""Players as bodies in the embedded server: programs give the results of clients, and losses leave nothing."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bridge.programs import Calls
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Event, Limits, ProgramOutcome
from bridge.worlds import BODIES, ENGINE, open_world
from tests.conformance.differential import play_all, told_apart
from tests.conformance.programs import REFERENCE

pytestmark = pytest.mark.live

PLAYERS = ["Gizmo", "Glitch"]
FOREVER = "async function main (bot) { for (;;) await bot.waitForTicks(1) }"
MOMENT = "async function main (bot) { await bot.waitForTicks(2) }"
LONG = Limits(wall_s=120)


@pytest.mark.paced
async def test_programs_come_to_the_same_with_bodies_and_with_clients(tmp_path: Path) -> None:
    played = []
    for bodies in BODIES:
        async with open_world("embedded", seed=11, log_dir=tmp_path / bodies, bodies=bodies) as world:
            played.append(await play_all(world, REFERENCE))
    clients, engine = played
    apart = [each for each in REFERENCE if clients[each.name].facts != engine[each.name].facts]
    assert not apart, "\n".join(told_apart(each, clients[each.name], engine[each.name]) for each in apart)


async def test_a_killed_host_loses_its_players_as_infrastructure_and_leaves_nothing(tmp_path: Path) -> None:
    world = EmbeddedWorld(seed=1, log_dir=tmp_path, bodies=ENGINE)
    world.separate()
    async with world:
        await world.connect(PLAYERS)
        stream = world.events()
        playing = asyncio.create_task(world.run(dict.fromkeys(PLAYERS, FOREVER), LONG))
        await policies(stream, "started", 2)
        hosts = {host["host"]: host["pid"] for host in (await world.fleet.stats())["hosts"]}
        os.kill(hosts["h1"], signal.SIGKILL)
        (lost,) = await policies(stream, "ended", 1)
        await world.cancel()
        results = await playing
        (other,) = set(PLAYERS) - {lost}
        assert results[lost].outcome is ProgramOutcome.INFRASTRUCTURE
        assert results[other].outcome is ProgramOutcome.CANCELLED
        # It returns in another host, as players with clients do; the other player never left.
        results = await world.run(dict.fromkeys(PLAYERS, MOMENT), LONG)
        assert {result.outcome for result in results.values()} == {ProgramOutcome.RETURNED}
        found = await world.server.statistics()
        assert (found["players"], found["bodies"]) == (2, 2)
        assert hosts["h2"] in [host["pid"] for host in (await world.fleet.stats())["hosts"]]
        await world.disconnect(PLAYERS)
        found = await world.server.statistics()
        assert (found["players"], found["bodies"], found["entities"]) == (0, 0, 0)


async def test_calls_of_primitives_are_played_in_the_server_and_come_to_the_same(tmp_path: Path) -> None:
    home = {"x": 8, "y": -60, "z": 8}
    calls = [
        Calls([("goTo", [home, 1]), ("mineBlock", ["oak_log", 1])], pause_s=0.2),
        Calls([("mineBlock", ["diamond_ore", 1]), ("goTo", [home, 1])]),
        Calls([("noSuchThing", [])]),
    ]
    found = []
    async with EmbeddedWorld(seed=1, log_dir=tmp_path, bodies=ENGINE) as world:
        await world.connect(["Gizmo"])
        for known in (True, False):
            await world.commands(["tp Gizmo 0.5 -60 0.5", "clear Gizmo", "setblock 10 -60 8 oak_log"])
            ends = [(await world.run({"Gizmo": each if known else str(each)}, LONG))["Gizmo"] for each in calls]
            assert all((end.cpu_ms == 0) is known for end in ends[:2]), "only a program computes in an isolate"
            held = (await world.observe("Gizmo")).items
            found.append((held, [(end.outcome, end.error and (end.error.name, end.error.message)) for end in ends]))
    assert found[0] == found[1]
    assert [outcome for outcome, _ in found[0][1]] == [
        ProgramOutcome.RETURNED,
        ProgramOutcome.THREW,
        ProgramOutcome.THREW,
    ]
    assert found[0][0] == {"oak_log": 1}


async def policies(stream: AsyncIterator[Event], state: str, count: int) -> list[str]:
    """Return the bots of the next `count` programs that start or end."""
    found: list[str] = []
    async for event in stream:
        if event.kind == "policy" and event.data["state"] == state:
            found.append(event.data["bot"])
        if len(found) == count:
            break
    return found
