"""Comparison of equal programs in two worlds: their results and durations."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bridge.types import Event
from bridge.worlds import World
from tests.conformance.plot import Plot
from tests.conformance.programs import Program, furnish

CONCURRENT = 5
"""Maximum number of concurrent programs; more would slow down bots on servers, independent of the world."""


@dataclass(frozen=True)
class Played:
    """Result of one program in one world."""

    outcomes: tuple[str, ...]
    ends: tuple[Any, ...]
    """Outcome of each step: null, or the name of its error."""
    items: tuple[tuple[tuple[str, int], ...], ...]
    """Player -> inventory."""
    blocks: tuple[str, ...]
    """Blocks on the plot."""
    lies: tuple[str, ...]
    """Items on the ground and bots, with their places on the plot, which need not agree: drops scatter by chance."""
    seconds: float
    """Game time of the programs, in seconds."""
    steps: tuple[float, ...]
    """Game time of each step, in seconds."""

    @property
    def facts(self) -> tuple[Any, ...]:
        """Return the values that must agree in all worlds."""
        return self.outcomes, self.ends, self.items, self.blocks


async def play_all(world: World, programs: Sequence[Program], first: int = 0) -> dict[str, Played]:
    """Run every program on a plot of its own, from plot `first` on, in an open world."""
    events: list[Event] = []

    async def listen() -> None:
        async for event in world.events():
            events.append(event)

    listener = asyncio.create_task(listen())
    await world.command("gamerule doMobSpawning false")
    await world.command("time set day")
    gate = asyncio.Semaphore(CONCURRENT)

    async def attempt(number: int, program: Program) -> Played:
        async with gate:
            plot = Plot(world, number, len(program.bodies), events)
            await plot.prepare()
            try:
                await furnish(plot)
                return await _play(plot, program)
            finally:
                await world.disconnect(plot.names)

    try:
        played = await asyncio.gather(*(attempt(number, program) for number, program in enumerate(programs, first)))
    finally:
        listener.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listener
    return {program.name: end for program, end in zip(programs, played, strict=True)}


async def _play(plot: Plot, program: Program) -> Played:
    await plot.play(*program.bodies)
    reports = [report for name in plot.names for report in plot.told(name)]
    work = [report for report in reports if "ends" in report]
    return Played(
        outcomes=tuple(str(plot.results[name].outcome) for name in plot.names),
        ends=tuple(end for report in work for end in report["ends"]),
        items=tuple([tuple(sorted((await plot.items(name)).items())) for name in plot.names]),
        blocks=tuple(sorted(block for report in reports for block in report.get("left", ()))),
        lies=tuple(each for report in reports for each in report.get("lies", ())),
        seconds=max((report["ms"] / 1000 for report in work), default=0.0),
        steps=tuple(ms / 1000 for report in work for ms in report["took"]),
    )


def told_apart(program: Program, mock: Played, embedded: Played) -> str:
    """Return a program with its results in both worlds, to explain a difference."""
    lines = [f"{program.name or 'nothing'}", f"took {mock.seconds:.2f} s on mock, {embedded.seconds:.2f} s on embedded"]
    for step, ends in enumerate(itertools.zip_longest(mock.ends, embedded.ends, fillvalue="not come to")):
        took = [f"{side.steps[step]:.2f} s" if step < len(side.steps) else "-" for side in (mock, embedded)]
        lines.append(f"  step {step + 1}: {_beside(*ends)} ({' / '.join(took)})")
    for what in ("outcomes", "items", "blocks", "lies"):
        lines.append(f"  {what}: {_beside(getattr(mock, what), getattr(embedded, what))}")
    return "\n".join(lines)


def _beside(mock: object, embedded: object) -> str:
    return f"{mock} on both" if mock == embedded else f"DIFFERS: mock {mock}, embedded {embedded}"
