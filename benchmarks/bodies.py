"""Players of the embedded server as bodies in it, or as clients: what a crowd that walks, mines and talks costs.

Each player runs one program in an isolate: walk somewhere near, dig a block of the ground, say a word now and then,
wait, and again. With `--acts` it does so by one short run of calls after the other, as an agent's body does: `calls`
as the world knows them, `isolates` as the programs that they are. Ticks are the server's; CPU is that of the
processes themselves, as a share of one core. Run: `python benchmarks/bodies.py [--players 100 500] [--seconds 60]
[--bodies engine mineflayer] [--acts program calls isolates] [--json FILE]`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.programs import Calls
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Event, Limits
from bridge.worlds import BODIES, ENGINE

Row = dict[str, Any]
Spot = tuple[int, int]
ACTS = ("program", "calls", "isolates")
SPREAD = 8
"""Blocks between two neighbours of the square in which the crowd begins."""
SETTLE_S = 5
"""Seconds from the last program's first line until anything is counted: all begin at once, which takes a while."""
PROGRAM = """async function main (bot) {
  console.log('begun')
  const somewhere = () => bot.entity.position.offset(Math.random() * 30 - 15, 0, Math.random() * 30 - 15).floored()
  for (let round = 0; ; round++) {
    try {
      await goTo(bot, somewhere(), 2)
      const ground = bot.blockAt(bot.entity.position.offset(1, -1, 0))
      if (ground !== null && ground.name === 'grass_block') await bot.dig(ground)
    } catch (error) { if (error.name === 'PolicyAborted') throw error }
    if (round % 4 === 0) bot.chat('round ' + round)
    await bot.waitForTicks(20 + Math.floor(Math.random() * 60))
  }
}"""


async def costs(world: EmbeddedWorld) -> dict[str, float]:
    """CPU seconds so far by part, and megabytes."""
    found = await world.fleet.stats()
    hosts = found["hosts"]
    return {
        "hosts": sum(host["cpu_ms"] for host in hosts) / 1000,
        "hosts_mb": sum(host["rss"] for host in hosts) / 2**20,
        "processes": len(hosts),
        "python": time.process_time(),
    }


class Crowd:
    """Players of a world who act."""

    def __init__(self, world: EmbeddedWorld, spots: dict[str, Spot], how: str, seconds: float) -> None:
        """`spots`: where each begins; `how`: one of `ACTS`; for about so many seconds."""
        self._world, self._spots, self._how = world, spots, how
        self._limits = Limits(wall_s=seconds + 600, cpu_ms=600_000)
        self._acted, self._waiting = asyncio.Event(), set(spots)
        self._playing: list[asyncio.Task[Any]] = []
        self.ends: list[str] = []
        """Ends of the acts."""

    async def begin(self) -> None:
        """All act; returns when each has done its first act, or said its program's first line."""
        if self._how != "program":
            self._playing = [asyncio.create_task(self._live(name, spot)) for name, spot in self._spots.items()]
            await self._acted.wait()
            return
        stream = self._world.events()
        programs = dict.fromkeys(self._spots, PROGRAM)
        self._playing = [asyncio.create_task(self._world.run(programs, self._limits))]
        await begun(stream, len(programs))
        await stream.aclose()

    async def _live(self, name: str, spot: Spot) -> None:
        """One act after the other, each a run of its own."""
        draw = random.Random(name)
        for number in range(1_000_000):
            at = {"x": spot[0] + draw.randrange(-15, 15), "y": -60, "z": spot[1] + draw.randrange(-15, 15)}
            said = [("say", [f"round {number}"])] if number % 4 == 0 else []
            calls = Calls([("goTo", [at, 2]), *said], pause_s=draw.uniform(1, 4))
            program = str(calls) if self._how == "isolates" else calls
            self.ends.append(str((await self._world.run({name: program}, self._limits))[name].outcome))
            self._waiting.discard(name)
            if not self._waiting:
                self._acted.set()

    async def stop(self) -> int:
        """Return all stop; how many broke off before."""
        if self._how != "program":
            for each in self._playing:
                each.cancel()
        await self._world.cancel()
        for found in await asyncio.gather(*self._playing, return_exceptions=True):
            if isinstance(found, dict):
                self.ends += [str(end.outcome) for end in found.values()]
        return sum(end not in ("returned", "cancelled") for end in self.ends)


