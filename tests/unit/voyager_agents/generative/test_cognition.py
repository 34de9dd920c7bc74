"""Perceive, plan, reflect and act, each tested alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.unit.voyager_agents.generative.conftest import MakeKit
from tests.unit.voyager_agents.generative.thinker import Document, Thinker, move
from voyager_agents import ModelError, ScriptExhausted
from voyager_agents.commons_harvest import HarvestAct, HarvestTurn, Seen
from voyager_agents.generative.act import ActStage
from voyager_agents.generative.long_term import Unstored
from voyager_agents.generative.perceive import Perceive
from voyager_agents.generative.plan import PlanStage
from voyager_agents.generative.poignancy import POIGNANCY
from voyager_agents.generative.reflect import Reflect
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.models import ScriptedModel

APPLES = tuple(Seen("apple", (x, 3), "tree 1") for x in range(14))
TURN = HarvestTurn("Ann", ("Ann", "Bob"), 1, (0, 0), (24, 18), (Seen("player", (1, 1), "Bob"), *APPLES))
RULED = GenerativeSettings(perceive="rule")


async def test_the_nearest_ten_get_through_and_are_remembered_once(make_kit: MakeKit) -> None:
    kit = make_kit(settings=RULED)
    perceive = Perceive(kit)
    first = await perceive.take_in(TURN)
    assert first.observed == 10
    assert [each.text for each in first.fresh[:2]] == ["player Bob at (1, 1)", "an apple at (0, 3), tree 1"]
    again = await perceive.take_in(replace(TURN, round=2))
    assert (again.observed, again.fresh) == (10, ())
    assert len(kit.short.now) == 10
    assert len(kit.memory) == 10


async def test_what_happened_is_rated_by_its_kind_and_a_striking_thing_is_a_reason(make_kit: MakeKit) -> None:
    perceive = Perceive(make_kit(settings=RULED))
    calm = await perceive.take_in(replace(TURN, seen=(), events=("an apple grew",)))
    assert calm.reason == ""
    deeds = (
        HarvestAct("take", "Bob", (1, 3), "tree 1", 4),
        HarvestAct("take", "Bob", (2, 3), "tree 1", 0),
        HarvestAct("attack", "Bob", (0, 0), target="Ann", hit=True),
        HarvestAct("attack", "Ann", (5, 0), target="Bob"),
    )
    found = await perceive.take_in(replace(TURN, round=2, seen=(), deeds=deeds, said=(("Bob", "mine"),)))
    assert {each.text: each.poignancy for each in found.fresh} == {
        "Bob took the apple at (1, 3), tree 1: 4 are left there": POIGNANCY["take"],
        "Bob took the apple at (2, 3), tree 1: 0 are left there": POIGNANCY["last_apple"],
        "Bob immobilized Ann at (0, 0)": POIGNANCY["attacked"],
        "Ann attacked without hitting Bob at (5, 0)": POIGNANCY["attack"],
        'Bob said "mine"': POIGNANCY["spoken"],
    }
    assert found.reason == "Bob immobilized Ann at (0, 0)"
    assert [each.kind for each in found.fresh][-1] == "speech"


async def test_the_model_rates_all_new_things_in_one_call(make_kit: MakeKit) -> None:
    model = Thinker(words={"perceive": lambda shown: rated(shown, 7)})
    perceive = Perceive(make_kit(model))
    found = await perceive.take_in(TURN)
    assert {each.poignancy for each in found.fresh} == {7}
    assert found.reason == "look"
    await perceive.take_in(replace(TURN, round=2))
    assert len(model.asked) == 1


@pytest.mark.parametrize("wrong", [lambda shown: rated(shown, 11), lambda shown: '{"poignancy": [], "react": 1}'])
async def test_ratings_of_no_use_give_way_to_the_rule(make_kit: MakeKit, wrong: Any) -> None:  # noqa: ANN401
    kit = make_kit(Thinker(words={"perceive": wrong}))
    found = await Perceive(kit).take_in(TURN)
    assert [each.poignancy for each in found.fresh] == [POIGNANCY["player"], *[POIGNANCY["cell"]] * 9]
    assert len(kit.mind.faults) == 1


async def test_who_is_out_of_the_game_asks_nobody(make_kit: MakeKit) -> None:
    model = Thinker()
    found = await Perceive(make_kit(model)).take_in(replace(TURN, out=True))
    assert model.asked == []
    assert len(found.fresh) == 10


async def test_a_plan_is_made_from_memories_and_kept_when_the_next_is_none(make_kit: MakeKit) -> None:
    kit = make_kit(Thinker())
    await kit.memory.add([Unstored("Bob takes last apples", "insight", 8)], 1)
    await Perceive(kit).take_in(TURN)
    await PlanStage(kit).renew(1, "there is no plan yet", {"confirmed_rules": ["trees die"]})
    assert kit.short.plan is not None
    assert kit.short.plan.goal == "eat since round 1"
    assert kit.memory.latest("plan", 1)[0].text == "I planned: eat since round 1"
    shown = kit.mind._askers("plan")._model.calls("plan")[0]  # type: ignore[attr-defined]
    assert shown["insights"][0]["text"] == "Bob takes last apples"
    assert shown["confirmed_rules"] == ["trees die"]
    bad = make_kit(ScriptedModel(["no", "no"]))
    bad.short.plan = kit.short.plan
    await PlanStage(bad).renew(2, "x", {})
    assert bad.short.plan is kit.short.plan


async def test_thirty_observations_bring_three_insights_with_evidence(make_kit: MakeKit) -> None:
    model = Thinker()
    kit = make_kit(model, RULED)
    perceive, reflect = Perceive(kit), Reflect(kit)
    gained = []
    for round in range(1, 7):
        found = await perceive.take_in(replace(TURN, round=round))
        gained.append(await reflect.after(found.observed, found.fresh, round))
    assert [len(each) for each in gained] == [0, 0, 3, 0, 0, 3]
    assert [name for name, _ in model.asked] == ["reflect, first part", "reflect, second part"] * 2
    for each in gained[2]:
        assert each.kind == "insight"
        assert 1 <= len(each.evidence) <= 2
    groups = model.calls("reflect, second part")[0]["groups"]
    assert {each["id"] for each in groups[0]["memories"]} >= set(gained[2][0].evidence)


async def test_an_insight_needs_evidence_that_was_shown(make_kit: MakeKit) -> None:
    invented = {"insights": [{"insight": "i", "evidence": [999]}] * 3}
    model = Thinker(words={"reflect, second part": lambda shown: json.dumps(invented)})
    kit = make_kit(model, RULED)
    found = await Perceive(kit).take_in(TURN)
    assert await Reflect(kit).after(30, found.fresh, 1) == ()
    assert "insights.evidence '999' is not legal here" in kit.mind.faults[0]
    assert kit.memory.latest("insight", 5) == []


async def choose(make_kit: MakeKit, *answers: Document, modules: tuple[str, ...] = ()) -> tuple[Any, ScriptedModel]:
    model = ScriptedModel([json.dumps(each) for each in answers])
    kit = make_kit(model, GenerativeSettings(perceive="rule", modules=modules))
    await Perceive(kit).take_in(TURN)
    return await ActStage(kit).choose(TURN, {}), model


@pytest.mark.parametrize(
    ("answer", "move_", "to", "target"),
    [
        (move("go", (3, 3)), "go", (3, 3), ""),
        (move("explore", (23, 17)), "explore", (23, 17), ""),
        (move("stay"), "stay", None, ""),
        (move("immobilize Bob"), "immobilize", (1, 1), "Bob"),
        (move("immobilize Bob", (9, 9)), "immobilize", (1, 1), "Bob"),
    ],
)
async def test_a_legal_action_is_taken(
    make_kit: MakeKit, answer: Document, move_: str, to: tuple[int, int] | None, target: str
) -> None:
    decision, _ = await choose(make_kit, answer)
    assert (decision.move, decision.to, decision.target, decision.fault) == (move_, to, target, "")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (move("fly", (1, 1)), "'fly' is not legal here; choose one of go, explore, stay, immobilize Bob"),
        (move("go"), "to: give the cell as"),
        (move("go", (24, 0)), "outside of the field: x 0 to 23, z 0 to 17"),
        (move("go", (-1, 0)), "outside of the field"),
        (move("immobilize Cid"), "'immobilize Cid' is not legal here"),
        (move("immobilize Ann"), "'immobilize Ann' is not legal here"),
        (move("immobilize B\u043eb"), "is not legal here"),
        (move("immobilize"), "'immobilize' is not legal here"),
        (move("stay", say="hello"), "nobody can be spoken to here"),
        ({"reasoning": "r"}, "move: Field required"),
    ],
)
async def test_an_illegal_action_is_corrected_once_then_the_agent_stays_at_fault(
    make_kit: MakeKit, answer: Document, told: str
) -> None:
    decision, model = await choose(make_kit, answer, answer)
    assert decision.move == "stay"
    assert told in decision.fault
    assert told in model.seen[1][0][-1].content
    corrected, _ = await choose(make_kit, answer, move("go", (3, 3)))
    assert (corrected.move, corrected.fault) == ("go", "")


async def test_who_may_communicate_may_speak(make_kit: MakeKit) -> None:
    decision, _ = await choose(make_kit, move("stay", say="hello"), modules=("communication",))
    assert decision.say == "hello"


async def test_a_dead_model_is_no_decision(make_kit: MakeKit) -> None:
    with pytest.raises(ScriptExhausted):
        await choose(make_kit)
    with pytest.raises(ModelError):
        await PlanStage(make_kit(ScriptedModel([ModelError("gone")]))).renew(1, "x", {})


def rated(shown: Document, value: int) -> str:
    return json.dumps({"poignancy": [value] * len(shown["new_observations"]), "react": True, "reason": "look"})
