"""Living agents on a real server: lives, speech by distance, and nothing left running."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.studies.study import StudySettings, run_study
from bridge.worlds import open_world
from dilemmas.records.events import ActBegan, ActEnded, LifeSummed, Speech
from dilemmas.records.record import read_events
from tests.fakes.earwitnesses import BY_DISTANCE, heard_by_programs
from tests.fakes.life import small_village

pytestmark = pytest.mark.live


async def test_programs_on_a_server_hear_by_distance(tmp_path: Path) -> None:
    async with open_world("embedded", seed=1, log_dir=tmp_path) as world:
        assert await heard_by_programs(world, {"say": 16.0, "shout": 32.0}) == BY_DISTANCE


async def test_a_small_village_lives_on_a_server(tmp_path: Path) -> None:
    path = small_village(tmp_path, people=5, seconds=20)
    found = await run_study(StudySettings(str(path), world="embedded", contracts=("normal",), out=tmp_path / "runs"))
    assert found.results[0]["status"] == "complete"
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    began = {event.player for event in events if isinstance(event, ActBegan)}
    assert began == set(found.results[0]["players"])
    assert any(event.ended == "done" for event in events if isinstance(event, ActEnded))
    assert any(event.hearers for event in events if isinstance(event, Speech))
    assert sum(isinstance(event, LifeSummed) for event in events) == 5
