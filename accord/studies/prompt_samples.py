"""Prompts of a study without a call to a model: those that the estimate of its cost measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from accord.studies.estimate import estimate
from accord.studies.models import Models
from accord.studies.settings import StudySettings
from dilemmas.errors import UsageError
from voyager_agents import ModelError
from voyager_agents.asking import PROMPT_LISTENER, AskedPrompt
from voyager_agents.budget import CHARS_A_TOKEN


@dataclass(frozen=True)
class PromptPart:
    """Part of a prompt."""

    name: str
    text: str
    shortened: int = 0
    """Number of steps that it was shortened by."""


@dataclass(frozen=True)
class TokenCounts:
    """Tokens of a prompt and of its parts."""

    parts: tuple[tuple[PromptPart, int], ...]
    total: int
    by_endpoint: bool
    """True if the endpoint's tokenizer counted, False for an estimate."""


async def sample_prompts(settings: StudySettings) -> dict[tuple[str, str], AskedPrompt]:
    """Return (role, part) -> the longest prompt that the estimate of a study's cost asks for.

    Args:
        settings: Settings of the study, with any model.

    Raises:
        UsageError: The settings are illegal.
    """
    found: dict[tuple[str, str], AskedPrompt] = {}

    def hear(asked: AskedPrompt) -> None:
        key = asked.role, asked.part
        if key not in found or prompt_length(asked) > prompt_length(found[key]):
            found[key] = asked

    await hear_prompts(settings, hear)
    return found


async def hear_prompts(settings: StudySettings, hear: Callable[[AskedPrompt], None]) -> None:
    """Call `hear` with every prompt that the estimate of a study's cost asks for. Raises as `sample_prompts` does."""
    token = PROMPT_LISTENER.set(hear)
    try:
        await estimate(settings)
    finally:
        PROMPT_LISTENER.reset(token)


async def prompt_of(settings: StudySettings, role: str) -> AskedPrompt:
    """Return the longest prompt of a role, or of a part such as `plan`.

    Args:
        settings: Settings of the study, with any model.
        role: Name of the role or part.

    Raises:
        UsageError: Nobody asks in this role.
    """
    found = await sample_prompts(settings)
    fitting = [asked for (asking, part), asked in found.items() if role in (asking, part)]
    if not fitting:
        legal = ", ".join(dict.fromkeys(name for key in found for name in key))
        raise UsageError(f"role {role!r}: nobody asks in it here; choose one of {legal}")
    return max(fitting, key=prompt_length)


async def count_tokens(asked: AskedPrompt, settings: StudySettings | None) -> TokenCounts:
    """Return the tokens of a prompt and of its parts.

    Args:
        asked: The prompt.
        settings: Settings whose model's endpoint counts, where it tells; None for an estimate.

    Raises:
        UsageError: The model cannot be used.
    """
    parts = parts_of(asked)
    texts = [asked.system + asked.user, *(part.text for part in parts)]
    counts = None if settings is None else await _counted(settings, texts)
    total, *each = counts or [len(text) // CHARS_A_TOKEN for text in texts]
    return TokenCounts(tuple(zip(parts, each, strict=True)), total, by_endpoint=counts is not None)


async def _counted(settings: StudySettings, texts: Sequence[str]) -> list[int] | None:
    """Return the tokens of each text by the model's endpoint; None if it tells none."""
    models = Models([settings], settings.budget)
    try:
        (model,) = models.opened.values()
        count = getattr(model, "count_tokens", None)
        found = [None if count is None else await count(text) for text in texts]
    except ModelError as error:
        raise UsageError(str(error)) from None
    finally:
        await models.close()
    return None if None in found else [number for number in found if number is not None]


def parts_of(asked: AskedPrompt) -> list[PromptPart]:
    """Return the parts of a prompt: its values, and the text around them as `instructions`."""
    rest = asked.system + asked.user
    parts = []
    for name, text in asked.values.items():
        if text and text in rest:
            rest = rest.replace(text, "", 1)
            parts.append(PromptPart(name, text, asked.shortened.get(name, 0)))
    return [PromptPart("instructions", rest), *parts]


def prompt_length(asked: AskedPrompt) -> int:
    """Return the characters of a prompt."""
    return len(asked.system) + len(asked.user)
