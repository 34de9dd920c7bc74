"""Cost of `accord view`: building the index of a large record, opening it, and showing a moment; 500 agents.

    python benchmarks/viewing.py [--mb 100] [--agents 500] [--keep FOLDER]

The record is a synthetic one of a society: places, acts, decisions, words and model calls of so many agents.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accord.viewer.index import RunIndex, index_path


def write(directory: Path, size: int, agents: int) -> None:
    """A record of about so many bytes."""
    draw = random.Random(1)
    names = [f"Agent{number:03}" for number in range(agents)]
    at = {name: [draw.uniform(-100, 100), -60.0, draw.uniform(-100, 100)] for name in names}
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "calls.jsonl").touch()
    seq = 0
    with (directory / "events.jsonl").open("w", encoding="utf-8") as log:

        def tell(kind: str, **data: object) -> None:
            nonlocal seq
            head = {"seq": seq, "kind": kind, "tick": None, "time": 0.0, "episode": 1, "data": data}
            log.write(json.dumps(head) + "\n")
            seq += 1

        players = {name: {"prices": {}, "author": "bench/none", "group": ""} for name in names}
        tell("run_started", run="", scenario="bench", version=1, condition="none", contract_kind="none", world="mock",
             seed=0, players=players)  # fmt: skip
        tell("episode_started", attempt=1)
        rows = [[400, 1 + (row // 20) % 2] for row in range(400)]
        heights = [[10, (row + column) % 7] for row in range(400) for column in range(1)]
        tell("ground", origin=[0, -60, 0], corner=[-200, -200], blocks=["", "grass_block", "stone"], rows=rows,
             heights=[each * 40 for each in heights])  # fmt: skip
        tell("policies_started", players=names)
        second = 0
        while log.tell() < size:
            for name in names:
                at[name][0] += draw.uniform(-2, 2)
                at[name][2] += draw.uniform(-2, 2)
            tell("places", t_s=float(second), at={name: [round(part, 1) for part in spot] for name, spot in at.items()})
            for name in draw.sample(names, agents // 10):
                act(tell, draw, name, float(second), at[name])
            second += 1
        tell("run_ended", status="complete", reason=None, result={})


def act(tell, draw: random.Random, name: str, t_s: float, spot: list[float]) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """Write an agent's decision, act and words."""
    passed = [{"slot": slot, "version": 1, "chars": 100, "cut": 0} for slot in ("goal", "plan", "percepts", "hearing")]
    choice = {"doing": "do some wood", "why": "w" * draw.randrange(40, 200), "to": "", "purpose": "tell"}
    tell("choice", t_s=t_s, player=name, number=1, choice=choice, passed=passed)
    goal = {"text": "g" * 60, "activity": draw.choice(["wood", "mining", "farming", "trading"])}
    tell("slot", t_s=t_s, player=name, slot="goal", version=1, writer="goal", value=goal)
    tell("act_began", t_s=t_s, player=name, number=1, label="fell an oak", calls=[], program="", by="x", choice=1)
    tell(
        "act_ended", t_s=t_s, player=name, number=1, label="fell an oak", ended="done", error="", seconds=3.0, gained={}
    )
    tell("speech", t_s=t_s, speaker=name, voice="say", text="I fell oaks " * 3, to="", at=spot, hearers=[], choice=1)


def measure(directory: Path) -> dict[str, float]:
    """Seconds to build the index, to open it again, and the worst of many moments."""
    log = directory / "events.jsonl"
    index_path(directory).unlink(missing_ok=True)
    began = time.perf_counter()
    index = RunIndex(directory)
    first = index.step() and time.perf_counter() - began
    while index.step():
        pass
    built = time.perf_counter() - began
    index.close()
    began = time.perf_counter()
    index = RunIndex(directory)
    index.reach()
    opened = time.perf_counter() - began
    chunks = len(index.reach()["chunks"])
    times = []
    draw = random.Random(2)
    for _ in range(100):
        began = time.perf_counter()
        index.chunk(draw.randrange(chunks))
        index.rows("SELECT * FROM words WHERE at <= ? ORDER BY at DESC, id DESC LIMIT 400", (draw.uniform(0, 1e4),))
        times.append(time.perf_counter() - began)
    index.close()
    return {
        "log MB": log.stat().st_size / 1e6, "index MB": index_path(directory).stat().st_size / 1e6, "chunks": chunks,
        "first part s": float(first), "built s": built, "opened s": opened, "moment, worst of 100 s": max(times),
    }  # fmt: skip


def main() -> None:
    """Write, measure, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mb", type=int, default=100)
    parser.add_argument("--agents", type=int, default=500)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        directory = given.keep or Path(folder) / "bench"
        write(directory, given.mb * 1_000_000, given.agents)
        for name, value in measure(directory).items():
            print(f"{name:24} {value:10.3f}")


if __name__ == "__main__":
    main()
