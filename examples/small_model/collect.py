"""Write the choices of finished sweeps as CSV, a row for each round, with the model's reason; or their contracts; or
the outcomes of the answers that `benchmarks/readable.py` kept.

python examples/small_model/collect.py runs/small-model-labels runs/small-model-personas > choices.csv
python examples/small_model/collect.py --contracts runs/small-model-contract > contracts.csv
python examples/small_model/collect.py --answers readable.jsonl > answers.csv
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dilemmas.records.record import read_events

COLUMNS = ("scenario", "condition", "opponent", "seed", "round", "choice", "cooperates", "opponent_cooperates", "why")
CONTRACTS = ("seed", "messages", "negotiation", "in_force", "status", "text")
ANSWERS = ("family", "part", "asked", "seed", "outcome", "tokens", "fault")
MAX_FAULT = 100
"""Maximum length of a fault in the table, in characters."""
MAX_TEXT = 1000
"""Maximum length of a contract's text in the table, in characters."""
PLAYER, OPPONENT = "Gizmo", "Glitch"


def records(sweep: Path) -> Iterator[tuple[dict[str, Any], Path]]:
    """Yield each task of a sweep with the folder of its record."""
    for line in (sweep / "tasks.jsonl").read_text(encoding="utf-8").splitlines():
        task = json.loads(line)
        yield task, sweep / "tasks" / task["id"][:2] / task["id"]


def contracts(sweep: Path) -> list[list[object]]:
    """Return a row for each negotiation: its end, and the agreed text or the last one proposed."""
    found: list[list[object]] = []
    for task, record in records(sweep):
        result = json.loads((record / "result.json").read_text(encoding="utf-8"))
        told = result["negotiation"]
        proposed = [turn["proposal"]["text"] for turn in told["transcript"] if turn.get("proposal")]
        text = told["contract"]["text"] if told["contract"] else proposed[-1]
        in_force = int(result["contract"] is not None)
        found.append(
            [task["seed"], len(told["transcript"]), told["state"], in_force, result["status"], text[:MAX_TEXT]]
        )
    return found


def answers(file: Path) -> list[list[object]]:
    """Return a row for each answer that `benchmarks/readable.py` kept, sorted."""
    kept = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return sorted([*(row[name] for name in ANSWERS[:-1]), row["fault"][:MAX_FAULT]] for row in kept)


def rows(sweep: Path) -> list[list[object]]:
    """Return the rows of all runs of a sweep, in the order of its tasks."""
    found: list[list[object]] = []
    for task, record in records(sweep):
        calls = (record / "calls.jsonl").read_text(encoding="utf-8").splitlines()
        reasons = [json.loads(json.loads(call)["reply"])["why"] for call in calls]
        played = [line.event for line in read_events(record / "events.jsonl") if line.kind == "round_played"]
        opponent = task["parameters"]["agents"].split(",")[1]
        for event, why in zip(played, reasons, strict=True):
            found.append(
                [
                    Path(task["scenario"]).stem, task["condition"], opponent, task["seed"], event.round,
                    event.choices[0][PLAYER], int(event.cooperation[PLAYER]), int(event.cooperation[OPPONENT]), why,
                ]
            )  # fmt: skip
    return found


TABLES: dict[str, tuple[tuple[str, ...], Callable[[Path], list[list[object]]]]] = {
    "--contracts": (CONTRACTS, contracts),
    "--answers": (ANSWERS, answers),
}


def main() -> None:
    """Write the CSV to standard output."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    option, *paths = sys.argv[1:]
    if option not in TABLES:
        option, paths = "", [option, *paths]
    columns, read = TABLES.get(option, (COLUMNS, rows))
    table.writerow(columns)
    for path in paths:
        table.writerows(read(Path(path)))


if __name__ == "__main__":
    main()
