"""Bodies of players on a server: requested from the world, recorded, kept by resumed studies, else refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accord.studies.estimate import expect
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from bridge.errors import HostError
from bridge.fleet import Fleet
from bridge.types import Address
from bridge.worlds import BODIES, bodies_of, open_world
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from tests.fakes.world import Deed, FakeWorld, FakeWorlds, Script

PLAYED = (Deed(1, "Gizmo", {"raw_iron": 3}, {"iron_ore": 3}),)


def chosen(scenario: str, **settings: str) -> str | None:
    condition = {"double-vein": "none", "village": "normal"}.get(scenario, "priests")
    return StudyPlan.of(StudySettings(scenario, contracts=(condition,), **settings)).settings.bodies  # type: ignore[arg-type]


def test_a_crowd_has_bodies_in_the_server_and_a_few_have_clients() -> None:
    assert chosen("double-vein") == "mineflayer"
    assert chosen("village") == "mineflayer"
    assert chosen("religion") == "engine"
    assert chosen("religion", bodies="mineflayer") == "mineflayer"
    assert chosen("village", bodies="engine") == "engine"
    assert chosen("religion", world="paper") == "mineflayer"
    assert chosen("religion", world="mock") is None


async def test_the_world_is_asked_for_them_only_where_they_are_not_the_usual(tmp_path: Path) -> None:
    worlds = FakeWorlds(FakeWorld([Script(PLAYED)]), FakeWorld([Script(PLAYED)]))
    for bodies in BODIES:
        await run_study(StudySettings("double-vein", bodies=bodies, out=tmp_path), worlds=worlds)
    assert [asked.get("bodies") for asked in worlds.asked] == [None, "engine"]


def test_the_record_says_what_they_were_and_an_older_one_had_clients() -> None:
    plan = StudyPlan.of(StudySettings("religion", contracts=("priests",)))
    told = plan.config(plan.conditions)
    assert told["settings"]["bodies"] == "engine"
    assert StudySettings.from_dict(told["settings"]).bodies == "engine"
    del told["settings"]["bodies"]
    assert StudySettings.from_dict(told["settings"]).bodies == "mineflayer"
    assert "bodies" not in StudySettings("religion", world="mock").to_dict()
    undecided = StudySettings("religion").to_dict()
    assert StudySettings.from_dict(undecided).bodies is None


def test_runs_with_other_bodies_are_other_runs() -> None:
    hashes = set()
    for bodies in (None, *BODIES):
        plan = StudyPlan.of(StudySettings("double-vein", bodies=bodies))
        hashes.add(plan.config(plan.conditions)["setup"]["none"]["hash"])
    assert len(hashes) == 2


async def test_the_dry_run_tells_of_them() -> None:
    settings = StudySettings("double-vein", model="openai/gpt-4o", bodies="engine")
    assert (await expect(settings))["bodies"] == "engine"


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"bodies": "ghost"}, "bodies: 'ghost' is not legal; choose one of mineflayer, engine"),
        ({"bodies": "engine", "world": "mock"}, "engine is not for the mock world, there is no server"),
        ({"bodies": "mineflayer", "world": "mock"}, "mineflayer is not for the mock world, there is no server"),
        ({"bodies": "engine", "world": "paper"}, "engine is not for the paper world, players there have clients only"),
    ],
)
def test_bodies_that_cannot_be_had_are_refused_in_a_line(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        StudySettings("double-vein", **settings)


def test_a_world_is_not_opened_with_bodies_that_it_has_not(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match="bodies 'ghost' is not legal: choose one of mineflayer, engine"):
        open_world("embedded", seed=1, log_dir=tmp_path, bodies="ghost")
    with pytest.raises(PrerequisiteError, match="the mock world has no bodies in the server: choose embedded"):
        open_world("mock", seed=1, log_dir=tmp_path, bodies="engine")
    assert [bodies_of(name) for name in ("embedded", "paper", "mock", "none")] == [BODIES, BODIES[:1], (), ()]


async def test_a_server_without_a_door_takes_no_bodies() -> None:
    fleet = Fleet(supervisor=object(), bodies="engine")  # type: ignore[arg-type] # it is not asked
    fleet.use(Address("127.0.0.1", 1))
    with pytest.raises(HostError, match="accepts no engine bodies"):
        await fleet.connect(["Gizmo"])
