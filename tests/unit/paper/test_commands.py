"""Every command that any scenario issues, from the first to the last of a run, is one that Paper would take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bridge.errors import CommandError
from bridge.types import Address
from bridge.worlds import World, open_world
from dilemmas.running.settings import StudySettings
from dilemmas.running.study import run_study
from dilemmas.scenarios.registry import SCENARIOS, load_scenario
from tests.fakes.command_tree import is_command, nearest

VERSIONS = ["1.20.4", "1.21.4"]
SMALL = {"religion": "religion-small"}
"""Scenario -> its smaller variant, which is built with the same commands."""
PLAYED = [SMALL.get(name, name) for name in sorted(SCENARIOS) if load_scenario(name).build()]


@pytest.mark.parametrize("name", PLAYED)
async def test_every_command_of_a_whole_run_is_in_the_command_tree(name: str, tmp_path: Path) -> None:
    issued: list[str] = []

    def recording(world_name: str, *, seed: int, log_dir: Path, port: int | None = None) -> World:
        world = open_world(world_name, seed=seed, log_dir=log_dir, port=port)
        inner = world.command

        async def command(text: str) -> str:
            issued.append(text)
            return await inner(text)

        together = world.commands

        async def commands(texts: Sequence[str]) -> list[str | CommandError]:
            issued.extend(texts)
            return await together(texts)

        world.command = command  # type: ignore[method-assign]
        world.commands = commands  # type: ignore[method-assign]
        return world

    settings = StudySettings(name, world="mock", runs=2, time_limit_s=20, out=tmp_path)
    done = await run_study(settings, worlds=recording)
    assert done.status == "complete"
    assert len(issued) > 50
    for version in VERSIONS:
        assert {text for text in issued if not is_command(text, version)} == set()


@pytest.mark.parametrize("version", VERSIONS)
def test_every_command_of_the_bridge_is_in_the_command_tree(version: str) -> None:
    issued = [
        "forceload add -48 -48 48 48",
        "whitelist add Gizmo",
        "gamemode spectator Eve",
        "spectate Gizmo Eve",
        "list",
        "time query gametime",
        "stop",
    ]
    assert [text for text in issued if not is_command(text, version)] == []


def test_the_nearest_tree_is_at_or_below() -> None:
    assert [nearest(version) for version in ("1.20.2", "1.20.4", "1.21.4")] == ["1.20.2", "1.20.3", "1.20.3"]


def test_the_default_version_is_the_one_that_is_checked() -> None:
    assert Address.version in VERSIONS


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("execute as @a at @s run setblock 0 0 0 stone", True),
        ("execute if entity @a[tag=x]", True),
        ("execute unless entity @a[x=1,y=2,z=3,dx=0,dy=0,dz=0] as Gizmo run list", True),
        ("execute as @a run setblok 0 0 0 stone", False),
        ("execute as @a", False),
        ("execute run", False),
    ],
)
def test_clauses_of_execute_lead_on_to_the_next_one_or_to_any_command(text: str, legal: bool) -> None:
    assert is_command(text) is legal
