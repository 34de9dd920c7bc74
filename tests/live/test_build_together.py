"""Building together on the embedded server: real bots build in real time, and the log says who placed what."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.studies.study import StudySettings, run_study

pytestmark = pytest.mark.live

TOWER = 0
"""Seed that draws the tower, whose upper part stands on the lower one."""


async def test_builders_reach_the_whole_plan(tmp_path: Path) -> None:
    found = await run_study(StudySettings("build-together", ("none",), out=tmp_path, seed=TOWER))
    result = found.results[0]
    assert result["status"] == "complete"
    assert result["end"] == "all_collected"
    building = result["build-together"]
    assert (building["plan"], building["overlap"], building["by_nobody"]) == ("tower", 1.0, 0)
    assert {each["payoff"] for each in result["players"].values()} == {100.0}
    for each in building["by_player"].values():
        assert (each["own"], each["others"], each["wasted"]) == (each["part"], 0, 0)
