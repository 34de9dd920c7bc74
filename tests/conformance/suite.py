"""The conformance suite: actions, required results, and known limitations of worlds; the same for every world."""

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
"""Case -> its error, or None."""
CONCURRENT = 6
"""Maximum number of concurrent cases on a world in real time; each has at most two bots."""


@dataclass(frozen=True)
class Case:
    """An action with its required result."""

    name: str
    players: int
    check: Check
    slow: bool = False
    """True if the case waits for the clock of the world for 15 seconds or more; it is started first."""


CASES: dict[str, Case] = {}

CANNOT: dict[tuple[str, str], str] = {}
"""(world, case) -> reason why the world fails the case. A listed case that passes fails the suite as well."""


def case(name: str, *, players: int = 1, slow: bool = False) -> Callable[[Check], Check]:
    """Add a check to the suite; the name states the required result."""

    def add(check: Check) -> Check:
        if name in CASES:
            raise ValueError(f"two cases are called {name!r}")
        CASES[name] = Case(name, players, check, slow)
        return check

    return add


async def run_suite(world: World) -> Problems:
    """Run every case in an open world, and return the errors."""
    events: list[Event] = []
    listener = asyncio.create_task(_listen(world, events))
    await world.command("gamerule doMobSpawning false")
    await world.command("time set day")
    # A late observer misses a loss of health that lasts half a second.
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

    numbered = sorted(enumerate(CASES.values()), key=lambda each: not each[1].slow)
    few, crowds = ([each for each in numbered if (each[1].players > 2) is crowd] for crowd in (False, True))
    try:
        found = await asyncio.gather(*(attempt(number, each) for number, each in few))
        # Crowds run one after another, so that cases about durations do not wait for their bots.
        found += [await attempt(number, each) for number, each in crowds]
    finally:
        listener.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listener
    return {each.name: end for (_, each), end in zip([*few, *crowds], found, strict=True)}


def judge(world: str, name: str, problems: Problems) -> None:
    """Fail unless the case ended as the table of limitations says."""
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