async def begun(stream: AsyncIterator[Event], players: int) -> None:
    """Return when so many programs have said their first line, or broke off before."""
    heard: set[str] = set()
    async for event in stream:
        if event.kind == "log" or (event.kind == "policy" and event.data["state"] == "ended"):
            heard.add(event.data["bot"])
        if len(heard) == players:
            return


async def measure(bodies: str, players: int, seconds: float, folder: Path, acts: str) -> Row:
    """Return one crowd in a world of its own."""
    names = [f"b{number}" for number in range(players)]
    side = round(players**0.5 + 0.5)
    async with EmbeddedWorld(1, folder, bodies=bodies) as world:
        began = time.perf_counter()
        await world.connect(names)
        joined = time.perf_counter() - began
        places = [f"tp {name} {SPREAD * (n % side)}.5 -60 {SPREAD * (n // side)}.5" for n, name in enumerate(names)]
        await world.commands(places)
        spots = {name: (SPREAD * (n % side), SPREAD * (n // side)) for n, name in enumerate(names)}
        crowd = Crowd(world, spots, acts, seconds)
        began = time.perf_counter()
        await crowd.begin()
        started = time.perf_counter() - began
        await asyncio.sleep(SETTLE_S)
        before, acted = await costs(world), len(crowd.ends)
        await world.server.statistics(reset=True)
        began = time.perf_counter()
        await asyncio.sleep(seconds)
        took = time.perf_counter() - began
        server, after, acted = await world.server.statistics(), await costs(world), len(crowd.ends) - acted
        broken = await crowd.stop()
    share = {key: round((after[key] - before[key]) / took, 3) for key in ("hosts", "python")}
    return {
        "bodies": bodies,
        "acts": acts,
        "acts_per_s": round(acted / took, 1),
        "players": players,
        "join_s": round(joined, 1),
        "start_s": round(started, 1),
        "ticks_per_s": server["tps"],
        "tick_ms": server["work"],
        "cores": {"server": round(server["cpu_ms"] / 1000 / took, 3), **share},
        "server_mb": round(server["memory"]["rss"] / 2**20),
        "hosts_mb": round(after["hosts_mb"]),
        "host_processes": after["processes"],
        "programs_that_broke_off": broken,
        "load": [round(each, 1) for each in os.getloadavg()[:1]],
    }


async def table(bodies: Sequence[str], players: Sequence[int], seconds: float, acts: Sequence[str]) -> list[Row]:
    """Return all crowds, one after the other."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for count in players:
            for kind, how in ((kind, how) for kind in bodies for how in acts):
                rows.append(await measure(kind, count, seconds, Path(folder), how))
                print(json.dumps(rows[-1]), flush=True)
    return rows


def main() -> None:
    """Read the options, measure, print and write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--players", type=int, nargs="*", default=[100, 500], help="sizes of crowds")
    options.add_argument("--seconds", type=float, default=60, help="how long each is measured")
    options.add_argument("--bodies", nargs="*", choices=BODIES, default=[ENGINE], help="what players are")
    options.add_argument("--acts", nargs="*", choices=ACTS, default=["program"], help="how they act")
    options.add_argument("--json", type=Path, help="file for the rows as JSON")
    given = options.parse_args()
    rows = asyncio.run(table(given.bodies, given.players, given.seconds, given.acts))
    if given.json:
        machine = {"machine": platform.machine(), "system": platform.platform(), "python": platform.python_version()}
        given.json.write_text(json.dumps({**machine, "rows": rows}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
