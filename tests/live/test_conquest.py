"""Conquest on the embedded server: bots carry troops from chest to chest, and the chests decide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudySettings, run_study
from dilemmas.records import events as log
from dilemmas.records.record import read_events

pytestmark = pytest.mark.live


def events(directory: Path, kind: type) -> list[Any]:
    return [line.event for line in read_events(directory / "events.jsonl") if isinstance(line.event, kind)]


async def test_orders_are_carried_out_in_the_world(tmp_path: Path) -> None:
    found = await run_study(StudySettings("conquest-three", ("none",), agents="greedy", out=tmp_path, time_limit_s=3.0))
    assert found.results[0]["status"] == "complete"
    orders = [each for each in events(found.directory, log.OrderGiven) if each.act != "hold"]
    assert orders
    assert not any(each.fault for each in orders)
    troops: dict[str, int] = {}
    owners: dict[str, str] = {}
    for event in events(found.directory, log.MapDrawn):
        troops |= {name: state.troops for name, state in event.territories.items()}
        owners |= {name: state.owner for name, state in event.territories.items()}
    # Nobody loses troops but in battles, and each player places two recruits in each round.
    lost = sum(
        sum(each.attackers.values()) + each.garrison - each.troops for each in events(found.directory, log.BattleFought)
    )
    assert sum(troops.values()) == 24 + 3 * 3 * 2 - lost
    assert set(owners.values()) == {"Ada", "Ben", "Cleo"}
