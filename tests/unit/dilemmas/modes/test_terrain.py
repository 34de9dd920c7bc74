"""Land of a study: requested from the world, recorded, kept by resumed studies, refused if it does not fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.studies.study import StudySettings, read_settings, run_study
from bridge.worlds import open_world
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import spec_path
from tests.fakes.world import Deed, FakeWorld, FakeWorlds, Script

PLAYED = (Deed(1, "Gizmo", {"raw_iron": 3}, {"iron_ore": 3}),)


def hill(folder: Path) -> str:
    """Write a Double-Vein variant in the hills."""
    path = folder / "hill.yaml"
    path.write_text(f"extends: {spec_path('double-vein')}\nname: hill\nworld:\n  origin: [0, 90, 0]\n")
    return str(path)


async def test_the_world_is_asked_for_the_land_and_the_record_keeps_it(tmp_path: Path) -> None:
    worlds = FakeWorlds(FakeWorld([Script(PLAYED)]))
    chosen = StudySettings(hill(tmp_path), world="fake", terrain="survival", out=tmp_path)
    found = await run_study(chosen, worlds=worlds)
    assert [asked["terrain"] for asked in worlds.asked] == ["survival"]
    written = yaml.safe_load((found.directory / "config.yaml").read_text())
    assert written["settings"]["terrain"] == "survival"
    assert read_settings(found.directory).terrain == "survival"


async def test_a_study_on_flat_land_asks_as_before_and_one_recorded_before_is_flat(tmp_path: Path) -> None:
    worlds = FakeWorlds(FakeWorld([Script(PLAYED)]))
    await run_study(StudySettings("double-vein", world="fake", out=tmp_path), worlds=worlds)
    assert "terrain" not in worlds.asked[0]
    old = StudySettings("double-vein").to_dict()
    del old["terrain"]
    assert StudySettings.from_dict(old).terrain == "flat"


async def test_a_scenario_that_would_lie_in_rock_is_refused_in_a_line(tmp_path: Path) -> None:
    chosen = StudySettings("cleanup", world="fake", terrain="survival", out=tmp_path)
    with pytest.raises(UsageError, match=r"cleanup is built at y = -60, inside the rock of survival land; leave out"):
        await run_study(chosen, worlds=FakeWorlds())
    with pytest.raises(UsageError, match="inside the rock"):
        await run_study(replace(chosen, scenario="double-vein"), worlds=FakeWorlds())


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"terrain": "hilly"}, "terrain: 'hilly' is not legal; choose one of flat, survival"),
        ({"terrain": "survival", "world": "paper"}, "terrain: the paper world is flat here"),
    ],
)
def test_land_that_cannot_be_had_is_refused_in_a_line(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        StudySettings("double-vein", **settings)


def test_a_world_is_not_opened_on_land_that_it_has_not(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match="terrain 'hilly' is not legal: choose one of flat, survival"):
        open_world("mock", seed=1, log_dir=tmp_path, terrain="hilly")
    with pytest.raises(PrerequisiteError, match="the paper world has no survival terrain"):
        open_world("paper", seed=1, log_dir=tmp_path, terrain="survival")
