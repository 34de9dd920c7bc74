"""Cooks: who does which job in which layout, what their programs are told, and refusals."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from dilemmas.scenarios.registry import load_scenario
from voyager_agents.agent import Observation
from voyager_agents.errors import PlayerError
from voyager_agents.facts import KitchenFacts
from voyager_agents.reference import PLAYERS
from voyager_agents.reference.cooks import shared_jobs
from voyager_agents.reference.greedy import PlayerState

COOKS = ("line-cook", "solo-cook")


def facts(layout: str) -> KitchenFacts:
    found = load_scenario(layout).facts()
    assert isinstance(found, KitchenFacts)
    return found


def written(kind: str, layout: str, player: str) -> str:
    known = facts(layout)
    action, _ = PLAYERS[kind](Observation(player, known.players, facts=known), PlayerState(0))
    return action.policy


def plan(kind: str, layout: str, player: str) -> dict[str, Any]:
    found = re.search(r"^const PLAN = (.*)$", written(kind, layout, player), re.MULTILINE)
    assert found is not None
    told: dict[str, Any] = json.loads(found[1])
    return told


@pytest.mark.parametrize("kind", COOKS)
def test_cooks_write_the_same_program_for_the_same_kitchen(kind: str) -> None:
    source = written(kind, "kitchen-line", "Clove")
    assert source == written(kind, "kitchen-line", "Clove")
    assert source.rstrip().endswith("}")
    assert "async function cook_Clove (bot) {" in source


def test_jobs_follow_the_rooms_and_the_ways() -> None:
    assert shared_jobs(facts("kitchen")) == {
        "fetch": "Basil", "cook": "Clove", "craft": "Clove", "water": "Basil", "serve": "Clove",
    }  # fmt: skip
    line = shared_jobs(facts("kitchen-line"))
    assert (line["fetch"], line["water"], line["serve"]) == ("Basil", "Sorrel", "Sorrel")
    assert {line["cook"], line["craft"]} == {"Clove", "Dill"}


def test_goods_change_hands_at_the_shelf_that_both_reach() -> None:
    shelves = {each.name: list(each.cells[0]) for each in facts("kitchen-line").stations if each.kind == "shelf"}
    dill = plan("line-cook", "kitchen-line", "Dill")
    assert dill["jobs"] == ["craft"]
    assert (dill["at"]["adds"], dill["at"]["dish"]) == (shelves["shelf"], shelves["hatch"])
    assert (dill["takes"], dill["gives"]) == (["adds", "cooked"], ["dish"])


def test_a_solo_cook_hands_nothing_on_and_does_what_it_reaches() -> None:
    whole = plan("solo-cook", "kitchen", "Basil")
    assert whole["jobs"] == ["fetch", "cook", "craft", "water", "serve"]
    assert set(whole["at"].values()) == {None}
    assert plan("solo-cook", "kitchen-divided", "Basil")["jobs"] == ["fetch", "water"]


def test_a_cook_without_a_job_has_nothing_to_do() -> None:
    known = facts("kitchen-line")
    closed = KitchenFacts(**{**known.__dict__, "stations": ()})
    action, _ = PLAYERS["line-cook"](Observation("Clove", known.players, facts=closed), PlayerState(0))
    assert "nothing that it could reach" in action.thought
    assert "await service" not in action.policy.rpartition("async function")[2]


@pytest.mark.parametrize("kind", COOKS)
def test_cooks_refuse_other_games(kind: str) -> None:
    other = load_scenario("double-vein").facts()
    with pytest.raises(PlayerError, match=f"{kind}: the observation has no kitchen"):
        PLAYERS[kind](Observation("Gizmo", ("Gizmo", "Glitch"), facts=other), PlayerState(0))


def test_lines_of_a_kitchen_name_every_station_and_the_rooms_where_there_are_several() -> None:
    assert len(facts("kitchen").lines()) == len(facts("kitchen").stations)
    divided = facts("kitchen-divided").lines()
    assert "shelf is at x 0, y -60, z 0, reached from: store, hearth." in divided
    assert "stove_1 (stove) is at x 8, y -60, z -7, reached from: hearth." in divided
    assert "Clove is in the room hearth." in divided
