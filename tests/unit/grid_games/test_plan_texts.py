"""Plans in words: the form of an answer, what it is read as, and what an agent is told."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from grid_games import Batch, load, names, observe
from grid_games.planning import GOALS, GridPlan, PlanRunner, ScriptedPlanner, open_goals, view_of
from grid_games.text import describe_situation, goals_text, grid_plan, plan_details, plan_form
from grid_games.text.plans import SHAPES
from tests.fakes.json_schema import faults
from tests.unit.grid_games.planning.planned import cell, explorers, runner
from tests.unit.grid_games.play import event, give, place, put

ALL: dict[str, dict[str, Any]] = {name: {} for name in GOALS}
"""All goals, as if they were open."""


def stated(goal: str, **details: Any) -> str:  # noqa: ANN401 - values of any field
    return json.dumps({"why": "", "plan": {"goal": goal, **details}})


@pytest.mark.parametrize("name", names())
def test_every_plan_of_the_script_is_in_the_form_and_read_as_itself(name: str) -> None:
    game = load(name, steps=60)
    batch, script = Batch(game, [0]), ScriptedPlanner(game)
    runners = [PlanRunner(game, batch.actions, agent, 0, 5) for agent in range(game.agents)]
    goals = set[str]()
    while batch.time[0] < game.steps:
        parts, actions = observe(batch), np.zeros((1, game.agents), np.intp)
        for agent, each in enumerate(runners):
            each.see(view_of(batch, parts, agent))
            if each.state.view.mask.sum() == 1:
                actions[0, agent] = each.state.view.mask.argmax()
                continue
            if each.review() is not None:
                plan = script.plan(each.start)
                form = plan_form(game, open_goals(each.start))
                answer = stated(plan.goal, **plan_details(plan, game))
                assert (
                    faults(json.loads(answer), {**form.schema(), "required": ["why", "plan"]}) == [] or "drop" in answer
                )
                assert grid_plan(form.parse(answer), game) == plan
                goals.add(plan.goal)
                each.adopt(plan)
            actions[0, agent] = each.act()
        batch.step(actions)
    assert goals >= {"gather", "craft"}


def test_the_form_offers_open_goals_with_their_legal_values() -> None:
    batch = explorers(2)
    place(batch, cell(4, 4), cell(4, 5))
    put(batch, cell(4, 4), wood=1, coal=1)
    give(batch, 0, stone=1)
    mine = runner(batch)
    form = plan_form(batch.game, open_goals(mine.start))
    parts = {
        each["properties"]["goal"]["enum"][0]: each["properties"]
        for each in form.schema()["properties"]["plan"]["anyOf"]
    }
    assert list(parts) == ["gather", "drop", "go", "explore", "wait", "join", "share", "message"]
    assert parts["gather"]["resource"]["enum"] == ["wood"]
    assert parts["drop"]["resource"]["enum"] == ["stone"]
    assert parts["drop"]["partner"]["enum"] == ["", "explorer_1"]
    assert parts["go"]["cell"]["minItems"] == parts["go"]["cell"]["maxItems"] == 2
    assert parts["go"]["cell"]["items"]["maximum"] == 8
    assert parts["message"]["words"]["maxItems"] == 3
    told = describe_situation(mine.start, open_goals(mine.start))
    assert '- {"goal": "gather", "resource": <wood>, "amount": <1 to 99>}' in told
    assert '- {"goal": "drop", "resource": <stone>, "amount": <1 to 99>, "partner": <explorer_1 or "">, ' in told
    assert '- {"goal": "join", "group": <0, 1>}' in told
    assert "coal on the ground" not in told


def test_a_plan_reads_the_details_of_its_goal() -> None:
    game, form = explorers(2).game, plan_form(explorers(2).game, ALL)
    answers = {
        stated("drop", resource="wood", amount=2, partner="", cell=[]): GridPlan("drop", "wood", 2),
        stated("drop", resource="wood", amount=2, cell=[1, 2]): GridPlan("drop", "wood", 2, cell=11),
        stated("drop", resource="wood", amount=1, partner="explorer_1"): GridPlan("drop", "wood", partner=1),
        stated("go", cell=[8, 8]): GridPlan("go", cell=80),
        stated("join", group=0): GridPlan("join", group=0),
        stated("claim", share=0.3): GridPlan("claim", share=0.3),
        stated("message", partner="explorer_1", words=[4]): GridPlan("message", partner=1, words=(4,)),
        stated("accept"): GridPlan("accept"),
    }
    for answer, plan in answers.items():
        assert grid_plan(form.parse(answer), game) == plan


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (stated("go", cell=[9, 0]), r"cell \[9, 0\] is not on the map: give \[row, column\] up to \[8, 8\]"),
        (stated("drop", resource="wood", amount=1, cell=[1]), r"cell \[1\] is not on the map"),
        (stated("gather", resource="gold", amount=1), "resource 'gold' is not legal here; choose one of wood, stone"),
        (stated("share", partner="me"), "partner 'me' is not legal here; choose one of explorer_0, explorer_1"),
        (stated("go"), "plan.go.cell: Field required"),
        (stated("gather", resource="wood", amount=0), "plan.gather.amount: Input should be greater"),
        (stated("gather", resource="wood", amount=1, cell=[0, 0]), "plan.gather.cell: Extra inputs are not permitted"),
        (stated("fly"), "plan: Input tag 'fly' found using 'goal' does not match any of the expected tags"),
        (stated("wait", amount="many"), "plan.wait.amount: Input should be a valid integer"),
        ("I wait.", "the answer is not one JSON object"),
    ],
)
def test_an_illegal_plan_is_refused_in_one_line(answer: str, told: str) -> None:
    game = explorers(2).game
    with pytest.raises(ValueError, match=told) as error:
        grid_plan(plan_form(game, ALL).parse(answer), game)
    assert "\n" not in str(error.value)


def test_a_goal_that_is_not_open_is_refused() -> None:
    batch = Batch(load("ada-negotiation"), [0])
    mine = runner(batch)
    form = plan_form(batch.game, open_goals(mine.start))
    with pytest.raises(ValueError, match=r"plan\.goal 'wait' is not legal here; choose one of request"):
        form.parse(stated("wait", amount=1))


def test_goals_and_their_forms_agree() -> None:
    assert set(SHAPES) == set(GOALS)
    for name, goal in GOALS.items():
        assert set(SHAPES[name].model_fields) == {"goal", *goal.fields}
        assert {key for key, each in SHAPES[name].model_fields.items() if not each.is_required()} == goal.optional


@pytest.mark.parametrize(
    ("name", "there", "missing"),
    [("ada-contract", "join", "claim"), ("ada-negotiation", "claim", "join"), ("ada-exploration", "message", "claim")],
)
def test_only_goals_of_the_game_are_explained(name: str, there: str, missing: str) -> None:
    told = goals_text(Batch(load(name), [0]).actions)
    assert f"- `{there}`: " in told
    assert f"`{missing}`" not in told
    assert "- `gather`: " in told


def test_the_situation_tells_where_things_are_and_who_was_seen() -> None:
    batch = explorers(2)
    place(batch, cell(4, 4), cell(4, 6))
    put(batch, cell(4, 3), wood=2)
    put(batch, cell(4, 4), stone=1)
    event(batch, cell(4, 5), "hammer_craft")
    give(batch, 0, wood=3)
    mine = runner(batch)
    lines = describe_situation(mine.start, open_goals(mine.start)).splitlines()
    assert lines[:7] == [
        "Step 0 of 500. You are at [4, 4].",
        "You carry: 3 wood.",
        "wood on the ground: 2 at [4, 3], 1 step away",
        "stone on the ground: 1 at [4, 4], here",
        "hammer_craft is possible: at [4, 5], 1 step away",
        "explorer_1: at [4, 6], now",
        "You have never seen 56 of 81 cells.",
    ]
