"""Crowds: joining, commands and looking around, one by one against all at once, and bots that live side by side.

Both ways are measured in turn in the same process, so that a busy machine slows both: the ratio is the figure. Run:
`python benchmarks/crowds.py [--bots 30 100 500] [--live 30] [--json FILE]`; some minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.mock_world import MockWorld
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits, Senses
from bridge.worlds import World

Row = dict[str, Any]
Work = Callable[[], Awaitable[object]]
LIMITS = Limits(wall_s=600)
COMMANDS = 500
ROUNDS = 5
WAITER = "async function main (bot) { await bot.waitForTicks(20) }"
SPREAD = 8
"""Blocks between two neighbours of the square in which the crowd stands."""


async def timed(work: Work) -> float:
    """Seconds."""
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


async def compared(what: str, parts: int, one_by_one: Work, at_once: Work) -> Row:
    """Return both ways in turn, after one of each to warm up; medians in milliseconds a part, and the median ratio."""
    await one_by_one()
    await at_once()
    pairs = [(await timed(one_by_one), await timed(at_once)) for _ in range(ROUNDS)]
    singly, together = (statistics.median(pair[way] for pair in pairs) * 1000 / parts for way in (0, 1))
    return {
        "what": what,
        "one_by_one_ms": round(singly, 4),
        "at_once_ms": round(together, 4),
        "times_as_fast": round(statistics.median(single / batch for single, batch in pairs), 1),
    }


async def joined(world: World, names: Sequence[str]) -> Row:
    """Joining, one by one for the first half and all at once for the second: a bot joins only once."""
    half = len(names) // 2

    async def singly() -> None:
        for name in names[:half]:
            await world.connect([name])

    alone = await timed(singly)
    together = await timed(lambda: world.connect(names[half:]))
    each = alone / half, together / (len(names) - half)
    return {
        "what": "join, a bot",
        "one_by_one_ms": round(each[0] * 1000, 3),
        "at_once_ms": round(each[1] * 1000, 3),
        "times_as_fast": round(each[0] / each[1], 1),
    }


async def commanded(world: World) -> Row:
    """Commands: asked one after the other, and as a list."""
    texts = [f"setblock {n % 50} -40 {n // 100} {'stone' if n % 100 < 50 else 'dirt'}" for n in range(COMMANDS)]

    async def singly() -> None:
        for text in texts:
            await world.command(text)

    return await compared("command", COMMANDS, singly, lambda: world.commands(texts))


async def sensed(world: World, names: Sequence[str]) -> list[Row]:
    """Looking around: `sense` of one bot after the other, and of all; the same with blocks of interest."""
    rows = []
    for what, senses in (
        ("sense, a bot", Senses(radius=16)),
        ("sense with blocks, a bot", Senses(radius=16, blocks=("oak_log", "chest"))),
    ):

        async def singly(senses: Senses = senses) -> None:
            for name in names:
                await world.sense([name], senses)

        async def together(senses: Senses = senses) -> None:
            await world.sense(names, senses)

        rows.append(await compared(what, len(names), singly, together))
    return rows


async def lived(world: World, names: Sequence[str]) -> Row:
    """Return one run of each bot on its own, all side by side, against one run of all."""
    await world.run(dict.fromkeys(names, WAITER), LIMITS)
    group = await timed(lambda: world.run(dict.fromkeys(names, WAITER), LIMITS))
    apart = await timed(lambda: asyncio.gather(*(world.run({name: WAITER}, LIMITS) for name in names)))
    return {
        "what": "run of a second, a bot",
        "in_one_run_ms": round(group * 1000 / len(names), 3),
        "side_by_side_ms": round(apart * 1000 / len(names), 3),
        "ratio": round(apart / group, 2),
    }


async def place(world: World, names: Sequence[str]) -> None:
    """Everybody in a square, with a log, a chest and something that lies there in each place."""
    side = round(len(names) ** 0.5 + 0.5)
    texts = []
    for number, name in enumerate(names):
        x, z = SPREAD * (number % side), SPREAD * (number // side)
        texts += [f"tp {name} {x + 0.5} -60 {z + 0.5}", f"give {name} bread 3", f"setblock {x + 2} -60 {z} oak_log"]
        texts += [f"setblock {x} -60 {z + 2} chest", f'summon item {x + 3} -60 {z + 3} {{Item:{{id:"coal",Count:1b}}}}']
    await world.commands(texts)
    await world.sleep(1)


async def measure(world: World, bots: int) -> list[Row]:
    """Return all rows for a crowd of that size."""
    names = [f"b{number}" for number in range(bots)]
    rows = [await joined(world, names), await commanded(world)]
    await place(world, names)
    rows += [*await sensed(world, names), await lived(world, names)]
    return [{"world": world.name, "bots": bots, **row} for row in rows]


async def table(mock: Sequence[int], live: Sequence[int]) -> list[Row]:
    """Crowds of these sizes, each in a world of its own."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for bots in mock:
            async with MockWorld(1, Path(folder), threaded=False) as world:
                rows += await measure(world, bots)
        for bots in live:
            async with EmbeddedWorld(1, Path(folder)) as server:
                rows += await measure(server, bots)
    return rows


def main() -> None:
    """Read the options, measure, print and write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--bots", type=int, nargs="*", default=[30, 100, 500], help="crowds on the mock world")
    options.add_argument("--live", type=int, nargs="*", default=[30], help="crowds of clients on the embedded server")
    options.add_argument("--json", type=Path, help="file for the rows as JSON")
    given = options.parse_args()
    rows = asyncio.run(table(given.bots, given.live))
    for row in rows:
        print(", ".join(f"{key} {value}" for key, value in row.items()))
    if given.json:
        machine = {"machine": platform.machine(), "system": platform.platform(), "python": platform.python_version()}
        given.json.write_text(json.dumps({**machine, "rows": rows}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
