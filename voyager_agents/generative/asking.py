"""Model calls of a generative agent's parts: constant text first, quoted data, and a typed answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from common.answers.reading import MAX_ANSWER, Strict
from common.answers.spoken import spoken
from common.untrusted_text import quote_document
from voyager_agents.answers import json_answer, with_cause
from voyager_agents.errors import ReplyError
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import MIND, Tell, Unusable, silent

FOLDER = Path(__file__).parent / "prompts"
"""Folder of the prompt templates."""
TRIES = 2
"""Maximum number of answers per call; the second prompt contains the first answer's error."""


_Answer = TypeVar("_Answer", bound=Strict)


class Mind:
    """Model access of one agent: all its calls go through `ask`, which records unusable answers."""

    def __init__(
        self,
        model: Model,
        player: str,
        world: str,
        personality: str,
        *,
        settings: Settings | None = None,
        prompts: Prompts = STANDARD,
        tell: Tell = silent,
    ) -> None:
        """Every prompt begins with `world`, the scenario's rules, and `personality`, the condition's text.

        `tell` records unusable answers.
        """
        self._tell = tell
        self._model = model
        self._prompts = prompts
        self._settings = settings or Settings(temperature=0.1)
        values = {"player": player, "world": world.strip(), "personality": personality.strip() or "(none is given)"}
        self._preamble, _ = prompts.load("preamble").fill(values)
        self.faults: list[str] = []
        """Errors of answers that were still unusable after a correction, oldest first."""

    async def ask(
        self,
        part: str,
        document: Mapping[str, Any],
        shape: type[_Answer],
        check: Callable[[_Answer], None] | None = None,
        constants: Mapping[str, str] | None = None,
    ) -> _Answer:
        """Ask the model for a part's typed answer.

        Args:
            part: Name of the part and of its prompt.
            document: Data of the prompt, all texts of players included.
            shape: Form of the answer.
            check: Validator that raises ReplyError for a well-formed but illegal answer.
            constants: Further values of the prompt that stay the same for the whole run.

        Raises:
            ReplyError: The second answer is unusable, too.
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
        """Return the prompt of a call; text that is constant for the whole run comes first."""
        instructions, request = self._prompts.load(part).fill({"data": quote_document(document), **(constants or {})})
        return [ChatMessage("system", f"{self._preamble}\n\n{instructions}"), ChatMessage("user", request)]


def parse(text: str, shape: type[_Answer]) -> _Answer:
    """Parse a typed answer: one JSON object, plain or in one code fence. Raises ReplyError."""
    length = len(spoken(text))
    if length > MAX_ANSWER:
        raise ReplyError("too-long", f"the answer has {length} characters: write at most {MAX_ANSWER}")
    return json_answer(text, shape, "form")
