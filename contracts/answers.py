"""Strict parsing of answers that must be one JSON object, with faults in one line."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from contracts.errors import VerdictError
from contracts.spoken import code_blocks, spoken

MAX_ANSWER = 20_000
"""Maximum characters of an answer; longer ones are unreadable."""


class Strict(BaseModel):
    """Base class of answers: no unknown keys, no other types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


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


def json_of(answer: str) -> Any:  # noqa: ANN401 - whatever the JSON holds; a model of the answer looks at it next
    """Parse JSON from an answer, bare or in one code fence, without repeated keys.

    Raises ValueError with a text for the writer of the answer.
    """
    try:
        return _parsed(answer.strip())
    except ValueError:
        pass
    text = spoken(answer).strip()
    blocks, outside = code_blocks(text)
    if len(blocks) == 1 and blocks[0].closed and not outside.strip():
        text = blocks[0].body
    elif text.startswith("```") and text.endswith("```") and text.count("```") == 2:
        text = text[3:-3].removeprefix("json").strip()
    if not text:
        raise ValueError("it has thoughts and nothing after them" if answer.strip() else "it is empty")
    return _parsed(text)


def _parsed(text: str) -> Any:  # noqa: ANN401 - whatever the JSON holds
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(str(error).splitlines()[0]) from None


def first_problem(error: ValidationError) -> str:
    """Return what is wrong with an answer's form, in one line, with its place."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the answer"
    return f"{place}: {first['msg']}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("a key is written twice")
    return dict(pairs)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")
