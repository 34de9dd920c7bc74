"""A taxed society that is killed and resumed pays, votes and ends as one that is not."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from dilemmas.records.digest import digest
from dilemmas.records.events import SeasonClosed
from dilemmas.records.record import read_events
from tests.fakes.killing import begun, kill_after, killed_at
from tests.fakes.taxed import small_taxation

SOON = {"feedback": 1, "amendments": 3, "ballots": 5, "count": 7, "adoption": 8}
SEASONS = {"count": 2, "every_s": 8, "window_s": 5}
CONDITIONS = ("anti-amendable", "no-influencers")


def taxed(folder: Path) -> StudySettings:
    """Return a study: two conditions of 16.5 seconds with two seasons and a vote."""
    folder.mkdir()
    path = small_taxation(folder, seconds=16.5, at=SOON, seasons=SEASONS)
    return StudySettings(str(path), world="mock", contracts=CONDITIONS, out=folder / "runs")


def told(found: StudyResult, condition: str) -> tuple[str, dict[str, Any]]:
    """Return the log as one number, and the measures."""
    folder = found.directory / condition
    result = json.loads((folder / "result.json").read_text("utf-8"))
    return digest(read_events(folder / "events.jsonl")), result["taxation"] | {"players": result["players"]}


def test_a_taxed_study_killed_twice_ends_as_an_uninterrupted_one(tmp_path: Path) -> None:
    """It is killed once in each condition; the second condition is then played by another process than the first."""
    whole = asyncio.run(run_study(taxed(tmp_path / "whole")))
    assert [each["status"] for each in whole.results] == ["complete"] * 2
    expected = [told(whole, name) for name in CONDITIONS]
    assert expected[0][1]["laws"][-1]["why"] == "adopted"
    logs = [list(read_events(whole.directory / name / "events.jsonl")) for name in CONDITIONS]
    closed = [line.event for line in logs[0] if isinstance(line.event, SeasonClosed)]
    assert len(closed) == 2
    assert any(paid for season in closed for paid in season.paid.values())
    chance, counts = random.Random("taxation kills"), [len(log) for log in logs]
    settings = taxed(tmp_path / "killed")
    killed_at(run_study(settings, listen=kill_after(chance.randrange(counts[0] // 2, counts[0]))))
    (directory,) = settings.out.iterdir()
    # Lives are played again from their start: what follows the beginning of the attempt is written anew.
    rest = counts[0] - sum(1 for _ in begun(directory / CONDITIONS[0]))
    second = rest + chance.randrange(counts[1] // 2, counts[1])
    killed_at(resume_study(directory, read_settings(directory), listen=kill_after(second)))
    found = asyncio.run(resume_study(directory, read_settings(directory)))
    assert [each["status"] for each in found.results] == ["complete"] * 2
    assert [told(found, name) for name in CONDITIONS] == expected
