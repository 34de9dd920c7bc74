"""What watching costs a run: the same mock run with and without watchers, in turn.

    python benchmarks/watching.py [--pairs 4] [--viewers 2] [--seconds 60] [--scenario village]

A viewer asks as the page does: how far the record is, and what is new of it, once a second. CPU time is that of the
run's own processes (Python and Node); the page's process, which has the least priority, is told apart. On a machine
that others use only the CPU times tell anything.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ACCORD = Path(sys.executable).with_name("accord")
TICKS = os.sysconf("SC_CLK_TCK")


class Page:
    """The page's process and its viewers, while a run is watched."""

    def __init__(self, run: subprocess.Popen[str], viewers: int) -> None:
        self.cpu_s = 0.0
        self.answers = 0
        self._run = run
        self._address = ""
        threads = [threading.Thread(target=self._sample), threading.Thread(target=self._read)]
        threads += [threading.Thread(target=self._view) for _ in range(viewers)]
        for thread in threads:
            thread.daemon = True
            thread.start()

    def _read(self) -> None:
        assert self._run.stderr is not None
        for line in self._run.stderr:
            if "watch it at " in line:
                self._address = line.split("watch it at ")[1].split()[0]

    def _sample(self) -> None:
        """The CPU time of the page's process, as of a fifth of a second before its end."""
        while self._run.poll() is None:
            for pid in children(self._run.pid):
                if "dilemmas.view.watching" in text_of(f"/proc/{pid}/cmdline"):
                    self.cpu_s = max(self.cpu_s, cpu_of(pid))
            time.sleep(0.2)

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


def children(pid: int) -> list[int]:
    """Processes that this one has started."""
    return [int(each) for each in text_of(f"/proc/{pid}/task/{pid}/children").split()]


def text_of(path: str) -> str:
    """A file's text; empty where it is gone."""
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


def cpu_of(pid: int) -> float:
    """CPU seconds of a process."""
    fields = text_of(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def play(given: argparse.Namespace, folder: Path, viewers: int) -> tuple[float, float, float, int]:
    """CPU and wall seconds of a run, CPU seconds of the page, and how often viewers were answered."""
    command = [str(ACCORD), "run", given.scenario, "--world", "mock", "--time-limit", str(given.seconds), "--no-report"]
    command += ["--out", str(folder), *(["--watch"] if viewers else [])]
    began = time.perf_counter()
    run = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    page = Page(run, viewers)
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    assert run.returncode == 0, f"{' '.join(command)} ended with {run.returncode}"
    wall = time.perf_counter() - began
    return used.ru_utime + used.ru_stime - page.cpu_s, wall, page.cpu_s, page.answers


def main() -> None:
    """Play in turn, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--viewers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--scenario", default="village")
    given = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        play(given, Path(folder), 0)  # caches are filled
        for pair in range(given.pairs):
            found = {}
            for viewers in (0, given.viewers) if pair % 2 else (given.viewers, 0):
                found[viewers] = play(given, Path(folder), viewers)
            alone, watched = found[0], found[given.viewers]
            ratios.append((watched[0] / alone[0], watched[1] / alone[1]))
            print(
                f"alone {alone[0]:.2f} s CPU, {alone[1]:.1f} s wall; watched {watched[0]:.2f} s, {watched[1]:.1f} s; "
                f"the page {watched[2]:.2f} s, {watched[3]} answers; ratio {ratios[-1][0]:.3f}, {ratios[-1][1]:.3f}",
                flush=True,
            )
    for name, part in (("CPU", [each for each, _ in ratios]), ("wall", [each for _, each in ratios])):
        print(f"median ratio of {name}: {statistics.median(part):.3f}")


if __name__ == "__main__":
    main()
