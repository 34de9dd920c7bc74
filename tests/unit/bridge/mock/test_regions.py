"""Mock world in several regions: each has its own clock, and all events arrive in one order."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from bridge.errors import CommandError, HostError
from bridge.mock.merged import MergedEvents
from bridge.mock.regions import MockRegions
from bridge.mock_world import MockWorld
from bridge.regions import here, shares, within
from bridge.types import Event, Limits, Senses

NAMES = ["Ann", "Ben", "Cid", "Dot"]
LIMITS = Limits(wall_s=60)
WORKER = """async function main (bot) {
  await bot.waitForTicks(3 + Math.floor(Math.random() * 40))
  console.log(bot.username)
}"""
FEEL = Senses(radius=8, most=6)


async def lives(world: MockRegions, ends: dict[str, list[tuple[int, int | None]]]) -> None:
    """Run programs of all bots, each observed after its end and followed by a pause on its region's clock."""

    async def live(part: MockWorld, name: str) -> None:
        for _ in range(2):
            result = (await part.run({name: WORKER}, LIMITS))[name]
            ends.setdefault(name, []).append((await world.now(), result.ended_tick))
            assert (await world.observe(name)).tick == result.ended_tick
            await world.sleep(0.35)

    async def region(number: int) -> None:
        with within(number):
            names = world.shares(NAMES)[number]
            await asyncio.gather(*(live(world.regions[number], name) for name in names))

    await asyncio.gather(*(region(number) for number in range(len(world.regions))))
    # A caller outside of all regions sees them at the same tick.
    await world.sleep(0.05)
    assert len({each.tick for each in world.regions}) == 1


async def played(folder: Path, *, renewed: bool = False) -> tuple[list[Event], dict[str, list[tuple[int, int | None]]]]:
    events: list[Event] = []
    ends: dict[str, list[tuple[int, int | None]]] = {}
    async with MockRegions(9 if renewed else 1, folder, threaded=False, regions=3) as world:
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
    # The listener receives all events sent before the world closed.
    await listener
    return events, ends


def told(events: list[Event]) -> list[tuple[str, int | None, object]]:
    return [(each.kind, each.tick, each.data) for each in events]


async def test_a_world_in_regions_repeats_and_nobody_hears_of_what_is_yet_to_come(tmp_path: Path) -> None:
    events, ends = await played(tmp_path)
    ticks = [each.tick or 0 for each in events]
    assert ticks == sorted(ticks)
    found = [each for own in ends.values() for each in own]
    assert len(found) == 8
    assert all(now == ended for now, ended in found)
    assert len({ended for _, ended in found}) > 3, "regions stop at different ticks, or nothing was tried here"
    # In other processes, and after other bots have played there.
    again, same = await played(tmp_path, renewed=True)
    assert (told(again), same) == (told(events), ends)


async def test_what_regions_know_is_put_together_and_commands_are_refused_where_all_refuse(tmp_path: Path) -> None:
    async with MockRegions(1, tmp_path, threaded=False, regions=3) as world:
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
    async with MockRegions(1, tmp_path, threaded=False, regions=2) as world:
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
        MockRegions(1, tmp_path, regions=count)


def happened(region: int, tick: int, text: str, speaker: str | None = "Ann") -> Event:
    return Event(seq=region, kind="chat", tick=tick, data={"from": speaker, "text": text})


@pytest.mark.parametrize("first", [0, 1])
def test_the_quicker_region_has_no_part_in_the_order(first: int) -> None:
    heard: list[tuple[int, str]] = []
    merged = MergedEvents(lambda event: heard.append((event.seq, event.data["text"])))
    said = {0: [(2, "a2"), (3, "a3")], 1: [(1, "b1"), (3, "b3"), (4, "b4")]}
    for region in (first, 1 - first):
        for tick, text in said[region]:
            merged.keep(region, happened(region, tick, text))
    merged.release_events(3)
    assert heard == [(1, "b1"), (2, "a2")]
    merged.release_events(None)
    assert [text for _, text in heard] == ["b1", "a2", "a3", "b3", "b4"]
    assert [seq for seq, _ in heard] == [1, 2, 3, 4, 5]


def test_a_line_of_the_consoles_is_told_once_and_every_other_from_each_region() -> None:
    heard: list[str] = []
    merged = MergedEvents(lambda event: heard.append(event.data["text"]))
    for region in (1, 0):
        for speaker, text in ((None, "all"), (None, "all"), ("Ann", "me")):
            merged.keep(region, happened(region, 2, text, speaker))
    merged.release_events(None)
    assert heard == ["all", "all", "me", "me"]


async def test_work_outside_takes_the_time_of_whoever_waits_for_it(tmp_path: Path) -> None:
    async def answer() -> str:
        await asyncio.sleep(0)
        return "yes"

    async with MockRegions(1, tmp_path, threaded=False, regions=2) as world:
        await world.connect(NAMES)
        with within(1):
            assert await world.after(2, answer()) == "yes"
            assert (await world.now(), here()) == (40, 1)
        assert [each.tick for each in world.regions] == [0, 40]
        assert await world.after(1, answer()) == "yes"
        assert [each.tick for each in world.regions] == [20, 60]
        await world.until(await world.now())
        assert [each.tick for each in world.regions] == [60, 60]
        async with world.standing_still():
            waits = asyncio.create_task(world.sleep(1))
            for _ in range(50):
                await asyncio.sleep(0)
            assert [each.tick for each in world.regions] == [60, 60]
        await waits
        assert [names for _, names in shares(world, NAMES)] == [["Ann", "Cid"], ["Ben", "Dot"]]


async def test_items_on_the_ground_have_numbers_of_their_own_in_each_region(tmp_path: Path) -> None:
    events: list[Event] = []
    async with MockRegions(1, tmp_path, threaded=False, regions=2) as world:

        async def listen() -> None:
            async for event in world.events():
                events.append(event)

        listener = asyncio.create_task(listen())
        await asyncio.sleep(0)
        await world.connect(NAMES)
        await world.commands(['summon item 9.5 -60 9.5 {Item:{id:"minecraft:apple",Count:2b}}'])
        await world.sleep(3)
    await listener
    rows = [row for each in events if each.kind == "drops" for row in each.data["at"].items()]
    assert len(dict(rows)) == 2
    assert [row for _, row in rows] == [["apple", 2, [9.5, -60, 9.5]]] * 2
