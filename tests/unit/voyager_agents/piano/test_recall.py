"""Recall of memories by the embedding index, which matches parts of words, or by common words without an index."""

from __future__ import annotations

from typing import Any

from tests.fakes.life import Life
from voyager_agents.index import open_embedding, open_memory_index
from voyager_agents.piano.memory_index import MemoryIndex
from voyager_agents.piano.module import SlotView
from voyager_agents.piano.modules.memory import MODULE, recall
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.slots import Goal, Memo
from voyager_agents.realtime_agent import HeardWords

HEARD = ("Bakers quarrel about flour.", "Woodcutting rests today.", "Miners met bad weather.", "Farmland floods again.")
"""Memories that share no word with a goal; the last shares parts of words."""


def test_likeness_decides_what_comes_to_mind_where_words_have_nothing_in_common() -> None:
    agent = Life().agent
    agent.state.write("goal_generation", "goal", Goal("You farm the fields.", "farming", 0.0), 0.0)
    memos = [Memo(float(-number), text, 3, "speech") for number, text in enumerate(HEARD)]
    view = SlotView(agent.state, MODULE.reads, 0.0, frozenset(), "test", rules())
    numbers = {**rules()["memory"], "recalled": 1}
    assert [memo.text for memo in recall(view, memos, numbers)] == [HEARD[0]]  # The latest memory.
    view.likeness = {HEARD[3]: 0.4}
    assert [memo.text for memo in recall(view, memos, numbers)] == [HEARD[3]]


async def recalled(**options: Any) -> list[str]:  # noqa: ANN401 - options of any kind
    """Return the memories recalled by an agent that heard `HEARD` and has a goal of farming."""
    past = MemoryIndex(open_memory_index(open_embedding())) if options else None
    life = Life(memory_index=past, without="social_awareness,goal_generation", **options)
    life.body.ears = [HeardWords(0.0, "Bea", text, "say", (1, 64, 1), addressed=False) for text in HEARD]
    await life.pass_time(3)
    state = life.agent.state
    found = [memo.text for memo in state.value("recalled")]
    await life.end()
    return found


async def test_the_index_finds_what_is_alike_and_not_only_equal_words() -> None:
    past = MemoryIndex(open_memory_index(open_embedding()))
    like = await past.likeness("You farm the fields.", HEARD)
    assert max(like, key=lambda text: like[text]) == HEARD[3]
    # Texts no longer named are dropped from the index and return when named again.
    assert set(await past.likeness("You farm the fields.", HEARD[:2])) == set(HEARD[:2])
    assert await past.likeness("You farm the fields.", HEARD) == like


async def test_a_life_recalls_by_the_index_where_it_is_told_to_and_repeats() -> None:
    by_words, by_index = await recalled(), await recalled(recall="index")
    assert set(by_words) == set(by_index) == {f"Bea said: {text}" for text in HEARD}
    assert by_index == await recalled(recall="index")
