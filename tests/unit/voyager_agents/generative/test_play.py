"""Whole game of three generative agents with every module: equal seeds give equal, complete records."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.unit.voyager_agents.generative.field import TREES, Field, play
from tests.unit.voyager_agents.generative.thinker import Thinker
from voyager_agents import ObservationError
from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext
from voyager_agents.generative import (
    MODULES,
    GenerativeSettings,
    GenerativeSettingsError,
    audit,
    entries_of,
    scores,
)
from voyager_agents.generative.agent import GenerativeAgent
from voyager_agents.generative.assembly import GenerativeFamily, make_family
from voyager_agents.generative.family import check_options, make_agents
from voyager_agents.generative.settings import ROLES

NAMES = ("Ann", "Bob", "Cid")


def game(**settings: Any) -> tuple[GenerativeFamily, dict[str, Thinker]]:  # noqa: ANN401
    models = {name: Thinker(greedy=name == "Cid") for name in NAMES}
    chosen = GenerativeSettings(**{"modules": MODULES, **settings})
    personalities = {"Cid": "You want apples above all."}
    askers = {name: partial(Asker, model) for name, model in models.items()}
    return make_family(askers, settings=chosen, world="Trees die.", personalities=personalities, trees=TREES), models


@pytest.fixture(scope="module")
def played() -> tuple[GenerativeFamily, dict[str, Thinker], list[dict[str, Any]], Field]:
    import asyncio

    made, models = game()
    field = Field(NAMES, seed=1)
    return made, models, asyncio.run(play(made, field, 20)), field


Played = tuple[GenerativeFamily, dict[str, Thinker], list[dict[str, Any]], Field]


async def test_the_same_seed_gives_the_same_bytes(played: Played) -> None:
    _, _, lines, _ = played
    again = await play(game()[0], Field(NAMES, seed=1), 20)
    assert "\n".join(map(json.dumps, again)) == "\n".join(map(json.dumps, lines))
    other = await play(game()[0], Field(NAMES, seed=2), 5)
    assert other != lines[: len(other)]


def test_reputation_and_agreements_follow_from_the_record_alone(played: Played) -> None:
    made, _, lines, _ = played
    assert made.council is not None
    written = [json.loads(line) for line in "\n".join(map(json.dumps, lines)).splitlines()]
    entries = entries_of(written)
    assert audit(entries) == entries
    live = {name: each.score for name, each in made.council.court.standings.items()}
    assert scores(written) == live
    told = {each["player"]: each["score"] for each in entries if each["what"] == "reputation"}
    assert told == live
    found = Counter(each["what"] for each in entries)
    for what in ("agreement_made", "kept", "broken", "rule_passed", "penalty", "reward", "reputation"):
        assert found[what], what


def test_apples_moved_sum_to_zero_and_nobody_owes(played: Played) -> None:
    made, _, _, field = played
    assert made.council is not None
    moved = made.council.transfers()
    assert sum(round(100 * each) for each in moved.values()) == 0
    assert any(moved.values())
    assert all(field.taken[name] + each >= 0 for name, each in moved.items())


def test_who_breaks_promises_stands_lower(played: Played) -> None:
    _, _, lines, _ = played
    found = scores(lines)
    assert found["Cid"] < found["Ann"]


def test_every_module_reaches_the_prompts(played: Played) -> None:
    made, models, _, _ = played
    last = models["Ann"].calls("act")[-1]
    assert any(each.startswith("rule ") for each in last["confirmed_rules"])
    assert set(last["council"]["reputation"]) == set(NAMES)
    assert last["council"]["rules"][0]["rule"] == "R1"
    assert models["Ann"].calls("speak at the council")[-1]["confirmed_rules"]
    assert all("You want apples above all." in each for each in models["Cid"].systems)
    assert not any("You want apples above all." in each for each in models["Ann"].systems)
    assert all(agent.faults == () for agent in made.agents.values())


def test_the_calls_of_a_turn_are_those_that_are_stated(played: Played) -> None:
    _, models, _, _ = played
    for model in models.values():
        counted = Counter(which for which, _ in model.asked)
        assert counted["act"] == 20
        assert counted["perceive"] <= 20
        assert counted["understand"] == 4
        assert counted["speak at the council"] == 4 * 2
        assert counted["reflect, first part"] == counted["reflect, second part"] <= 12
        assert len(set(model.systems)) == 7


async def test_the_studied_architecture_has_none_of_the_modules() -> None:
    made, models = game(modules=(), perceive="rule")
    lines = await play(made, Field(NAMES, seed=1), 5)
    assert entries_of(lines) == []
    assert {which for which, _ in models["Ann"].asked} <= {"act", "plan", "reflect, first part", "reflect, second part"}
    assert "council" not in models["Ann"].calls("act")[-1]


async def test_an_agent_takes_its_own_turns_only() -> None:
    made, _ = game()
    with pytest.raises(ObservationError, match="'Bob': this agent is 'Ann'"):
        await made.agents["Ann"].take_turn(Field(NAMES).turns()["Bob"])


def seat(player: str, options: dict[str, Any]) -> AgentContext:
    return AgentContext(
        player=player,
        players=NAMES,
        condition="none",
        seed=0,
        kind="",
        about=f"I am {player}",
        text="Trees die.",
        task="Eat.",
        model=lambda role: Thinker() if role in ROLES else None,
        docs="",
        options=options,
        folder=Path("none"),
    )


def test_a_study_makes_them_from_its_seats() -> None:
    options = {"modules": "communication", "trees": list(TREES), "voting": "unanimity"}
    agents = make_agents([seat(name, options) for name in NAMES])
    assert [each.name for each in agents] == list(NAMES)
    first = agents[0]
    assert isinstance(first, GenerativeAgent)
    assert first.kit.settings.voting == "unanimity"
    assert first.council is not None
    assert {id(each.council) for each in agents if isinstance(each, GenerativeAgent)} == {id(first.council)}
    for wrong, told in (({"trees": "tree 1"}, "trees: 'tree 1': give a list"), ({"mood": 1}, "mood: unknown setting")):
        with pytest.raises(GenerativeSettingsError, match=told):
            make_agents([seat("Ann", wrong)])
        with pytest.raises(GenerativeSettingsError, match=told):
            check_options(wrong)
