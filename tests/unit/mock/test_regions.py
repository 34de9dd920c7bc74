"""A mock world in several regions: one clock, one order of events, whichever process is quicker."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from bridge.errors import BridgeError, CommandError, HostError
from bridge.mock.backlog import Backlog
from bridge.mock.exchange import TIME, Exchange
from bridge.mock.pacer import SETTLE_TURNS
from bridge.mock_world import MockWorld
from bridge.types import Event, Limits, Senses
from bridge.wire import Json

NAMES = ["Ann", "Ben", "Cid", "Dot"]
LIMITS = Limits(wall_s=60)
WORKER = """async function main (bot) {
  await bot.waitForTicks(3 + Math.floor(Math.random() * 40))
  console.log(bot.username)
}"""
FEEL = Senses(radius=8, most=6)


async def lives(world: MockWorld, ends: list[tuple[str, int, int | None]]) -> None:
    """Each runs programs, and looks and waits when one of them has ended."""

    async def live(name: str) -> None:
        for _ in range(2):
            result = (await world.run({name: WORKER}, LIMITS))[name]
            ends.append((name, await world.now(), result.ended_tick))
            assert (await world.observe(name)).tick == result.ended_tick
            await world.sleep(0.35)

    await asyncio.gather(*(live(name) for name in NAMES))


async def played(folder: Path, *, renewed: bool = False) -> tuple[list[Event], list[tuple[str, int, int | None]]]:
    events: list[Event] = []
    ends: list[tuple[str, int, int | None]] = []
    async with MockWorld(9 if renewed else 1, folder, threaded=False, regions=3) as world:
        if renewed:
            await world.connect(NAMES[::-1])
            await world.run({"Ann": WORKER}, LIMITS)
            await world.renew(1)

        async def listen() -> None:
            async for event in world.events():
                events.append(event)

        listener = asyncio.create_task(listen())
        await asyncio.sleep(0)
        await world.connect(NAMES)
        await lives(world, ends)
        listener.cancel()
    return events, ends


def told(events: list[Event]) -> list[tuple[str, int | None, object]]:
    return [(each.kind, each.tick, each.data) for each in events]


async def test_a_world_in_regions_repeats_and_nobody_hears_of_what_is_yet_to_come(tmp_path: Path) -> None:
    events, ends = await played(tmp_path)
    ticks = [each.tick or 0 for each in events]
    assert ticks == sorted(ticks)
    assert len(ends) == 8
    assert [now for _, now, _ in ends] == [ended for _, _, ended in ends]
    assert len({ended for _, _, ended in ends}) > 3, "regions stop at different ticks, or nothing was tried here"
    # In other processes, and after others have played there.
    again, _ = await played(tmp_path, renewed=True)
    assert told(again) == told(events)


async def test_what_regions_know_is_put_together_and_commands_are_refused_where_all_refuse(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path, threaded=False, regions=3) as world:
        await world.connect(NAMES)
        asked = [
            "tp Cid 5 -60 5",
            "execute at Ben if block 0 -60 0 air",
            "gamemode survival Nobody",
            "give Dot bread 2",
        ]
        replies = await world.commands([*asked, "time set 77"])
        assert str(replies[0]).startswith("Teleported Cid")
        assert replies[1] == "Test passed"
        assert isinstance(replies[2], CommandError)
        assert replies[3:] == ["Gave 2 [Bread] to Dot", "Set the time to 77"]
        assert list(await world.sense(["Dot", "Ben", "Nobody", "Ann"], FEEL)) == ["Dot", "Ben", "Ann"]
        await world.until(7, (NAMES, FEEL))
        found = await world.sense(NAMES, FEEL)
        assert (list(found), await world.now()) == (NAMES, 7)
        assert found["Dot"].items == {"bread": 2}
        # Ann and Dot are in the same region, the others elsewhere.
        assert [[near.name for near in each.players] for each in found.values()] == [["Dot"], [], [], ["Ann"]]
        with pytest.raises(ValueError, match="different regions"):
            await world.run({"Ann": WORKER, "Ben": WORKER}, LIMITS)
        assert set(await world.run({"Ann": WORKER, "Dot": WORKER}, LIMITS)) == {"Ann", "Dot"}


async def test_one_lost_region_is_the_whole_world_lost_and_none_is_left(tmp_path: Path) -> None:
    async with MockWorld(1, tmp_path, threaded=False, regions=2) as world:
        await world.connect(NAMES)
        pids = world.pids
        sleeping = asyncio.create_task(world.sleep(1e6))
        await world.sleep(1)
        os.kill(pids[1], signal.SIGKILL)
        with pytest.raises(HostError, match="ended"):
            await sleeping
        with pytest.raises(HostError, match="ended"):
            await world.observe("Ann")
    assert len(set(pids)) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("count", [0, 17, True, 2.0, "4"])
def test_a_number_of_regions_that_cannot_be_is_one_line(tmp_path: Path, count: int) -> None:
    with pytest.raises(ValueError, match=r"^regions is .*: give a number from 1 to 16$"):
        MockWorld(1, tmp_path, regions=count)


class Pair:
    """An exchange with two pretended regions; what goes to them is kept, and they answer when told to."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, int, str]] = []
        self.heard: list[object] = []
        self._wrote = asyncio.Event()
        self.exchange = Exchange(
            self._write, self._hear, self._run_ended, self.heard.append, lambda said: BridgeError(said["message"]), 2
        )

    def _write(self, region: int, lines: bytes) -> None:
        for line in lines.splitlines():
            request = json.loads(line)
            self.sent.append((region, request["id"], request["verb"]))
        self._wrote.set()

    def _hear(self, batch: list[dict[str, Json]]) -> None:
        self.heard += [each["data"] for each in batch]

    def _run_ended(self, run: int, _results: dict[str, Json]) -> None:
        self.heard.append(f"run {run}")

    def says(self, region: int, **said: Json) -> None:
        self.exchange.receive(json.dumps(said).encode(), region)

    async def sends(self, count: int) -> None:
        while len(self.sent) < count:
            self._wrote.clear()
            await self._wrote.wait()


