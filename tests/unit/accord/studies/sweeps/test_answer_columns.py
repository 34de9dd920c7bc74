"""Columns of a sweep's table for the answers of models."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from accord.studies.sweeps.sweep import open_sweep
from accord.studies.sweeps.table import write_table
from dilemmas.records.answers import RoleAnswers


@pytest.mark.parametrize("recorded", [True, False])
def test_a_run_with_a_model_has_the_sums_of_its_decisions(tmp_path: Path, recorded: bool) -> None:
    (tmp_path / "s.yaml").write_text("scenarios: [double-vein]\n")
    folder = open_sweep(tmp_path / "s.yaml", tmp_path)
    answers = [
        RoleAnswers("Gizmo", "action", "m", 4, 6, unreadable=2, given_up=1),
        RoleAnswers("Glitch", "action", "m", 4, 4),
        RoleAnswers("Judy", "judge", "m", 1, 3, refused=3, given_up=1),
    ]
    home = folder.home(folder.tasks[0])
    home.mkdir(parents=True)
    told = {"answers": [each.to_dict() for each in answers], "invalid": "answers"} if recorded else {}
    (home / "result.json").write_text(json.dumps({"status": "complete", "players": {}, **told}))
    with write_table(folder)[0].open(newline="") as file:
        row = next(csv.DictReader(file))
    found = {name: value for name, value in row.items() if name.startswith("answers.") or name == "invalid"}
    counts = {"questions": "8", "answers": "10", "unreadable": "2", "refused": "0", "cut_off": "0", "given_up": "1"}
    wanted = {"invalid": "answers", **{f"answers.{name}": count for name, count in counts.items()}}
    assert found == (wanted if recorded else {})
