"""Reputation judged by a model: what it is shown and when, what follows, and answers that are no judgement."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

import pytest

from tests.unit.voyager_agents.generative.field import TREES, Field, play
from tests.unit.voyager_agents.generative.thinker import Document, Thinker
from voyager_agents.asking import Asker
from voyager_agents.generative import GenerativeSettings, audit, entries_of, scores
from voyager_agents.generative.assembly import GenerativeFamily, make_family
from voyager_agents.generative.reputation import MAX_ACTIONS, PromiseRecord

NAMES = ("Ann", "Bob", "Cid")
JUDGE = "judge a reputation"
Game = tuple[GenerativeFamily, dict[str, Thinker], list[dict[str, Any]]]


def game(*, words: dict[str, Any] | None = None, **settings: Any) -> tuple[GenerativeFamily, dict[str, Thinker]]:  # noqa: ANN401
    """Return three agents, of whom Cid is greedy, says that it has a good reputation, and has a personality."""
    models = {name: Thinker(greedy=name == "Cid", words=words) for name in NAMES}
    chosen = {
        "modules": ("communication", "constitution", "reputation"),
        "perceive": "rule",
        "reputation": "judged",
        **settings,
    }
    return make_family(
        {name: partial(Asker, model) for name, model in models.items()},
        settings=GenerativeSettings(**chosen),
        world="Trees die.",
        personalities={"Cid": "You want apples above all."},
        trees=TREES,
    ), models


@pytest.fixture(scope="module")
def played() -> Game:
    made, models = game()
    return made, models, asyncio.run(play(made, Field(NAMES, seed=1), 12))


def judged(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in entries_of(lines) if each["what"] == "judged"]


def test_members_with_agreements_are_judged_before_each_meeting_but_the_first(played: Game) -> None:
    _, models, lines = played
    assert [(each["round"], each["player"]) for each in judged(lines)] == [
        (number, name) for number in (6, 11) for name in NAMES
    ]
    for name, model in models.items():
        assert [shown["member"] for shown in model.calls(JUDGE)] == [name] * 2
        first, second = model.calls(JUDGE)
        assert first["agreements"][0]["says"] == "leave at least 2 apples on every tree"
        assert {each["action"].split()[0] for each in first["actions"]} == {name}
        assert second["agreements"][: len(first["agreements"])] == first["agreements"]


def test_scores_are_the_last_judgement_and_every_member_reads_them(played: Game) -> None:
    made, models, lines = played
    assert made.council is not None
    last = {each["player"]: each["score"] for each in judged(lines)}
    assert scores(lines) == last == made.council.court.ratings
    assert last["Cid"] < last["Ann"]
    told = {each["player"]: each["score"] for each in entries_of(lines) if each["what"] == "reputation"}
    assert told == last
    spoken = models["Bob"].calls("speak at the council")
    assert [shown["council"]["reputation"] for shown in spoken[:2]] == [{}, {}]
    assert set(spoken[-1]["council"]["reputation"]) == set(NAMES)
    assert models["Bob"].calls("act")[-1]["council"]["reputation"] == last


def test_the_judge_reads_the_record_without_words_and_personalities(played: Game) -> None:
    _, models, _ = played
    asked = [
        system for (which, _), system in zip(models["Cid"].asked, models["Cid"].systems, strict=True) if which == JUDGE
    ]
    assert len(asked) == 2
    assert all("Trees die." in each and "You are none of them" in each for each in asked)
    assert not any("You want apples above all." in each or "You are Cid" in each for each in asked)


def test_a_record_with_judgements_can_be_recomputed(played: Game) -> None:
    _, _, lines = played
    entries = entries_of([json.loads(json.dumps(each)) for each in lines])
    assert audit(entries) == entries


@pytest.mark.parametrize(
    "answer", ["very good", '{"reasoning": "r", "score": 11}', '{"reasoning": "r", "score": "high"}', '{"score": true}']
)
async def test_an_answer_that_cannot_be_read_is_no_judgement(answer: str) -> None:
    made, models = game(words={JUDGE: lambda _: answer})
    lines = await play(made, Field(NAMES, seed=1), 7)
    assert judged(lines) == []
    assert [each for each in entries_of(lines) if each["what"] == "reputation"] == []
    assert models["Ann"].calls("act")[-1]["council"]["reputation"] == {}
    # It was asked twice, and the fault is recorded.
    assert len(models["Ann"].calls(JUDGE)) == 2
    assert made.agents["Ann"].faults[0].startswith("reputation: ")


async def test_the_score_stays_if_a_later_answer_cannot_be_read() -> None:
    def answer(shown: Document) -> str:
        return json.dumps({"reasoning": "r", "score": 3}) if shown["round"] == 6 else "no"

    made, _ = game(words={JUDGE: answer})
    lines = await play(made, Field(NAMES, seed=1), 11)
    assert made.council is not None
    assert made.council.court.ratings == dict.fromkeys(NAMES, 0.3)
    assert {each["round"] for each in judged(lines)} == {6}


async def test_nobody_is_judged_without_an_agreement() -> None:
    silence = {"speak at the council": lambda _: '{"reasoning": "r", "acts": []}'}
    made, models = game(words=silence)
    lines = await play(made, Field(NAMES, seed=1), 7)
    assert judged(lines) == []
    assert all(model.calls(JUDGE) == [] for model in models.values())


async def test_a_new_game_starts_without_judgements() -> None:
    made, _ = game()
    await play(made, Field(NAMES, seed=1), 7)
    assert made.council is not None
    assert made.council.court.ratings
    await made.council.talk(Field(NAMES).turns())
    assert made.council.court.ratings == {}


def entry(number: int, player: str, left: int = 5) -> dict[str, Any]:
    place = {"at": [1, 2], "tree": "tree 1", "left": left, "target": "", "hit": False}
    return {"what": "deed", "round": number, "kind": "take", "player": player, **place}


def test_the_record_has_a_members_actions_while_an_agreement_bound_it() -> None:
    record = PromiseRecord()
    made = {"agreement": "A1", "parties": ["Ann", "Bob"], "says": "spare", "first": 2, "until": 9, "rounds": 8}
    record.add([entry(1, "Ann"), {"what": "agreement_made", "round": 2, **made}])
    record.add([entry(2, "Ann", 4), entry(3, "Bob", 3), entry(3, "Cid")])
    record.add([{"what": "agreement_ended", "round": 3, "agreement": "A1", "why": "broken"}, entry(4, "Ann")])
    found = record.of("Ann", 6, 1)
    assert found is not None
    # The court's verdict is not shown, only the last round in which the agreement bound.
    assert found["agreements"] == [
        {"agreement": "A1", "parties": ["Ann", "Bob"], "says": "spare", "first": 2, "until": 3}
    ]
    assert found["actions"] == [{"round": 2, "action": "Ann took the apple at (1, 2), tree 1: 4 are left there"}]
    assert record.of("Cid", 6, 1) is None
    assert record.of("Ann", 11, 6) is None


def test_the_record_shows_the_latest_actions_of_many() -> None:
    record = PromiseRecord()
    made = {"agreement": "A1", "parties": ["Ann"], "says": "spare", "first": 1, "until": 200, "rounds": 200}
    record.add([{"what": "agreement_made", "round": 1, **made}, *(entry(number, "Ann") for number in range(1, 101))])
    found = record.of("Ann", 101, 100)
    assert found is not None
    assert [each["round"] for each in found["actions"]] == list(range(101 - MAX_ACTIONS, 101))
