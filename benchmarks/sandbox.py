"""Cost of the sandbox against its bars: starts, crossings, a crowd, a mining program sandboxed and trusted.

Run: python benchmarks/sandbox.py   (about three minutes, embedded servers, loopback only)
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# As a script this file's own folder comes first, and bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.confinement import Confinement, confinement
from bridge.fleet import Fleet
from bridge.hostile import load_corpus, run_corpus
from bridge.prerequisites import node_binary
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits, ProgramOutcome

HERE = Path(__file__).resolve().parent
LIMITS = Limits(wall_s=60)
BOT = "Gizmo"
EMPTY = "async function main (bot) {}"
EMPTY_RUNS = 120
THOUGHT_S = 0.05
"""A pause like that of an agent that thinks, though shorter than any: the host prepares for the next program in it."""
CROWD = 100
IDLE = "async function main (bot) { for (let i = 0; i < 40; i++) await bot.waitForTicks(1) }"
MB = 2**20
CROSSING_RUNS = 4
# Fewer signals than a player's box holds: a refused one would be measured with its error. The clock tells whole ms.
CROSSINGS = """async function main (bot) {
  // The clock is a read as well, and the same until something crosses.
  const now = () => { bot.stopDigging(); return performance.now() }
  for (let round = 0; round < 3; round++) {
    const began = now()
    for (let i = 0; i < 500; i++) bot.blockAt(new Vec3(i % 20, -61, round * 25 + Math.floor(i / 20)))
    const read = now()
    for (let i = 0; i < 80; i++) await sendSignal(bot, 'Glitch', 'x')
    console.log(JSON.stringify({ read: (read - began) / 500, act: (now() - read) / 80 }))
    await bot.waitForTicks(1)
  }
}"""
MINE = "async function main (bot) { await mineBlock(bot, 'iron_ore', 12) }"
MINERS = [f"Miner{number}" for number in range(4)]
LANE = 40
"""Blocks between two miners: the nearest ore is always one's own."""
MINING_ROUNDS = 2


@dataclass(frozen=True)
class Row:
    """A figure and the most that it should be."""

    what: str
    value: float
    unit: str
    aim: float | None = None
    note: str = ""

    def __str__(self) -> str:
        value = f"{self.value:.2f} {self.unit}"
        aim = "" if self.aim is None else f"{self.aim:g} {self.unit}"
        verdict = "" if self.aim is None else "met" if self.value <= self.aim else "MISSED"
        return f"{self.what:44} {value:>11} {aim:>9}  {verdict:6}  {self.note}".rstrip()


def load() -> str:
    """Return how busy the machine is: all that is told here depends on it."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


async def isolates() -> list[Row]:
    """Return a policy's isolate and its border by themselves."""
    command = [str(node_binary()), "--no-node-snapshot", str(HERE / "isolates.js")]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
    if not done.stdout:
        raise RuntimeError(f"benchmarks/isolates.js failed: {done.stderr}")
    said: dict[str, float] = json.loads(done.stdout)
    return [
        Row("start of an isolate", said["start"], "ms", 10),
        Row("round trip of a read, border alone", said["read"], "ms", 0.1),
        Row("round trip of an act, border alone", said["act"], "ms", 0.1),
        Row("an isolate held ready, memory", said["memory"], "MB", 2, "one per host while nobody plays"),
        Row("an isolate held ready, host's thread", said["blocked"], "ms", None, "per run, after its results are out"),
    ]


async def empty(world: EmbeddedWorld) -> list[Row]:
    """Python's call until Python has the result: as agents play, with a pause in between, and without any."""
    return [
        await empty_row(world, "empty policy, end to end", THOUGHT_S),
        await empty_row(world, "empty policy, one upon the other", 0),
    ]


async def empty_row(world: EmbeddedWorld, what: str, pause_s: float) -> Row:
    """Return the median of many runs with that pause between them."""
    took = []
    for _ in range(EMPTY_RUNS):
        await asyncio.sleep(pause_s)
        began = time.perf_counter()
        await world.run({BOT: EMPTY}, LIMITS)
        took.append((time.perf_counter() - began) * 1000)
    p95 = statistics.quantiles(took, n=20)[-1]
    return Row(what, statistics.median(took), "ms", 10, f"95 %: {p95:.1f} ms")


async def crossings(world: EmbeddedWorld) -> list[Row]:
    """From inside a world: a look at a block, and a primitive that the host answers at once and that is recorded."""
    stream = world.events()
    for _ in range(CROSSING_RUNS):
        await world.run({BOT: CROSSINGS, "Glitch": IDLE}, LIMITS)
    said: list[dict[str, float]] = []
    while len(said) < CROSSING_RUNS * 3:
        event = await anext(stream)
        if event.kind == "log":
            said.append(json.loads(event.data["text"]))
    return [
        quickness("blockAt", [each["read"] for each in said]),
        quickness("sendSignal, recorded twice", [each["act"] for each in said]),
    ]


