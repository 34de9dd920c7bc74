"""Size of a crowd's log, and the cost of reading it for a report and a resumed run.

Size: bytes of the `state` lines of PLAYERS players over STEPS steps, of whom a share (`--movers`) changes at each step;
whole states, as logs had them once, against what has changed. Reading: a log of so many megabytes and one of a tenth,
each read in a process of its own as the report and `accord resume` read it, and with all lines held at once (the short
log only); wall seconds, by how many MB the process grew beyond what it took before, and what it took at most.

Recording: microseconds of CPU a call beyond writing its plain line, in plain form and in parts; bytes a call of both.

Run: `python benchmarks/records.py [--players 500] [--steps 1000] [--movers 0.05] [--mb 100] [--json FILE]`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accord.analysis.report.reader import read_run
from accord.studies.resuming import read_interrupted
from dilemmas.modes.registry import MODES
from dilemmas.records import events as log
from dilemmas.records.events import Event, Holdings, LogLine
from dilemmas.records.record import RunRecord, read_events
from dilemmas.records.rotating import LogLimits
from dilemmas.records.states import StateChanges

MB = 1_000_000
PRICES = {"raw_iron": 4.0, "diamond": 5.0}
EPISODE_STEPS = 1000


def states(players: int, movers: float, seed: int = 0) -> Iterator[dict[str, Holdings]]:
    """Whole states, step by step: at each of them that share of the players mines something."""
    draw = random.Random(seed)
    names = [f"Player{number:03}" for number in range(players)]
    counts = {name: dict.fromkeys(PRICES, 0) for name in names}
    held = {name: Holdings.of(each, {}, PRICES) for name, each in counts.items()}
    while True:
        yield dict(held)
        for name in draw.sample(names, max(1, round(players * movers))):
            counts[name][draw.choice(list(PRICES))] += 1
            held[name] = Holdings.of(counts[name], {"iron_ore": counts[name]["raw_iron"]}, PRICES)


def sizes(players: int, steps: int, movers: float) -> dict[str, int]:
    """Bytes of the state lines: whole, and changes."""
    found, changes = {"whole": 0, "changes": 0}, StateChanges()
    for step, held in zip(range(steps), states(players, movers), strict=False):
        world = {"slime_block": steps - step}
        for name, event in (
            ("whole", log.StateSeen(t_s=float(step), players=held, world=world)),
            ("changes", changes.event(float(step), held, world)),
        ):
            found[name] += len(LogLine(step, None, 0.0, 1, event).to_json()) + 1
    return found


def episode(number: int, players: int, movers: float) -> Iterator[Event]:
    """Yield an episode of the crowd: states, and what bots tell of those who do something."""
    changes, before = StateChanges(), dict[str, Holdings]()
    yield log.EpisodeStarted(attempt=1)
    for step, held in zip(range(EPISODE_STEPS), states(players, movers, number), strict=False):
        if not before:
            yield log.PoliciesStarted(players=list(held))
        for name in (name for name, each in held.items() if before and before[name] != each):
            yield log.ModelCalled(player=name, purpose="action", model="m", number=step, tokens=900, usd=0.001)
            yield log.ActionEvent(bot=name, name="mineBlock", ok=True, t_s=float(step))
            yield log.InventoryEvent(bot=name, items=held[name].items, held="iron_pickaxe", t_s=float(step))
        yield changes.event(float(step), held, {"slime_block": EPISODE_STEPS - step})
        before = held
    yield log.EndStateRead(t_s=float(EPISODE_STEPS), players=before, chest={}, reason="time_limit")
    accounts = {
        name: log.PlayerAccount(items=each.items, reward=each.reward, transfer=0.0, payoff=each.reward)
        for name, each in before.items()
    }
    yield log.EpisodeEnded(reason="time_limit", game_s=float(EPISODE_STEPS), wall_s=1.0, players=accounts)


def write(directory: Path, players: int, movers: float, size: int) -> Path:
    """Return a run's directory with a log of so many bytes, which ends in the midst of an episode."""
    terms = {f"Player{number:03}": log.PlayerTerms(prices=PRICES, author="bench") for number in range(players)}
    # In one piece: its size on the disk is that of its lines.
    record = RunRecord.create(directory, {}, keeping=LogLimits(None, None))
    record.log(
        log.RunStarted(
            run="crowd", scenario="double-vein", version=1, condition="none", contract_kind="none", world="mock",
            seed=0, players=terms,
        )
    )  # fmt: skip
    record.log(log.ContractEvent(state="none", contract=None))
    number = 0
    while (directory / "events.jsonl").stat().st_size < size:
        number += 1
        record.episode = number
        for event in episode(number, players, movers):
            record.log(event)
            if event.kind == "state" and (directory / "events.jsonl").stat().st_size >= size:
                break
    record.close()
    return directory


def _report(directory: Path) -> object:
    return read_run(directory, "crowd")


def _resume(directory: Path) -> object:
    return read_interrupted(read_events(directory / "events.jsonl"), [], MODES["episodes"])


def _hold(directory: Path) -> object:
    return list(read_events(directory / "events.jsonl"))


