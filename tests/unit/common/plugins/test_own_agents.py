"""Agents of a plugin in several episodes: they write for each, unless their family keeps what worked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.cli.new import write
from accord.studies.estimate import expect
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.study import StudyResult, run_study
from common.plugins import add
from dilemmas.errors import UsageError
from dilemmas.records.events import PolicyWritten
from dilemmas.records.record import read_events
from tests.fakes.world import FakeWorld, FakeWorlds, Script
from voyager_agents.cost import CallCost, ImaginedRun, Range
from voyager_agents.family import Family
from voyager_agents.registry import BUILT_IN, FAMILIES

NAME = "careful"


async def play(out: Path, agents: str, **settings: Any) -> StudyResult:  # noqa: ANN401 - settings of any kind
    chosen = StudySettings("double-vein", agents=agents, episodes=3, world="fake", out=out, **settings)
    return await run_study(chosen, worlds=FakeWorlds(FakeWorld([Script()] * 3)))


def programs(found: StudyResult) -> list[tuple[int | None, str, bool]]:
    """(episode, player, whether its program does nothing) for each program that was written."""
    return [
        (line.episode, line.event.player, "mineBlock" not in line.event.source)
        for line in read_events(found.directory / "events.jsonl")
        if isinstance(line.event, PolicyWritten)
    ]


async def test_agents_as_they_are_written_by_new_write_for_each_episode(tmp_path: Path) -> None:
    add(write("agent", NAME, tmp_path))
    found = await play(tmp_path / "runs", NAME)
    assert found.results[0]["episodes"] == 3
    # Nothing was mined in the first episode, so that both wait from then on: they saw how it ended.
    assert programs(found) == [
        (episode, player, episode > 1) for episode in (1, 2, 3) for player in ("Gizmo", "Glitch")
    ]


async def test_one_that_writes_keeps_the_others_playing(tmp_path: Path) -> None:
    add(write("agent", NAME, tmp_path))
    found = await play(tmp_path / "runs", "reference", players={"Gizmo": NAME})
    assert found.results[0]["episodes"] == 3
    waits = [waits for _, player, waits in programs(found) if player == "Gizmo"]
    assert waits == [False, True, True]


async def test_a_family_that_keeps_what_worked_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(write("agent", NAME, tmp_path))
    assert (await play(tmp_path / "reference", "reference")).results[0]["episodes"] == 1
    own = replace(FAMILIES[NAME], keeps_programs=True)
    monkeypatch.setitem(BUILT_IN, "keeping", own)
    assert (await play(tmp_path / "keeping", "keeping")).results[0]["episodes"] == 1


async def cost(run: ImaginedRun) -> dict[str, Range]:
    """One call for each program."""
    return {"action": (CallCost(run.extent[0]), CallCost(run.extent[1]))}


@pytest.mark.parametrize(("keeps", "least"), [(True, 2), (False, 6)])
async def test_a_dry_run_counts_the_programs_that_have_to_be_written(
    monkeypatch: pytest.MonkeyPatch, keeps: bool, least: int
) -> None:
    own = Family("episodes", lambda _: [], roles=("action",), cost=cost, keeps_programs=keeps)
    monkeypatch.setitem(BUILT_IN, "terse", own)
    found = await expect(StudySettings("double-vein", model="openai/x", agents="terse", episodes=3))
    assert (found["least"]["calls"], found["most"]["calls"]) == (least, 6)


def test_a_mode_of_one_episode_refuses_more(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="episodes: 3 are not possible: in rounds a run is one episode; give --runs"):
        StudyPlan.of(StudySettings("commons-harvest", agents="foragers", episodes=3, out=tmp_path))
