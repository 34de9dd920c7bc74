"""Plan: a goal, how to behave on the way to it, and the next steps; made when there is none or a reason for another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from contracts.answers import Strict
from voyager_agents import thought_events
from voyager_agents.errors import ReplyError
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.long_term import LongTermMemory, Unstored, recalled
from voyager_agents.generative.short_term import PlanMade

PLAN_POIGNANCY = 5
INSIGHTS = 10
"""Reflections that plan and act are shown: the last ones, as in the study."""


class PlanAnswer(Strict):
    """Answer of the model."""

    reasoning: str = Field(max_length=4000)
    goal: str = Field(min_length=1, max_length=500)
    plan: str = Field(min_length=1, max_length=2000)
    steps: list[str] = Field(max_length=5)


class PlanStage:
    """Keeps the plan in short-term memory; each new one is remembered."""

    def __init__(self, kit: Kit) -> None:
        self._mind = kit.mind
        self._settings = kit.settings
        self._memory = kit.memory
        self._short = kit.short
        self._tell = kit.tell

    async def renew(self, round: int, reason: str, known: Mapping[str, Any]) -> None:
        """Plan anew, in one call; an answer that is no plan leaves the old one. Raises what the model raises."""
        query = " ".join((reason, *self._short.now[:3]))
        found = await self._memory.recall(query, round)
        self._tell(recalled(round, "plan", query, found))
        document = {
            **self._short.plain(),
            "reason_to_plan": reason,
            "insights": insights(self._memory),
            "memories": [each.plain() for each, _ in found],
            **known,
        }
        try:
            made = await self._mind.ask("plan", document, PlanAnswer)
        except ReplyError:
            # Noted by the mind: the agent goes on with what it had.
            return
        self._tell(thought_events.PlanWritten(round, reason, made.reasoning, made.goal, made.plan, tuple(made.steps)))
        self._short.plan = PlanMade(made.goal, made.plan, tuple(made.steps), round, reason)
        await self._memory.add([Unstored(f"I planned: {made.goal}", "plan", PLAN_POIGNANCY)], round)


def insights(memory: LongTermMemory) -> list[dict[str, Any]]:
    """Return the last reflections, for prompts."""
    return [each.plain() for each in memory.latest("insight", INSIGHTS)]
