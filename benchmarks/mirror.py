"""A grid game shown in a Minecraft world: how many steps a second it can be drawn, and that what it shows is exact.

Exploration with 20 players who walk to what pays, on the embedded server with a bot each, a step every fifth of a
second: how late steps are, how long drawing takes, and the server's ticks a second meanwhile. At the end the world is
read and compared. On the mock world the same as fast as it goes. Bar: 5 steps a second with 20 players on the embedded
server.

Run: `python benchmarks/mirror.py [--players 20] [--steps 150] [--json FILE]`; about a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.mock_world import MockWorld
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.worlds import World
from dilemmas.minecraft.mirror import Mirror, picture_of, read_mirror
from grid_games import Batch, load
from grid_games.policies import Greedy, RandomPolicy

Row = dict[str, Any]
RATE = 5.0
"""Steps a second that are asked for, and the bar."""
REACHED = 0.98
"""Part of it that counts as reached: the last step ends when it is drawn, not a beat later."""
BUSY = 100
"""Steps at random before it is shown, so that much is carried, dumped and agreed."""


async def measure(world: World, players: int, steps: int, beat: float) -> Row:
    """Return one line: a game of so many players, a step each `beat` seconds (0: as fast as it goes)."""
    batch, first = Batch(load("ada-exploration", players={"explorer": players}, groups=players), [1]), RandomPolicy(1)
    for _ in range(BUSY):
        batch.step(first.act(batch))
    policy = Greedy(1)
    names = [f"explorer_{number}" for number in range(players)]
    await world.connect(names)
    began = time.perf_counter()
    mirror = await Mirror.open(world, batch, names)
    opened = time.perf_counter() - began
    drawn, late, count = [], [], 0
    ticks, start = await world.now(), time.perf_counter()
    for step in range(steps):
        batch.step(policy.act(batch))
        wait = start + step * beat - time.perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        began = time.perf_counter()
        count += await mirror.draw_changes()
        drawn.append(time.perf_counter() - began)
        late.append(max(-wait, 0.0))
    took = time.perf_counter() - start
    passed = await world.now() - ticks
    return {
        "world": world.name,
        "players": players,
        "steps": steps,
        "steps_per_s": round(steps / took, 2),
        "open_s": round(opened, 2),
        "draw_ms_median": round(float(np.median(drawn)) * 1000, 1),
        "draw_ms_p99": round(float(np.quantile(drawn, 0.99)) * 1000, 1),
        "late_ms_p99": round(float(np.quantile(late, 0.99)) * 1000, 1) if beat else None,
        "commands_a_step": round(count / steps, 1),
        "ticks_per_s": round(passed / took, 1) if beat else None,
        "exact": not (await read_mirror(mirror)).differences(picture_of(batch)),
    }


async def table(players: int, steps: int) -> list[Row]:
    """Return both worlds."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        async with MockWorld(1, Path(folder), threaded=False) as world:
            rows.append(await measure(world, players, steps, 0.0))
        async with EmbeddedWorld(1, Path(folder)) as server:
            rows.append(await measure(server, players, steps, 1 / RATE))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=20)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--json", type=Path, help="write all figures here")
    options = parser.parse_args()
    rows = asyncio.run(table(options.players, options.steps))
    for row in rows:
        print(", ".join(f"{key} {value}" for key, value in row.items()))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    if rows[1]["steps_per_s"] < RATE * REACHED or not all(row["exact"] for row in rows):
        raise SystemExit("below the bar")


if __name__ == "__main__":
    main()
