"""Drives: levels from the senses, goals that they change, and goods that they make dearer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bridge.types import NearPlayer
from dilemmas.records.events import EndStateRead, EpisodeStarted, SlotWritten
from dilemmas.scenarios.societies.drives import DriveHistory
from tests.fakes.life import PERSONA, Life, sensed, zombie
from voyager_agents.piano.modules.drives import SENSES
from voyager_agents.piano.rule_based.assumptions import life_rules
from voyager_agents.piano.rule_based.drives import goods, tables, wishes
from voyager_agents.reference.traders import trade, worth

NEAR = (NearPlayer(3, "Bea", (2.0, 64.0, 0.5), 2.0, None),)
OUTSIDE = (80.5, 64.0, 0.5)


async def levels(seconds: float, day_start: int = 1000, **felt: Any) -> Mapping[str, float]:  # noqa: ANN401 - senses
    life = Life(modules=["drives"])
    life.agent.state.held["persona"] = life.agent.state.at("persona")._replace(
        value={**PERSONA, "day_start": day_start}
    )
    life.body.felt = sensed(**felt)
    await life.pass_time(seconds)
    await life.end()
    found: Mapping[str, float] = life.agent.state.value("drives").levels
    return found


@pytest.mark.parametrize(
    ("drive", "content", "wanting"),
    [
        ("hunger", {"food": 20}, {"food": 5}),
        ("shelter", {"position": OUTSIDE}, {"position": OUTSIDE, "day_start": 14_000}),
        ("shelter", {"day_start": 14_000}, {"position": OUTSIDE, "day_start": 14_000}),
        ("safety", {"mobs": (zombie(40.0),)}, {"mobs": (zombie(),)}),
        ("safety", {"health": 20}, {"health": 6}),
        ("company", {"players": NEAR}, {"players": ()}),
    ],
)
async def test_each_drive_follows_from_its_own_sense(drive: str, content: Any, wanting: Any) -> None:  # noqa: ANN401
    usual = {"players": NEAR}
    low, high = await levels(30, **{**usual, **content}), await levels(30, **{**usual, **wanting})
    assert low[drive] == 0 < high[drive]
    assert {name: low[name] for name in low if name != drive} == {name: high[name] for name in high if name != drive}


async def test_a_level_rises_while_its_cause_holds_and_falls_afterwards() -> None:
    life = Life(modules=["drives"])
    life.body.felt = sensed(players=NEAR, mobs=(zombie(),), health=20)
    await life.pass_time(6)
    assert life.agent.state.value("drives").levels["safety"] == 1
    assert life.agent.state.value("drives").pressing == "safety"
    life.body.felt = sensed(players=NEAR)
    await life.pass_time(40)
    fallen = life.agent.state.value("drives")
    await life.end()
    assert 0 < fallen.levels["safety"] < 0.5
    assert fallen.pressing == ""
    written = [data["value"]["levels"]["safety"] for kind, data in life.body.notes if data.get("slot") == "drives"]
    assert written[0] < max(written) > written[-1]


async def test_a_pressing_drive_changes_a_goal_that_does_not_serve_it() -> None:
    life = Life(modules=["drives"])
    life.agent._rules = life_rules(driven=True)
    life.body.felt = sensed(players=NEAR, food=1)
    await life.pass_time(30)
    goal = life.agent.state.value("goal")
    await life.end()
    assert goal.activity == "farming"


def test_needs_make_goods_dearer_and_raise_what_a_trader_bids() -> None:
    wanted = goods({"shelter": 1.0})
    usual, driven = (worth("oak_log", 0, person="Ann", seed=0, drives=each) for each in ({}, wanted))
    assert driven == pytest.approx(usual * (1 + tables()["goods"]["shelter"]["oak_log"]))
    facts = {
        "you_have": {"emerald": 30}, "items": ["oak_log"], "money": "emerald", "forms": ["auction"], "round": 1,
        "rounds": 1, "day": 1, "pool": None, "you_issue_it": False, "you_are_insured": False, "people": ["Ann", "Bob"],
        "market": {"prices": [], "orders": {}, "offers": []},
    }  # fmt: skip
    [low], [high] = (trade(facts, person="Ann", seed=0, drives=each) for each in ({}, wanted))
    assert high["price"] > low["price"]
    assert goods({}) == {item: 0.0 for each in tables()["goods"].values() for item in each}


def test_the_tables_name_senses_activities_and_drives_that_are_there() -> None:
    table = tables()
    known = life_rules(driven=True)["activities"]
    assert {each["sense"] for each in table["drives"].values()} == {"food", *SENSES}
    for name in ("wishes", "goods"):
        assert set(table[name]) <= set(table["drives"])
    assert {activity for each in table["wishes"].values() for activity in each} <= set(known)
    assert wishes({"safety": 0.5})["guarding"] == 1.5
    assert "sheltering" not in life_rules()["activities"]


def test_the_history_weighs_levels_by_time_and_begins_anew_with_an_attempt() -> None:
    def changed(t_s: float, level: float, pressing: str = "") -> SlotWritten:
        value = {"levels": {"hunger": level}, "pressing": pressing}
        return SlotWritten(t_s=t_s, player="Ann", slot="drives", version=1, writer="drives", value=value)

    found = DriveHistory()
    found.add_event(changed(0, 1.0))
    found.add_event(EpisodeStarted(attempt=1))
    assert found.summary() == {}
    for event in (changed(0, 0.2), changed(30, 0.8, "hunger")):
        found.add_event(event)
    found.add_event(EndStateRead(t_s=40, players={}, chest={}, reason="time_limit", wall_s=1))
    assert found.summary() == {"mean": {"hunger": pytest.approx(0.35)}, "pressing": {"hunger": 0.25}}
    assert found.course(20) == {"hunger": [(0, 0.2), (20, 0.2), (40, 0.8)]}
