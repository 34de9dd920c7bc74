"""Validity of the bridge's commands for Paper; test_invariants.py covers those of scenarios."""

from __future__ import annotations

import pytest

from accord.compliance.plays import VERSIONS
from bridge.types import Address
from dilemmas.minecraft.command_tree import is_command, nearest


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
