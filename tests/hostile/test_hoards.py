"""Hoards and early players: nothing is kept for the next episode, nobody plays by joining, defences are needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accord.doctor.hoards import JOINS_FIRST, run_hoards
from bridge.hostile import AttackReport, embedded, load_hoards
from bridge.servers.embedded.world import EmbeddedWorld
from dilemmas.minecraft import renewal

pytestmark = pytest.mark.live


def breaches(report: AttackReport) -> dict[str, str]:
    return {verdict.attack.name: "; ".join(verdict.evidence) for verdict in report.breaches}


async def test_no_hoard_outlives_an_episode() -> None:
    report = await run_hoards()
    assert [verdict.attack for verdict in report.verdicts] == [JOINS_FIRST, *load_hoards()]
    assert breaches(report) == {}
    # Each program achieves its purpose; a program that fails would show nothing.
    assert [(verdict.attack.name, verdict.message) for verdict in report.verdicts if verdict.state == "blocked"] == []


async def test_ground_that_is_not_restored_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renewal, "reset_land", lambda bounds, respawn: [])
    carried = [each for each in load_hoards() if each.name == "chest-carried-away"]
    assert list(breaches(await run_hoards(attacks=carried))) == ["chest-carried-away"]


async def test_a_world_that_lets_everybody_play_is_noticed() -> None:
    def survival(logs: Path) -> EmbeddedWorld:
        world = embedded(logs)
        server: Any = world.server
        server._settings["gamemode"] = "survival"
        return world

    assert "is no spectator" in breaches(await run_hoards(survival, attacks=()))[JOINS_FIRST.name]