def quickness(what: str, rounds: Sequence[float]) -> Row:
    """Return the median of the rounds; the best of them shows what a machine with nothing else to do would give."""
    return Row(what, statistics.median(rounds), "ms", 0.1, f"best of {len(rounds)} rounds: {min(rounds):.3f} ms")


async def crowd(world: EmbeddedWorld) -> list[Row]:
    """Return a hundred programs at once: until all are up, and memory each."""
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
    return [
        Row(f"{CROWD} policies at once, all up", took, "s", 1),
        Row(f"{CROWD} policies at once, memory of each", (during - before) / CROWD, "MB", 2),
    ]


async def memory(world: EmbeddedWorld) -> float:
    """Resident memory of all hosts, in MB."""
    return float(sum(host["rss"] for host in (await world.fleet.stats())["hosts"])) / MB


class MiningWorld(EmbeddedWorld):
    """Four mounds of twelve ores, and hosts of a given kind."""

    def __init__(self, log_dir: Path, fleet: Fleet) -> None:
        super().__init__(seed=1, log_dir=log_dir)
        self._fleet = fleet

    async def equip(self) -> None:
        """Bring the miners in, each with a pickaxe that lasts for all rounds."""
        await self.connect(MINERS)
        for name in MINERS:
            await self.command(f"give {name} stone_pickaxe")

    async def mine(self) -> list[float]:
        """Wall time of every miner's run, in seconds."""
        for number, name in enumerate(MINERS):
            x = number * LANE
            await self.command(f"tp {name} {x}.5 -60 2.5")
            await self.command(f"fill {x + 6} -60 0 {x + 7} -60 4 iron_ore")
            await self.command(f"fill {x + 6} -59 2 {x + 7} -59 2 iron_ore")
        await self.sleep(1)  # until every client has heard of it
        results = await self.run(dict.fromkeys(MINERS, MINE), LIMITS)
        for result in results.values():
            if result.outcome is not ProgramOutcome.RETURNED:
                raise RuntimeError(f"{result.bot} did not mine: {result.error}")
        return [result.wall_ms / 1000 for result in results.values()]


async def mining(logs: Path) -> list[Row]:
    """Return the same policy trusted, in the sandbox, and in one that the system shuts in; side by side, so equally
    slow."""
    kinds = {
        "trusted": Fleet(confined=Confinement(), host_script=HERE / "trusted_host.js"),
        "sandboxed": Fleet(confined=Confinement()),
        "shut in": Fleet(),
    }
    worlds = {kind: MiningWorld(logs / kind, fleet) for kind, fleet in kinds.items()}
    took: dict[str, list[float]] = {kind: [] for kind in kinds}
    try:
        await asyncio.gather(*[world.__aenter__() for world in worlds.values()])
        await asyncio.gather(*[world.equip() for world in worlds.values()])
        for _ in range(MINING_ROUNDS):
            rounds = await asyncio.gather(*[world.mine() for world in worlds.values()])
            for kind, seconds in zip(kinds, rounds, strict=True):
                took[kind] += seconds
    finally:
        await asyncio.gather(*[world.__aexit__(None, None, None) for world in worlds.values()])
    return [*(Row(f"12 ores, {kind}", *middle(took[kind])) for kind in kinds), *overheads(took)]


def middle(seconds: Sequence[float]) -> tuple[float, str, None, str]:
    """Median, its unit, no aim, and the spread."""
    return statistics.median(seconds), "s", None, f"{min(seconds):.2f} to {max(seconds):.2f} s, n = {len(seconds)}"


def overheads(took: dict[str, list[float]]) -> list[Row]:
    """By how much slower the medians are than the trusted one's."""
    trusted = statistics.median(took["trusted"])
    found = confinement()
    system = {"own user": found.own_user, "own network": found.own_network}
    has = " and ".join(name for name, there in system.items() if there) or "nothing: accord doctor says why"
    return [
        Row(f"overhead of {what}", (statistics.median(took[kind]) / trusted - 1) * 100, "%", 5, note)
        for what, kind, note in (("the sandbox", "sandboxed", ""), ("the sandbox, shut in", "shut in", f"with {has}"))
    ]


async def corpus() -> Row:
    """Return all attack policies of `accord doctor --hostile`, one batch after the other."""
    report = await run_corpus(load_corpus())
    note = f"{len(report.verdicts)} attacks, {len(report.breaches)} did harm"
    return Row("hostile corpus", report.seconds, "s", 120, note)


async def main() -> None:
    """Measure and print."""
    print(load())
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as logs:
        for row in await isolates():
            print(row)
        async with EmbeddedWorld(seed=1, log_dir=Path(logs)) as world:
            await world.connect([BOT, "Glitch"])
            for row in [*await empty(world), *await crossings(world), *await crowd(world)]:
                print(row, flush=True)
        for row in await mining(Path(logs)):
            print(row, flush=True)
    print(await corpus())
    print(load())


if __name__ == "__main__":
    asyncio.run(main())
