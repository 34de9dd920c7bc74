"""Learners on the grid games: how well and how fast they learn on one thread, beside what the paper published.

The check of learning: the physical stage of easy Contract, PPO of examples/ppo.py, scores as parts of the oracle's.
Each for itself it must come to the published 0.2286 (within 0.005) in under three minutes of CPU time, which is the
point without trade; with one shared group above 0.90; random play is at 0.004. Each learned policy then plays the whole
game, talk included. And the order of things: a contract before none before chance; the dynamic structure pays as
inequality does at first, and as overlapping groups do in the end.

Run: `python benchmarks/learning.py [--only alone] [--seed 0] [--json FILE]`; about seven minutes. Needs the extra
`learn`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

import ppo

from grid_games import Batch, load
from grid_games.measures import fairness, score
from grid_games.oracle import plan_of
from grid_games.policies import open_policy

Row = dict[str, Any]
PUBLISHED = {"random": 0.0046, "alone": 0.2286, "together": 0.9747}
"""Tables 2 and 12: random play, PPO, and the first stage of the curriculum, which is trained in one group."""
WITHIN, SHARED, SECONDS = 0.005, 0.90, 180.0
"""Bars: how near to the published score alone, at least together, and in how much CPU time alone."""
LAST = 5
"""Rounds of training whose mean is the score reached."""
STEPS = {"alone": 400_000, "together": 2_300_000}
EPISODES = 64
PHASES = {"steps 1 to 30": (0, 30), "steps 61 to 200": (60, 200)}
"""Phases of the dynamic structure: inequality first, overlapping groups last."""


def at_random(seed: int) -> Row:
    """Random masked play of the whole game."""
    game = load("ada-contract")
    batch, policy = Batch(game, range(4 * EPISODES)), open_policy("random", seed)
    done: tuple[Any, ...] = ()
    while not done:
        done = batch.step(policy.act(batch)).episodes
    mean = float(np.mean([score(each.rewards, plan_of(game).total) for each in done]))
    return {"what": "random", "score": round(mean, 4), "passed": abs(mean - PUBLISHED["random"]) < 0.002}


def learned(social: str, seed: int, memory: int = 0) -> Row:
    """Return one training, and the whole game played by what was learned."""
    trainer, began = (
        ppo.Trainer(ppo.Settings(social=social, steps=STEPS[social], seed=seed, memory=memory)),
        time.process_time(),
    )
    curve: list[tuple[int, float, float]] = []

    def tell(steps: int, reached: float) -> bool:
        curve.append((steps, reached, time.process_time() - began))
        recent = float(np.mean([each for _, each, _ in curve[-LAST:]]))
        return social == "together" and recent > SHARED + 0.02

    trainer.train(tell)
    reached = float(np.mean([each for _, each, _ in curve[-LAST:]]))
    seconds = next((at for _, each, at in curve if _good(social, each)), None)
    passed = _good(social, reached) and (social == "together" or (seconds is not None and seconds < SECONDS))
    return {
        "what": social + (f", memory {memory}" if memory else ""),
        "score": round(reached, 4),
        "played": round(ppo.play(trainer.saved(), EPISODES), 4),
        "steps": curve[-1][0],
        "reached_after_s": round(seconds, 1) if seconds is not None else None,
        "cpu_s": round(curve[-1][2], 1),
        "curve": [(steps, round(each, 4), round(at, 1)) for steps, each, at in curve[:: max(1, len(curve) // 12)]],
        "passed": passed,
    }


def _good(social: str, reached: float) -> bool:
    return reached > SHARED if social == "together" else abs(reached - PUBLISHED["alone"]) < WITHIN


def structures() -> Iterator[Row]:
    """Yield who is paid under each structure for the same work, by phases of the dynamic one."""
    for structure in ("isolation", "independent", "overlapping", "inequality", "dynamic"):
        game = load("ada-social-structure", settings={"structure": structure})
        batch, policy = Batch(game, range(EPISODES)), open_policy("oracle-plan", 1)
        paid = np.array([batch.step(policy.act(batch)).rewards for _ in range(game.steps)])
        for phase, (first, last) in PHASES.items():
            sums = paid[first:last].sum(axis=0)
            fair = [each for row in sums if (each := fairness(row)) is not None]
            top = sums[:, [0, 6]].sum() / sums.sum()
            yield {
                "structure": structure,
                "phase": phase,
                "fairness": round(float(np.mean(fair)), 4),
                "share of 0 and 6": round(float(top), 4),
            }


def in_order(rows: list[Row]) -> bool:
    """Return whether the dynamic structure is as inequality at first and as overlapping at last, and these differ."""
    found = {(row["structure"], row["phase"]): row["fairness"] for row in rows}
    first, last = PHASES
    return (
        found["dynamic", first] == found["inequality", first] < found["overlapping", first]
        and found["dynamic", last] == found["overlapping", last] > found["inequality", last]
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=["random", "alone", "together", "recurrent", "structures"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write all figures here")
    options = parser.parse_args()
    works = {
        "random": lambda: [at_random(options.seed)],
        "alone": lambda: [learned("alone", options.seed)],
        "together": lambda: [learned("together", options.seed)],
        "recurrent": lambda: [learned("alone", options.seed, 64)],
        "structures": lambda: list(structures()),
    }
    found: dict[str, list[Row]] = {}
    for name in [options.only] if options.only else [each for each in works if each != "recurrent"]:
        found[name] = works[name]()
        for row in found[name]:
            print(", ".join(f"{key} {value}" for key, value in row.items() if key != "curve"), flush=True)
    passed = all(row.get("passed", True) for rows in found.values() for row in rows)
    if "structures" in found:
        passed = passed and in_order(found["structures"])
    if not options.only:
        ordered = found["together"][0]["score"] > found["alone"][0]["score"] > found["random"][0]["score"]
        print(f"a contract before none before chance: {ordered}")
        passed = passed and ordered
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))
    if not passed:
        raise SystemExit("below a bar")


if __name__ == "__main__":
    main()
