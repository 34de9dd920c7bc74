"""Judge part: a language judge on a model, and a typist that uses the same model."""

from __future__ import annotations

from collections.abc import Sequence

from common.answers.reasoning import Reasoning
from contracts import LanguageJudge, LanguageTypist
from voyager_agents.asking import PROGRAM_TRIES, Asker
from voyager_agents.models import Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.roles import JUDGE


def language_judge(
    model: Model, settings: Settings | None = None, prompts: Prompts = STANDARD, reasoning: Reasoning = "field"
) -> LanguageJudge:
    """Return a judge that uses a model. The contract limits the payments that it can order (`contracts.judges`).

    Args:
        model: Model to ask.
        settings: Sampling settings.
        prompts: Prompts of the study.
        reasoning: Place of the model's reasoning in its answers.
    """
    instructions, _ = prompts.load("judge").fill({})
    # Unusable answers are recorded with the verdict and the terms.
    sampling = settings or Settings(temperature=0.1)
    asker = Asker(model, JUDGE, settings=sampling, reasoning=reasoning, tries=PROGRAM_TRIES)
    return LanguageJudge(asker, instructions=instructions)


def language_typist(judge: LanguageJudge, observables: Sequence[str], prompts: Prompts = STANDARD) -> LanguageTypist:
    """Return a typist that uses the judge's model and expresses terms in these observables."""
    instructions, _ = prompts.load("typist").fill({})
    return LanguageTypist(judge.asker, instructions=instructions, observables=observables)
