"""Unusable answers: an answer that cannot be read, a refusal and a cut-off are different facts about a model."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.spoken import spoken

T = TypeVar("T", bound=Strict)
U = TypeVar("U")
FaultKind = Literal["unreadable", "refused", "cut-off"]
"""Kind of an unusable answer: of another form, a refusal of the model or its provider, or cut off at a token limit."""
_REFUSAL = re.compile(
    r"\W{0,5}(?:(?:i\W?m|i am) (?:very |really |so )?sorry|sorry|i (?:can\W?t|cannot|won\W?t|will not|must decline)|"
    r"i(?:\W?m| am) (?:unable|not able) to|as an ai\b|i decline\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class AnswerFault:
    """Fault of one unusable answer."""

    kind: FaultKind
    text: str
    """The fault in one line, which the model is shown."""
    code: str = ""
    """Short name of the fault, if it has one."""


@dataclass(frozen=True)
class TypedAnswer(Generic[U]):
    """Result of a question: the value of the answer, or None after the last unusable one."""

    value: U | None
    raw: str
    """Text of the last answer."""
    faults: tuple[AnswerFault, ...] = ()
    """Faults of the unusable answers, oldest first."""


class FormAsker(Protocol):
    """Access to a language model for typed answers (`voyager_agents.asking.Asker`)."""

    async def ask(
        self,
        system: str,
        user: str,
        form: AnswerForm[T],
        check: Callable[[T], object] | None = None,
        *,
        part: str = "",
    ) -> TypedAnswer[T]:
        """Ask until an answer is usable or the tries are used up.

        Args:
            system: System message without the form of the answer, which is added.
            user: User message.
            form: Form of the answer.
            check: Validator of a well-formed answer; raises an error with one line if it is illegal.
            part: Part that asks, for the record; by default the role.

        Returns:
            The answer; its value is None if all tries were unusable.
        """


def refuses(answer: str) -> bool:
    """Return True if an answer opens like a refusal; asked only for answers that could not be read."""
    return _REFUSAL.match(spoken(answer).strip()) is not None
