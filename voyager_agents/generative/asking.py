"""Calls of a generative agent's parts: constant text first, data between marks, a typed reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from common.untrusted_text import quote_document
from contracts.answers import MAX_ANSWER, Strict
from contracts.spoken import spoken
from voyager_agents.answers import json_answer, with_cause
from voyager_agents.errors import ReplyError
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import MIND, Tell, Unusable, silent

FOLDER = Path(__file__).parent / "prompts"
TRIES = 2
"""Answers that are asked for at most: the second after the first was told what is wrong with it."""


_Answer = TypeVar("_Answer", bound=Strict)


class Mind:
    """One agent's access to its model: every call of the agent goes through `ask`, every useless answer is noted."""

    def __init__(
        self,
        model: Model,
        player: str,
        world: str,
        personality: str,
        settings: Settings | None = None,
        prompts: Prompts = STANDARD,
        tell: Tell = silent,
    ) -> None:
        """`world` (the scenario's rules) and `personality` (the condition's) reach every prompt, at its beginning.

        `tell` takes down answers that are of no use.
        """
        self._tell = tell
        self._model = model
        self._prompts = prompts
        self._settings = settings or Settings(temperature=0.1)
        values = {"player": player, "world": world.strip(), "personality": personality.strip() or "(none is given)"}
        self._preamble, _ = prompts.load("preamble").fill(values)
        self.faults: list[str] = []
        """Faults of answers that could not be used even after a correction, oldest first."""

    async def ask(
        self,
        part: str,
        document: Mapping[str, Any],
        shape: type[_Answer],
        check: Callable[[_Answer], None] | None = None,
        constants: Mapping[str, str] | None = None,
    ) -> _Answer:
        """Ask the model on behalf of one part, and return its answer.

        Args:
            part: Name of the part and of its prompt.
            document: The data, with all texts of players.
            shape: Form of the answer.
            check: Raises ReplyError for an answer of the right form that is not legal.
            constants: Further values of the prompt that stay the same for the whole run.

        Raises:
            ReplyError: The corrected answer cannot be used either.
            ModelError: The model failed.
        """
        messages = self.messages(part, document, constants)
        for left in reversed(range(TRIES)):
            reply = await self._model.complete(messages, self._settings)
            text = reply.text
            try:
                answer = parse(text, shape)
                if check is not None:
                    check(answer)
            except ReplyError as wrong:
                error = with_cause(wrong, reply)
                self._tell(Unusable(part, str(error), final=not left, role=MIND))
                if not left:
                    self.faults.append(f"{part}: {error}")
                    raise error from None
                told = f"That answer cannot be used: {error}. Answer again, in the form that was asked for."
                messages += [
                    ChatMessage("assistant", spoken(text)[:MAX_ANSWER] or "(empty)"),
                    ChatMessage("user", told),
                ]
                continue
            return answer
        raise ReplyError("no-answer", "no answer was asked for")

    def messages(
        self, part: str, document: Mapping[str, Any], constants: Mapping[str, str] | None = None
    ) -> list[ChatMessage]:
        """Return the messages of a call; the text that stays the same for the whole run comes first."""
        instructions, request = self._prompts.load(part).fill({"data": quote_document(document), **(constants or {})})
        return [ChatMessage("system", f"{self._preamble}\n\n{instructions}"), ChatMessage("user", request)]


def parse(text: str, shape: type[_Answer]) -> _Answer:
    """Return the typed answer in a reply: one JSON object, alone or in one code fence. Raises ReplyError."""
    length = len(spoken(text))
    if length > MAX_ANSWER:
        raise ReplyError("too-long", f"the answer has {length} characters: write at most {MAX_ANSWER}")
    return json_answer(text, shape, "form")
