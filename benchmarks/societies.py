"""Thirty agents that live: on the mock world how many times real time, on the embedded server how late modules are.

The bars are those of societies: on mock at least 40 times real time on two cores, one for Python and one for Node; on
the embedded server 20.0 ticks a second with every agent's modules on time (lateness at the 99th percentile below 0.25
s). Each is told as met or MISSED, with the machine's load, which decides it: run it where nothing else runs. On mock
the computing time of both processes, Python's and Node's, is told as well, start and report included: on a busy machine
it says more than the times do.

With `--scenario taxation` it is the taxed village's 29 people, and the schedule of seasons is measured as well: on mock
exact in ticks, on the embedded server within 0.25 s. A whole run is `--seconds 1200`, one season `--seconds 120`.

With `--institutions` people live under law (in taxation the constitution), elections, treasury, guards, court and
market, villagers have drives, and the bar on mock is 30 times real time.

Run: `python benchmarks/societies.py [--scenario village|taxation] [--world mock embedded] [--people 30] [--seconds 120]
[--institutions] [--json FILE]`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accord.studies.study import StudySettings, run_study
from dilemmas.records.events import LifeSummed, LogLine, PlacesSeen, PoliciesStarted, SeasonClosed, SeasonOpened
from dilemmas.records.record import read_events
from dilemmas.records.results import read_result
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.taxation.spec import TaxationSpec

Row = dict[str, Any]
TIMES, GOVERNED_TIMES = 40.0, 30.0
"""Times real time that the mock world is to reach, without and with institutions."""
PARTS = ("elections", "treasury", "guards", "court", "market")
LAWS = {"village": "law", "taxation": "constitution"}
"""Scenario -> the part that has its law."""
TICKS = 19.95
"""Ticks a second that count as 20.0."""
LATE_S = 0.25
TICKS_A_SECOND = 20
SCENARIOS = Path(__file__).parent.parent / "dilemmas" / "scenarios"
CONDITIONS = {"village": "normal", "taxation": "anti-amendable"}
"""Scenario -> the condition that is played."""


async def lived(scenario: str, world: str, people: int, seconds: float, folder: Path, *, governed: bool) -> Row:
    """Return a village of so many agents without a model (the taxed one has its own), for so many seconds of game
    time."""
    path = folder / f"{world}.yaml"
    who = f"population: {{count: {people}}}\n" if scenario == "village" else ""
    if governed and scenario == "village":
        who += "conditions: {normal: {agents: {modules: [drives]}}}\n"
    path.write_text(
        f"extends: {SCENARIOS / scenario / scenario}.yaml\nname: benchmark-{scenario}\n{who}"
        f"end: {{time_limit_s: {seconds:g}}}\n",
        encoding="utf-8",
    )
    before, spent = os.getloadavg()[0], computed_s()
    parts = (LAWS[scenario], *PARTS) if governed else ()
    settings = StudySettings(
        str(path), world=world, contracts=(CONDITIONS[scenario],), out=folder / world,
        vary={f"institution.{part}": ("on",) for part in parts},
    )  # fmt: skip
    found = await run_study(settings)
    if found.results[0]["status"] != "complete":
        sys.exit(f"{scenario} on {world} was not played to its end: {found.results[0]['reason']}")
    lines = list(read_events(found.directory / "events.jsonl"))
    result = read_result(found.directory / "result.json")
    late = [
        (use["late_p99"], use["late_most"], name)
        for line in lines
        if isinstance(line.event, LifeSummed)
        for name, use in line.event.modules.items()
    ]
    p99, _, module = max(late)
    row = {
        "scenario": scenario, "institutions": governed, "world": world, "people": len(result["players"]),
        "seconds": seconds, "status": result["status"],
        "times_real_time": round(result["game_s"] / result["episode_wall_s"], 1),
        "computed_s_a_second": round((computed_s() - spent) / result["game_s"], 4),
        "late_p99_s": p99, "late_most_s": max(each[1] for each in late), "latest_module": module,
        "load": [round(before, 1), round(os.getloadavg()[0], 1)],
    }  # fmt: skip
    spec = load_scenario(str(path)).spec
    row |= season_row(lines, spec.rules.seasons.windows()) if isinstance(spec, TaxationSpec) else {}
    return row | ({} if world == "mock" else {"ticks_a_second": round(ticks_a_second(lines), 2)})


def computed_s() -> float:
    """Seconds of processor time that this process and its children that have ended took so far."""
    uses = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in uses)


def season_row(lines: list[LogLine], windows: Sequence[tuple[float, float]]) -> Row:
    """Return the number of seasons' openings and closes there were, and the most by which one was beside its second."""
    started = next(line.tick for line in lines if isinstance(line.event, PoliciesStarted))
    assert started is not None
    beside = []
    for line in lines:
        if isinstance(line.event, (SeasonOpened, SeasonClosed)):
            assert line.tick is not None
            due = windows[line.event.season - 1][isinstance(line.event, SeasonClosed)]
            beside.append(abs(line.tick - started - due * TICKS_A_SECOND) / TICKS_A_SECOND)
    return {"season_steps": len(beside), "season_beside_s": max(beside, default=None)}


def ticks_a_second(lines: list[LogLine]) -> float:
    """Return as the server's clock and the wall's have it, from the first look to the last."""
    looks = [line for line in lines if isinstance(line.event, PlacesSeen) and line.tick is not None]
    first, last = looks[0], looks[-1]
    assert first.tick is not None
    assert last.tick is not None
    return (last.tick - first.tick) / (last.time - first.time)


def verdicts(row: Row) -> list[str]:
    """Return the bars of that world: met or MISSED."""

    def told(what: str, value: float, unit: str, *, met: bool) -> str:
        return f"  {'met   ' if met else 'MISSED'}  {what}: {value:g} {unit}"

    most = 0 if row["world"] == "mock" else LATE_S
    beside = row.get("season_beside_s")
    seasons = [] if beside is None else [told(f"seasons at most {most} s beside", beside, "s", met=beside <= most)]
    if row["world"] == "mock":
        times, bar = row["times_real_time"], GOVERNED_TIMES if row["institutions"] else TIMES
        return [told(f"at least {bar:g} times real time", times, "times", met=times >= bar), *seasons]
    ticks, late = row["ticks_a_second"], row["late_p99_s"]
    return [
        *seasons,
        told("20.0 ticks a second", ticks, "ticks a second", met=ticks >= TICKS),
        told(f"lateness at the 99th percentile below {LATE_S} s", late, "s", met=late < LATE_S),
    ]


async def main() -> None:
    """Plays and tells."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="village", choices=sorted(CONDITIONS))
    parser.add_argument("--world", nargs="+", default=["mock", "embedded"], choices=["mock", "embedded"])
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--institutions", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    for world in options.world:
        with tempfile.TemporaryDirectory() as folder:
            governed = options.institutions
            row = await lived(options.scenario, world, options.people, options.seconds, Path(folder), governed=governed)
        rows.append(row)
        sys.stdout.write(f"{json.dumps(row)}\n" + "\n".join(verdicts(row)) + "\n")
        sys.stdout.flush()
    if options.json:
        machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
        options.json.write_text(json.dumps({"machine": machine, "rows": rows}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
