"""Cascades: a small model answers first, and a larger one where that answer is unreadable or unsure.

A spec names the stages, the smallest first, and at most one rule for unsure answers:
`cascade:openai/gpt-4o-mini::openai/gpt-4o::agree`. Each stage's answer is a call of its own, which is recorded, paid
for and cached like any other. What decides on the next stage follows from recorded answers alone, so that a resumed run
repeats it; a replay follows its record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from contracts.errors import ContractError
from voyager_agents.errors import ModelError, ReplyError
from voyager_agents.models.base import CascadeStep, ChatMessage, FollowUpReason, Model, Reply, Settings

PREFIX = "cascade:"
SEPARATOR = "::"
MAX_STAGES = 4
AGREE, LOGPROB = "agree", "logprob="
Rule = Literal["unreadable", "agree", "logprob"]
LEGAL = "cascade:SMALL::LARGE, and as the last part, if wanted, agree or logprob=-0.3"
Read = Callable[[Reply], object]
"""Reader of an answer, with equal results for answers that say the same; raises ReplyError, ContractError or
ValueError if the answer is unusable."""


@dataclass(frozen=True)
class CascadeSpec:
    """Stages of a cascade and its rule."""

    stages: tuple[str, ...]
    """Specs of the models, the first one first."""
    rule: Rule = "unreadable"
    """`unreadable`: escalate unusable answers only; `agree`: also if two samples of a stage differ; `logprob`: also if
    the tokens' mean log-probability is below `least_logprob`."""
    least_logprob: float = 0.0

    @classmethod
    def parse(cls, spec: str) -> CascadeSpec:
        """Return the cascade of a spec. Raises ModelError."""
        parts = spec.removeprefix(PREFIX).split(SEPARATOR)
        rule: Rule = "unreadable"
        least = 0.0
        if parts[-1] == AGREE:
            rule = "agree"
        elif parts[-1].startswith(LOGPROB):
            rule, least = "logprob", _logprob(spec, parts[-1].removeprefix(LOGPROB))
        stages = tuple(parts if rule == "unreadable" else parts[:-1])
        if not 2 <= len(stages) <= MAX_STAGES or len(set(stages)) < len(stages):
            raise ModelError(f"model {spec!r} is not legal: give 2 to {MAX_STAGES} different models, as in {LEGAL}")
        for stage in stages:
            if not stage or stage.startswith((PREFIX, "replay:", "learner/")):
                raise ModelError(f"model {spec!r}: {stage!r} cannot be a stage: write {LEGAL}")
        return cls(stages, rule, least)


def is_cascade(spec: str) -> bool:
    """Return whether a spec names a cascade."""
    return spec.startswith(PREFIX)


def stages_of(spec: str) -> tuple[str, ...]:
    """Return the specs of the models that a spec asks, the first one first. Raises ModelError."""
    return CascadeSpec.parse(spec).stages if is_cascade(spec) else (spec,)


class StageModel(Model, Protocol):
    """Model of one stage, which numbers and records its calls."""

    async def complete_stage(
        self, messages: Sequence[ChatMessage], settings: Settings, step: CascadeStep
    ) -> tuple[Reply, int]:
        """Return the reply, and the number of the call."""


class CascadeModel:
    """Model that asks its stages in order until an answer can be read and is sure."""

    def __init__(self, stages: Sequence[StageModel], spec: CascadeSpec) -> None:
        """Create the cascade.

        Args:
            stages: Models, the first one first.
            spec: The rule; its stages are names only.
        """
        self.name = PREFIX + SEPARATOR.join(each.name for each in stages)
        self.stages = stages
        self.spec = spec

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return an answer that only has to be sure, not to be read."""
        return await self.complete_read(messages, settings, lambda reply: reply.text)

    async def close(self) -> None:
        """Do nothing: the study owns and closes its models."""

    async def complete_read(
        self, messages: Sequence[ChatMessage], settings: Settings, read: Read, *, corrects: bool = False
    ) -> Reply:
        """Return the first answer that can be read and is sure, or else the last stage's.

        Args:
            messages: The conversation.
            settings: Sampling settings, tools and form.
            read: Reader of an answer.
            corrects: True if the conversation holds an unusable answer of the last stage, which is then asked alone.
        """
        first = len(self.stages) - 1 if corrects else 0
        step = CascadeStep(first + 1)
        for place in range(first, len(self.stages)):
            last = place == len(self.stages) - 1
            asked = replace(settings, logprobs=True) if self.spec.rule == "logprob" and not last else settings
            reply, number = await self.stages[place].complete_stage(messages, asked, step)
            if last:
                return reply
            why, fault = self._doubt(self.stages[place], reply, read)
            if why == "sample":
                again = CascadeStep(place + 1, "sample", number)
                second, number = await self.stages[place].complete_stage(messages, asked, again)
                why, fault = _difference(reply, second, read)
            if not why:
                return reply
            step = CascadeStep(place + 2, why, number, fault)
        raise AssertionError("a cascade has a last stage")

    def _doubt(self, stage: StageModel, reply: Reply, read: Read) -> tuple[FollowUpReason, str]:
        """Return why an answer is not enough and its fault, or empty texts; `sample` asks for a second sample."""
        if reply.followed is not None:
            return reply.followed, ""
        try:
            read(reply)
        except (ReplyError, ContractError, ValueError) as error:
            return "unreadable", " ".join(str(error).split())
        if self.spec.rule == "agree":
            return "sample", ""
        if self.spec.rule == "logprob" and reply.text and not reply.calls:
            if reply.logprob is None:
                raise ModelError(
                    f"model {stage.name} gives no log-probabilities, by which the cascade decides: "
                    "use ::agree, or no rule"
                )
            if reply.logprob < self.spec.least_logprob:
                return "unsure", f"mean log-probability {reply.logprob:.3f}"
        return "", ""


def _difference(first: Reply, second: Reply, read: Read) -> tuple[FollowUpReason, str]:
    """Return why two samples are not enough, and how they differ; empty texts if they agree."""
    if second.followed is not None:
        return second.followed, ""
    try:
        agree = read(first) == read(second)
    except (ReplyError, ContractError, ValueError):
        agree = False
    return ("", "") if agree else ("unsure", "two samples differ")


def _logprob(spec: str, text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not -100 <= found < 0:
        raise ModelError(f"model {spec!r}: log-probability {text!r} is not legal: give a number from -100 to below 0")
    return found
