"""Cost of watching a run: the same mock run with and without watchers, in turn.

    python benchmarks/watching.py [--pairs 12] [--viewers 2] [--seconds 60] [--scenario village]

A viewer asks as the page does: how far the record is, and what is new of it, once a second. CPU time is that of the
run's own processes (Python and Node), to the microsecond, as the kernel tells when they have ended; the page's process,
which has the least priority, is told apart. Of each pair the other one begins. On a machine that others use only the
CPU times tell anything, and of them the least ones and the median of the ratios, with an interval from its ranks.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNNER = """
import json, resource, sys
from accord.cli import main
from accord.cli.watch import Watching

def spent(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime

page = 0.0
leave = Watching.__exit__
def timed(self, *given):
    # The world has been closed before: whoever is waited for here is the page.
    global page
    before = spent(resource.RUSAGE_CHILDREN)
    leave(self, *given)
    page += spent(resource.RUSAGE_CHILDREN) - before
Watching.__exit__ = timed

told, sys.argv = sys.argv[1], ["accord", *sys.argv[2:]]
try:
    sys.exit(main())
finally:
    run = spent(resource.RUSAGE_SELF) + spent(resource.RUSAGE_CHILDREN) - page
    with open(told, "w") as file:
        json.dump([run, page], file)
"""


class Viewers:
    """The viewers of a run, while it is watched."""

    def __init__(self, run: subprocess.Popen[str], count: int) -> None:
        self.answers = 0
        self._run = run
        self._address = ""
        for work in [self._read, *[self._view] * count]:
            threading.Thread(target=work, daemon=True).start()

    def _read(self) -> None:
        assert self._run.stderr is not None
        for line in self._run.stderr:
            if "watch it at " in line:
                self._address = line.split("watch it at ")[1].split()[0]

    def _view(self) -> None:
        read, chunks = -1, 0
        while self._run.poll() is None:
            time.sleep(1.0)
            try:
                for number, _ in enumerate(self._ask("api/runs")["runs"]):
                    reach = self._ask(f"api/run/{number}/reach?read={read}")
                    if reach["read"] != read:
                        read, chunks = reach["read"], len(reach["chunks"])
                        self._ask(f"api/run/{number}/chunk/{chunks - 1}")
                    self.answers += 1
            except (OSError, ValueError, KeyError, TypeError):
                continue

    def _ask(self, path: str):  # type: ignore[no-untyped-def] # noqa: ANN202 - any JSON
        with urllib.request.urlopen(f"{self._address}{path}", timeout=30) as answer:
            return json.load(answer)


def play(given: argparse.Namespace, folder: Path, viewers: int) -> tuple[float, float, float, int]:
    """CPU and wall seconds of a run, CPU seconds of the page, and how often viewers were answered."""
    told = folder / "told.json"
    command = [sys.executable, "-c", RUNNER, str(told), "run", given.scenario, "--world", "mock", "--no-report"]
    command += ["--time-limit", str(given.seconds), "--out", str(folder), *(["--watch"] if viewers else [])]
    began = time.perf_counter()
    run = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    watching = Viewers(run, viewers)
    assert run.wait() == 0, f"a run ended with {run.returncode}"
    wall = time.perf_counter() - began
    cpu, page = json.loads(told.read_text())
    return cpu, wall, page, watching.answers


def interval(values: list[float]) -> tuple[float, float]:
    """At least 95 % for the median of what these are drawn from, by their ranks; all of them where they are few."""
    ordered, count = sorted(values), len(values)
    out, tail = 0, 0.0
    while (tail := tail + math.comb(count, out) / 2**count) <= 0.025:
        out += 1
    return ordered[max(0, out - 1)], ordered[min(count - 1, count - out)]


def main() -> None:
    """Play in turn, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--viewers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--scenario", default="village")
    given = parser.parse_args()
    seen: dict[int, list[tuple[float, float, float, int]]] = {0: [], given.viewers: []}
    with tempfile.TemporaryDirectory() as folder:
        play(given, Path(folder), 0)  # caches are filled
        for pair in range(given.pairs):
            for viewers in (0, given.viewers) if pair % 2 else (given.viewers, 0):
                seen[viewers].append(play(given, Path(folder), viewers))
            alone, watched = seen[0][-1], seen[given.viewers][-1]
            print(
                f"alone {alone[0]:.3f} s CPU, {alone[1]:.1f} s wall; watched {watched[0]:.3f} s, {watched[1]:.1f} s; "
                f"the page {watched[2]:.2f} s, {watched[3]} answers; ratio {watched[0] / alone[0]:.3f}",
                flush=True,
            )
    ratios = [watched[0] / alone[0] for alone, watched in zip(seen[0], seen[given.viewers], strict=True)]
    low, high = interval(ratios)
    least = [min(run[0] for run in runs) for runs in seen.values()]
    print(f"median ratio of CPU: {statistics.median(ratios):.3f} [{low:.3f}, {high:.3f}] over {given.pairs} pairs")
    print(f"ratio of the least CPU times: {least[1] / least[0]:.3f} ({least[1]:.3f} s and {least[0]:.3f} s)")


if __name__ == "__main__":
    main()
