"""What the sandbox costs: an empty policy end to end, an isolate's start, a primitive's round trip, 100 at once.

Run: python benchmarks/sandbox.py   (about 30 s, embedded server, loopback only)
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

# As a script this file's own folder comes first, and bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits

LIMITS = Limits(wall_s=60)
BOT = "Gizmo"
EMPTY = "async function main (bot) {}"
EMPTY_RUNS = 200
CROWD = 100
IDLE = "async function main (bot) { for (let i = 0; i < 40; i++) await bot.waitForTicks(1) }"
MB = 2**20
READS = """async function main (bot) {
  const began = performance.now()
  for (let i = 0; i < 2000; i++) bot.blockAt(new Vec3(i % 40, -61, Math.floor(i / 40)))
  await bot.waitForTicks(1)
  const read = performance.now()
  for (let i = 0; i < 500; i++) await sendSignal(bot, 'Glitch', 'x').catch(() => {})
  await bot.waitForTicks(1)
  console.log(JSON.stringify({ read: (read - began - 50) / 2000, act: (performance.now() - read - 50) / 500 }))
}"""


async def empty(world: EmbeddedWorld) -> str:
    """Python's call until Python has the result."""
    took = []
    for _ in range(EMPTY_RUNS):
        began = time.perf_counter()
        await world.run({BOT: EMPTY}, LIMITS)
        took.append((time.perf_counter() - began) * 1000)
    took.sort()
    return f"{statistics.median(took):.1f} ms median, {took[int(len(took) * 0.95)]:.1f} ms p95 (aim: 10 ms)"


async def crossings(world: EmbeddedWorld) -> str:
    """From inside: a read, and an act that the host answers at once."""
    stream = world.events()
    await world.run({BOT: READS, "Glitch": IDLE}, LIMITS)
    async for event in stream:
        if event.kind == "log":
            return f"{event.data['text']} ms each (aim: 0.1 ms)"
    return "not measured"


async def crowd(world: EmbeddedWorld) -> str:
    """A hundred programs at once: until all are up, and memory each."""
    names = [f"Bot{number}" for number in range(CROWD)]
    await world.connect(names)
    await world.run(dict.fromkeys(names, EMPTY), LIMITS)
    await asyncio.sleep(1)
    before = await memory(world)
    stream = world.events()
    began = time.perf_counter()
    run = asyncio.create_task(world.run(dict.fromkeys(names, IDLE), LIMITS))
    up = 0
    async for event in stream:
        up += event.kind == "policy" and event.data["state"] == "started"
        if up == CROWD:
            break
    took = time.perf_counter() - began
    await asyncio.sleep(1.2)
    during = await memory(world)
    await run
    return f"all up in {took:.2f} s (aim: 1 s), {(during - before) / CROWD:.2f} MB each (aim: 2 MB)"


async def memory(world: EmbeddedWorld) -> float:
    """Resident memory of all hosts, in MB."""
    return float(sum(host["rss"] for host in (await world.fleet.stats())["hosts"])) / MB


async def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as logs:
        async with EmbeddedWorld(seed=1, log_dir=Path(logs)) as world:
            await world.connect([BOT, "Glitch"])
            print(f"empty policy, end to end: {await empty(world)}")
            print(f"crossings: {await crossings(world)}")
            print(f"{CROWD} policies at once: {await crowd(world)}")


if __name__ == "__main__":
    asyncio.run(main())