def happened(*events: tuple[int, str]) -> list[dict[str, Json]]:
    return [{"kind": "log", "tick": tick, "data": data} for tick, data in events]


@pytest.mark.parametrize("first", [0, 1])
async def test_the_quicker_region_has_no_part_in_the_order_and_waits_for_the_clock(first: int) -> None:
    pair = Pair()
    answers = [pair.exchange.ask(TIME, {"until": 9}, region) for region in (0, 1)]
    await pair.sends(2)
    for region in (first, 1 - first):
        if region == 0:
            pair.says(0, events=happened((2, "a2"), (3, "a3")))
            pair.says(0, run=1, results={"A": {"ended_tick": 3}})
            pair.says(0, id=1, ok=True, value=3)
        else:
            pair.says(1, events=happened((1, "b1"), (3, "b3"), (4, "b4")))
            pair.says(1, run=2, results={"B": {"ended_tick": 5}})
            pair.says(1, id=2, ok=True, value=5)
    assert pair.heard == [3, "b1", "a2", "a3", "run 1", "b3"]
    assert [await each for each in answers] == [3, 5]
    assert [pair.exchange.lags(region, 9) for region in (0, 1)] == [True, False]
    again = pair.exchange.ask(TIME, {"until": 9}, 0)
    await pair.sends(3)
    pair.says(0, id=3, ok=True, value=9)
    assert (await again, pair.exchange.age) == (9, 5)
    assert pair.heard[6:] == [5, "b4", "run 2"]
    assert [pair.exchange.lags(region, 9) for region in (0, 1)] == [False, True]


async def test_who_asks_one_region_meanwhile_makes_time_end_in_all() -> None:
    pair = Pair()
    for region in (0, 1):
        pair.exchange.ask(TIME, {"until": 9}, region)
    await pair.sends(2)
    looking = pair.exchange.ask("observe", {}, 1)
    for _ in range(2 * SETTLE_TURNS):
        await asyncio.sleep(0)
    assert sorted((region, verb) for region, _, verb in pair.sent[2:]) == [(0, "now"), (1, "observe")]
    for region, number, verb in pair.sent:
        pair.says(region, id=number, ok=True, value=4 if verb == TIME else verb)
    assert await looking == "observe"


def test_a_line_of_the_consoles_is_told_once_and_every_other_from_each_region() -> None:
    backlog = Backlog()
    for region in (1, 0):
        line = {"kind": "chat", "tick": 2, "data": {"from": None, "text": "all"}}
        backlog.keep(region, {"events": [line, {"kind": "chat", "tick": 2, "data": {"from": "A", "text": "me"}}]})
    assert [each["events"][0]["data"]["text"] for each in backlog.due(2)] == ["all", "me", "me"]
    assert backlog.due(None) == []
