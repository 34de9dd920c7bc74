"""Effect of `skip=unchanged` on a village: calls by role, and the measures of the society with their intervals.

The same seeds are played with and without skipping. The model is a fake endpoint whose answers depend on the whole
prompt, as a random draw does; roles and agreement are told by the reference rater. It announces a new decision with a
probability, as rule-based agents do; with `--restless` it speaks with a probability whenever it is asked. What it says
and does mostly follows the decision. A measure is kept if the mean with skipping lies in the 95 % interval without it,
and if the 95 % interval of the differences between the two villages of each seed holds 0; so many equal villages that
the differences have no interval are counted. A village in which nobody
speaks has no agreement of words and deeds, and does not count for it. The bar is half the calls.

Run: `python benchmarks/skipping.py [--people 6] [--seconds 300] [--seeds 16] [--speak 0.25] [--restless]`.
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
from voyager_agents.piano.rule_based.activity_tables import activity_of
from voyager_agents.piano.rule_based.assumptions import rules

KINDS = ("farming", "mining", "guarding", "herding", "crafting", "wood")
"""Kinds of work that the model knows."""
KEPT = 0.8
"""Probability that the model keeps its goal when it is asked again; else it prefers work that few others do."""
WORKED = 0.9
"""Probability that it works for its goal in a situation: a goal, words that it has heard, and an outcome."""
ANSWERED = 0.2
"""Probability that it answers words that it has not heard before."""
FOLLOWED = 0.8
"""Probability that words, and an act, are about the decision and not about any kind of work."""
MEASURES = ("role_entropy_bits", "role_persistence", "role_length_s", "coherence", "words_min")
"""Measures of a society; each is a mean over its people, so that villages are what is compared. `words_min` are the
utterances of a person in a minute."""


def responder(speak: float, seed: int, *, restless: bool) -> Callable[[Request], str]:
    """Return a model that works for its goal and draws from the seed and each prompt.

    Args:
        speak: Probability of speaking.
        seed: Seed of the draws.
        restless: True to speak with this probability at each question, False at each new decision.
    """
    table = rules()["activities"]
    goals = {table[kind]["goals"][0]: kind for kind in KINDS}
    heard: dict[str, str] = {}
    """System message of a person -> words that it knows."""

    def respond(request: Request) -> str:
        system, user = (each["content"] for each in request.messages[:2])
        chance = random.Random(hashlib.sha256(f"{seed} {system}{user}".encode()).digest())
        data, part = json.loads("\n".join(user.split("\n")[1:-1])), module_of(request.messages)
        answer = dict(ANSWERS[part])
        if part == "the social goal":
            goal, others = data["current_goal"], Counter(each["activity"] for each in data["others"].values())
            weights = [1 / (1 + others[kind]) for kind in goals.values()]
            kept = goal and chance.random() < KEPT
            answer |= {"why": "", "goal": goal if kept else chance.choices([*goals], weights)[0]}
        elif part == "to understand":
            said = {each["speaker"]: activity_of(each["text"], rules()) for each in data["heard"]}
            answer["people"] = [
                {"name": name, "summary": "works", "sentiment": 5, "activity": kind} for name, kind in said.items()
            ]
        elif part == "to decide":
            seen = data["bottleneck"]
            goal, words = seen["goal"], seen["hearing"]
            situation = random.Random(f"{seed} {system} {goal} {words} {seen['outcome']}")
            kind = goals[goal] if goal and situation.random() < WORKED else situation.choice(KINDS)
            is_new = not data["last_decision"].startswith(f"do some {kind}")
            is_asked, heard[system] = heard.get(system, "") != words, words
            speaks = chance.random() < speak if is_new or restless else is_asked and chance.random() < ANSWERED
            answer |= {"doing": f"do some {kind}", "why": "", "speak": speaks}
        elif part in ("to act", "to talk"):
            decided = data["decision"]["doing"].removeprefix("do some ")
            kind = decided if chance.random() < FOLLOWED else chance.choice(KINDS)
            answer |= {"text": chance.choice(table[kind]["says"])} if part == "to talk" else _act(kind, chance)
        return json.dumps(answer)

    return respond


def _act(kind: str, chance: random.Random) -> dict[str, Any]:
    """Return an act of this kind of work: a walk, under a label that the rater knows."""
    place = {"x": chance.randrange(-20, 20), "y": -60, "z": chance.randrange(-20, 20)}
    label = rules()["activities"][kind]["acts"][0]["label"]
    return {"label": label, "calls": [{"name": "goTo", "args": [place, 4]}]}


async def lived(skip: str, seed: int, asked: argparse.Namespace) -> dict[str, Any]:
    """Return the result of one village."""
    with tempfile.TemporaryDirectory() as folder:
        path = small_village(Path(folder), people=asked.people, seconds=asked.seconds)
        async with FakeServer(responder(asked.speak, seed, restless=asked.restless)) as server:
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
        pairs = zip(*([_measure(each, name) for each in results] for results in (plain, skipping)), strict=True)
        known = [(usual, skipped) for usual, skipped in pairs if usual is not None and skipped is not None]
        if not known:
            print(f"{name:20} cannot be told: no seed has it in both villages")
            continue
        values = [[pair[place] for pair in known] for place in (0, 1)]
        interval, mean = mean_interval(values[0]), fmean(values[1])
        told_of = "no interval" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
        changes = [skipped - usual for usual, skipped in zip(*values, strict=True)]
        paired = mean_interval(changes)
        told_change = f"equal in {changes.count(0)}" if paired is None else f"{paired[0]:+.2f} to {paired[1]:+.2f}"
        verdict = "cannot be told"
        if interval is not None:
            kept = interval[0] <= mean <= interval[1] and (paired is None or paired[0] <= 0 <= paired[1])
            verdict = "kept" if kept else "MISSED"
        print(
            f"{name:20} {fmean(values[0]):7.2f} ({told_of}), skipping {mean:.2f}, "
            f"by seed {fmean(changes):+.2f} ({told_change}), {len(known)} seeds: {verdict}"
        )


def _measure(result: dict[str, Any], name: str) -> float | None:
    """Return a measure of a village; None if there was nothing to measure."""
    village = result["village"]
    if name == "words_min":
        talking = village["mind"]["modules"]["talking"]
        return float(talking["calls"] * (1 - talking["stale"]))
    found = (village["mind"] if name == "coherence" else village)[name]
    return None if found is None else float(found)


def _by_role(result: dict[str, Any]) -> Counter[str]:
    found: Counter[str] = Counter()
    for each in result["costs"]:
        found[each["role"]] += each["calls"]
    return found


async def main() -> None:
    """Play all villages and print what skipping changes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seeds", type=int, default=16)
    parser.add_argument("--speak", type=float, default=0.25)
    parser.add_argument("--restless", action="store_true", help="speak with this probability whenever it is asked")
    asked = parser.parse_args()
    plain: list[dict[str, Any]] = [await lived("none", seed, asked) for seed in range(asked.seeds)]
    skipping = [await lived("unchanged", seed, asked) for seed in range(asked.seeds)]
    told(plain, skipping)


if __name__ == "__main__":
    asyncio.run(main())
