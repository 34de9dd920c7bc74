"""Explorers on the embedded server: wild land, a suitable starting place for each, and the items found there."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.studies.study import StudySettings, run_study
from dilemmas.records.events import ActEnded, BegunAt
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import spec_path

pytestmark = pytest.mark.live
KINDS = ["plains", "forest", "cave", "shore", "mountain"]


async def test_one_explorer_of_each_kind_begins_and_explores_on_a_server(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(
        f"extends: {spec_path('progression')}\nname: small\npopulation: {{count: 5}}\nend: {{time_limit_s: 30}}\n"
    )
    found = await run_study(StudySettings(str(path), world="embedded", contracts=("full",), out=tmp_path / "runs"))
    assert found.results[0]["status"] == "complete"
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    (begun,) = [event.places for event in events if isinstance(event, BegunAt)]
    assert [place.land for place in begun.values()] == KINDS
    assert {event.player for event in events if isinstance(event, ActEnded) and event.gained}
    assert found.results[0]["progression"]["items_together"] >= 1
