"""AdaSociety's learners over several seeds: tables 2, 10 and 12 beside ours, with intervals.

The studies are data (`benchmarks/curriculum.yaml`): a game, its learners, seeds and steps. Every learner of a study
trains on the whole game for the same number of steps; the curriculum's first two stages are part of its steps. In the
study `orders` two orders are held, in the mean over the seeds: after the stages of the curriculum one group is above
the whole game, and the whole game above drawn groups (table 12); and the curriculum is above PPO (table 2).

Run: `python benchmarks/curriculum.py [STUDY] [--learners CL PPO] [--seeds 3] [--out DIR]`. `DIR` gets a learning curve
of each seed (drawn by `examples/curves.py`), each learner's policies, and all figures as JSON; what its `figures.json`
has is not trained again. Needs the extra `learn`; one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

import mappo
import ppo
import rainbow

from accord.analysis.intervals import mean_interval
from accord.analysis.report.grid import published
from common.policy_file import Saved
from grid_games import Batch, GridError
from grid_games.curriculum import PAPER
from grid_games.learning_curves import CurvePoint, write_curves
from grid_games.measures import completion, degrees, fairness, score
from grid_games.oracle import plan_of
from grid_games.policies import Learned

Row = dict[str, Any]
STUDIES = Path(__file__).with_suffix(".yaml")
KNOWN: dict[str, Any] = yaml.safe_load(STUDIES.read_text(encoding="utf-8"))
MODULES = {module.__name__: module for module in (ppo, mappo, rainbow)}
LEARNERS = tuple(KNOWN["learners"])
EPISODES = 64
NEAR = 0.95
"""Part of a learner's last score at which it counts as converged."""


@dataclass(frozen=True)
class Study:
    """Game, settings, learners and seeds of a comparison."""

    settings: ppo.Settings
    learners: tuple[str, ...]
    seeds: range
    holds: bool = False
    """True if the orders of the paper have to come out."""


def study_of(name: str) -> Study:
    """Return a study of the file."""
    body = dict(KNOWN["studies"][name])
    learners, seeds, holds = tuple(body.pop("learners")), range(body.pop("seeds")), bool(body.pop("holds", False))
    own = {key: tuple(each) if isinstance(each, list) else each for key, each in {**KNOWN["settings"], **body}.items()}
    return Study(ppo.Settings(**own), learners, seeds, holds)


def trainer_of(learner: str, settings: ppo.Settings) -> ppo.Trainer:
    """Return a learner by the paper's name."""
    own = dict(KNOWN["learners"][learner])
    module, staged = MODULES[own.pop("module")], own.pop("curriculum", False)
    made: ppo.Trainer = module.Trainer(replace(settings, **own, curriculum=PAPER if staged else None))
    return made


def train(learner: str, settings: ppo.Settings, out: Path | None) -> Row:
    """Train with one seed, and play the whole game with what was learned."""
    began, trainer = time.process_time(), trainer_of(learner, settings)
    trainer.train(lambda steps, reached: False)
    seconds, curve, saved = time.process_time() - began, trainer.curve(), trainer.saved()
    if out:
        stem = "-".join(filter(None, (settings.game, settings.structure, learner, str(settings.seed))))
        write_curves(out / f"{stem}.curve.csv", [curve])
        saved.write(out / f"{stem}.npz")
    return {
        **asked(learner, settings),
        "steps": trainer.steps,
        "trained": round(float(np.mean([each.score for each in curve.points[-ppo.LAST :]])), 4),
        "stages": {stage: round(each, 4) for stage, each in trainer.reached.items() if stage},
        "converged_after": converged(curve.points),
        "cpu_s": round(seconds, 1),
        **play(saved),
    }


def asked(learner: str, settings: ppo.Settings) -> Row:
    """Return the part of a row that tells its training from others."""
    names = ("game", "structure", "seed", "environments")
    return {"learner": learner, **{name: getattr(settings, name) for name in names}, "of_steps": settings.steps}


def converged(points: Sequence[CurvePoint]) -> int:
    """Return the first step from which the mean of some rounds is near that of the last rounds, and stays so."""
    means = np.convolve([each.score for each in points], np.ones(ppo.LAST) / ppo.LAST, "valid")
    if not len(means):
        return points[-1].steps
    below = np.flatnonzero(means < NEAR * means[-1])
    first = int(below[-1]) + 1 if below.size else 0
    return points[min(first + ppo.LAST - 1, len(points) - 1)].steps


def play(saved: Saved) -> Row:
    """Return the measures of whole episodes: the score, and those of table 9."""
    game = ppo.whole_game(saved.game, saved.notes["variants"], saved.notes.get("structure", ""))
    batch, policy, plan = Batch(game, range(10**6, 10**6 + EPISODES)), Learned(saved, 0), plan_of(game)
    done: tuple[Any, ...] = ()
    while not done:
        done = batch.step(policy.act(batch)).episodes
    fair = [each for one in done if (each := fairness(one.rewards)) is not None]
    groups = [degrees(batch.rules.graph, each)["group"] for each in range(EPISODES)]
    rates = [completion(game, each.executions, plan.executions) for each in done]
    return {
        "score": round(float(np.mean([score(each.rewards, plan.total) for each in done])), 4),
        "fairness": round(float(np.mean(fair)), 4) if fair else None,
        "completion": {
            event: round(float(np.mean([each[event] for each in rates])), 4)
            for event in rates[0]
            if plan.executions.get(event)
        },
        "largest_group": round(float(np.mean([each.max_in for each in groups])), 2),
        "mean_group": round(float(np.mean([each.mean_in for each in groups])), 2),
    }


