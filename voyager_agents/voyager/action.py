"""The action part: writes the policy."""

from __future__ import annotations

from collections.abc import Sequence

from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.errors import ReplyError
from voyager_agents.minds import ACTION, Tell, Unusable, silent
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.voyager.code import extract_policy

ATTEMPTS = 3
"""Answers that are asked for at most until one has the form of a program."""


class ActionPart:
    """Asks a model for one JavaScript function; a malformed answer is told what is wrong and asked for again."""

    def __init__(
        self,
        model: Model,
        primitives: str,
        settings: Settings | None = None,
        prompts: Prompts = STANDARD,
        tell: Tell = silent,
    ) -> None:
        """`primitives` is the documentation of the functions in scope, generated from what runs; `tell` takes down
        answers that are of no use."""
        self._tell = tell
        self._model = model
        self._primitives = primitives
        self._settings = settings or Settings(temperature=0.1)
        self._prompt = prompts.load("action")

    async def write(self, observation: Observation, critique: str, skills: str = "") -> tuple[str, str]:
        """(program, what the model wrote around it). Raises ReplyError after the last malformed answer.

        `skills` tells what it may call beside the primitives; empty for an agent without a library.
        """
        messages = self._messages(observation, critique, skills)
        for attempt in range(1, ATTEMPTS + 1):
            reply = await self._model.complete(messages, self._settings)
            try:
                policy = extract_policy(reply.text)
            except ReplyError as error:
                self._tell(Unusable("action", str(error), final=attempt == ATTEMPTS, role=ACTION))
                if attempt == ATTEMPTS:
                    raise
                messages = [*messages, *_correction(reply.text, error)]
                continue
            return policy, reply.text.partition("```")[0].strip()
        raise ReplyError("no-answer", "no answer was asked for")

    def _messages(self, observation: Observation, critique: str, skills: str) -> list[ChatMessage]:
        others = [name for name in observation.players if name != observation.player]
        system, user = self._prompt.fill(
            {
                "primitives": self._primitives,
                "player": observation.player,
                "others": ", ".join(others) or "(none)",
                "task": observation.task,
                "scenario": observation.scenario,
                "facts": rendering.facts(observation.facts),
                "contract": rendering.contract_text(observation.contract),
                "last_code": rendering.last_code(observation),
                "error": rendering.ending(observation),
                "log": rendering.printed(observation),
                "chat": rendering.conversation(observation.chat),
                "inventories": rendering.inventories(observation),
                "reward": rendering.reward(observation),
                "critique": critique or "(none)",
                "judge_critique": observation.judge_critique or "(none)",
                "skills": skills,
            }
        )
        return [ChatMessage("system", system), ChatMessage("user", user)]


def _correction(reply: str, error: ReplyError) -> Sequence[ChatMessage]:
    told = f"That answer cannot be used: {error}."
    return [ChatMessage("assistant", reply or "(empty)"), ChatMessage("user", told)]
