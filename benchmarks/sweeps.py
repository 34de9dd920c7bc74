"""Cost of a sweep: expansion, table, efficiency of engines on several cores, overhead of a run, and chaos.

Expansion: seconds until 10,000 tasks are known. Table: seconds and memory (a process of its own) for 10,000 runs whose
results are copies of one. Efficiency: seconds of the same mock runs one at a time, over those with --jobs at a time and
as many times as that; 1.0 is perfect, and what else the machine does counts against it. Overhead: seconds that a run
costs the local engine beyond its own, start included. CPU: seconds of all processes that an engine and its runs have
ended with, a run; what else the machine does counts little against it. Chaos (--chaos N): workers are killed at N
seeded moments, the head is killed and started again once, and every run must be there once, equal to the undisturbed
one. With --full (root, Linux) the sweep's folder is on a small file system that is full from one seeded moment on until
the sweep has ended of it; then there is room again, and it is started again.

Run: `python benchmarks/sweeps.py [--runs 200] [--jobs 2] [--engines local,ray] [--chaos 50 [--full]] [--json FILE]`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accord.studies.sweeps.engine import open_engine
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.spec import read_sweep
from accord.studies.sweeps.sweep import run_sweep
from accord.studies.sweeps.task import play_task
from accord.studies.sweeps.tasks import expand_sweep
from dilemmas.records.digest import digest
from dilemmas.records.record import read_events
from dilemmas.records.results import read_result

MANY = 10_000
BIG = {"name": "big", "scenarios": ["cleanup"], "conditions": ["none", "contract-1"],
       "grid": {"time_limit_s": [10, 20, 30, 40, 50]}, "seeds": MANY // 10}  # fmt: skip
TABLE = """
import json, resource, sys, time
from pathlib import Path
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.table import write_table
folder, begun = SweepFolder.open(Path(sys.argv[1])), time.perf_counter()
write_table(folder)
took, peak = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"s": took, "peak_mb": peak}))
"""


def expansion() -> float:
    """Seconds for 10,000 tasks."""
    begun = time.perf_counter()
    assert len(expand_sweep(read_sweep(BIG, Path("big.yaml")), Path())) == MANY
    return time.perf_counter() - begun


async def table(place: Path) -> dict[str, float]:
    """Seconds and megabytes for the table of 10,000 runs."""
    folder = SweepFolder.make(place / "big", BIG, place)
    await play_task(folder, 0)
    made = folder.home(folder.tasks[0]) / "result.json"
    for task in folder.tasks[1:]:
        folder.home(task).mkdir(parents=True)
        shutil.copy(made, folder.home(task))
    found: dict[str, float] = json.loads(
        await asyncio.to_thread(_said, [sys.executable, "-c", TABLE, str(folder.path)])
    )
    return found


def _said(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def made(place: Path, options: argparse.Namespace) -> SweepFolder:
    """Return a sweep of mock runs."""
    settings = {} if options.time_limit is None else {"time_limit_s": options.time_limit}
    data = {"name": "runs", "scenarios": [options.scenario], "seeds": options.runs, "settings": settings}
    return SweepFolder.make(place, data, place)


async def played(folder: SweepFolder, engine: str, jobs: int) -> dict[str, float]:
    """Seconds of that sweep by that engine; those beyond its runs' own, a run."""
    begun, cpu = time.perf_counter(), cpu_s()
    result = await run_sweep(folder, open_engine(engine, jobs=jobs), lambda *_: None)
    took = time.perf_counter() - begun
    if not result.complete:
        raise SystemExit(f"{folder.path}: {dict(result.statuses)}")
    own_s = [read_result(folder.home(task) / "result.json")["wall_s"] for task in folder.tasks]
    own = sum(own_s)
    return {"s": took, "overhead_s": (took * jobs - own) / len(folder.tasks), "cpu_s": (cpu_s() - cpu) / len(own_s)}


