"""Text interface: the text equals the observation, and only exact answers are accepted."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grid_games import AnswerError, Batch, GridAction, load, names, observe
from grid_games.policies import OraclePlan, RandomPolicy
from grid_games.text import answer_form, describe, legal, parse, rules_of_play
from tests.unit.grid_games.play import CALM, act, empty, event, give, place, put


def told(batch: Batch, agent: int) -> str:
    parts = {name: array[0, agent] for name, array in observe(batch).items()}
    return describe(batch.game, batch.actions, parts)


def typed(action: GridAction) -> str:
    return json.dumps({"why": "", "action": str(action)})


def everything(batch: Batch) -> np.ndarray:
    return np.ones(len(batch.actions), np.bool_)


def test_an_observation_in_words() -> None:
    batch = empty(3, size=(9, 9))
    place(batch, 40, 31, 0)
    put(batch, 40, wood=4, coal=2)
    put(batch, 50, stone=1)
    for cell in (41, 42, 49):
        event(batch, cell, "hammer_craft")
    event(batch, 58, "totem_making")
    batch.world.cells[22, :, 1] = 1
    give(batch, 0, wood=2, hammer=1)
    act(batch, "share 1", "share 0", "message 0")
    act(batch, "join 2", "join 2", "message 0")
    assert told(batch, 0).splitlines()[:-1] == [
        "Step 2 of 500.",
        "You carry: 2 wood, 1 hammer.",
        "Here: 4 wood; 2 coal",
        "1 up: player 1",
        "2 up: a block",
        "1 down, 1 right: 1 stone",
        "event hammer_craft: 1 right; 1 down; 2 right",
        "You see what these players see: 1.",
        "These players see what you see: 1.",
        "Group 2 shares what its members earn: player 0 is paid 0.5, player 1 is paid 0.5.",
        "Player 2 says: 1, 0, 0.",
        "Your actions:",
        "up, down, left, right, stay",
        "pick wood, pick coal",
        "dump wood, dump hammer",
        "message 1, message 2",
        "share 1, share 2",
    ]
    give(batch, 0, hammer=0)
    assert "Here: 4 wood\n" in told(batch, 0)
    assert "coal" not in told(batch, 0)


def test_a_bargain_in_words() -> None:
    batch = Batch(load("ada-negotiation"), [0])
    act(batch, "request 2", "stay", "request 0", "stay")
    assert "Player 2 asked you to bargain." in told(batch, 0)
    act(batch, "stay", "stay", "claim 0.7", "stay")
    assert "Player 2 claims 0.7 for its side; yours would get 0.3." in told(batch, 0)
    assert "There is no coalition yet." in told(batch, 1)
    act(batch, "accept", "stay", "stay", "stay")
    assert "Your coalition: player 0 gets 0.3, player 2 gets 0.7." in told(batch, 0)
    assert "Another coalition: player 0 gets 0.3, player 2 gets 0.7." in told(batch, 1)


def test_the_rules_in_words() -> None:
    lines = rules_of_play(load("ada-contract-hard"), 5).splitlines()
    assert lines[0].startswith("You are player 5; your role is miner. Players: 0 carpenter, 1 carpenter, ")
    assert lines[3] == "A unit is worth to you: wood 1, stone 1, hammer 5, coal 10, torch 30, iron 20."
    assert lines[4] == "You can carry: at most 0 stone, at most 1 torch, at most 0 iron."
    assert lines[5:7] == [
        "A unit is worth the same to a carpenter.",
        "A carpenter can carry: at most 1 hammer, at most 0 coal.",
    ]
    assert lines[7] == (
        "To see and pick up: coal needs 1 hammer in your inventory; iron needs 1 torch in your inventory."
    )
    assert "torch_craft: 1 wood, 1 coal -> 1 torch (needs 1 coal)" in lines[8]


@pytest.mark.parametrize("name", names())
def test_every_action_has_one_answer_that_is_read_as_it(name: str) -> None:
    batch = Batch(load(name), [0])
    answers = [typed(action) for action in batch.actions]
    assert len(set(answers)) == len(answers)
    assert [parse(answer, batch.actions, everything(batch)).action for answer in answers] == [*range(len(answers))]


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("policy", [RandomPolicy, OraclePlan])
def test_all_agents_can_be_told_at_any_time_and_what_is_allowed_is_told(
    name: str, policy: type[RandomPolicy | OraclePlan]
) -> None:
    batch, player = Batch(load(name, steps=60), [1]), policy(1)
    while not batch.step(player.act(batch)).ended[0]:
        for agent in range(batch.agents) if int(batch.time[0]) % 20 == 0 else [0]:
            lines = legal(batch.actions, batch.mask[0, agent])
            assert told(batch, agent).endswith("\n".join(lines))
            shown = "\n".join(lines)
            for number in np.flatnonzero(batch.mask[0, agent]):
                action = batch.actions[number]
                assert str(action) in shown
                assert parse(typed(action), batch.actions, batch.mask[0, agent]).action == number


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("", "the answer is not one JSON object (it is empty)"),
        ("up", "the answer is not one JSON object"),
        ('Sure! {"action": "up"}', "the answer is not one JSON object"),
        ('["up"]', "the answer: Input should be a valid dictionary"),
        ('{"action": "up"} {"action": "up"}', "the answer is not one JSON object"),
        (
            '{"action": "fly"}',
            "action 'fly' is not legal here; choose one of up, down, left, right, stay, produce, pick",
        ),
        ('{"action": 3}', "action: Input should be a valid string"),
        ("{}", "action: Field required"),
        ('{"action": "up", "action": "down"}', "the answer is not one JSON object (a key is written twice)"),
        ('{"action": "up", "agent": 1}', "agent: Extra inputs are not permitted"),
        ('{"action": "message 1", "words": NaN}', "the answer is not one JSON object (NaN is not a number)"),
        ('{"action": "message 1", "words": [1, 2, 3, 4]}', "words: List should have at most 3 items"),
        ('{"action": "message 1", "words": [1, 2, -1]}', "words.2: Input should be greater than or equal to 0"),
        ('{"action": "message 1", "words": [1, 2, true]}', "words.2: Input should be a valid integer"),
        ("[" * 400, "the answer is not one JSON object"),
        ("x" * 20_001, "the answer has 20001 characters"),
    ],
)
def test_what_is_not_exactly_an_action_is_refused_in_one_line(answer: str, message: str) -> None:
    batch = Batch(load("ada-exploration"), [0])
    with pytest.raises(AnswerError) as refusal:
        parse(answer, batch.actions, everything(batch), words=3)
    assert str(refusal.value).startswith(message)
    assert "\n" not in str(refusal.value)


def test_what_has_no_effect_now_is_refused_with_what_has() -> None:
    batch = Batch(load("ada-contract"), [0])
    chooser = int(np.flatnonzero(~batch.mask[0, :, 4])[0])
    expected = "action 'pick wood' is not legal here; choose one of join 0, join 1, join 2, join 3"
    with pytest.raises(AnswerError, match=expected):
        parse('{"action": "pick wood"}', batch.actions, batch.mask[0, chooser])
    schema = answer_form(batch.actions, batch.mask[0, chooser]).schema()
    assert list(schema["properties"]) == ["why", "action"]
    assert schema["properties"]["action"]["enum"] == ["join 0", "join 1", "join 2", "join 3"]


@pytest.mark.parametrize(("given", "words"), [([7, 0, 9], (7, 0, 9)), ([7], (7, 0, 0)), ([], None)])
def test_the_words_of_a_message_are_read_and_missing_ones_are_0(given: list[int], words: tuple[int, ...]) -> None:
    batch = Batch(load("ada-exploration"), [0])
    answer = parse(json.dumps({"action": "message 1", "words": given}), batch.actions, everything(batch), words=3)
    assert (str(batch.actions[answer.action]), answer.words) == ("message 1", words)
    moved = parse(json.dumps({"action": "up", "words": given}), batch.actions, everything(batch), words=3)
    assert moved.words is None


@CALM
@given(
    st.text(max_size=450)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["action", "agent", "share"]) | st.text(), inner)
        ),
    ).map(json.dumps)
)
def test_any_text_is_an_action_or_a_one_line_refusal(text: str) -> None:
    batch = Batch(load("ada-negotiation"), [0])
    try:
        outcome = str(batch.actions[parse(text, batch.actions, everything(batch)).action])
    except AnswerError as refusal:
        outcome = str(refusal)
    assert len(outcome.splitlines()) == 1
