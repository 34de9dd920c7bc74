"""A server whose time runs on while bodies sense: events due at a second still come at that second."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.studies.study import StudySettings, run_study
from bridge.mock_world import MockWorld
from bridge.types import NEARBY, Sensed, Senses
from dilemmas.records.events import PoliciesStarted, SeasonClosed, SeasonOpened
from dilemmas.records.record import read_events
from tests.fakes.taxed import small_taxation

LATE = {"feedback": 20, "amendments": 21, "ballots": 22, "count": 23, "adoption": 24}
"""Beyond the end."""
STALLED, STALL_S = 12, 0.75
"""Number of the slow sense, at second 2.75, and its duration: the third second passes unseen."""


class Stalling(MockWorld):
    """World in which time passes once while its bodies sense."""

    senses = 0

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        self.senses += 1
        if self.senses == STALLED:
            await self.sleep(STALL_S)
        return await super().sense(names, senses)


def stalling(name: str, *, seed: int, log_dir: Path, port: int | None = None, **land: Any) -> MockWorld:  # noqa: ANN401
    return Stalling(seed, log_dir, port, **land)


async def test_a_season_is_not_late_because_an_earlier_second_was(tmp_path: Path) -> None:
    path = small_taxation(tmp_path, seconds=8.25, at=LATE, seasons={"count": 1, "every_s": 8, "window_s": 3})
    settings = StudySettings(str(path), world="mock", contracts=("no-influencers",), out=tmp_path / "runs")
    found = await run_study(settings, worlds=stalling)
    told = read_events(found.directory / "events.jsonl")
    seasons = [line.event for line in told if isinstance(line.event, (SeasonOpened, SeasonClosed))]
    assert [season.t_s for season in seasons] == [5.0, 8.0]


class Slow(MockWorld):
    """World whose sensed data is always one tick old on arrival."""

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        found = await super().sense(names, senses)
        await self.sleep(0.05)
        return found


def slow(name: str, *, seed: int, log_dir: Path, port: int | None = None, **land: Any) -> MockWorld:  # noqa: ANN401
    return Slow(seed, log_dir, port, **land)


async def test_beats_keep_to_the_worlds_age_whatever_each_of_them_takes(tmp_path: Path) -> None:
    path = small_taxation(tmp_path, seconds=8.25, at=LATE, seasons={"count": 1, "every_s": 8, "window_s": 3})
    settings = StudySettings(str(path), world="mock", contracts=("no-influencers",), out=tmp_path / "runs")
    found = await run_study(settings, worlds=slow)
    lines = list(read_events(found.directory / "events.jsonl"))
    start = next(line.tick for line in lines if isinstance(line.event, PoliciesStarted))
    assert start is not None
    seasons = [line.tick for line in lines if isinstance(line.event, (SeasonOpened, SeasonClosed))]
    assert seasons == [start + 100, start + 160]