def cpu_s() -> float:
    """Seconds of a core that this process and all that it started have taken, of those that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def logs(folder: SweepFolder) -> dict[str, str]:
    """Return task -> hash of its log."""
    return {each.parent.name: digest(read_events(each)) for each in (folder.path / "tasks").glob("*/*/events.jsonl")}


async def chaos(folder: SweepFolder, kills: int, jobs: int, *, full: bool = False) -> dict[str, Any]:
    """Play while workers are killed, with the head killed once in the middle, and the disk full once after that."""
    chance, killed, half, ballast, filled = random.Random(1), 0, False, folder.path / ".ballast", not full
    codes: list[int] = []
    while not all(folder.is_done(task) for task in folder.tasks):
        head = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "accord.cli", "sweep", str(folder.path), "--jobs", str(jobs),
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        ended = asyncio.create_task(head.wait())
        while not ended.done():
            await asyncio.wait([ended], timeout=chance.uniform(0.5, 4.0))
            workers = [pid for pid in _children(head.pid) if "sweeps.serve" in _words(pid)]
            if killed < kills and workers:
                os.kill(chance.choice(workers), signal.SIGKILL)
                killed += 1
            if killed >= kills // 2 and not half and not ended.done():
                half = True
                head.kill()
            elif half and not filled and killed >= kills * 3 // 4 and not ended.done():
                filled = True
                _fill(ballast)
        if ballast.exists():
            codes.append(ended.result())
            ballast.unlink()
    left = [each.name for part in ("leases", "scratch") for each in (folder.path / part).iterdir()]
    return {"killed": killed, "head_killed": half, "disk_full": codes, "left_behind": left}


def _fill(ballast: Path) -> None:
    """Take all room of the file system."""
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as stream:
        while stream.write(bytes(4096)):
            pass


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in path.read_text().split()] if path.exists() else []


def _words(pid: int) -> str:
    path = Path(f"/proc/{pid}/cmdline")
    return path.read_text() if path.exists() else ""


async def main() -> None:
    """Measure, and print a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="cleanup")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--engines", default="local,ray", help="which are measured, with commas between them")
    parser.add_argument("--time-limit", type=float, metavar="S", help="game time of an episode")
    parser.add_argument("--chaos", type=int, default=0, metavar="N", help="so many workers are killed")
    parser.add_argument("--full", action="store_true", help="with --chaos: the disk is full once (root)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    options = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    found: dict[str, Any] = {"expansion_s": expansion(), "engines": {}}
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as name:
        place = Path(name)
        found["table"] = await table(place)
        print(f"10,000 tasks: {found['expansion_s']:.2f} s; table {found['table']['s']:.1f} s, "
              f"{found['table']['peak_mb']:.0f} MB")  # fmt: skip
        for engine in [each for each in options.engines.split(",") if each]:
            one = await played(made(place / f"{engine}-1", options), engine, 1)
            many = await played(made(place / f"{engine}-n", options), engine, options.jobs)
            efficiency = one["s"] / many["s"] / options.jobs
            found["engines"][engine] = {"one": one, "many": many, "efficiency": efficiency}
            print(f"{engine}: {options.runs} runs {one['s']:.1f} s, {options.jobs} at a time {many['s']:.1f} s: "
                  f"{efficiency:.2f} of {options.jobs} cores; overhead {one['overhead_s']:.2f} s a run; "
                  f"CPU {one['cpu_s']:.2f} and {many['cpu_s']:.2f} s a run")  # fmt: skip
        if options.chaos:
            found["chaos"] = await _chaos(place, options)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


async def _chaos(place: Path, options: argparse.Namespace) -> dict[str, Any]:
    calm = made(place / "calm", options)
    await played(calm, "local", options.jobs)
    with _small(place / "small") if options.full else contextlib.nullcontext(place) as room:
        wild = made(room / "wild", options)
        told = await chaos(wild, options.chaos, options.jobs, full=options.full)
        equal = logs(calm) == logs(wild)
    print(f"chaos: {told['killed']} workers and {int(told['head_killed'])} head killed in {options.runs} runs, "
          f"the disk full {len(told['disk_full'])} times (the sweep ended with {told['disk_full']}): "
          f"{'equal' if equal else 'NOT EQUAL'}, left behind {told['left_behind'] or 'nothing'}")  # fmt: skip
    return {**told, "equal": equal}


@contextlib.contextmanager
def _small(place: Path) -> Iterator[Path]:
    """Return a file system of its own, which can be filled without harm."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512m", "accord-bench", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


if __name__ == "__main__":
    asyncio.run(main())
