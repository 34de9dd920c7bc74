"""Cost of a study's episode on the mock world, and the gain of several jobs.

Episode: wall time of one, from its first policy to its end (medians over the runs of each condition), and how many
times real time that is. Study: wall time of all runs of all conditions, records and world included, without the
report; with one job and with several, in the same run of this script, and what each further run costs.

Run: `python benchmarks/studies.py [--scenario cleanup] [--runs 10] [--jobs 2] [--json FILE]`.
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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accord.studies.study import StudyResult, StudySettings, run_study

CONDITIONS = ("none", "contract-1", "contract-2")
FEW = 2
"""Runs of each condition in the short study: what the long one takes beyond it is the price of its further runs."""


async def measure(scenario: str, runs: int, jobs: int, out: Path) -> tuple[float, StudyResult]:
    """Wall seconds of a study, and what came of it. Raises SystemExit when a run did not complete."""
    settings = StudySettings(scenario, CONDITIONS, world="mock", runs=runs, jobs=jobs, seed=1, out=out)
    begun = time.perf_counter()
    result = await run_study(settings)
    took = time.perf_counter() - begun
    if result.status != "complete":
        raise SystemExit(f"{scenario}: the study is {result.status}; see {result.directory}")
    return took, result


def episodes(result: StudyResult) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield condition -> what the result files of its runs say."""
    for condition in CONDITIONS:
        yield (
            condition,
            [
                json.loads(file.read_text("utf-8"))
                for file in sorted((result.directory / condition).glob("seed-*/result.json"))
            ],
        )


async def main() -> None:
    """Play, and print one table of episodes and one of studies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="cleanup")
    parser.add_argument("--runs", type=int, default=10, help=f"of each condition, above {FEW}")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    options = parser.parse_args()
    if options.runs <= FEW:
        parser.error(f"--runs: {options.runs} is not legal; give a whole number above {FEW}")
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        walls = {}
        for jobs in (1, options.jobs):
            few, _ = await measure(options.scenario, FEW, jobs, Path(folder))
            many, result = await measure(options.scenario, options.runs, jobs, Path(folder))
            further = (many - few) / (len(CONDITIONS) * (options.runs - FEW))
            walls[jobs] = {"few_s": few, "many_s": many, "further_run_s": further}
            if jobs == 1:
                found = dict(_by_condition(result))
    _show(options, found, walls)
    if options.json:
        options.json.write_text(json.dumps({"episodes": found, "studies": walls}, indent=2) + "\n", "utf-8")


def _by_condition(result: StudyResult) -> Iterator[tuple[str, dict[str, float]]]:
    for condition, runs in episodes(result):
        wall = statistics.median(each["episode_wall_s"] for each in runs)
        game = statistics.median(each["game_s"] for each in runs)
        yield condition, {"wall_s": wall, "game_s": game, "real_time": game / wall}


def _show(options: argparse.Namespace, found: dict[str, dict[str, float]], walls: dict[int, dict[str, float]]) -> None:
    print(f"\n{options.scenario + ', mock':<24}{'game s':>8}{'wall s':>8}{'times real time':>17}")
    for condition, row in found.items():
        print(f"{condition:<24}{row['game_s']:>8.0f}{row['wall_s']:>8.2f}{row['real_time']:>17.0f}")
    runs = len(CONDITIONS) * options.runs
    print(f"\n{'study':<24}{'runs':>8}{'wall s':>8}{'each further s':>17}")
    for jobs, row in walls.items():
        print(f"{f'--jobs {jobs}':<24}{runs:>8}{row['many_s']:>8.1f}{row['further_run_s']:>17.2f}")
    gained = walls[1]["further_run_s"] / walls[options.jobs]["further_run_s"]
    whole = walls[options.jobs]["few_s"] + (300 - len(CONDITIONS) * FEW) * walls[options.jobs]["further_run_s"]
    print(f"{options.jobs} jobs play {gained:.2f} times as fast as one; 300 runs would take {whole / 60:.1f} minutes")


if __name__ == "__main__":
    asyncio.run(main())
