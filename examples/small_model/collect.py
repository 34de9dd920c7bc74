"""Write the choices of finished sweeps as CSV, a row for each round, with the model's reason.

python examples/small_model/collect.py runs/small-model-labels runs/small-model-personas > choices.csv
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from dilemmas.records.record import read_events

COLUMNS = ("scenario", "condition", "opponent", "seed", "round", "choice", "cooperates", "opponent_cooperates", "why")
PLAYER, OPPONENT = "Gizmo", "Glitch"


def rows(sweep: Path) -> list[list[object]]:
    """Return the rows of all runs of a sweep, in the order of its tasks."""
    found: list[list[object]] = []
    for line in (sweep / "tasks.jsonl").read_text(encoding="utf-8").splitlines():
        task = json.loads(line)
        record = sweep / "tasks" / task["id"][:2] / task["id"]
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
    table.writerow(COLUMNS)
    for folder in sys.argv[1:]:
        table.writerows(rows(Path(folder)))


if __name__ == "__main__":
    main()
