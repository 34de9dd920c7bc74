"""Critic part: reviews a player's last episode for the player itself."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.answers import json_answer, with_cause
from voyager_agents.errors import ReplyError
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    reasoning: str = Field(max_length=4000)
    success: bool
    critique: str = Field(max_length=4000)


@dataclass(frozen=True)
class CriticOpinion:
    """The critic's opinion of the last episode."""

    success: bool | None
    """True if the task was done as well as possible; None if the answer could not be parsed."""
    text: str
    reasoning: str = ""


class CriticPart:
    """Requests a structured review from a model; a malformed answer counts as no critique, not as success."""

    def __init__(
        self, model: Model, settings: Settings | None = None, prompt: str = "critic", prompts: Prompts = STANDARD
    ) -> None:
        """`prompt` is `critic`, which demands the best result, or `critic_task`, which demands a finished task."""
        self._model = model
        self._settings = settings or Settings(temperature=0.1)
        self._prompt = prompts.load(prompt)

    async def review(self, observation: Observation) -> CriticOpinion:
        """Return the review of the episode in this observation."""
        system, user = self._prompt.fill(
            {
                "player": observation.player,
                "task": observation.task,
                "scenario": observation.scenario,
                "facts": rendering.facts(observation.facts),
                "contract": rendering.contract_text(observation.contract),
                "error": rendering.ending(observation),
                "log": rendering.printed(observation),
                "chat": rendering.conversation(observation.chat),
                "inventories": rendering.inventories(observation),
                "reward": rendering.reward(observation),
                "judge_critique": observation.judge_critique or "(none)",
            }
        )
        reply = await self._model.complete([ChatMessage("system", system), ChatMessage("user", user)], self._settings)
        try:
            return parse_critique(reply.text)
        except ReplyError as error:
            return CriticOpinion(None, "", f"unreadable: {with_cause(error, reply)}")


def parse_critique(text: str) -> CriticOpinion:
    """Return the critique in an answer: one JSON object, bare or in one code fence. Raises ReplyError."""
    answer = json_answer(text, _Answer, "no-critique")
    return CriticOpinion(answer.success, answer.critique, answer.reasoning)
