"""Commons Harvest with real bots on an embedded server: apples, attacks and rounds work as on mock."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.studies.study import StudySettings, run_study
from dilemmas.records.events import Decided, DeedSeen, FieldStepped
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import spec_path

pytestmark = pytest.mark.live

BOT = Path(__file__).resolve().parents[2] / "examples" / "harvest_bot.npz"
SECONDS = 12.0
"""Game time in seconds: twice the time for which a bot is initially peaceful."""
PLENTY = f"""
extends: {spec_path("commons-harvest-single-tree")}
name: plenty
rules: {{regrowth: [0, 1, 1, 1]}}
"""
"""A single tree where all players meet, which grows faster than one bot can harvest."""


async def test_apples_and_blows_count_by_the_servers_word(tmp_path: Path) -> None:
    variant = tmp_path / "plenty.yaml"
    variant.write_text(PLENTY, "utf-8")
    settings = StudySettings(
        str(variant), world="embedded", out=tmp_path, time_limit_s=SECONDS,
        players={"Laura": "aggressive-bot", "Pedro": "sustainable-harvester", "Marta": "sustainable-harvester"},
    )  # fmt: skip
    found = await run_study(settings)
    result = found.results[0]
    assert result["status"] == "complete", result["reason"]
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    takes = [event for event in events if isinstance(event, DeedSeen) and event.deed == "take"]
    last = [event for event in events if isinstance(event, FieldStepped)][-1]
    grown = sum(len(event.grown) for event in events if isinstance(event, FieldStepped))
    assert sum(last.apples.values()) == 13 + grown - len(takes)
    # The last apples may be taken between the last step and the end.
    assert 0 <= result["welfare"] - len(takes) <= 6
    assert result["welfare"] > 20
    hits = [event for event in events if isinstance(event, DeedSeen) and event.hit]
    assert hits
    assert {event.player for event in hits} == {"Laura"}


async def test_rounds_on_a_server(tmp_path: Path) -> None:
    settings = StudySettings(
        "commons-harvest", world="embedded", out=tmp_path, time_limit_s=3, agents="foragers",
        players={"Marta": "learned"}, agents_options={"file": str(BOT)},
    )  # fmt: skip
    found = await run_study(settings)
    result = found.results[0]
    assert result["status"] == "complete", result["reason"]
    assert result["welfare"] == sum(result["measures"]["takes"].values()) > 0
    decided = [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, Decided)]
    assert "Marta" in {event.player for event in decided if event.move != "stay" and not event.fault}
