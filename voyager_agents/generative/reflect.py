"""Reflection: questions about recent observations, memories retrieved for each, and insights with evidence.

An agent reflects once per `reflect_every` observations, with two model calls.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Annotated

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import bounded_schema, list_schema
from voyager_agents.errors import ReplyError
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.long_term import MemoryRecord, Unstored, kept, recalled
from voyager_agents.thought_events import Reflected

INSIGHT_POIGNANCY = 8
"""Poignancy of stored insights, 1 to 10."""


class Questions(Strict):
    """Model answer of the first call: questions about the observations."""

    questions: list[Annotated[str, Field(min_length=1, max_length=300)]] = Field(max_length=10)


class Insight(Strict):
    """Conclusion with the ids of the memories that support it."""

    evidence: list[int] = Field(min_length=1, max_length=30)
    insight: str = Field(min_length=1, max_length=600)


class Insights(Strict):
    """Model answer of the second call: one insight for each question."""

    insights: list[Insight] = Field(max_length=10)


def questions_form(count: int) -> AnswerForm[Questions]:
    """Return the form of `count` questions."""
    items = bounded_schema(Questions)["properties"]["questions"]["items"]
    narrowed = {"questions": list_schema(items, count, count)}
    return AnswerForm("reflect_questions", Questions, {"questions": ["...", "..."]}, narrowed=narrowed)


def insights_form(count: int, memories: Collection[int]) -> AnswerForm[Insights]:
    """Return the form of `count` insights that rest on these memories."""
    example = {"insights": [{"evidence": [4, 17], "insight": "..."}]}
    narrowed = {"insights": list_schema(bounded_schema(Insight), count, count)}
    choices = {"insights.evidence": sorted(memories)}
    return AnswerForm("reflect_insights", Insights, example, choices=choices, narrowed=narrowed)


class Reflect:
    """Reflection stage, triggered by the number of observations."""

    def __init__(self, kit: Kit) -> None:
        self._mind = kit.mind
        self._settings = kit.settings
        self._memory = kit.memory
        self._short = kit.short
        self._tell = kit.tell
        self._count = 0
        self._since: list[MemoryRecord] = []
        """New observations since the last reflection."""

    async def after(self, observed: int, fresh: Sequence[MemoryRecord], round: int) -> tuple[MemoryRecord, ...]:
        """Count a turn's observations; if a reflection is due, reflect and return the stored insights.

        Return an empty tuple if none is due or the answers are unusable. Model errors propagate.
        """
        self._count += observed
        self._since += fresh
        if self._count < self._settings.reflect_every or not len(self._memory):
            return ()
        since = self._since[-self._settings.reflect_every :] or self._memory.latest("observation", 10)
        self._count, self._since = 0, []
        try:
            questions = await self._ask_questions(since)
            return await self._conclude(questions, round)
        except ReplyError:
            # The mind has recorded the fault; a failed reflection stores nothing.
            return ()

    async def _ask_questions(self, since: Sequence[MemoryRecord]) -> list[str]:
        wanted = self._settings.questions

        def fits(answer: Questions) -> None:
            if len(answer.questions) != wanted or not all(each.strip() for each in answer.questions):
                raise ReplyError("questions", f"questions: give exactly {wanted}, none of them empty")

        document = {"questions_wanted": wanted, "observations": [each.to_dict() for each in since]}
        return (await self._mind.ask("reflect_questions", document, questions_form(wanted), fits)).questions

    async def _conclude(self, questions: Sequence[str], round: int) -> tuple[MemoryRecord, ...]:
        groups = []
        for question in questions:
            found = await self._memory.recall(question, round)
            self._tell(recalled(round, question, question, found))
            groups.append((question, [memory for memory, _ in found]))
        shown = {memory.id for memory in chain.from_iterable(memories for _, memories in groups)}

        def fits(answer: Insights) -> None:
            if len(answer.insights) != len(groups):
                raise ReplyError("insights", f"insights: give exactly {len(groups)}, one for each question")

        document = {
            "groups": [
                {"question": question, "memories": [each.to_dict() for each in memories]}
                for question, memories in groups
            ]
        }
        form = insights_form(len(groups), shown)
        answer = await self._mind.ask("reflect_insights", document, form, fits)
        drawn = [
            Unstored(each.insight, "insight", INSIGHT_POIGNANCY, tuple(dict.fromkeys(each.evidence)))
            for each in answer.insights
        ]
        added = await self._memory.add(drawn, round)
        self._tell(Reflected(round, tuple(questions), kept(added), role="reflect"))
        return added
