"""Strict parsing of answers that must be one JSON object, with faults in one line."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from common.answers.spoken import code_blocks, spoken

MAX_ANSWER = 20_000
"""Maximum characters of an answer; longer ones are unreadable."""
MAX_KEY = 60
"""Maximum characters of a key in a fault."""


class Strict(BaseModel):
    """Base class of answers: no unknown keys, no other types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


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
    # Keys come from the answer, so that they can have any length and any line ends.
    place = ".".join(" ".join(str(part).split())[:MAX_KEY] for part in first["loc"]) or "the answer"
    return f"{place}: {first['msg']}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("a key is written twice")
    return dict(pairs)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")
