"""Answers of models to the questions of `accord doctor --model`, as rows of its table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from accord.doctor.questions import RoleQuestion
from voyager_agents.models import Usage
from voyager_agents.models.base import FormSupport

Outcome = Literal["read", "unreadable", "refused", "cut-off", "too long", "no answer", "not asked"]
"""Outcome of a question; `too long`: the prompt does not fit the context, `not asked`: the endpoint never answers."""
UNANSWERED: tuple[Outcome, ...] = ("too long", "no answer", "not asked")


@dataclass(frozen=True)
class Remedy:
    """Change that mends a fault; empty if none is needed."""

    short: str = ""
    """The change in a few words, for the table."""
    text: str = ""
    """The change with its options."""
    reason: str = ""
    """Reason for the change where the answer has no fault of its own."""


@dataclass(frozen=True)
class RoleAnswer:
    """Answer of a model to a question, or the reason for none."""

    outcome: Outcome
    fault: str = ""
    """Fault of an unusable answer, or the endpoint's error, in one line."""
    way: FormSupport | None = None
    """Way in which the form was asked of the endpoint; None for free text."""
    usage: Usage = field(default_factory=Usage)
    took_s: float = 0.0
    text: str = ""
    stated: bool | None = None
    """True if the answer states a confidence that can be read; None if none was asked for."""


@dataclass(frozen=True)
class RoleRow:
    """Row of the doctor's table."""

    question: RoleQuestion
    model: str
    """Name of the model."""
    with_schema: RoleAnswer | None
    """Answer under the schema; None if the answer is no data, or the endpoint takes no form at all."""
    without: RoleAnswer | None
    """Answer without a schema; None if it was not asked for."""
    remedy: Remedy

    @property
    def answer(self) -> RoleAnswer:
        """Answer as a study would get it."""
        answer = self.with_schema or self.without
        assert answer is not None
        return answer

    def to_dict(self) -> dict[str, object]:
        """Return the row as JSON-compatible data."""
        return {
            "family": self.question.family,
            "role": self.question.role,
            "part": self.question.part,
            "model": self.model,
            "with_schema": _plain(self.with_schema),
            "without_schema": _plain(self.without),
            "change": self.remedy.text,
        }


def _plain(answer: RoleAnswer | None) -> dict[str, object] | None:
    if answer is None:
        return None
    return {
        "outcome": answer.outcome,
        "fault": answer.fault,
        "way": answer.way,
        "prompt_tokens": answer.usage.prompt_tokens,
        "completion_tokens": answer.usage.completion_tokens,
        "seconds": round(answer.took_s, 3),
    }
