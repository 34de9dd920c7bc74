"""Action part: writes the program."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from common.answers.spoken import spoken
from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.answers import with_cause
from voyager_agents.errors import ReplyError
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import ACTION, Tell, Unusable, silent
from voyager_agents.voyager.code import MAX_SOURCE, check_start, extract_policy

ATTEMPTS = 3
"""Maximum answers requested until one is a well-formed program."""
_FENCE = re.compile(r"`{3,}|~{3,}")


class ActionPart:
    """Requests one JavaScript function from a model; a malformed answer is returned with the fault, for another try."""

    def __init__(
        self,
        model: Model,
        primitives: str,
        settings: Settings | None = None,
        prompts: Prompts = STANDARD,
        tell: Tell = silent,
    ) -> None:
        """`primitives` is the documentation of the functions in scope, generated from the running code. `tell` records
        unusable answers."""
        self._tell = tell
        self._model = model
        self._primitives = primitives
        self._settings = settings or Settings(temperature=0.1)
        self._prompt = prompts.load("action")

    async def write(
        self, observation: Observation, critique: str, skills: str = "", whole: Callable[[str], str] = str
    ) -> tuple[str, str]:
        """Return the program, and the model's text before it.

        Args:
            observation: The player's observation.
            critique: The critic's review of the last episode.
            skills: Functions that the program may call in addition to the primitives; empty without a library.
            whole: Turns the program into the one that runs, e.g. by adding the skills that it calls.

        Raises:
            ReplyError: The last answer is still malformed, or could not start.
        """
        messages = self._messages(observation, critique, skills)
        for attempt in range(1, ATTEMPTS + 1):
            reply = await self._model.complete(messages, self._settings)
            try:
                policy = extract_policy(reply.text)
                check_start(policy)
                if (program := whole(policy)) != policy:
                    check_start(program)
            except ReplyError as wrong:
                error = with_cause(wrong, reply)
                self._tell(Unusable("action", str(error), final=attempt == ATTEMPTS, role=ACTION))
                if attempt == ATTEMPTS:
                    raise error from None
                messages = [*messages, *_correction(reply.text, error)]
                continue
            return policy, _FENCE.split(spoken(reply.text), maxsplit=1)[0].strip()
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
    said = spoken(reply)[:MAX_SOURCE]
    return [ChatMessage("assistant", said or "(empty)"), ChatMessage("user", told)]
