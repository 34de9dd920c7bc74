"""Cost of the embedded server under walking players.

Light protocol clients (`walkers.js`) join and send a movement packet every tick; the server measures its own ticks.

Run: `python benchmarks/server.py [--players 10 50 100 200] [--seconds 12] [--json FILE]`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.prerequisites import node_binary
from bridge.servers.embedded import EmbeddedServer

WALKERS = Path(__file__).with_name("walkers.js")
PER_PROCESS = 100
"""Walkers of one client process."""
SPREAD = 100
"""Side of the square in which all walk, in blocks."""
SETTLE_S = 1.5
JOIN_S = 60.0


class Walkers:
    """Client processes with walking players; ends them when left."""

    def __init__(self, port: int, count: int) -> None:
        self._port = port
        self._count = count
        self._processes: list[asyncio.subprocess.Process] = []

    async def __aenter__(self) -> Walkers:
        for first in range(0, self._count, PER_PROCESS):
            count = min(PER_PROCESS, self._count - first)
            options = {"port": self._port, "first": first, "count": count, "spread": SPREAD}
            process = await asyncio.create_subprocess_exec(
                str(node_binary()),
                str(WALKERS),
                json.dumps(options),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={},
            )
            self._processes.append(process)
        async with asyncio.timeout(JOIN_S):
            for process in self._processes:
                assert process.stdout is not None
                if await process.stdout.readline() != b"ready\n":
                    raise RuntimeError("walkers ended before they walked")
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in self._processes:
            if process.returncode is None:
                process.kill()
            await process.communicate()


async def measure(players: int, seconds: float, log_dir: Path) -> dict[str, Any]:
    """Return one step: a fresh server, that many walkers, that long."""
    server = EmbeddedServer(seed=0, log_dir=log_dir)
    try:
        await server.start()
        begun = time.perf_counter()
        async with Walkers(server.address.port, players):
            joined = time.perf_counter() - begun
            await asyncio.sleep(SETTLE_S)
            await server.statistics(reset=True)
            begun = time.perf_counter()
            await asyncio.sleep(seconds)
            found = await server.statistics()
            span = time.perf_counter() - begun
    finally:
        await server.stop()
    if found["players"] != players:
        raise RuntimeError(f"{players} players should walk, {found['players']} do")
    return {
        "players": players,
        "join_s": round(joined, 2),
        "tps": found["tps"],
        "tick_p50_ms": found["work"]["p50"],
        "tick_p95_ms": found["work"]["p95"],
        "tick_max_ms": found["work"]["max"],
        "interval_p95_ms": found["interval"]["p95"],
        "cpu_percent": round(found["cpu_ms"] / span / 10, 1),
        "rss_mb": round(found["memory"]["rss"] / 2**20, 1),
    }


def machine() -> str:
    """Return this machine in a few words."""
    models = [line.split(":", 1)[1].strip() for line in _cpuinfo() if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores, {platform.system()}"


def _cpuinfo() -> list[str]:
    try:
        return Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return []


async def main() -> None:
    """Measure step by step and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[10, 50, 100, 200], metavar="N")
    parser.add_argument("--seconds", type=float, default=12.0, help="measured time per step")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    options = parser.parse_args()
    columns = ["players", "join_s", "tps", "tick_p50_ms", "tick_p95_ms", "tick_max_ms", "cpu_percent", "rss_mb"]
    print(f"embedded server, walking players; {machine()}")
    print("  ".join(f"{name:>11}" for name in columns))
    steps = []
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        for players in options.players:
            step = await measure(players, options.seconds, Path(folder))
            steps.append(step)
            print("  ".join(f"{step[name]:>11}" for name in columns), flush=True)
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "steps": steps}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
