"""Cost of attacks for the embedded server and for an innocent walking player.

Each attack gets a server of its own and lasts all the time (`attackers.js`). The bars are 19.5 ticks a second and 300
MB of memory throughout; the exit code is 1 if one is missed.

Run: `python benchmarks/attacks.py [--attacks rcon frames ...] [--seconds 10] [--json FILE]`; about three minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from server import SETTLE_S, Walkers, machine

from bridge.prerequisites import node_binary
from bridge.servers.embedded import EmbeddedServer

ATTACKERS = Path(__file__).with_name("attackers.js")
LEAST_TPS = 19.5
MOST_MB = 300.0
LOOK_S = 0.5
"""Between two looks at the server's memory."""


async def attackers(attack: str, port: int = 0, rcon: int = 0) -> tuple[asyncio.subprocess.Process, str]:
    """Return a process that attacks until its input ends, and its first line."""
    process = await asyncio.create_subprocess_exec(
        str(node_binary()),
        str(ATTACKERS),
        json.dumps({"attack": attack, "port": port, "rcon": rcon}),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={},
    )
    assert process.stdout is not None
    return process, (await process.stdout.readline()).decode().strip()


async def measure(attack: str, seconds: float, log_dir: Path) -> dict[str, Any]:
    """Return one attack on a fresh server with one innocent walker, that long."""
    server = EmbeddedServer(seed=0, log_dir=log_dir)
    try:
        await server.start()
        rcon = server._console("list")._port  # what strangers find by trying all ports
        async with Walkers(server.address.port, 1):
            process, _ = await attackers(attack, server.address.port, rcon)
            try:
                await asyncio.sleep(SETTLE_S)
                await server.statistics(reset=True)
                rss = 0.0
                for _ in range(max(1, round(seconds / LOOK_S))):
                    await asyncio.sleep(LOOK_S)
                    found = await server.statistics()
                    rss = max(rss, found["memory"]["rss"] / 2**20)
                here = await server.command("list")
            finally:
                process.kill()
                await process.communicate()
    finally:
        await server.stop()
    row = {
        "attack": attack,
        "tps": found["tps"],
        "tick_p95_ms": found["work"]["p95"],
        "tick_max_ms": found["work"]["max"],
        "rss_mb": round(rss, 1),
    }
    return row | {"innocent": "stays" if "walker" in here.lower() else "is gone"}


def holds(row: dict[str, Any]) -> bool:
    """Return whether the bars hold."""
    return row["tps"] >= LEAST_TPS and row["rss_mb"] < MOST_MB and row["innocent"] == "stays"


async def main() -> None:
    """Measure attack by attack and print the table."""
    process, names = await attackers("names")
    await process.communicate()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", nargs="+", choices=names.split(), default=names.split(), metavar="NAME")
    parser.add_argument("--seconds", type=float, default=10.0, help="measured time per attack")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    options = parser.parse_args()
    columns = ["attack", "tps", "tick_p95_ms", "tick_max_ms", "rss_mb", "innocent"]
    print(f"embedded server under attack; {machine()}")
    print("  ".join(f"{name:>11}" for name in columns))
    rows = []
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        for attack in options.attacks:
            row = await measure(attack, options.seconds, Path(folder))
            rows.append(row)
            missed = "" if holds(row) else f"  (the bars are {LEAST_TPS} ticks a second and {MOST_MB:g} MB)"
            print("  ".join(f"{row[name]:>11}" for name in columns) + missed, flush=True)
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "attacks": rows}, indent=2) + "\n", "utf-8")
    sys.exit(0 if all(map(holds, rows)) else 1)


if __name__ == "__main__":
    asyncio.run(main())
