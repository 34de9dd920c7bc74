"""Answers of a model to questions with several options about a moment of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.untrusted_text import quote_document
from voyager_agents.asking import Asker
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.roles import MOMENT


class ChosenOption(Strict):
    """Model answer: the chosen option and the reason."""

    reason: str = Field(max_length=300)
    answer: str = Field(max_length=1)


class MomentAnswerer:
    """Model that is asked about moments."""

    def __init__(self, asker: Asker, prompts: Prompts = STANDARD) -> None:
        self._asker = asker
        self._prompts = prompts

    async def choose(
        self, question: str, options: Sequence[str], document: Mapping[str, Any]
    ) -> tuple[int | None, str]:
        """Return the number of the chosen option, from 0, and the reason; None if no answer could be read.

        Errors of the model are passed on.

        Args:
            question: The question.
            options: The options, of which one is right.
            document: What is known about the moment; it may hold texts of players.
        """
        letters = ascii_uppercase[: len(options)]
        example = {"reason": "<one short sentence>", "answer": letters[0]}
        form = AnswerForm(MOMENT, ChosenOption, example, "reason", {"answer": list(letters)})
        listed = "\n".join(f"{letter}. {option}" for letter, option in zip(letters, options, strict=True))
        values = {"question": question, "options": listed, "document": quote_document(document)}
        system, user = self._prompts.load(MOMENT).fill(values)
        found = await self._asker.ask(system, user, form, part=MOMENT)
        return (None, "") if found.value is None else (letters.index(found.value.answer), found.value.reason)
