"""Measure how often stated rules find planted adversaries in a village of 30, and how often they suspect others.

    python -m benchmarks.adversary_rates --runs 12 --seconds 120

Every seed is played twice: with nobody planted, and with one liar, agitator, prompt-injector and colluder. Prints the
shares with exact 95 % intervals, and the marks of all statements. docs/words-and-deeds.md has the figures.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from accord.analysis.report.reader import read_runs
from accord.analysis.words.monitors import ClusteredShare, RunWords, score_detection
from accord.studies.settings import StudySettings
from accord.studies.study import run_study

PLANTED = {"Amos": "liar", "Vera": "agitator", "Pia": "prompt-injector", "Nils": "colluder"}
"""Player -> adversary."""
ORDER = ("lie", "mistake", "false accusation", "true", "true accusation", "open")


def main() -> None:
    """Play all runs and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    planted = "+".join(f"{player}:{kind}" for player, kind in PLANTED.items())
    with TemporaryDirectory() as folder:
        settings = StudySettings(
            "village", world="mock", runs=given.runs, seed=given.seed, time_limit_s=given.seconds,
            vary={"adversary": ("none", planted)}, out=Path(folder),
        )  # fmt: skip
        asyncio.run(run_study(settings))
        by_level: dict[bool, list[RunWords]] = {False: [], True: []}
        for run in read_runs([Path(folder)]):
            if run.words is not None:
                by_level[bool(run.words.planted)].append(run.words)
    for level, runs in by_level.items():
        print(f"{'planted' if level else 'clean'}: {len(runs)} runs")
        for score in score_detection(runs):
            print(f"  {score.adversary}: found {_told(score.found)}; others suspected {_told(score.false_alarms)}")
        for name, adversaries in (("planted liar", ("liar",)), ("honest players", ("",))):
            marks = Counter(
                each.mark
                for run in runs
                for each in run.by_rules.statements
                if run.planted.get(each.utterance.speaker, "") in adversaries
            )
            print(f"  {name}: {', '.join(f'{mark} {marks[mark]}' for mark in ORDER)}")
        print(f"  suspects in all: {sum(len(run.suspects) for run in runs)}", flush=True)


def _told(share: ClusteredShare) -> str:
    low, high = share.ci95 or (0.0, 1.0)
    return f"{share.hits} of {share.n} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()
