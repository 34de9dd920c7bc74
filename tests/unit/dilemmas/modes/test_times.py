"""Game time in the record: of chat and deeds in rounds, and of programs on a world with a virtual clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from accord.analysis.report import write_report
from accord.analysis.report.reader import read_runs
from accord.studies.study import StudySettings, run_study
from bridge.types import Event
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.records.events import ActionEvent, ChatEvent, LogLine, PoliciesStarted
from dilemmas.records.record import RunRecord, read_events


class Stream:
    """World that only provides events."""

    def __init__(self, *told: tuple[str, int, Mapping[str, Any]]) -> None:
        self._told = told
        self.over = asyncio.Event()

    async def events(self) -> AsyncIterator[Event]:
        for seq, (kind, tick, data) in enumerate(self._told):
            yield Event(seq, kind, tick, data)
        self.over.set()


def chats(at: int) -> tuple[tuple[str, int, Mapping[str, Any]], ...]:
    """Return events of a program that starts and speaks half a second later."""
    return (
        ("policy", at, {"bot": "Laura", "state": "started"}),
        ("chat", at + 10, {"from": "Laura", "text": "hello"}),
        ("policy", at + 20, {"bot": "Laura", "state": "ended", "result": {}}),
    )


async def said(directory: Path, bots: list[str], *told: tuple[str, int, Mapping[str, Any]]) -> list[float | None]:
    """Return the times of chat lines in an episode of these players that started at tick 100."""
    world: Any = Stream(*told)
    record = RunRecord(directory)
    telemetry = TelemetryWriter(world, record)
    telemetry.start_episode(bots, 100)
    async with telemetry:
        await world.over.wait()
    record.close()
    events = [line.event for line in read_events(directory / "events.jsonl")]
    return [event.t_s for event in events if isinstance(event, ChatEvent)]


async def test_in_rounds_time_counts_from_the_start_of_the_episode(tmp_path: Path) -> None:
    rounds = [start for at in (110, 133, 221) for start in chats(at)]
    assert await said(tmp_path, [], *rounds) == [1.0, 2.15, 6.55]


async def test_in_an_episode_time_counts_from_the_tick_in_which_its_programs_started(tmp_path: Path) -> None:
    assert await said(tmp_path, ["Laura"], *chats(110)) == [0.5]


async def test_rounds_on_the_mock_world_have_one_clock(tmp_path: Path) -> None:
    settings = StudySettings(
        "commons-harvest", ("none",), world="mock", agents="foragers", time_limit_s=4, out=tmp_path
    )
    study = await run_study(settings)
    lines = list(read_events(study.directory / "events.jsonl"))
    start = next(line.tick for line in lines if isinstance(line.event, PoliciesStarted))
    assert start is not None
    deeds = [line for line in lines if isinstance(line.event, ActionEvent)]
    assert len({line.tick for line in deeds}) > 3
    assert [time_of(line) for line in deeds] == [((line.tick or 0) - start) / 20 for line in deeds]


def time_of(line: LogLine) -> float | None:
    """Return the time in a deed's event."""
    assert isinstance(line.event, ActionEvent)
    return line.event.t_s


async def test_the_report_tells_how_long_programs_ran_in_game_time(tmp_path: Path) -> None:
    study = await run_study(StudySettings("cleanup", ("none",), world="mock", time_limit_s=12, out=tmp_path))
    (run,) = read_runs([study.directory])
    (episode,) = run.episodes
    assert episode.game_s is not None
    ran = [policy.game_s or 0 for policy in episode.policies]
    assert max(ran) == episode.game_s
    assert 12 <= max(ran) < 13
    page = write_report([study.directory], study.directory).html.read_text(encoding="utf-8")
    assert f"cancelled after {episode.game_s:.1f} s" in page
    assert "after 0.0 s" not in page
