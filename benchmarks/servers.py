"""Cost of starting, using and ending a server: the embedded one, and a container on `--world paper`.

Up is the time from asking for a world until a first bot stands in it; build and reset are the commands of Double-Vein's
stage, in a new world and in one that was used.

Run: `python benchmarks/servers.py [--world embedded paper] [--rounds 3] [--json FILE]`. For paper, ACCORD_PAPER_IMAGE
names the image; `--standin` uses that of the container tests, which tells nothing about Paper itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.worlds import World, open_world
from dilemmas.minecraft import commands
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.registry import load_scenario

COMMANDS = 400
BOT = "Gizmo"
OTHERS = ("Glitch", "Judy")


async def measure(name: str, log_dir: Path) -> dict[str, float]:
    """Return one world from its beginning to its end."""
    scenario = load_scenario("double-vein")
    begun = time.perf_counter()
    world = open_world(name, seed=0, log_dir=log_dir)
    async with world:
        await world.connect([BOT])
        up = time.perf_counter() - begun
        await world.connect(OTHERS)
        build = await _stage(world, scenario)
        reset = await _stage(world, scenario)
        rate = await _rate(world)
        begun = time.perf_counter()
    down = time.perf_counter() - begun
    return {"up_s": up, "build_ms": build * 1000, "reset_ms": reset * 1000, "commands_per_s": rate, "down_s": down}


async def _stage(world: World, scenario: Scenario) -> float:
    """Seconds that the stage's commands take."""
    begun = time.perf_counter()
    placing = scenario.place(0)
    await commands.give(world, [*placing, *scenario.build(), *placing])
    return time.perf_counter() - begun


async def _rate(world: World) -> float:
    begun = time.perf_counter()
    for _ in range(COMMANDS):
        await world.command("time query gametime")
    return COMMANDS / (time.perf_counter() - begun)


def use_standin() -> None:
    """Build the container tests' image and name it in the environment."""
    from bridge.servers.paper.engine import open_engine
    from tests.docker import image

    client = open_engine()
    os.environ["ACCORD_PAPER_IMAGE"] = image.build(client)
    os.environ["ACCORD_EULA"] = "true"
    client.close()


async def main() -> None:
    """Measure each world several times and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", nargs="+", default=["embedded"], choices=["embedded", "paper"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--standin", action="store_true", help="for paper: the container tests' image")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    options = parser.parse_args()
    if options.standin:
        use_standin()
    found: dict[str, dict[str, float]] = {}
    print(f"{'world':<10}{'up s':>8}{'build ms':>10}{'reset ms':>10}{'commands/s':>12}{'down s':>8}")
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        for name in options.world:
            rounds = [await measure(name, Path(folder)) for _ in range(options.rounds)]
            row = {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
            found[name] = row
            print(
                f"{name:<10}{row['up_s']:>8.2f}{row['build_ms']:>10.0f}{row['reset_ms']:>10.0f}"
                f"{row['commands_per_s']:>12.0f}{row['down_s']:>8.2f}",
                flush=True,
            )
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
