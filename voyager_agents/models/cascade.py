"""Cascades: a small model answers first, and a larger one where that answer is unreadable or unsure.

A spec names the stages, the smallest first, and at most one rule for unsure answers:
`cascade:openai/gpt-4o-mini::openai/gpt-4o::agree`. Each stage's answer is a call of its own, which is recorded, paid
for and cached like any other. What decides on the next stage follows from recorded answers alone, so that a resumed run
repeats it; a replay follows its record.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from contracts.errors import ContractError
from voyager_agents.errors import ModelError, ReplyError
from voyager_agents.models.base import CascadeStep, ChatMessage, FollowUpReason, Model, Reply, Settings
from voyager_agents.models.confidence import IN_OBJECT, IN_TEXT, ask_confidence, take_confidence

PREFIX = "cascade:"
SEPARATOR = "::"
MAX_STAGES = 4
AGREE, LOGPROB, CONFIDENCE = "agree", "logprob=", "confidence="
Rule = Literal["unreadable", "agree", "logprob", "confidence"]
LEGAL = "cascade:SMALL::LARGE, and as the last part, if wanted, agree, logprob=-0.3 or confidence=0.8"
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
    the tokens' mean log-probability is below `least`; `confidence`: also if the confidence that the answer states is
    below `least`, or cannot be read."""
    least: float = 0.0

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
        elif parts[-1].startswith(CONFIDENCE):
            rule, least = "confidence", _confidence(spec, parts[-1].removeprefix(CONFIDENCE))
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
        self.answered: Counter[str] = Counter()
        """Name of a stage's model -> number of its answers that were the cascade's."""

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
        asks = self.spec.rule == "confidence" and not settings.tools
        step = CascadeStep(first + 1)
        for place in range(first, len(self.stages)):
            stage = self.stages[place]
            if place == len(self.stages) - 1:
                reply, _ = await stage.complete_stage(messages, settings, step)
                return self._answer(stage, reply)
            shown, asked = ask_confidence(messages, settings) if asks else (messages, settings)
            asked = replace(asked, logprobs=True) if self.spec.rule == "logprob" else asked
            reply, number = await stage.complete_stage(shown, asked, replace(step, confidence=asks))
            lacking = ""
            if asks:
                reply, stated = take_confidence(reply, settings)
                lacking = self._lacking(stated)
            why, fault = self._doubt(stage, reply, read, lacking)
            if why == "sample":
                again = CascadeStep(place + 1, "sample", number)
                second, number = await stage.complete_stage(shown, asked, again)
                why, fault = _difference(reply, second, read)
            if not why:
                return self._answer(stage, reply)
            step = CascadeStep(place + 2, why, number, fault)
        raise AssertionError("a cascade has a last stage")

    def _answer(self, stage: StageModel, reply: Reply) -> Reply:
        """Count a stage's answer, which is the cascade's."""
        self.answered[stage.name] += 1
        return reply

    def _doubt(self, stage: StageModel, reply: Reply, read: Read, lacking: str) -> tuple[FollowUpReason, str]:
        """Return why an answer is not enough and its fault, or empty texts; `sample` asks for a second sample.

        Args:
            stage: Stage that answered.
            reply: Its answer.
            read: Reader of an answer.
            lacking: Fault of the stated confidence; empty without one.
        """
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
            if reply.logprob < self.spec.least:
                return "unsure", f"mean log-probability {reply.logprob:.3f}"
        return ("unsure", lacking) if lacking else ("", "")

    def _lacking(self, stated: float | None) -> str:
        """Return the fault of a stated confidence that is not enough; empty if it is."""
        if stated is None:
            return "it states no confidence from 0 to 1"
        return f"stated confidence {stated:g}" if stated < self.spec.least else ""


def added_text(model: Model) -> str:
    """Return the longest text that a cascade adds to a prompt; empty for other models."""
    asks = isinstance(model, CascadeModel) and model.spec.rule == "confidence"
    return max(IN_OBJECT, IN_TEXT, key=len) if asks else ""


def _difference(first: Reply, second: Reply, read: Read) -> tuple[FollowUpReason, str]:
    """Return why two samples are not enough, and how they differ; empty texts if they agree."""
    if second.followed is not None:
        return second.followed, ""
    try:
        agree = read(first) == read(second)
    except (ReplyError, ContractError, ValueError):
        agree = False
    return ("", "") if agree else ("unsure", "two samples differ")


def _confidence(spec: str, text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found <= 1:
        raise ModelError(f"model {spec!r}: confidence {text!r} is not legal: give a number above 0, to 1")
    return found


def _logprob(spec: str, text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not -100 <= found < 0:
        raise ModelError(f"model {spec!r}: log-probability {text!r} is not legal: give a number from -100 to below 0")
    return found
