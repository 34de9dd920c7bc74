"""Effect of `skip=unchanged` on a village: calls by role, and the measures of the society with their intervals.

The same seeds are played with and without skipping. The model is a fake endpoint whose answers depend on the whole
prompt, as a random draw does; roles are told by the reference rater. A measure is kept if the mean with skipping lies
in the 95 % interval without it, and if the 95 % interval of the differences between the two villages of each seed holds
0. The bar is half the calls.

Run: `python benchmarks/skipping.py [--people 6] [--seconds 90] [--seeds 8] [--speak 0.1]`.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accord.analysis.intervals import mean_interval
from accord.studies.study import StudySettings, run_study
from tests.fakes.life import ANSWERS, module_of, small_village
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.piano.family import PIANO

GOALS = (
    "You farm the fields so that the village has bread.",
    "You mine stone for the walls.",
    "You guard the gate against monsters.",
    "You fish in the river.",
    "You build a new house.",
    "You gather wood in the forest.",
)
KEPT = 0.8
"""Probability that the model keeps its goal when it is asked again."""
MEASURES = ("role_entropy_bits", "role_persistence", "role_length_s", "coherence")
"""Measures of a society; each is a mean over its people, so that villages are what is compared."""


def responder(speak: float, seed: int) -> Callable[[Request], str]:
    """Return a model that follows its goal, speaks with a probability, and draws from the seed and each prompt."""

    def respond(request: Request) -> str:
        system, user = (each["content"] for each in request.messages[:2])
        chance = random.Random(hashlib.sha256(f"{seed} {system}{user}".encode()).digest())
        goal, part = next((each for each in GOALS if each in user), ""), module_of(request.messages)
        answer = dict(ANSWERS[part])
        if part == "the social goal":
            answer |= {"why": "", "goal": goal if goal and chance.random() < KEPT else chance.choice(GOALS)}
        elif part == "to decide":
            answer |= {"doing": (goal or GOALS[0])[4:], "why": goal, "speak": chance.random() < speak}
        elif part == "to act":
            place = {"x": chance.randrange(-20, 20), "y": -60, "z": chance.randrange(-20, 20)}
            answer |= {"calls": [{"name": "goTo", "args": [place, 4]}]}
        return json.dumps(answer)

    return respond


async def lived(skip: str, seed: int, asked: argparse.Namespace) -> dict[str, Any]:
    """Return the result of one village."""
    with tempfile.TemporaryDirectory() as folder:
        path = small_village(Path(folder), people=asked.people, seconds=asked.seconds)
        async with FakeServer(responder(asked.speak, seed)) as server:
            models = dict.fromkeys(PIANO.roles, "openai/x")
            settings = StudySettings(
                str(path), ("normal",), world="mock", agents="piano", models=models, base_url=server.base_url,
                seed=seed, out=Path(folder) / "runs", agents_options={"skip": skip},
            )  # fmt: skip
            return (await run_study(settings)).results[0]


def told(plain: Sequence[dict[str, Any]], skipping: Sequence[dict[str, Any]]) -> None:
    """Print calls by role, and each measure beside its interval without skipping."""
    calls = []
    for results in (plain, skipping):
        found: Counter[str] = Counter()
        for each in results:
            found.update(_by_role(each))
        calls.append(found)
    for role in sorted(calls[0] | calls[1]):
        print(f"{role:20} {calls[0][role]:7} {calls[1][role]:7}")
    before, after = (sum(each.values()) for each in calls)
    print(f"{'all':20} {before:7} {after:7}   {after / before:.0%} of the calls (bar: 50 %)")
    for name in MEASURES:
        values = [[_measure(each, name) for each in results] for results in (plain, skipping)]
        interval, mean = mean_interval(values[0]), fmean(values[1])
        told_of = "no interval" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
        changes = [skipped - usual for usual, skipped in zip(*values, strict=True)]
        paired = mean_interval(changes)
        if interval is None or paired is None:
            verdict, told_change = "cannot be told", "no interval"
        else:
            kept = interval[0] <= mean <= interval[1] and paired[0] <= 0 <= paired[1]
            verdict, told_change = "kept" if kept else "MISSED", f"{paired[0]:+.2f} to {paired[1]:+.2f}"
        print(
            f"{name:20} {fmean(values[0]):7.2f} ({told_of}), skipping {mean:.2f}, "
            f"by seed {fmean(changes):+.2f} ({told_change}): {verdict}"
        )


def _measure(result: dict[str, Any], name: str) -> float:
    village = result["village"]
    return float((village["mind"] if name == "coherence" else village)[name] or 0)


def _by_role(result: dict[str, Any]) -> Counter[str]:
    found: Counter[str] = Counter()
    for each in result["costs"]:
        found[each["role"]] += each["calls"]
    return found


async def main() -> None:
    """Play all villages and print what skipping changes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--speak", type=float, default=0.1)
    asked = parser.parse_args()
    plain: list[dict[str, Any]] = [await lived("none", seed, asked) for seed in range(asked.seeds)]
    skipping = [await lived("unchanged", seed, asked) for seed in range(asked.seeds)]
    told(plain, skipping)


if __name__ == "__main__":
    asyncio.run(main())
