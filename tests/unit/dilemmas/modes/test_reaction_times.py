"""Moment at which what agents decide is carried out: the beat after the one at which they decided."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from accord.studies.study import StudyResult, StudySettings, run_study
from bridge.mock_world import MockWorld
from dilemmas.modes.society import BEAT_TICKS
from dilemmas.records.events import ActBegan, PolicyEvent
from dilemmas.records.record import read_events
from tests.fakes.life import small_village


class Watched(MockWorld):
    """World whose land is looked at all the time."""

    looks = 0

    async def __aenter__(self) -> Watched:
        await super().__aenter__()
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *error: Any) -> None:  # noqa: ANN401
        self._watching.cancel()
        await asyncio.wait([self._watching])
        await super().__aexit__(*error)

    async def _watch(self) -> None:
        while True:
            await self.survey("bodies", players=[], items=[])
            Watched.looks += 1
            await asyncio.sleep(0.002)


def watched(name: str, *, seed: int, log_dir: Path, port: int | None = None, **land: Any) -> MockWorld:  # noqa: ANN401
    return Watched(seed, log_dir, port, **land)


async def lived(folder: Path, out: str = "runs", **worlds: Any) -> StudyResult:  # noqa: ANN401
    """Run a village of six for ten seconds."""
    path = small_village(folder, people=6, seconds=10)
    settings = StudySettings(str(path), world="mock", contracts=("normal",), out=folder / out)
    found = await run_study(settings, **worlds)
    assert found.results[0]["status"] == "complete"
    return found


async def test_a_decision_is_carried_out_one_beat_later(tmp_path: Path) -> None:
    lines = list(read_events((await lived(tmp_path)).directory / "events.jsonl"))
    decided: dict[str, int] = {}
    delays = []
    for line in lines:
        event = line.event
        if isinstance(event, ActBegan) and line.tick is not None:
            decided[event.player] = line.tick
        elif isinstance(event, PolicyEvent) and event.state == "started" and line.tick is not None:
            delays.append(line.tick - decided[event.bot])
    assert len(delays) >= 6
    assert set(delays) == {BEAT_TICKS}


async def test_who_watches_changes_nothing(tmp_path: Path) -> None:
    alone, seen = await lived(tmp_path, "alone"), await lived(tmp_path, "seen", worlds=watched)
    assert Watched.looks > 0
    logs = [(each.directory / "events.jsonl").read_bytes() for each in (alone, seen)]
    assert logs[0] == logs[1]