def prompts(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Calls of a crowd: rules that all share, a persona of each agent, and what it sees now."""
    draw = random.Random(seed)
    words = [f"word{number:04}" for number in range(3000)]

    def told(size: int) -> str:
        return "\n".join(" ".join(draw.choices(words, k=12)) for _ in range(size))

    rules, personas = [told(40) for _ in range(5)], [told(8) for _ in range(500)]
    for number in range(count):
        agent, role = number % 500, number % 5
        user = f"{personas[agent]}\n\nYou see:\n{told(6)}"
        messages = [{"role": "system", "content": rules[role]}, {"role": "user", "content": user}]
        yield {
            "player": f"Player{agent:03}", "role": f"module{role}", "number": number // 500, "model": "openai/m",
            "episode": 1, "settings": {"temperature": 0.7}, "prompt": "0123456789abcdef", "messages": messages,
            "reply": told(1), "usage": {"prompt_tokens": 900, "completion_tokens": 30}, "usd": None, "wall_ms": 812.5,
        }  # fmt: skip


def recording(folder: Path, count: int) -> dict[str, float]:
    """Microseconds of CPU a call, and bytes a call on the disk: a plain line, the record's plain form, its parts."""
    found: dict[str, float] = {}
    calls = list(prompts(count))

    def timed(name: str, write: Callable[[dict[str, Any]], object], close: Callable[[], None]) -> None:
        began = time.process_time()
        for each in calls:
            write(each)
        # Segments are packed beside, until it is closed.
        close()
        found[f"{name}_us"] = (time.process_time() - began) / count * 1e6

    with (folder / "bare").open("w", encoding="utf-8") as file:

        def bare(entry: dict[str, Any]) -> None:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            file.flush()

        timed("line", bare, file.close)
    found["line_bytes"] = (folder / "bare").stat().st_size / count
    for name, keeping in (
        ("plain", LogLimits(None, None)),
        ("parts", LogLimits(64 << 20, 0)),
        ("cut", LogLimits(4 << 20, 0)),
    ):
        record = RunRecord.create(folder / name, {}, keeping=keeping)
        timed(name, record.log_call, record.close)
        files = [each for each in record.directory.rglob("*") if each.is_file()]
        found[f"{name}_bytes"] = sum(each.stat().st_size for each in files) / count
    return found


READERS: dict[str, Callable[[Path], object]] = {"report": _report, "resume": _resume, "all lines held": _hold}


def peak() -> float:
    """MB that this process took at most so far, with its program and libraries."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(reader: str, directory: Path) -> dict[str, float]:
    """Seconds and MB of that reader, in a process of its own."""
    command = [sys.executable, __file__, "--read", reader, "--log", str(directory)]
    answer: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer


def read(reader: str, directory: Path) -> dict[str, float]:
    """Return what `measure` asks of its process."""
    before, began = peak(), time.perf_counter()
    kept = READERS[reader](directory)
    took = time.perf_counter() - began
    found = {"seconds": took, "grown_mb": peak() - before, "peak_mb": peak()}
    del kept
    return found


def main() -> None:
    """Measure, and print one table of sizes and one of readers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--movers", type=float, default=0.05, help="share of the players that changes at a step")
    parser.add_argument("--calls", type=int, default=20_000, help="calls of models that are recorded")
    parser.add_argument("--mb", type=float, default=100, help="size of the long log")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--read", choices=tuple(READERS), help=argparse.SUPPRESS)
    parser.add_argument("--log", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(read(options.read, options.log)))
        return
    if not 0 < options.movers <= 1 or min(options.players, options.steps, options.mb) <= 0:
        parser.error("--players, --steps and --mb are above 0, --movers is above 0 and at most 1")
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        found: dict[str, Any] = {"recording": recording(Path(folder), options.calls)}
    found |= {"sizes": sizes(options.players, options.steps, options.movers), "readers": _read_all(options)}
    _show(options, found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


def _read_all(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return one row for each reader and log."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        for mb in (options.mb / 10, options.mb):
            directory = write(Path(folder) / f"{mb:g}", options.players, options.movers, int(mb * MB))
            for reader in READERS:
                if reader != "all lines held" or mb < options.mb:
                    rows.append({"reader": reader, "mb": mb, **measure(reader, directory)})
    return rows


def _show(options: argparse.Namespace, found: dict[str, Any]) -> None:
    told = found["recording"]
    print(
        f"\nrecording a call: its line alone {told['line_us']:.0f} us, {told['line_bytes']:.0f} bytes (goal <= +20 us)"
    )
    for name, words in (("plain", "plain"), ("parts", "in parts"), ("cut", "in parts and segments")):
        beyond = told[f"{name}_us"] - told["line_us"]
        print(f"  {words:<22}{beyond:>+7.1f} us{told[f'{name}_bytes']:>9.0f} bytes a call on the disk")
    whole, changes = found["sizes"]["whole"], found["sizes"]["changes"]
    print(f"\nstate lines of {options.players} players x {options.steps} steps, {options.movers:.0%} change at a step")
    print(f"whole {whole / MB:.1f} MB, changes {changes / MB:.1f} MB: {whole / changes:.1f} times as small")
    print(f"\n{'reading':<20}{'log MB':>8}{'seconds':>10}{'MB a second':>13}{'grown MB':>10}{'peak MB':>9}")
    for row in found["readers"]:
        speed = row["mb"] / row["seconds"]
        print(
            f"{row['reader']:<20}{row['mb']:>8.0f}{row['seconds']:>10.1f}{speed:>13.1f}{row['grown_mb']:>10.1f}{row['peak_mb']:>9.0f}"
        )


if __name__ == "__main__":
    main()
