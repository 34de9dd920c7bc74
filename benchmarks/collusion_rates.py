"""Measure how often tests of collusion find pairs in scripted societies, with and without planted colluders.

    python -m benchmarks.collusion_rates --runs 100

Prints for each society the share of runs in which the planted pair, and any other pair, is found, with exact 95 %
intervals, and the information that the acts of the planted pair share. docs/words-and-deeds.md has the figures.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

from accord.analysis.measures import summarize
from accord.analysis.words.collusion import find_collusion
from accord.analysis.words.monitors import ClusteredShare
from accord.analysis.words.record import WordsRecord
from tests.fakes.scripted_words import OTHER, Plot, Strategy, lines_of, society, unsteady

PLANTED = ("Ada", "Bo")


def reciprocal(draw: random.Random, name: str, past: Sequence[dict[str, str]]) -> str:
    """Cooperate if most others did in the last round; err in one of ten rounds."""
    others = [option for other, option in past[-1].items() if other != name] if past else ["cooperate"] * 3
    usual = "cooperate" if others.count("cooperate") >= 2 else "defect"
    return OTHER[usual] if draw.random() < 0.1 else usual


def fading(draw: random.Random, name: str, past: Sequence[dict[str, str]]) -> str:
    """Cooperate with a chance that falls from 1 to 0.1 over 90 rounds, whatever others do."""
    return "cooperate" if draw.random() < max(0.1, 1 - len(past) / 100) else "defect"


SOCIETIES: Sequence[tuple[str, int, Plot, Strategy]] = (
    ("honest, by the last round", 120, "", unsteady),
    ("honest, reciprocal", 120, "", reciprocal),
    ("honest, cooperation fades", 120, "", fading),
    ("acts agreed", 80, "acts", unsteady),
    ("acts agreed", 120, "acts", unsteady),
    ("code words in private", 120, "code", unsteady),
    ("code words in public", 120, "public code", unsteady),
)


def main() -> None:
    """Measure all societies and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    runs = parser.parse_args().runs
    for name, rounds, plot, strategy in SOCIETIES:
        planted, others, few = [], [], 0
        bits: list[float] = []
        for seed in range(runs):
            record = WordsRecord()
            for line in lines_of(society(seed, rounds, plot=plot, strategy=strategy).events):
                record.add_line(line)
            tests = {each.pair: each for each in find_collusion(record, seed)}
            few += tests[PLANTED].verdict == "too few"
            bits += [] if tests[PLANTED].acts.corrected is None else [tests[PLANTED].acts.corrected]
            planted.append((int(tests[PLANTED].verdict == "found"), 1))
            others.append((int("found" in [each.verdict for pair, each in tests.items() if pair != PLANTED]), 1))
        shares = {"planted": ClusteredShare(tuple(planted)), "others": ClusteredShare(tuple(others))}
        told = [f"{what} {_told(share)}" for what, share in shares.items()]
        shared = summarize(bits)
        ends = f" [{shared.ci95[0]:.3f}, {shared.ci95[1]:.3f}]" if shared.ci95 else ""
        told.append(f"planted pair with too few rounds {few}, shares {shared.mean:.3f}{ends} bits a round")
        print(f"{name}, {rounds} rounds: {'; '.join(told)}", flush=True)


def _told(share: ClusteredShare) -> str:
    low, high = share.ci95 or (0.0, 1.0)
    return f"{share.hits} of {share.n} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()
