from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.unit.voyager_agents.generative.conftest import MakeKit
from tests.unit.voyager_agents.generative.thinker import Document, Thinker
from voyager_agents import ReplyError
from voyager_agents.commons_harvest import HarvestAct, HarvestTurn, Seen
from voyager_agents.generative.hypotheses import TESTS, Glimpse, Hypothesis, read_test
from voyager_agents.generative.long_term import Unstored
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.generative.understanding import Understanding

TURN = HarvestTurn("Ann", ("Ann", "Bob"), 1, (0, 0), (24, 18), ())
TAKE = HarvestAct("take", "Bob", (1, 1), "tree 1", 3)
ATTACK = HarvestAct("attack", "Bob", (0, 0), target="Ann")
NEAR = {"Ann": (0, 0), "Bob": (1, 1)}
FAR = {"Ann": (0, 0), "Bob": (9, 9)}


@pytest.mark.parametrize(
    ("test", "glimpse", "counted"),
    [
        ({"kind": "spares", "player": "Bob", "apples": 3}, Glimpse((TAKE, replace(TAKE, left=2))), (1, 1)),
        ({"kind": "spares", "player": "Ann", "apples": 3}, Glimpse((TAKE, ATTACK)), (0, 0)),
        ({"kind": "aggressive", "player": "Bob"}, Glimpse((ATTACK,), players=NEAR), (1, 0)),
        ({"kind": "aggressive", "player": "Bob"}, Glimpse(players=NEAR), (0, 1)),
        ({"kind": "aggressive", "player": "Bob"}, Glimpse(players=FAR), (0, 0)),
        ({"kind": "peaceful", "player": "Bob"}, Glimpse((ATTACK,), players=NEAR), (0, 1)),
        ({"kind": "peaceful", "player": "Bob"}, Glimpse(players=FAR), (1, 0)),
        ({"kind": "peaceful", "player": "Cid"}, Glimpse(players=FAR), (0, 0)),
        ({"kind": "regrows", "apples": 2}, Glimpse(grown=(("tree 1", 2), ("tree 1", 1))), (1, 1)),
        ({"kind": "stays_bare"}, Glimpse(trees={"a": (0, 0), "b": (0, 1), "c": (2, 3)}), (1, 1)),
    ],
)
def test_evidence_is_counted_from_what_was_seen(test: Document, glimpse: Glimpse, counted: tuple[int, int]) -> None:
    assert read_test(test).count(glimpse) == counted


@pytest.mark.parametrize("kind", sorted(TESTS))
def test_every_test_tells_its_form_and_is_read_from_it(kind: str) -> None:
    form = TESTS[kind].summary.partition("}")[0] + "}"
    raw = json.loads(form.replace(" P", ' "Bob"').replace(" k", " 2"))
    assert read_test(raw).kind == kind


@pytest.mark.parametrize("raw", [{}, {"kind": "prophecy"}, {"kind": ["regrows"]}, {"kind": "regrows", "apples": 0}])
def test_a_test_that_is_none_is_refused(raw: Document) -> None:
    with pytest.raises(ReplyError, match="test"):
        read_test(raw)


def test_a_count_alone_confirms_doubts_and_retracts() -> None:
    law = Hypothesis("H1", "Bob is peaceful", read_test({"kind": "peaceful", "player": "Bob"}), 1)
    calm, attack = Glimpse(players=FAR), Glimpse((ATTACK,), players=FAR)
    stages = []
    for glimpse in (calm, calm, calm, attack, calm, calm, attack, attack, attack, calm, calm, calm, calm, calm, calm):
        law.see(glimpse)
        stages.append(law.status(3))
    assert stages[:3] == ["open", "open", "confirmed"]
    assert stages[3:6] == ["open", "open", "confirmed"]
    assert stages[6:8] == ["open", "open"]
    assert stages[8:] == ["retracted"] * 7
    assert law.evidence == (11, 4)


def looking(make_kit: MakeKit, *answers: Document) -> tuple[Understanding, Thinker]:
    script = list(answers)
    model = Thinker(words={"understand": lambda shown: json.dumps(script.pop(0))})
    settings = GenerativeSettings(modules=("understanding",), understand_every=1)
    return Understanding(make_kit(model, settings)), model


def put(text: str, test: Document | None = None) -> Document:
    return {"hypotheses": [{"text": text, "test": test}], "evidence": []}


async def test_a_new_hypothesis_is_counted_from_the_past_too(make_kit: MakeKit) -> None:
    understanding, _ = looking(make_kit, put("Bob spares", {"kind": "spares", "player": "Bob", "apples": 2}))
    for _ in range(3):
        understanding.observe(replace(TURN, deeds=(TAKE,)), ())
    await understanding.look(1)
    assert understanding.confirmed() == ["Bob spares (for 3, against 0)"]
    for _ in range(2):
        understanding.observe(replace(TURN, deeds=(replace(TAKE, left=0),)), ())
    assert understanding.confirmed() == []


async def test_in_words_each_observation_counts_once_and_speech_is_no_evidence(make_kit: MakeKit) -> None:
    cites = {
        "hypotheses": [],
        "evidence": [{"hypothesis": "H1", "observation": number, "supports": True} for number in (1, 2, 2, 2)],
    }
    speech = {"hypotheses": [], "evidence": [{"hypothesis": "H1", "observation": 3, "supports": True}]}
    understanding, _ = looking(make_kit, put("grass is green"), cites, cites, speech, speech)
    memory = understanding._kit.memory
    await memory.add([Unstored("a", "observation", 1), Unstored("b", "observation", 1)], 1)
    await memory.add([Unstored('Bob said "grass is green"', "speech", 6)], 1)
    for round in range(1, 5):
        await understanding.look(round)
    assert understanding.all[0].evidence == (2, 0)
    assert "evidence.observation '3' is not legal here; choose one of 1, 2" in understanding._kit.mind.faults[0]


async def test_what_was_retracted_cannot_be_put_forward_again(make_kit: MakeKit) -> None:
    peaceful: Document = {"kind": "peaceful", "player": "Bob"}
    understanding, _ = looking(make_kit, put("Bob is kind", peaceful), put("Bob is nice", peaceful))
    understanding.observe(replace(TURN, deeds=(ATTACK,)), ())
    await understanding.look(1)
    await understanding.look(2)
    assert [(each["text"], each["status"]) for each in understanding.hypothesis_dicts()] == [
        ("Bob is kind", "retracted")
    ]


async def test_growth_is_counted_by_what_was_known_before_it(make_kit: MakeKit) -> None:
    kit = make_kit(Thinker(), GenerativeSettings(modules=("understanding",), understand_every=1))
    understanding = Understanding(kit)
    await understanding.look(1)
    looks = (
        (Seen("apple", (1, 1), "tree 1"), Seen("bare", (2, 1), "tree 1"), Seen("bare", (9, 1), "tree 2")),
        (Seen("apple", (1, 1), "tree 1"), Seen("apple", (2, 1), "tree 1"), Seen("bare", (9, 1), "tree 2")),
        (Seen("apple", (1, 1), "tree 1"), Seen("apple", (9, 1), "tree 2")),
    )
    for number, seen in enumerate(looks):
        turn = replace(TURN, round=number + 1, seen=seen)
        understanding.observe(turn, kit.space.take_in(turn))
    counted = {each.text: each.evidence for each in understanding.all}
    assert counted["rule regrows"] == (1, 1)
    assert counted["rule stays_bare"] == (1, 1)
