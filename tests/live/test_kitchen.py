"""Kitchen on the embedded server: real bots cook in real time, and the server's counts agree with the log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accord.studies.moment_questions import REFERENCE, answer_without_model, questions_about
from accord.studies.study import StudySettings, run_study
from dilemmas.records import events as log
from dilemmas.records.record import read_events

pytestmark = pytest.mark.live

SERVICE_S = 75.0
"""Game time in seconds: the first soups of a divided kitchen come within forty seconds on an idle machine."""


def events(directory: Path, kind: type) -> list[Any]:
    return [line.event for line in read_events(directory / "events.jsonl") if isinstance(line.event, kind)]


async def test_a_team_serves_through_the_hatch(tmp_path: Path) -> None:
    settings = StudySettings("kitchen-divided", ("none",), out=tmp_path, time_limit_s=SERVICE_S)
    found = await run_study(settings)
    result = found.results[0]
    assert result["status"] == "complete"
    soups = result["kitchen"]["soups"]
    assert soups > 0
    assert {each["payoff"] for each in result["players"].values()} == {soups}
    crafted = sum(each.count for each in events(found.directory, log.WorkDone) if each.act == "craft")
    assert crafted >= soups
    assert result["kitchen"]["handovers_by_pair"]["Basil to Clove"] > 0
    assert result["kitchen"]["work"]["Clove"]["fetch"] == 0
    assert all(each.right for each in answer_without_model(REFERENCE, questions_about([found.directory], 5, 0), 0))
