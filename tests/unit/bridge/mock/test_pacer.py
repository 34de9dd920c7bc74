"""Pacing of the mock world's time, tested with a fake world without process and clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bridge.errors import HostError
from bridge.mock import pacer
from bridge.mock.pacer import Pacer


class Pretended:
    """Fake world whose programs run until tick `ends`, and which records every grant of time."""

    def __init__(self, ends: int = 0, quantum: int | None = None) -> None:
        self.ends = ends
        self.grants: list[int | None] = []
        self.log: list[tuple[int, str]] = []
        self.broken: HostError | None = None
        self.pacer = Pacer(self.advance, lambda: self.pacer.tick < self.ends, lambda: quantum)

    async def advance(self, until: int | None) -> int:
        self.grants.append(until)
        await asyncio.sleep(0)
        if self.broken is not None:
            raise self.broken
        bounds = [bound for bound in (until, self.ends) if bound]
        return max(self.pacer.tick, min(bounds))

    def note(self, text: str) -> None:
        self.log.append((self.pacer.tick, text))


@asynccontextmanager
async def pacing(world: Pretended) -> AsyncIterator[Pretended]:
    world.pacer.start()
    try:
        yield world
    finally:
        await world.pacer.stop(HostError("closed"))


async def test_a_sleeper_wakes_at_its_tick_and_not_later() -> None:
    async with pacing(Pretended(ends=1000)) as world:
        world.pacer.want()
        await world.pacer.sleep_until(40)
        assert world.pacer.tick == 40


async def test_time_stands_still_while_a_woken_task_works_between_two_sleeps() -> None:
    async with pacing(Pretended(ends=200)) as world:

        async def rule() -> None:
            for second in range(1, 6):
                await world.pacer.sleep_until(second * 20)
                for _ in range(10):
                    await asyncio.sleep(0)
                world.note("rule")

        world.pacer.want()
        await rule()
        assert world.log == [(20, "rule"), (40, "rule"), (60, "rule"), (80, "rule"), (100, "rule")]
        assert world.grants == [20, 40, 60, 80, 100]


async def test_time_goes_on_at_once_when_nobody_has_anything_left_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacer, "SETTLE_TURNS", 10**9)
    async with asyncio.timeout(60), pacing(Pretended(ends=100)) as world:
        await world.pacer.sleep_until(20)
        assert world.pacer.tick == 20


async def test_on_a_loop_that_does_not_tell_who_is_about_to_run_turns_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pacer, "about_to_run", lambda loop: None)
    async with asyncio.timeout(60), pacing(Pretended(ends=100)) as world:
        world.pacer.want()
        for second in (1, 2):
            await world.pacer.sleep_until(20 * second)
            for _ in range(10):
                await asyncio.sleep(0)
            world.note("rule")
        assert world.log == [(20, "rule"), (40, "rule")]


async def test_a_request_under_way_holds_the_time_however_long_it_takes() -> None:
    async with pacing(Pretended(ends=100)) as world:
        world.pacer.request_begins()
        world.pacer.want()
        for _ in range(500):
            await asyncio.sleep(0)
        assert world.grants == []
        world.pacer.request_ends()
        await world.pacer.sleep_until(50)
        assert world.grants == [50]


async def test_sleepers_of_one_tick_work_one_after_the_other_in_the_order_of_their_asking() -> None:
    async with pacing(Pretended(ends=100)) as world:

        async def rule(name: str) -> None:
            await world.pacer.sleep_until(20)
            world.note(f"{name} begins")
            await asyncio.sleep(0)
            world.note(f"{name} ends")

        await asyncio.gather(rule("a"), rule("b"), rule("c"))
        assert [text for _, text in world.log] == ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]
        assert {tick for tick, _ in world.log} == {20}


async def test_without_sleepers_programs_get_all_the_time_they_want() -> None:
    async with pacing(Pretended(ends=100)) as world:
        world.pacer.want()
        for _ in range(200):
            await asyncio.sleep(0)
        assert world.grants == [None]


async def test_who_listens_to_events_has_a_turn_every_quantum() -> None:
    async with pacing(Pretended(ends=35, quantum=10)) as world:
        world.pacer.want()
        for _ in range(500):
            await asyncio.sleep(0)
        assert world.grants == [10, 20, 30, 40]


async def test_a_cancelled_sleeper_does_not_hold_the_time_up() -> None:
    async with pacing(Pretended(ends=100)) as world:
        gone = asyncio.create_task(world.pacer.sleep_until(10))
        await asyncio.sleep(0)
        gone.cancel()
        await world.pacer.sleep_until(60)
        assert world.grants[-1] == 60


async def test_a_lost_world_wakes_every_sleeper_with_the_reason() -> None:
    async with pacing(Pretended(ends=100)) as world:
        world.broken = HostError("the process ended")
        with pytest.raises(HostError, match="the process ended"):
            await world.pacer.sleep_until(10)


async def test_closing_wakes_every_sleeper() -> None:
    world = Pretended()
    world.pacer.request_begins()
    world.pacer.start()
    sleeper = asyncio.create_task(world.pacer.sleep_until(10))
    await asyncio.sleep(0)
    await world.pacer.stop(HostError("closed"))
    with pytest.raises(HostError, match="closed"):
        await sleeper


async def test_time_waits_at_a_gate_for_what_takes_longer_and_never_goes_past_it() -> None:
    async with pacing(Pretended(ends=1000)) as world:
        gate: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        reached = asyncio.ensure_future(world.pacer.sleep_until(40))
        sleeping = asyncio.ensure_future(world.pacer.sleep_until(40, gate))
        other = asyncio.ensure_future(world.pacer.sleep_until(60))
        await reached
        for _ in range(100):
            await asyncio.sleep(0)
        assert (world.pacer.tick, sleeping.done(), other.done()) == (40, False, False)
        gate.set_result("late")
        await sleeping
        assert world.pacer.tick == 40
        await other
        assert world.pacer.tick == 60


async def test_a_gate_that_is_open_early_wakes_nobody_early() -> None:
    async with pacing(Pretended(ends=1000)) as world:
        gate: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        gate.set_result("early")
        await world.pacer.sleep_until(40, gate)
        assert world.pacer.tick == 40


async def test_those_due_at_one_moment_wake_in_the_order_in_which_they_asked_however_their_gates_open() -> None:
    async with pacing(Pretended(ends=1000)) as world:
        gates = [asyncio.get_running_loop().create_future() for _ in range(3)]

        async def wait(number: int) -> None:
            await world.pacer.sleep_until(20, gates[number])
            world.note(str(number))

        waiting = [asyncio.ensure_future(wait(number)) for number in range(3)]
        for gate in reversed(gates):
            await asyncio.sleep(0)
            gate.set_result(None)
        await asyncio.gather(*waiting)
        assert world.log == [(20, "0"), (20, "1"), (20, "2")]


async def test_who_gives_up_at_a_gate_does_not_hold_the_world_up() -> None:
    async with pacing(Pretended(ends=1000)) as world:
        gate: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        reached = asyncio.ensure_future(world.pacer.sleep_until(20))
        sleeping = asyncio.ensure_future(world.pacer.sleep_until(20, gate))
        other = asyncio.ensure_future(world.pacer.sleep_until(40))
        await reached
        sleeping.cancel()
        await other
        assert world.pacer.tick == 40


async def test_no_time_passes_while_somebody_holds_it() -> None:
    async with pacing(Pretended(ends=1000)) as world:
        with world.pacer.hold():
            sleeping = asyncio.ensure_future(world.pacer.sleep_until(20))
            with world.pacer.hold():
                await asyncio.sleep(0)
            for _ in range(100):
                await asyncio.sleep(0)
            assert (world.pacer.tick, sleeping.done()) == (0, False)
        await sleeping
        assert world.pacer.tick == 20


async def test_time_that_runs_ahead_is_waited_for_before_any_other_passes() -> None:
    async with pacing(Pretended(ends=100)) as world:
        caught_up = []

        async def catch_up() -> int:
            caught_up.append(world.pacer.tick)
            world.pacer.request_ends()
            return 5

        world.pacer.run_ahead(catch_up)
        # What is asked meanwhile is answered with it, and holds up nothing.
        world.pacer.request_begins()
        await world.pacer.sleep_until(5)
        await world.pacer.sleep_until(10)
        assert (caught_up, world.grants, world.pacer.tick) == ([0], [10], 10)


async def test_held_time_that_runs_ahead_is_not_heard_of() -> None:
    async with pacing(Pretended(ends=100)) as world:

        async def catch_up() -> int:
            return 5

        with world.pacer.hold():
            world.pacer.run_ahead(catch_up)
            sleeping = asyncio.ensure_future(world.pacer.sleep_until(5))
            for _ in range(100):
                await asyncio.sleep(0)
            assert (sleeping.done(), world.pacer.tick) == (False, 0)
        await sleeping
        assert world.pacer.tick == 5
