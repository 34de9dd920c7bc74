"""Critic part: reviews a player's last episode for the player itself."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.asking import Asker
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import CRITIC


class CriticAnswer(Strict):
    """Answer with a review."""

    reasoning: str = Field(max_length=1000)
    success: bool
    critique: str = Field(max_length=1000)


CRITIC_FORM = AnswerForm(
    "critique",
    CriticAnswer,
    {"reasoning": "<what happened and why>", "success": "<true or false>", "critique": "<what to do differently>"},
    reasoning="reasoning",
)


@dataclass(frozen=True)
class CriticOpinion:
    """The critic's opinion of the last episode."""

    success: bool | None
    """True if the task was done as well as possible; None if no answer could be read."""
    text: str
    reasoning: str = ""


class CriticPart:
    """Requests a review from a model; without a readable answer there is no critique and no success."""

    def __init__(self, asker: Asker, prompt: str = "critic", prompts: Prompts = STANDARD) -> None:
        """`prompt` is `critic`, which demands the best result, or `critic_task`, which demands a finished task."""
        self._asker = asker
        self._prompt = prompts.load(prompt)

    async def review(self, observation: Observation) -> CriticOpinion:
        """Return the review of the episode in this observation."""
        observation = observation.shown_to(drawn=self._asker.drawn)
        system, user = self._asker.fit(
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
            },
            keep_ends("log", "chat"),
            fill_with(self._prompt),
            CRITIC_FORM,
        )
        answer = await self._asker.ask(system, user, CRITIC_FORM, part=CRITIC)
        if answer.value is None:
            return CriticOpinion(None, "", f"{answer.faults[-1].kind}: {answer.faults[-1].text}")
        return CriticOpinion(answer.value.success, answer.value.critique, answer.value.reasoning)
