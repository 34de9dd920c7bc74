"""Large logs: a synthetic log of a society, and what reading it and making its report cost.

The log has the kinds of lines that five hundred people in towns write, in their usual shares. CPU time and the peak of
memory are those of `accord report` in a process of its own. Bar: 1 GB in at most 60 s of one core within 1 GB.

Run: `python benchmarks/logs.py [--mb 100] [--keep FOLDER] [--json FILE]`; half a minute for 100 MB.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dilemmas.records import events as log
from dilemmas.scenarios.registry import load_scenario

MB = 1_000_000
WORDS = (
    "Good day to you.", "I am a Pastafarian, and all are welcome.", "Let us cook pasta together tonight.",
    "Come to the dance tonight.", "Join my eco garden.",
)  # fmt: skip
GOALS = ("You look after your daily work.", "You begin an eco garden where nothing is wasted.", "You practise a dance.")
STEP_S = 5.0


def events(size: int) -> Iterator[str]:
    """Yield the lines of a log of about so many bytes."""
    scenario: Any = load_scenario("religion")
    people = list(scenario.spec.players)
    chance = random.Random(1)
    terms = {name: log.PlayerTerms(prices={}, author="dwellers/dweller") for name in people}
    head: list[log.Event] = [
        log.RunStarted(run="r", scenario="religion", version=1, condition="priests", contract_kind="none",
                       world="mock", seed=0, players=terms),
        log.EpisodeStarted(attempt=1), *scenario.opening_events("priests"),
        *(log.LifeBegan(t_s=0, player=name, attempt=1) for name in people),
    ]  # fmt: skip
    written, number, t_s = 0, 0, 0.0
    for event in head:
        line = log.LogLine(number, 0, 0.0, 1, event).to_json()
        written, number = written + len(line) + 1, number + 1
        yield line
    at = {name: [chance.uniform(0, 1000), -60.0, chance.uniform(-250, 950)] for name in people}
    while written < size:
        t_s += STEP_S
        for kind, data in _step(people, at, t_s, chance):
            tick = int(t_s * 20)
            line = json.dumps({"seq": number, "kind": kind, "tick": tick, "time": 0.0, "episode": 1, "data": data})
            written, number = written + len(line) + 1, number + 1
            yield line
    ended = log.EndStateRead(t_s=t_s, players={}, chest={}, reason="time_limit", wall_s=1.0)
    over = log.EpisodeEnded(reason="time_limit", game_s=t_s, wall_s=1.0, players={})
    for place, event in enumerate((ended, over, log.RunEnded(status="complete", reason=None, result={}))):
        yield log.LogLine(number + place, 0, 0.0, 1, event).to_json()


def _step(
    people: list[str], at: dict[str, list[float]], t_s: float, chance: random.Random
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what five seconds bring."""
    for name in chance.sample(people, 60):
        spot = at[name]
        spot[0], spot[2] = round(spot[0] + chance.uniform(-5, 5), 1), round(spot[2] + chance.uniform(-5, 5), 1)
        said, heard = chance.choice(WORDS), chance.sample(people, 6)
        yield "speech", {"t_s": t_s, "speaker": name, "voice": "say", "text": said, "to": "", "at": spot,
                         "hearers": heard, "choice": 3, "program": False}  # fmt: skip
        value = {"text": chance.choice(GOALS), "activity": "eco", "t_s": t_s}
        yield "slot", {"t_s": t_s, "player": name, "slot": "goal", "version": 1, "writer": "goal_generation",
                       "value": value}  # fmt: skip
        choice = {"number": 3, "doing": "stay Woodhaven", "activity": "stay", "why": "", "speak": True, "to": "",
                  "purpose": "", "expects": "", "t_s": t_s}  # fmt: skip
        yield "choice", {"t_s": t_s, "player": name, "number": 3, "choice": choice,
                         "passed": [{"slot": "goal", "version": 2, "chars": 30, "cut": 0}]}  # fmt: skip
        yield "policy", {"t_s": t_s, "bot": name, "state": "started", "result": None}
        calls = [{"name": "goTo", "args": [{"x": 36, "y": -60, "z": 133}, 2]}]
        yield "act_began", {"t_s": t_s, "player": name, "number": 9, "label": "stay Woodhaven", "calls": calls,
                            "program": "", "by": "skill_execution", "choice": 3}  # fmt: skip
        yield "action", {"t_s": t_s, "bot": name, "name": "goTo", "ok": True, "args": [[36, -60, 133], 2],
                         "error": None}  # fmt: skip
        yield "act_ended", {"t_s": t_s, "player": name, "number": 9, "label": "stay Woodhaven", "ended": "done",
                            "error": "", "seconds": 4.0, "gained": {}}  # fmt: skip
        yield "inventory", {"t_s": t_s, "bot": name, "items": {"bread": 3}, "held": None}
    yield "places", {"t_s": t_s, "at": at, "gone": []}


def write(folder: Path, size: int) -> int:
    """Return a run's folder with such a log; how many bytes it has."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "calls.jsonl").touch()
    with (folder / "events.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in events(size))
    return (folder / "events.jsonl").stat().st_size


def measure(folder: Path, out: Path) -> dict[str, float]:
    """`accord report` of that folder: seconds of CPU and wall, and the peak of memory in MB."""
    command = [sys.executable, "-m", "accord.cli", "report", str(folder), "--out", str(out)]
    began = time.monotonic()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    wall_s = time.monotonic() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"cpu_s": used.ru_utime + used.ru_stime, "wall_s": wall_s, "peak_mb": used.ru_maxrss * 1024 / MB}


def main() -> None:
    """Write, measure, tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=100)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.keep or Path(temporary) / "run"
        size = write(folder, chosen.mb * MB) if not (folder / "events.jsonl").exists() else chosen.mb * MB
        row = {"mb": size / MB, **measure(folder, Path(temporary) / "report")}
    print(", ".join(f"{key} {value:.1f}" for key, value in row.items()))
    if chosen.json:
        chosen.json.write_text(json.dumps(row))


if __name__ == "__main__":
    main()
