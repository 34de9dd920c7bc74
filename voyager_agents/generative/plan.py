"""Plan stage: a goal, a course of action and the next steps, renewed when there is a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import list_schema, text_schema
from voyager_agents import thought_events
from voyager_agents.errors import ReplyError
from voyager_agents.generative.asking import MAX_REASONING
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.long_term import LongTermMemory, Unstored, recalled
from voyager_agents.generative.short_term import PlanMade

PLAN_POIGNANCY = 5
"""Poignancy of stored plans, 1 to 10."""
INSIGHTS = 10
"""Number of latest insights in the prompts of plan and act, as in the paper."""


class PlanAnswer(Strict):
    """Model answer of the plan stage."""

    reasoning: str = Field(max_length=MAX_REASONING)
    goal: str = Field(min_length=1, max_length=500)
    plan: str = Field(min_length=1, max_length=1200)
    steps: list[Annotated[str, Field(max_length=300)]] = Field(max_length=5)


PLAN_FORM = AnswerForm(
    "plan",
    PlanAnswer,
    {"reasoning": "step by step", "goal": "...", "plan": "...", "steps": ["...", "..."]},
    reasoning="reasoning",
    # Bounds in the schema, so that small models are not cut off; the parser takes longer texts.
    narrowed={"goal": text_schema(300, 1), "plan": text_schema(600, 1), "steps": list_schema(text_schema(150), 0, 5)},
)


class PlanStage:
    """Planner that keeps the plan in short-term memory and stores each new goal in long-term memory."""

    def __init__(self, kit: Kit) -> None:
        self._mind = kit.mind
        self._settings = kit.settings
        self._memory = kit.memory
        self._short = kit.short
        self._tell = kit.tell

    async def renew(self, round: int, reason: str, known: Mapping[str, Any]) -> None:
        """Replace the plan; keep the old one if the answers are unusable. Model errors propagate."""
        query = " ".join((reason, *self._short.now[:3]))
        found = await self._memory.recall(query, round)
        self._tell(recalled(round, "plan", query, found))
        document = {
            **self._short.to_dict(),
            "reason_to_plan": reason,
            "insights": insights(self._memory),
            "memories": [each.to_dict() for each, _ in found],
            **known,
        }
        try:
            made = await self._mind.ask("plan", document, PLAN_FORM)
        except ReplyError:
            # The mind has recorded the fault; the agent keeps its old plan.
            return
        self._tell(
            thought_events.PlanWritten(
                round, reason, made.reasoning, made.goal, made.plan, tuple(made.steps), role="plan"
            )
        )
        self._short.plan = PlanMade(made.goal, made.plan, tuple(made.steps), round, reason)
        await self._memory.add([Unstored(f"I planned: {made.goal}", "plan", PLAN_POIGNANCY)], round)


def insights(memory: LongTermMemory) -> list[dict[str, Any]]:
    """Return the latest insights, for prompts."""
    return [each.to_dict() for each in memory.latest("insight", INSIGHTS)]
