"""Judge part: a language judge on a model, and a typist that uses the same model."""

from __future__ import annotations

from collections.abc import Sequence

from common.answers.reading import json_of
from contracts import LanguageJudge, LanguageTypist
from contracts.errors import VerdictError
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts


def language_judge(model: Model, settings: Settings | None = None, prompts: Prompts = STANDARD) -> LanguageJudge:
    """Return a judge that uses this model. The contract limits the payments that it can order (`contracts.judges`)."""
    asked = settings or Settings(temperature=0.1)
    instructions, _ = prompts.load("judge").fill({})

    async def ask(system: str, user: str) -> str:
        reply = await model.complete([ChatMessage("system", system), ChatMessage("user", user)], asked)
        if reply.cause:
            try:
                json_of(reply.text)
            except ValueError:
                raise VerdictError(reply.cause) from None
        return reply.text

    return LanguageJudge(ask, instructions=instructions)


def language_typist(judge: LanguageJudge, observables: Sequence[str], prompts: Prompts = STANDARD) -> LanguageTypist:
    """Return a typist that uses the judge's model and expresses terms in these observables."""
    instructions, _ = prompts.load("typist").fill({})
    return LanguageTypist(judge.ask, instructions=instructions, observables=observables)
