from __future__ import annotations

import pytest

from tests.unit.voyager_agents.generative.conftest import MakeKit
from voyager_agents.commons_harvest import HarvestTurn, Seen
from voyager_agents.generative.long_term import LongTermMemory, Unstored
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.generative.short_term import LAST_ACTIONS, LAST_EVENTS, PlanMade, ShortTermMemory
from voyager_agents.generative.spatial import SpatialMemory
from voyager_agents.index import open_embedding, open_memory_index

ONLY = {"similarity": 0.0, "recency": 0.0, "poignancy": 0.0}
TEXTS = [("Bob took an apple", 5, 1), ("a bare cell", 1, 2), ("Cid attacked Bob", 9, 3), ("an apple has grown", 3, 9)]


async def remembering(**weights: float) -> LongTermMemory:
    settings = GenerativeSettings(**{**ONLY, **weights})  # type: ignore[arg-type]
    memory = LongTermMemory(open_memory_index(open_embedding()), settings)
    for text, poignancy, round in TEXTS:
        await memory.add([Unstored(text, "observation", poignancy)], round)
    return memory


@pytest.mark.parametrize(
    ("weights", "order"),
    [
        ({"recency": 1.0}, [4, 3, 2, 1]),
        ({"poignancy": 1.0}, [3, 1, 4, 2]),
        ({"similarity": 1.0}, [3, 1]),
        ({"recency": 1.0, "poignancy": 2.0}, [3, 4, 1, 2]),
    ],
)
async def test_each_weight_decides_by_its_own_part(weights: dict[str, float], order: list[int]) -> None:
    memory = await remembering(**weights)
    found = await memory.retrieve("whom did Cid attack? Cid attacked Bob", 10, len(order))
    assert [each.id for each in found] == order


async def test_scores_are_the_stated_mean_of_normalised_parts() -> None:
    memory = await remembering(recency=1.0, poignancy=3.0)
    scores = await memory.scores("anything", 10)
    recency = [0.97 ** (10 - round) for _, _, round in TEXTS]
    for number, (_, poignancy, _) in enumerate(TEXTS):
        fresh = (recency[number] - recency[0]) / (recency[3] - recency[0])
        assert scores[number + 1] == pytest.approx((fresh + 3 * (poignancy - 1) / 8) / 4)


async def test_a_part_that_is_the_same_for_all_decides_nothing_and_the_later_wins() -> None:
    memory = LongTermMemory(open_memory_index(open_embedding()), GenerativeSettings(recency=0.0, similarity=0.0))
    await memory.add([Unstored("one", "observation", 7), Unstored("two", "observation", 7)], 1)
    assert await memory.scores("q", 5) == {1: 0.0, 2: 0.0}
    assert [each.id for each in await memory.retrieve("q", 5)] == [2, 1]


async def test_an_empty_memory_gives_nothing_and_poignancy_keeps_its_range() -> None:
    memory = LongTermMemory(open_memory_index(open_embedding()), GenerativeSettings())
    assert await memory.retrieve("q", 1) == []
    stored = await memory.add([Unstored("a", "observation", 99), Unstored("b", "insight", -3, (1,))], 1)
    assert [each.poignancy for each in stored] == [10, 1]
    assert memory.latest("insight", 5) == [stored[1]]
    assert stored[1].to_dict()["evidence"] == [1]


def turn(*seen: Seen, round: int = 1, at: tuple[int, int] = (0, 0)) -> HarvestTurn:
    return HarvestTurn("Ann", ("Ann", "Bob"), round, at, (24, 18), seen)


def test_the_map_tells_what_was_last_seen_and_when() -> None:
    space = SpatialMemory()
    space.take_in(turn(Seen("apple", (2, 3), "tree 1"), Seen("apple", (3, 3), "tree 1"), Seen("player", (5, 5), "Bob")))
    space.take_in(turn(Seen("tree", (20, 9), "tree 2", "4 apples, 1 bare cells"), round=4, at=(18, 9)))
    shown = space.to_dict((18, 9))
    assert shown["trees"] == [
        {"tree": "tree 1", "at": [2, 3], "apples_known": 2, "bare_known": 0, "note": "", "round": 1},
        {
            "tree": "tree 2",
            "at": [20, 9],
            "apples_known": 0,
            "bare_known": 0,
            "note": "4 apples, 1 bare cells",
            "round": 4,
        },
    ]
    assert shown["players"] == [{"name": "Bob", "at": [5, 5], "round": 1}]
    assert [each["at"] for each in shown["apples"]] == [[3, 3], [2, 3]]
    # Sectors have 6 x 6 cells: (0, 0) and (3, 1) of 4 x 3.
    assert space.explored() == pytest.approx(2 / 12)


def test_only_what_differs_is_a_change() -> None:
    space = SpatialMemory()
    apple, bare = Seen("apple", (2, 3), "tree 1"), Seen("bare", (4, 3), "tree 1")
    assert space.take_in(turn(apple, bare, Seen("player", (5, 5), "Bob"))) == []
    assert space.knows(apple)
    assert not space.knows(Seen("bare", (2, 3), "tree 1"))
    changes = space.take_in(
        turn(
            Seen("bare", (2, 3), "tree 1"),
            Seen("apple", (4, 3), "tree 1"),
            Seen("player", (5, 6), "Bob", "immobilized"),
            round=2,
        )
    )
    assert [each.text for each in changes] == [
        "the apple at (2, 3), tree 1, is gone",
        "an apple has grown at (4, 3), tree 1",
        "Bob is immobilized at (5, 6)",
    ]
    assert [each.grown for each in changes] == [False, True, False]


def test_short_term_memory_keeps_the_last_things_only() -> None:
    short = ShortTermMemory()
    assert short.to_dict() == {}
    short.turn = turn()
    short.plan = PlanMade("g", "p", ("s",), 1)
    short.events.extend(str(number) for number in range(30))
    short.actions.extend(str(number) for number in range(30))
    shown = short.to_dict()
    assert len(shown["last_events"]) == LAST_EVENTS
    assert len(shown["your_last_actions"]) == LAST_ACTIONS
    assert shown["others"] == ["Bob"]
    assert shown["plan"]["goal"] == "g"


async def test_two_agents_do_not_share_a_memory(make_kit: MakeKit) -> None:
    one, other = make_kit(), make_kit()
    await one.memory.add([Unstored("mine", "observation", 1)], 1)
    assert await other.memory.retrieve("mine", 1) == []
