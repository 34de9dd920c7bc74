"""Forms of the modules' answers: their examples are readable, and their schemas hold what is legal in a run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from common.answers.form import Reasoning
from tests.fakes.life import ANSWERS, Life
from voyager_agents.piano.modules.citizen import _answer_schema
from voyager_agents.piano.primitives import CALLABLE
from voyager_agents.realtime_agent import HeardWords, Letter

MODULES = {
    "memory": "memory",
    "action_awareness": "to compare",
    "goal_generation": "the social goal",
    "planning": "planning",
    "controller": "to decide",
    "talking": "to talk",
    "skill_execution": "to act",
    "social_awareness": "to understand",
}
"""Module -> its part in prompts."""


async def form_of(name: str, *heard: str) -> Any:  # noqa: ANN401 - an AnswerForm of any answer
    """Return the form of a module for an agent that has just heard these speakers."""
    life = Life()
    life.body.ears = [HeardWords(0.0, each, "Hello", "say", (1, 64, 1), addressed=True) for each in heard]
    await life.pass_time(1)
    module = next(each for each in life.agent._wiring.modules if each.name == name)
    form = module.answer_form(life.agent._view(module, 1.0, frozenset()))
    await life.end()
    return form


@pytest.mark.parametrize("name", MODULES)
async def test_an_example_and_a_usual_answer_are_read_with_and_without_reasons(name: str) -> None:
    form = await form_of(name, "Bea")
    reasonings: tuple[Reasoning, ...] = ("field", "none")
    for reasoning in reasonings:
        form.parse(json.dumps(form.example), reasoning)
        form.parse(json.dumps(ANSWERS[MODULES[name]]), reasoning)
        assert form.schema(reasoning)
        assert (form.reasoning in form.instructions(reasoning)) == (reasoning == "field" or not form.reasoning)
    if form.reasoning:
        assert next(iter(form.schema()["properties"])) == form.reasoning


async def test_the_known_players_may_be_spoken_to_and_judged() -> None:
    for name in ("controller", "talking"):
        assert (await form_of(name, "Bea", "Cid")).schema()["properties"]["to"]["enum"] == ["", "Bea", "Cid"]
    people = (await form_of("social_awareness", "Bea")).schema()["properties"]["people"]
    assert people["items"]["properties"]["name"]["enum"] == ["Bea"]


async def test_an_act_is_either_calls_of_primitives_or_a_program() -> None:
    calls, program = (await form_of("skill_execution")).schema()["anyOf"]
    assert list(calls["properties"]) == calls["required"] == ["label", "calls"]
    assert calls["properties"]["calls"]["items"]["properties"]["name"]["enum"] == sorted(CALLABLE)
    assert program["required"] == ["label", "program", "gains"]


async def test_items_that_a_schema_asks_for_as_a_list_are_read_as_a_map() -> None:
    form = await form_of("skill_execution")
    bread = [{"item": "bread", "count": 2}]
    put = form.parse(
        json.dumps({"label": "store", "calls": [{"name": "depositItemIntoChest", "args": ["a", bread, []]}]})
    )
    assert put.calls[0].args == ["a", {"bread": 2}, []]
    assert form.parse(json.dumps({"label": "bake", "program": "x", "gains": bread})).gains == {"bread": 2}
    assert form.parse(json.dumps({"label": "bake", "program": "x", "gains": []})).gains == {}
    with pytest.raises(ValueError, match="gains"):
        form.parse(json.dumps({"label": "bake", "program": "x", "gains": [{"item": "bread"}]}))


def test_a_letter_is_answered_in_its_own_form() -> None:
    amendments = [{"amendment": "A1"}, {"amendment": "A2"}]
    ballot = _answer_schema(Letter(1, 0.0, "ballot", "Vote.", {"amendments": amendments}, 9.0))
    assert list(ballot["properties"]["votes"]["properties"]) == ["A1", "A2"]
    said = {"feedback": [{"member": "Ann", "text": "less"}], "clauses": {"rate": {}}}
    made = _answer_schema(Letter(2, 0.0, "amendments", "Make.", said, 9.0))["properties"]["amendments"]["items"]
    assert made["properties"]["clause"] == {"type": "string", "enum": ["rate"]}
    assert made["properties"]["by"]["items"] == {"type": "string", "enum": ["Ann"]}
    assert _answer_schema(Letter(3, 0.0, "feedback", "Say.", {}, 9.0))["type"] == "string"
