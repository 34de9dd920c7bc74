"""Strict parsing of a judge's, typist's or signer's answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import ValidationError

from common.answers.reading import MAX_ANSWER, Strict, first_problem, json_of
from common.answers.spoken import spoken
from contracts.errors import VerdictError

Ask = Callable[[str, str], Awaitable[str]]
"""Asks a model: (system, user) -> its answer. Raises VerdictError for one that was cut off before it was complete."""
_Answer = TypeVar("_Answer", bound=Strict)


def read_strictly(answer: str, model: type[_Answer], who: str, what: str) -> _Answer:
    """Parse an answer: one JSON object, alone or in one code fence.

    Args:
        answer: The model's text.
        model: Form of the object.
        who: The writer, for the error, such as "judge".
        what: The kind of the object, for the error, such as "verdict".

    Raises:
        VerdictError: The answer is too long, no JSON, or of another form.
    """
    length = len(spoken(answer))
    if length > MAX_ANSWER:
        raise VerdictError(f"the {who}'s answer has {length} characters: at most {MAX_ANSWER} are read")
    try:
        return model.model_validate(json_of(answer))
    except ValidationError as error:
        raise VerdictError(f"the {who}'s answer is no {what}: {first_problem(error)}") from None
    except ValueError as error:
        raise VerdictError(f"the {who}'s answer is not JSON: {error}") from None
