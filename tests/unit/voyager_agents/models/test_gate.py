from __future__ import annotations

import asyncio

import pytest

from voyager_agents.models.gate import MAX_LIMIT, MIN_LIMIT, CallLimiter


async def waiting(gate: CallLimiter, count: int) -> list[asyncio.Task[int]]:
    tasks = [asyncio.create_task(gate.enter()) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks


async def test_all_come_in_at_first() -> None:
    gate = CallLimiter()
    assert all(task.done() for task in await waiting(gate, MAX_LIMIT))
    assert gate.in_flight == MAX_LIMIT


async def test_overload_narrows_once_for_all_that_were_in_flight() -> None:
    gate = CallLimiter()
    marks = [await gate.enter() for _ in range(100)]
    for mark in marks:
        gate.overloaded(mark)
    assert gate.limit == pytest.approx(70)
    gate.overloaded(gate._narrowed)
    assert gate.limit == pytest.approx(49)


async def test_it_never_closes_and_answers_widen_it_again() -> None:
    gate = CallLimiter(most=10)
    for _ in range(20):
        gate.overloaded(await gate.enter())
        gate.leave()
    assert gate.limit == MIN_LIMIT
    for _ in range(1000):
        gate.answered()
    assert gate.limit == 10


async def test_places_are_handed_on_in_the_order_of_coming() -> None:
    gate = CallLimiter(most=1)
    await gate.enter()
    first, second = await waiting(gate, 2)
    gate.leave()
    await asyncio.sleep(0)
    assert (first.done(), second.done(), gate.in_flight) == (True, False, 1)
    gate.leave()
    await second
    gate.leave()
    assert gate.in_flight == 0


async def test_who_goes_away_while_waiting_takes_no_place() -> None:
    gate = CallLimiter(most=1)
    await gate.enter()
    gone, given, last = await waiting(gate, 3)
    gone.cancel()
    await asyncio.sleep(0)
    gate.leave()
    # The call already holds its slot when it is cancelled and must pass it on.
    given.cancel()
    await asyncio.gather(gone, given, return_exceptions=True)
    await asyncio.wait_for(last, 60)
    assert gate.in_flight == 1
