"""Fleet on a scripted Node: the jobs it sends, the results it derives from answers, and its event streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bridge import fleet as fleet_module
from bridge.errors import BotLostError, BridgeError, HostError
from bridge.fleet import EventStream, Fleet
from bridge.supervisor import Supervisor
from bridge.types import (
    Address,
    Event,
    Limits,
    NearBlock,
    NearDrop,
    NearMob,
    NearPlayer,
    ProgramError,
    ProgramOutcome,
    Sensed,
    Senses,
)
from bridge.wire import result_of
from tests.unit.bridge.channel import FakeChannel, at_once

RETURNED = {
    "bot": "Gizmo",
    "outcome": "returned",
    "error": None,
    "wall_ms": 1.5,
    "cpu_ms": 0.5,
    "started_tick": 7,
    "ended_tick": 9,
}

SEEN = {
    "name": "Gizmo",
    "position": [1.5, -60, 2.5],
    "health": 20,
    "food": 20,
    "items": {"raw_iron": 2},
    "held": None,
    "gamemode": "survival",
    "tick": 12,
}


@asynccontextmanager
async def opened(on_job: Callable[..., None]) -> AsyncIterator[tuple[Fleet, FakeChannel]]:
    channel = FakeChannel(on_job)
    supervisor = Supervisor(lambda: channel)
    fleet = Fleet(supervisor, seed=5)
    try:
        await fleet.open()
        fleet.use(Address("127.0.0.1", 25565))
        yield fleet, channel
        await fleet.close()
    finally:
        supervisor.close()


async def test_connect_joins_all_names_with_one_job_and_raises_its_loss() -> None:
    def on_job(channel: FakeChannel, job: str, spec: dict[str, Any]) -> None:
        if "Glitch" in spec.get("bots", ()):
            channel.fail(job, "BotLost", "Glitch could not join: banned")
        else:
            channel.end(job)

    async with opened(on_job) as (fleet, channel):
        with pytest.raises(BotLostError, match="banned"):
            await fleet.connect(["Gizmo", "Glitch", "Judy"])
        await fleet.disconnect(["Gizmo", "Judy"])
        asked = [(job["type"], job["bots"]) for job in channel.jobs if "bots" in job]
        assert asked == [("connect", ["Gizmo", "Glitch", "Judy"]), ("disconnect", ["Gizmo", "Judy"])]
        assert channel.jobs[1]["host"] == "127.0.0.1"


async def test_sense_asks_once_for_all_and_leaves_out_who_is_not_there() -> None:
    seen = {
        **SEEN,
        "yaw": 90.0,
        "pitch": -12.5,
        "players": [[4, "Glitch", 3.5, -60, 2.5, 2.0, "bread"]],
        "mobs": [[7, "zombie", 1.5, -60, 7.5, 5.0, True]],
        "drops": [[9, "wheat", 1.5, -60, 4.5, 2.0, 3]],
        "blocks": [["chest", 2, -60, 2, 1.118]],
    }
    async with opened(lambda channel, job, spec: channel.end(job, [seen])) as (fleet, channel):
        found = await fleet.sense(["Gizmo", "Judy"], Senses(radius=8, blocks=("chest",), most=5))
        (asked,) = [job for job in channel.jobs if job["type"] == "sense"]
    assert asked["bots"] == ["Gizmo", "Judy"]
    assert asked["senses"] == {"radius": 8, "most": 5, "blocks": ["chest"]}
    assert found == {
        "Gizmo": Sensed(
            name="Gizmo",
            position=(1.5, -60, 2.5),
            yaw=90.0,
            pitch=-12.5,
            health=20,
            food=20,
            items={"raw_iron": 2},
            held=None,
            gamemode="survival",
            tick=12,
            players=(NearPlayer(4, "Glitch", (3.5, -60, 2.5), 2.0, "bread"),),
            mobs=(NearMob(7, "zombie", (1.5, -60, 7.5), 5.0, hostile=True),),
            drops=(NearDrop(9, "wheat", (1.5, -60, 4.5), 2.0, 3),),
            blocks=(NearBlock("chest", (2, -60, 2), 1.118),),
        )
    }


async def test_connect_needs_a_server() -> None:
    supervisor = Supervisor(lambda: FakeChannel(at_once))
    try:
        with pytest.raises(HostError, match="no server"):
            await Fleet(supervisor).connect(["Gizmo"])
    finally:
        supervisor.close()


async def test_run_sends_limits_and_a_seed_and_reads_results() -> None:
    def on_job(channel: FakeChannel, job: str, spec: dict[str, Any]) -> None:
        channel.end(job, {"Gizmo": RETURNED} if spec["type"] == "run" else None)

    async with opened(on_job) as (fleet, channel):
        results = await fleet.run({"Gizmo": "async function f (bot) {}"}, Limits(wall_s=2, cpu_ms=30, memory_mb=16))
        await fleet.run({"Gizmo": "async function f (bot) {}"}, Limits())
        first, second = [job for job in channel.jobs if job["type"] == "run"]
    assert results["Gizmo"].outcome is ProgramOutcome.RETURNED
    assert results["Gizmo"].started_tick == 7
    assert first["limits"] == {"wall_ms": 2000, "cpu_ms": 30, "memory_mb": 16}
    assert [job["policies"][0]["seed"] for job in (first, second)] == ["5/1", "5/2"]


async def test_seeds_count_each_bots_own_programs_and_not_what_others_run() -> None:
    def on_job(channel: FakeChannel, job: str, spec: dict[str, Any]) -> None:
        if spec["type"] == "run" and spec["policies"][-1]["bot"] == "Judy":
            channel.fail(job, "BotLost", "Judy is not in the world")
        else:
            each = [policy["bot"] for policy in spec.get("policies", ())]
            channel.end(job, {bot: {**RETURNED, "bot": bot} for bot in each})

    async with opened(on_job) as (fleet, channel):
        await fleet.run({"Gizmo": "", "Glitch": ""}, Limits())
        await fleet.run({"Glitch": ""}, Limits())
        with pytest.raises(BotLostError):
            await fleet.run({"Gizmo": "", "Judy": ""}, Limits())
        await fleet.run({"Gizmo": "", "Glitch": ""}, Limits())
        runs = [[policy["seed"] for policy in job["policies"]] for job in channel.jobs if job["type"] == "run"]
    assert runs == [["5/1", "5/1"], ["5/2"], ["5/2", "5/1"], ["5/2", "5/3"]]


async def test_a_bot_runs_one_program_at_a_time_and_the_next_when_its_own_is_over() -> None:
    ends: list[str] = []

    def on_job(channel: FakeChannel, job: str, spec: dict[str, Any]) -> None:
        if spec["type"] == "run" and len(spec["policies"]) > 1:
            ends.append(job)
        else:
            channel.end(job, {"Gizmo": RETURNED})

    async with opened(on_job) as (fleet, channel):
        both = asyncio.create_task(fleet.run({"Gizmo": "", "Glitch": ""}, Limits()))
        await asyncio.sleep(0)
        with pytest.raises(BridgeError, match="Gizmo is running a policy already"):
            await fleet.run({"Gizmo": ""}, Limits())
        ended = {"bot": "Gizmo", "state": "ended", "result": RETURNED}
        channel.say("policy", ended, fleet=fleet.name)
        await fleet.echo()
        assert (await fleet.run({"Gizmo": ""}, Limits()))["Gizmo"].outcome is ProgramOutcome.RETURNED
        with pytest.raises(BridgeError, match="Glitch is running a policy already"):
            await fleet.run({"Glitch": ""}, Limits())
        channel.end(ends[0], {bot: {**RETURNED, "bot": bot} for bot in ("Gizmo", "Glitch")})
        await both
        runs = [[policy["seed"] for policy in job["policies"]] for job in channel.jobs if job["type"] == "run"]
    assert runs == [["5/1", "5/1"], ["5/2"]]


async def test_a_run_of_nobody_is_over_at_once() -> None:
    async with opened(at_once) as (fleet, channel):
        assert await fleet.run({}, Limits()) == {}
        assert [job["type"] for job in channel.jobs] == ["open"]


@pytest.mark.parametrize(
    "limits", [Limits(wall_s=0), Limits(wall_s=float("nan")), Limits(cpu_ms=-1), Limits(memory_mb=0)]
)
async def test_limits_that_bound_nothing_are_refused(limits: Limits) -> None:
    async with opened(at_once) as (fleet, _):
        with pytest.raises(ValueError, match="give a number above 0"):
            await fleet.run({"Gizmo": ""}, limits)


async def test_cancelling_the_task_cancels_the_job_and_waits_for_quiet() -> None:
    order: list[str] = []

    def on_job(channel: FakeChannel, job: str, spec: dict[str, Any]) -> None:
        if spec["type"] != "run":
            channel.end(job)

    async with opened(on_job) as (fleet, channel):
        sent = asyncio.Event()
        loop = asyncio.get_running_loop()
        channel.on_submit = lambda: loop.call_soon_threadsafe(sent.set)

        def quiet(job: str) -> None:
            order.append("cancelled")
            channel.end(job, {"Gizmo": {**RETURNED, "outcome": "cancelled"}})

        channel.on_cancel = quiet
        task = asyncio.create_task(fleet.run({"Gizmo": "x"}, Limits()))
        await sent.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        order.append("returned")
    assert order == ["cancelled", "returned"]


def test_a_result_keeps_the_place_of_its_error() -> None:
    error = {"name": "TypeError", "message": "no", "line": 4, "column": 2}
    result = result_of({**RETURNED, "outcome": "threw", "error": error})
    assert result.error == ProgramError("TypeError", "no", 4, 2)


async def test_events_reach_every_consumer_from_its_call_on() -> None:
    async with opened(at_once) as (fleet, channel):
        early = fleet.events()
        channel.say("chat", {"from": "Gizmo", "text": "one"}, fleet=fleet.name, tick=3)
        await fleet.echo()
        late = fleet.events()
        channel.say("chat", {"from": "Gizmo", "text": "two"}, fleet=fleet.name)
        channel.say("chat", {"from": "Gizmo", "text": "other world"}, fleet="another")
        await fleet.echo()
    seen = [event async for event in early]
    assert [(event.seq, event.data["text"], event.tick) for event in seen] == [(1, "one", 3), (2, "two", None)]
    assert [event.data["text"] async for event in late] == ["two"]


async def test_the_fleet_knows_who_is_in_the_world() -> None:
    async with opened(at_once) as (fleet, channel):
        for bot, state in (("Gizmo", "spawned"), ("Glitch", "spawned"), ("Glitch", "kicked"), ("Glitch", "ended")):
            channel.say("bot", {"bot": bot, "state": state, "reason": ""}, fleet=fleet.name)
        await fleet.echo()
        assert fleet.bots == {"Gizmo"}
        channel.alive = False
        with pytest.raises(HostError):
            await fleet.echo()
        await asyncio.sleep(0)
        assert fleet.bots == set()


async def test_a_consumer_that_never_reads_is_told_instead_of_fed_with_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet_module, "MAX_WAITING", 3)
    stream = EventStream()
    for seq in range(5):
        stream.push(Event(seq=seq, kind="chat", tick=None))
    with pytest.raises(HostError, match="more than 3 events"):
        await anext(stream)


async def test_an_ended_stream_gives_what_it_has_and_stops() -> None:
    stream = EventStream()
    stream.push(Event(seq=1, kind="chat", tick=None))
    stream.end()
    stream.push(Event(seq=2, kind="chat", tick=None))
    assert [event.seq async for event in stream] == [1]


async def test_observe_gives_a_frozen_observation() -> None:
    async with opened(lambda channel, job, spec: channel.end(job, SEEN)) as (fleet, _):
        observation = await fleet.observe("Gizmo")
    assert observation.position == (1.5, -60, 2.5)
    assert observation.items == {"raw_iron": 2}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"radius": 0}, "radius is 0"),
        ({"radius": 65}, "at most 64"),
        ({"radius": float("nan")}, "radius is nan"),
        ({"most": 0}, "most is 0"),
        ({"blocks": "chest"}, "a tuple of names"),
        ({"blocks": ("minecraft:chest",)}, "without minecraft:"),
    ],
)
def test_senses_that_no_bot_has_are_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Senses(**wrong)
