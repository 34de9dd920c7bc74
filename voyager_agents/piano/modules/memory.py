"""Memory: storage of events in working, short-term and long-term memory, and recall of relevant memories.

Recall ranks memories by relevance (shared words, or similarity by the embedding index), recency and importance. A model
summarizes short-term memories for the long term; without a model the most important ones are kept unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.piano.module import Module, Result, SlotView, When
from voyager_agents.piano.rendering import plain, render
from voyager_agents.piano.slots import Memo, Memos

MAX_TEXTS = 1 << 14
"""Maximum number of texts in the cache of word sets."""
_WORD = re.compile(r"[a-z]{3,}")


def rule(view: SlotView) -> Result:
    """Store new memories, consolidate a full short-term memory, and recall relevant memories."""
    numbers = view.rules["memory"]
    new = _new(view)
    short: Memos = (*view["short_memory"], *new)
    writes: dict[str, Any] = {}
    if len(short) > numbers["short"]:
        ranked = sorted(short[: -numbers["short"] // 2], key=lambda memo: (-memo.importance, -memo.t_s))
        kept = sorted((*view["long_memory"], *ranked[:3]), key=lambda memo: (memo.importance, memo.t_s))
        writes["long_memory"] = tuple(sorted(kept[-numbers["long"] :], key=lambda memo: memo.t_s))
        short = short[-numbers["short"] // 2 :]
    if new:
        writes["short_memory"] = short
        writes["working_memory"] = tuple(memo.text for memo in short[-numbers["working"] :])
    writes["recalled"] = recall(view, (*view["long_memory"], *short), numbers)
    return Result(writes)


def _new(view: SlotView) -> list[Memo]:
    """Return memories of heard words, the last outcome and the goal, as far as they are new, oldest first."""
    last = max((memo.t_s for memo in view["short_memory"]), default=-1.0)
    memos = [
        Memo(heard.t_s, f"{heard.speaker} said: {heard.text}", 6 if heard.addressed else 3, "speech")
        for heard in view["hearing"]
        if heard.t_s > last
    ]
    outcome = view["outcome"]
    if outcome is not None and outcome.ended_s > last:
        importance = 2 if outcome.ended == "done" else 5
        memos.append(Memo(outcome.ended_s, f"I did: {render('outcome', outcome)}", importance, "deed"))
    goal = view["goal"]
    if goal is not None and goal.t_s > last:
        memos.append(Memo(goal.t_s, f"My goal: {goal.text}", 7, "goal"))
    return sorted(memos, key=lambda memo: memo.t_s)


def cue(view: SlotView) -> tuple[str, Sequence[str]]:
    """Return the query for recall (goal and working memory) and the texts of all candidate memories."""
    memories = (*view["long_memory"], *view["short_memory"], *_new(view))
    return _moment(view), tuple(dict.fromkeys(memo.text for memo in memories))


def _moment(view: SlotView) -> str:
    return f"{render('goal', view['goal'])} {' '.join(view['working_memory'])}"


@lru_cache(MAX_TEXTS)
def _words(text: str) -> frozenset[str]:
    """Return the words of a text. Cached, since the same memories are scored at every recall."""
    return frozenset(_WORD.findall(text.lower()))


def recall(view: SlotView, memories: Sequence[Memo], numbers: Mapping[str, Any]) -> Memos:
    """Return the highest-scoring memories, best first; ties go to the later memory.

    The score is relevance plus exponentially decaying recency plus importance / 10.

    Args:
        view: View of the module's run.
        memories: Candidate memories.
        numbers: `recalled`, the number of memories to return, and `decay`, the factor of recency per second.
    """
    relevance = _by_words(memories, _words(_moment(view))) if view.likeness is None else _alike(memories, view.likeness)
    now, decay = view.now, numbers["decay"]
    scores = [
        (fits + decay ** max(0.0, now - memo.t_s) + memo.importance / 10, memo.t_s)
        for fits, memo in zip(relevance, memories, strict=True)
    ]
    best = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)[: numbers["recalled"]]
    return tuple([memories[place] for place in best])


def _by_words(memories: Sequence[Memo], moment: frozenset[str]) -> list[float]:
    """Return each memory's share of words that occur in the query."""
    told = [_words(memo.text) for memo in memories]
    return [len(words & moment) / len(words) if words else 0.0 for words in told]


def _alike(memories: Sequence[Memo], likeness: Mapping[str, float]) -> list[float]:
    """Return each memory's similarity to the query, from the index, at least 0."""
    return [max(0.0, likeness.get(memo.text, 0.0)) for memo in memories]


class MemorySummary(Strict):
    """Answer schema: a model's summary of short-term memory."""

    summary: str = Field(max_length=1000)
    importance: int = Field(ge=1, le=10)


FORM = AnswerForm("memory", MemorySummary, {"summary": "...", "importance": 5})


def ask(view: SlotView) -> Mapping[str, Any] | None:
    """Return the memories to summarize if short-term memory is full; None leaves the run to the rule."""
    numbers = view.rules["memory"]
    new = _new(view)
    if len(view["short_memory"]) + len(new) <= numbers["short"]:
        return None
    return {"memories": [plain(memo) for memo in (*view["short_memory"], *new)]}


def read(view: SlotView, answer: MemorySummary) -> Result:
    """Add the summary to long-term memory, and keep the later half of short-term memory."""
    numbers = view.rules["memory"]
    short: Memos = (*view["short_memory"], *_new(view))[-(numbers["short"] // 2) :]
    memo = Memo(view.now, answer.summary, answer.importance, "summary")
    long: Memos = (*view["long_memory"], memo)[-numbers["long"] :]
    return Result({"long_memory": long, "short_memory": short, "recalled": recall(view, (*long, *short), numbers)})


MODULE = Module(
    name="memory",
    reads=("hearing", "outcome", "goal", "working_memory", "short_memory", "long_memory", "recalled"),
    writes=("working_memory", "short_memory", "long_memory", "recalled"),
    when=When(every_s=60.0, changes=("hearing", "outcome", "goal"), least_s=1.0),
    rule=rule,
    role="memory",
    ask=ask,
    else_rule=True,
    form=FORM,
    read=read,
    prompt="memory",
    cue=cue,
)
