"""Cost of a host per player against a shared host, in one run: start, a game's run, memory, CPU.

Run: python benchmarks/hosts.py [--players 4] [--steps 6]   (under a minute, embedded servers, loopback only)
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# As a script this file's own folder comes first, and bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits

LIMITS = Limits(wall_s=60)
EMPTY = "async function main (bot) {}"
WALK = """async function main (bot) {
  const { x, y, z } = bot.entity.position.floored()
  for (let i = 0; i < %d; i++) {
    await goTo(bot, { x: x + (i %% 2 ? 0 : 4), y, z })
    bot.findBlock({ matching: mcData.blocksByName.dirt.id, maxDistance: 8 })
  }
}"""
RUNS = 30
MB = 2**20


@dataclass(frozen=True)
class Cost:
    """Cost of one way; times in seconds, memory in MB of all hosts together."""

    joined: float
    """From opening the world until all players stand in it."""
    empty: float
    """An empty program for each player, until all results are there."""
    memory: float
    cpu: float
    """CPU time of the hosts for the same walks and searches of all players."""


async def measure(folder: Path, players: int, steps: int, *, separate: bool) -> Cost:
    """Return the same players in the same world, their hosts shared or not."""
    names = [f"Player{number}" for number in range(players)]
    world = EmbeddedWorld(1, folder)
    if separate:
        world.separate()
    began = time.perf_counter()
    async with world:
        await world.connect(names)
        joined = time.perf_counter() - began
        for number, name in enumerate(names):
            await world.command(f"tp {name} 0.5 -60 {number * 12}.5")
        took = []
        for _ in range(RUNS):
            start = time.perf_counter()
            await world.run(dict.fromkeys(names, EMPTY), LIMITS)
            took.append(time.perf_counter() - start)
        await asyncio.sleep(1.2)  # two heartbeats: memory and CPU are of now
        before = await used(world)
        await world.run(dict.fromkeys(names, WALK % steps), LIMITS)
        await asyncio.sleep(1.2)
        after = await used(world)
    return Cost(joined, statistics.median(took), after[0], after[1] - before[1])


async def used(world: EmbeddedWorld) -> tuple[float, float]:
    """Memory (MB) and CPU time (s) of all hosts."""
    hosts = (await world.fleet.stats())["hosts"]
    return sum(host["rss"] for host in hosts) / MB, sum(host["cpu_ms"] for host in hosts) / 1000


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--steps", type=int, default=6)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as logs:
        folder = Path(logs)
        await measure(folder / "warm", 1, 1, separate=False)
        shared = await measure(folder / "shared", given.players, given.steps, separate=False)
        apart = await measure(folder / "apart", given.players, given.steps, separate=True)
    rows = {
        "all players have joined, s": (shared.joined, apart.joined),
        "an empty program each, ms": (shared.empty * 1000, apart.empty * 1000),
        "memory of all hosts, MB": (shared.memory, apart.memory),
        "CPU of the hosts for the same walks, s": (shared.cpu, apart.cpu),
    }
    print(f"{given.players} players{'':31} {'shared':>9} {'per player':>11} {'ratio':>6}")
    for what, (one, each) in rows.items():
        print(f"{what:40} {one:9.2f} {each:11.2f} {each / one:6.2f}")


if __name__ == "__main__":
    asyncio.run(main())
