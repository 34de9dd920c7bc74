"""Whole progression on the mock world: the same bytes twice, all conditions with models, interruptions, budgets."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report import write_report
from accord.studies.runner import StudyPlan
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from bridge.mock.exchange import RequestExchange
from bridge.mock.regions import MockRegions
from bridge.worlds import World
from dilemmas.errors import UsageError
from dilemmas.records.digest import digest
from dilemmas.records.events import ActEnded, BegunAt, EpisodeBroken, LogLine
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario, spec_path
from tests.fakes.killing import events, kill_after, killed_at, log_of
from tests.fakes.life import respond
from voyager_agents.budget import ALL
from voyager_agents.models.fake_server import FakeServer


def small(folder: Path, *, people: int = 2, seconds: float = 3, **chosen: Any) -> StudySettings:  # noqa: ANN401
    """Return a small variant; everything else is a setting."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "small.yaml"
    path.write_text(
        f"extends: {spec_path('progression')}\nname: small\npopulation: {{count: {people}}}\n"
        f"end: {{time_limit_s: {seconds}}}\n"
    )
    return StudySettings(str(path), **{"world": "mock", "contracts": ("full",), "out": folder / "runs", **chosen})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Return a run of two explorers."""
    return asyncio.run(run_study(small(tmp_path_factory.mktemp("whole"), seconds=16)))


def test_explorers_gather_items_and_repeat_to_the_byte(whole: StudyResult, tmp_path: Path) -> None:
    assert whole.results[0]["status"] == "complete"
    again = asyncio.run(run_study(small(tmp_path, seconds=16)))
    assert [hashlib.sha256(log_of(each).read_bytes()).hexdigest() for each in (whole, again)] == [
        hashlib.sha256(log_of(whole).read_bytes()).hexdigest()
    ] * 2
    (begun,) = events(whole, BegunAt)
    assert [place.land for place in begun.places.values()] == ["plains", "forest"]
    assert whole.results[0]["progression"]["items_together"] >= 1
    assert events(whole, ActEnded)


@pytest.mark.parametrize("slow", [0, 1])
async def test_a_slow_region_changes_nothing(
    whole: StudyResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: int
) -> None:
    receive, number = RequestExchange.receive, itertools.count()
    regions: dict[RequestExchange, int] = {}

    def late(self: RequestExchange, line: bytes) -> None:
        if regions.setdefault(self, next(number) if self not in regions else 0) == slow:
            asyncio.get_running_loop().call_later(0.002, receive, self, line)
        else:
            receive(self, line)

    monkeypatch.setattr(RequestExchange, "receive", late)
    found = await run_study(small(tmp_path, seconds=16))
    assert len(regions) == 2
    assert log_of(found).read_bytes() == log_of(whole).read_bytes()


async def test_a_lost_region_is_the_whole_run_played_again(whole: StudyResult, tmp_path: Path) -> None:
    regions: list[int] = []
    heard, half = itertools.count(1), sum(1 for _ in read_events(log_of(whole))) // 2

    class Watched(MockRegions):
        """World one of whose processes is known."""

        async def connect(self, names: Sequence[str]) -> None:
            await super().connect(names)
            regions.append(self.pids[1])

    def opened(_name: str, *, seed: int, log_dir: Path, **asked: Any) -> World:  # noqa: ANN401 - as open_world
        return Watched(seed, log_dir, threaded=False, terrain=asked["terrain"], regions=asked["regions"])

    def kill(_: LogLine) -> None:
        if next(heard) == half:
            os.kill(regions[0], signal.SIGKILL)

    found = await run_study(small(tmp_path, seconds=16), worlds=opened, listen=kill)
    assert found.results[0]["status"] == "complete"
    (broken,) = events(found, EpisodeBroken)
    assert "ended" in broken.reason
    assert found.results[0]["measures"] == whole.results[0]["measures"]


def test_the_report_tells_what_was_held_beside_what_was_published(whole: StudyResult, tmp_path: Path) -> None:
    write_report([whole.directory], tmp_path)
    page = (tmp_path / "report.html").read_text()
    assert "What agents came by" in page
    assert "17 different items on average" in page
    assert "no language model played" in page
    assert "needs the Nether" in page
    firsts = (tmp_path / "item_firsts.csv").read_text().splitlines()
    assert len(firsts) == 1 + sum(whole.results[0]["measures"]["unique_items"].values())
    assert (tmp_path / "plots" / "item-tree.svg").is_file()


def test_killed_explorers_end_as_uninterrupted_ones(whole: StudyResult, tmp_path: Path) -> None:
    count = sum(1 for _ in read_events(log_of(whole)))
    settings = small(tmp_path, seconds=16)
    killed_at(run_study(settings, listen=kill_after(count // 2)))
    (directory,) = settings.out.iterdir()
    found = asyncio.run(resume_study(directory, read_settings(directory)))
    assert found.results[0]["status"] == "complete"
    assert digest(read_events(log_of(found))) == digest(read_events(log_of(whole)))


async def test_all_conditions_are_played_with_models_and_stay_in_budget(tmp_path: Path) -> None:
    names = ("full", "without-action-awareness", "baseline")
    async with FakeServer(respond) as server:
        chosen: Any = {"model": "openai/x", "agents": "piano", "base_url": server.base_url, "think": "1"}
        found = await run_study(small(tmp_path / "all", contracts=names, **chosen))
        short = await run_study(small(tmp_path / "short", budget={"calls": {ALL: 5}}, **chosen))
    assert [each["status"] for each in found.results] == ["complete"] * 3
    assert {each["condition"] for each in found.results} == set(names)
    asked = {each["condition"]: {cost["role"] for cost in each["costs"]} for each in found.results}
    assert "goal_generation" in asked["full"]
    assert "goal_generation" not in asked["baseline"]
    assert short.results[0]["status"] == "budget"
    assert short.results[0]["usage"]["calls"] <= 5


def test_the_land_is_that_of_the_scenario_where_the_world_can_have_it(tmp_path: Path) -> None:
    assert StudyPlan.of(small(tmp_path)).settings.terrain == "survival"
    flat = StudyPlan.of(StudySettings("village", world="mock", contracts=("normal",), out=tmp_path))
    assert flat.settings.terrain == "flat"
    with pytest.raises(UsageError):
        StudyPlan.of(small(tmp_path, terrain="hilly"))


def test_forty_nine_begin_far_from_each_other() -> None:
    spec: Any = load_scenario("progression-long").spec
    assert len(spec.players) == 49
    assert spec.end.time_limit_s == 4 * 3600
    middles = [spec.middle(place) for place in range(49)]
    assert len(set(middles)) == 49
    apart = min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in middles for b in middles if a != b)
    assert apart >= spec.apart
    assert {spec.kind_of(place) for place in range(49)} == set(spec.begin)
