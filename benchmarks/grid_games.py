"""AdaSociety's games: environment steps a second on one core, beside the figures that the paper published.

Exploration with as many groups as agents, random masked actions of all kinds; a step makes every agent's window (32
layers), mask and pooled reward. CPU time, the best of several stretches. A fixed numpy loop runs beside it: its rate
tells one machine, or one hour, from another. Bars: one environment 4 times the paper's rate, 256 at once 40 times at 4,
8 and 20 players; 1000 players at least 400 steps a second.

Run: `python benchmarks/grid_games.py [--seconds 1] [--json FILE]`; about half a minute.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

# As a script this file's own folder comes first, and its own name would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from grid_games import Batch, load
from grid_games.policies import RandomPolicy

Row = dict[str, Any]
PUBLISHED = {4: 2495.58, 8: 1245.38, 20: 395.33, 100: 42.58, 1000: 2.60}
"""Table 11: steps a second of one environment, by players."""
ONE, MANY, THOUSAND = 4.0, 40.0, 400.0
"""Bars: times the published rate, one environment and 256; steps a second with 1000 players."""
BATCH = 256
STRETCHES = 5
ROOMY = {1000: [64, 64]}
"""Maps for more players than 20 x 20 has free cells."""


def game(players: int, batch: int) -> Batch:
    """Exploration with so many players, running on from episode to episode."""
    changes: dict[str, Any] = {"size": ROOMY[players]} if players in ROOMY else {}
    made = load("ada-exploration", players={"explorer": players}, groups=players, **changes)
    return Batch(made, range(batch), autoreset=True)


def best(step: Callable[[], object], seconds: float) -> float:
    """Calls a second of CPU time, the best of several stretches."""
    rates = []
    for _ in range(STRETCHES):
        began, count = time.process_time(), 0
        while time.process_time() - began < seconds / STRETCHES:
            step()
            count += 1
        rates.append(count / (time.process_time() - began))
    return max(rates)


def reference(seconds: float) -> float:
    """Rounds a second of a fixed numpy loop: small gathers, comparisons and sums, as a step is made of."""
    dice = np.random.default_rng(0)
    table, at = dice.integers(0, 9, (800, 32)).astype(np.int16), dice.integers(0, 800, (8, 25))

    def round_() -> None:
        for _ in range(10):
            rows = table.take(at, 0)
            np.add.reduce(rows > 4, axis=1).nonzero()

    return best(round_, seconds)


def measure(players: int, batch: int, seconds: float) -> Row:
    """Return one line of the table."""
    world, policy = game(players, batch), RandomPolicy(1)

    def step() -> None:
        world.windows()
        world.step(policy.act(world))

    # Half an episode first, so that agents carry and share.
    for _ in range(100 if players < 1000 else 10):
        step()
    rate = best(step, seconds) * batch
    times = rate / PUBLISHED[players]
    bar = ONE if batch == 1 else MANY
    passed = times >= bar and (players < 1000 or rate >= THOUSAND)
    return {
        "players": players,
        "environments": batch,
        "steps_per_s": round(rate, 1),
        "published": PUBLISHED[players],
        "times": round(times, 1),
        "bar": bar,
        "passed": passed,
    }


def whole_map(seconds: float) -> list[Row]:
    """Views of all agents a second, the whole map at once: with nobody and with half of all pairs sharing."""
    rows = []
    for players in (4, 8, 20):
        world = game(players, 1)
        alone = best(world.grid, seconds)
        shares = world.rules.graph.shares[0]
        shares[:] = np.random.default_rng(0).random(shares.shape) < 0.5
        rows.append({"players": players, "alone": round(alone), "half_sharing": round(best(world.grid, seconds))})
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds for each line")
    parser.add_argument("--json", type=Path, help="write all figures here")
    options = parser.parse_args()
    loop = reference(options.seconds)
    print(f"reference loop: {loop:.0f} rounds a second; numpy {np.__version__}, Python {platform.python_version()}")
    print(f"{'players':>8} {'at once':>8} {'steps/s':>10} {'published':>10} {'times':>7} {'bar':>6}")
    rows = []
    for players, batch in [*((each, 1) for each in PUBLISHED), *((each, BATCH) for each in (4, 8, 20))]:
        row = measure(players, batch, options.seconds)
        rows.append({**row, "per_reference_round": round(row["steps_per_s"] / loop, 3)})
        mark = "" if row["passed"] else "  BELOW"
        print(
            f"{players:>8} {batch:>8} {row['steps_per_s']:>10.0f} {row['published']:>10.1f} {row['times']:>7.1f} "
            f"{row['bar']:>6.0f}{mark}",
            flush=True,
        )
    views = whole_map(options.seconds)
    for view in views:
        print(
            f"whole map, {view['players']} players: {view['alone']} a second alone, {view['half_sharing']} half sharing"
        )
    if options.json:
        options.json.write_text(json.dumps({"reference": loop, "rows": rows, "whole_map": views}, indent=1))
    if not all(row["passed"] for row in rows):
        raise SystemExit("below a bar")


if __name__ == "__main__":
    main()
