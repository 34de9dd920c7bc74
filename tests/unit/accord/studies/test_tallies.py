"""Counts made during a run, equal to counts from its log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.studies.streaming_measures import tallying
from accord.studies.study import StudySettings, run_study
from dilemmas.records.events import AssemblyEntry, LifeBegan, LogLine
from dilemmas.records.record import RunRecord, read_events
from dilemmas.records.results import read_result
from dilemmas.scenarios.registry import load_scenario, spec_path
from tests.fakes.life import small_village
from tests.fakes.taxed import small_taxation
from tests.fakes.towns import crowded


def small_progression(folder: Path) -> Path:
    """Write a short variant with two explorers."""
    path = folder / "small.yaml"
    path.write_text(
        f"extends: {spec_path('progression')}\nname: small\npopulation: {{count: 2}}\nend: {{time_limit_s: 16}}\n"
    )
    return path


PLAYED: dict[str, tuple[Callable[[Path], Path], str]] = {
    "village": (lambda folder: small_village(folder, people=5, seconds=20), "normal"),
    "taxation": (small_taxation, "anti-amendable"),
    "religion": (crowded, "priests"),
    "progression": (small_progression, "full"),
}


@pytest.mark.parametrize("name", PLAYED)
def test_counting_and_reading_come_to_the_same(name: str, tmp_path: Path) -> None:
    make, condition = PLAYED[name]
    path = make(tmp_path)
    found = asyncio.run(
        run_study(StudySettings(str(path), world="mock", contracts=(condition,), out=tmp_path / "runs"))
    )
    result = read_result(found.directory / "result.json")
    scenario = load_scenario(str(path))
    assert {"measures", "society", "tally"} <= scenario.abilities
    log = found.directory / "events.jsonl"
    assert result["measures"] == json.loads(json.dumps(scenario.measures(read_events(log))))
    assert result[name] == json.loads(json.dumps(scenario.society(read_events(log))))
    assert any(result["measures"].values())


def test_what_changes_after_it_was_logged_counts_as_it_was(tmp_path: Path) -> None:
    scenario = load_scenario(str(small_taxation(tmp_path)))
    heard: list[LogLine] = []
    record = RunRecord.create(tmp_path / "run", {}, listen=heard.append)
    tally = tallying(scenario, record)
    assert tally is not None
    entry = {"what": "roll", "voters": ["Ann"], "heard": ["Ann", "Orla"]}
    record.log(AssemblyEntry(t_s=0, entry=entry))
    entry["voters"] = []
    record.log(LifeBegan(t_s=0, player="Ann", attempt=1))
    record.close()
    assert tally.measures()["exposure"] == {"Ann": 0.0}
    assert [line.kind for line in heard] == ["assembly", "life_began"], "whoever listened before hears all the same"
