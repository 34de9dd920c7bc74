"""Cost of the bridge: round trips, an empty program from end to end, events per second, memory and CPU of idle bots.

Run: `python benchmarks/bridge.py [--bots 50 100] [--seconds 10] [--json FILE]`; about a minute.
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
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first, and its own name would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits

Row = dict[str, Any]
EMPTY = "async function main (bot) {}"
TALK = "async function main (bot) { for (let i = 0; i < 400; i++) console.log(i) }"
LIMITS = Limits(wall_s=60)
ECHOES = 300
RUNS = 60
TALKERS = 10
SETTLE_S = 3.0


async def round_trips(world: EmbeddedWorld) -> list[Row]:
    """Return an empty job, and an empty policy on a bot: to Node, to the host, to an isolate and back."""
    echoes, runs = [], []
    for _ in range(ECHOES):
        began = time.perf_counter()
        await world.fleet.echo()
        echoes.append(time.perf_counter() - began)
    for _ in range(RUNS):
        began = time.perf_counter()
        await world.run({"b0": EMPTY}, LIMITS)
        runs.append(time.perf_counter() - began)
    return [spread("empty submit, round trip", echoes), spread("empty policy, end to end", runs)]


def spread(name: str, seconds: list[float]) -> Row:
    """Median and 95th percentile in milliseconds."""
    return {
        "what": name,
        "median_ms": round(statistics.median(seconds) * 1000, 2),
        "p95_ms": round(statistics.quantiles(seconds, n=20)[-1] * 1000, 2),
        "n": len(seconds),
    }


async def event_rate(world: EmbeddedWorld) -> Row:
    """Log lines of talking policies, until Python has them all."""
    talkers = {f"b{i}": TALK for i in range(TALKERS)}
    stream = world.events()
    began = time.perf_counter()
    running = asyncio.create_task(world.run(talkers, LIMITS))
    count = 0
    async for event in stream:
        count += event.kind == "log"
        if count == TALKERS * 400:
            break
    seconds = time.perf_counter() - began
    await running
    return {"what": "events from isolates to Python", "per_second": round(count / seconds), "n": count}


async def idle_bots(count: int, seconds: float) -> Row:
    """Memory and CPU of the bot hosts with bots that only stand there; the cost of empty hosts is taken off memory."""
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedWorld(1, Path(folder)) as world:
            await asyncio.sleep(1)
            empty = (await world.fleet.stats())["hosts"][0]["rss"]
            began = time.perf_counter()
            await world.connect([f"b{i}" for i in range(count)])
            joined = time.perf_counter() - began
            await asyncio.sleep(SETTLE_S)
            before = (await world.fleet.stats())["hosts"]
            await asyncio.sleep(seconds)
            after = (await world.fleet.stats())["hosts"]
    cpu_ms = sum(host["cpu_ms"] for host in after) - sum(host["cpu_ms"] for host in before)
    rss = sum(host["rss"] for host in after)
    return {
        "what": f"{count} idle bots",
        "join_s": round(joined, 2),
        "hosts": len(after),
        "rss_mb": round(rss / 2**20),
        "mb_per_bot": round((rss - empty * len(after)) / count / 2**20, 2),
        "cpu_percent_per_bot": round(cpu_ms / (seconds * 10) / count, 3),
    }


async def measure(bots: list[int], seconds: float) -> list[Row]:
    """Return all rows of the table."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        async with EmbeddedWorld(1, Path(folder)) as world:
            started = time.perf_counter()
            await world.connect(["b0"])
            connected = time.perf_counter()
            rows = await round_trips(world)
            await world.connect([f"b{i}" for i in range(TALKERS)])
            rows.append(await event_rate(world))
            ended = time.perf_counter()
        stopped = time.perf_counter()
    life = {"start_s": started - began, "connect_s": connected - started, "stop_s": stopped - ended}
    rows.append({"what": "world", **{key: round(value, 2) for key, value in life.items()}})
    for count in bots:
        rows.append(await idle_bots(count, seconds))
    return rows


def show(rows: list[Row]) -> None:
    """Print the rows as a table for people."""
    for row in rows:
        fields = ", ".join(f"{key} {value}" for key, value in row.items() if key != "what")
        print(f"{row['what']:32} {fields}")


def main() -> None:
    """Read the options, measure, print and write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--bots", type=int, nargs="*", default=[50, 100], help="numbers of idle bots to measure")
    options.add_argument("--seconds", type=float, default=10.0, help="how long idle bots are watched")
    options.add_argument("--json", type=Path, help="file for the rows as JSON")
    given = options.parse_args()
    rows = asyncio.run(measure(given.bots, given.seconds))
    show(rows)
    if given.json:
        machine = {"machine": platform.machine(), "system": platform.platform(), "python": platform.python_version()}
        given.json.write_text(json.dumps({**machine, "rows": rows}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
