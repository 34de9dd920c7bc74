"""The conformance suite: what is done, what must come of it, and which world cannot do it; for any world alike."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bridge.types import Event
from bridge.worlds import World
from tests.conformance.plot import Plot

Check = Callable[[Plot], Awaitable[None]]
Problems = Mapping[str, BaseException | None]
"""What went wrong with each case."""
CONCURRENT = 6
"""Cases that run at once on a world in real time; each has at most two bots."""


@dataclass(frozen=True)
class Case:
    """One action and what must come of it."""

    name: str
    players: int
    check: Check


CASES: dict[str, Case] = {}

CANNOT: dict[tuple[str, str], str] = {}
"""(world, case) -> why that world cannot do it. A case that passes although it stands here fails the suite, too."""


def case(name: str, *, players: int = 1) -> Callable[[Check], Check]:
    """Add a check to the suite under a name that says what must come of it."""

    def add(check: Check) -> Check:
        if name in CASES:
            raise ValueError(f"two cases are called {name!r}")
        CASES[name] = Case(name, players, check)
        return check

    return add


async def run_suite(world: World) -> Problems:
    """Run every case in the world, which must be open; what went wrong with each, or None."""
    events: list[Event] = []
    listener = asyncio.create_task(_listen(world, events))
    await world.command("gamerule doMobSpawning false")
    await world.command("time set day")
    # Health that was lost for half a second only is not seen by whoever looks late.
    await world.command("gamerule naturalRegeneration false")
    gate = asyncio.Semaphore(CONCURRENT)

    async def attempt(number: int, each: Case) -> BaseException | None:
        async with gate:
            plot = Plot(world, number, each.players, events)
            try:
                await plot.prepare()
                await each.check(plot)
            except (Exception, AssertionError) as error:  # noqa: BLE001 -- the suite's one boundary: a verdict per case
                return error
            finally:
                await world.disconnect(plot.names)
            return None

    numbered = list(enumerate(CASES.values()))
    few, crowds = ([each for each in numbered if (each[1].players > 2) is crowd] for crowd in (False, True))
    try:
        found = await asyncio.gather(*(attempt(number, each) for number, each in few))
        # Crowds come one after the other: those cases that look at times are not to wait for their bots.
        found += [await attempt(number, each) for number, each in crowds]
    finally:
        listener.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listener
    return {each.name: end for (_, each), end in zip([*few, *crowds], found, strict=True)}


def judge(world: str, name: str, problems: Problems) -> None:
    """Fail unless the case went as the capability table says."""
    problem = problems[name]
    reason = CANNOT.get((world, name))
    if reason is None:
        if problem is not None:
            raise problem
    elif problem is None:
        raise AssertionError(
            f"{world} passes {name!r}, which it cannot do according to the table ({reason}): correct it"
        )


async def _listen(world: World, events: list[Event]) -> None:
    async for event in world.events():
        events.append(event)
