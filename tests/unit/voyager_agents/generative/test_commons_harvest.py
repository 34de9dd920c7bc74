"""Commons Harvest in rounds on the mock world, played by generative agents with every module."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from voyager_agents.generative import MODULES, audit, entries_of, scores
from voyager_agents.models import KINDS

ROUNDS = 13


@pytest.fixture(autouse=True)
def _thinker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "thinker", "tests.unit.voyager_agents.generative.thinker:open_thinker")


async def study(out: Path, **settings: Any) -> StudyResult:  # noqa: ANN401
    chosen = {"model": "thinker/Pedro", "agents": "generative", "agents_options": {"modules": ",".join(MODULES)}}
    return await run_study(
        StudySettings("commons-harvest", out=out, world="mock", time_limit_s=ROUNDS, **{**chosen, **settings})
    )


def lines_of(found: StudyResult) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (found.directory / "events.jsonl").read_text().splitlines()]


async def test_three_agents_play_with_every_module_and_the_record_tells_all(tmp_path: Path) -> None:
    found = await study(tmp_path / "one")
    result = found.results[0]
    assert result["status"] == "complete"
    lines = lines_of(found)
    entries = entries_of(lines)
    assert audit(entries) == entries
    told = {each["player"]: each["score"] for each in entries if each["what"] == "reputation"}
    assert told
    assert {name: score for name, score in scores(lines).items() if name in told} == told
    whats = {each["what"] for each in entries}
    assert whats >= {"agreement_made", "kept", "broken", "rule_passed", "penalty", "reputation", "game_over"}
    deeds = [line["data"] for line in lines if line["kind"] == "deed"]
    assert [each["player"] for each in deeds] == [each["player"] for each in entries if each["what"] == "deed"]
    transfers = [player["transfer"] for player in result["players"].values()]
    assert any(transfers)
    assert sum(transfers) == pytest.approx(0)
    assert not any(line["data"]["fault"] for line in lines if line["kind"] == "decision")
    again = await study(tmp_path / "two")
    assert (again.directory / "events.jsonl").read_bytes() == (found.directory / "events.jsonl").read_bytes()
