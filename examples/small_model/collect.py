"""Write the choices of finished sweeps as CSV, a row for each round, with the model's reason; or their contracts.

python examples/small_model/collect.py runs/small-model-labels runs/small-model-personas > choices.csv
python examples/small_model/collect.py --contracts runs/small-model-contract > contracts.csv
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dilemmas.records.record import read_events

COLUMNS = ("scenario", "condition", "opponent", "seed", "round", "choice", "cooperates", "opponent_cooperates", "why")
CONTRACTS = ("seed", "messages", "negotiation", "in_force", "status", "text")
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


def main() -> None:
    """Write the CSV to standard output."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    folders = sys.argv[1:]
    about_contracts = folders[:1] == ["--contracts"]
    table.writerow(CONTRACTS if about_contracts else COLUMNS)
    for folder in folders[about_contracts:]:
        table.writerows(contracts(Path(folder)) if about_contracts else rows(Path(folder)))


if __name__ == "__main__":
    main()