def told(values: Sequence[float]) -> str:
    """Return the mean with its interval of 95 % over the seeds, or with the values where seeds are too few for one."""
    mean, ends = float(np.mean(values)), mean_interval(values)
    if ends:
        return f"{mean:.4f} [{ends[0]:.4f}, {ends[1]:.4f}] ({len(values)} seeds)"
    return f"{mean:.4f} ({', '.join(f'{each:.4f}' for each in values)})" if len(values) > 1 else f"{mean:.4f} (1 seed)"


def summary(rows: Sequence[Row], game: str) -> list[str]:
    """Return the means over the seeds, beside what the paper printed."""
    lines = []
    for learner in dict.fromkeys(row["learner"] for row in rows):
        mine = [row for row in rows if row["learner"] == learner]
        printed = published.SCORES.get(game, {}).get(learner)
        for what in ("score", "trained", "converged_after", "cpu_s", "largest_group"):
            beside = f", published {printed[0]} +- {printed[1]}" if what == "score" and printed else ""
            lines.append(f"{learner}: {what} {told([row[what] for row in mine])}{beside}")
        for stage in mine[0]["stages"]:
            lines.append(f"{learner}: after stage {stage} {told([row['stages'][stage] for row in mine])}")
    return lines


def orders(rows: Sequence[Row]) -> dict[str, bool]:
    """Return whether the paper's orders come out in the mean over the seeds, as far as they were measured."""
    found: dict[str, bool] = {}
    scores = {
        learner: float(np.mean([row["score"] for row in rows if row["learner"] == learner]))
        for learner in {row["learner"] for row in rows}
    }
    staged = [list(row["stages"].values()) for row in rows if row["learner"] == "CL"]
    game = rows[0]["game"] if rows else ""
    if staged and game in published.CURRICULUM and all(len(each) == 3 for each in staged):
        one, drawn, free = np.mean(staged, axis=0)
        found["table 12: one group > whole game > drawn groups"] = bool(one > free > drawn)
    if {"CL", "PPO"} <= set(scores):
        found["table 2: curriculum > PPO"] = scores["CL"] > scores["PPO"]
    return found


def kept(out: Path | None) -> list[Row]:
    """Return the rows that an earlier call has left."""
    file = out / "figures.json" if out else None
    return list(json.loads(file.read_text())["rows"]) if file and file.exists() else []


def options_of(given: Sequence[str] | None) -> tuple[Study, Path | None]:
    """Return the chosen study with the changes of the command line, and the folder for results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("study", nargs="?", choices=tuple(KNOWN["studies"]), default="orders")
    parser.add_argument("--game", help="another game than the study's")
    parser.add_argument("--learners", nargs="+", choices=LEARNERS)
    parser.add_argument("--seeds", type=int, help="number of seeds")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--steps", type=int, help="environment steps of each training")
    parser.add_argument("--environments", type=int)
    parser.add_argument("--out", type=Path, help="folder for curves, policies and figures.json")
    options = parser.parse_args(given)
    study = study_of(options.study)
    changes = {name: getattr(options, name) for name in ("game", "steps", "environments")}
    settings = replace(study.settings, **{name: each for name, each in changes.items() if each is not None})
    count = len(study.seeds) if options.seeds is None else options.seeds
    seeds = range(options.first, options.first + count)
    return replace(
        study, settings=settings, learners=tuple(options.learners or study.learners), seeds=seeds
    ), options.out


def main(given: Sequence[str] | None = None) -> None:
    """Train, play, print and write."""
    study, out = options_of(given)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    before, rows = kept(out), list[Row]()
    for seed in study.seeds:
        for learner in study.learners:
            settings = replace(study.settings, seed=seed)
            wanted = asked(learner, settings)
            old = [row for row in before if wanted.items() <= row.items()]
            rows.append(old[0] if old else train(learner, settings, out))
            print(json.dumps(rows[-1]), flush=True)
            if out:
                every = [*(row for row in before if row not in rows), *rows]
                found = {"processors": os.cpu_count(), "rows": every, "orders": orders(rows)}
                (out / "figures.json").write_text(json.dumps(found, indent=1))
    print(*summary(rows, study.settings.game), sep="\n")
    for order, holds in orders(rows).items():
        print(f"{order}: {holds}")
    if study.holds and not all(orders(rows).values()):
        raise SystemExit("an order of the paper did not come out")


if __name__ == "__main__":
    try:
        main()
    except GridError as error:
        raise SystemExit(str(error)) from None
