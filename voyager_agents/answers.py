"""Answers that have to be one JSON object of a given form."""

from __future__ import annotations

import json
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from voyager_agents.errors import ReplyError

T = TypeVar("T", bound=BaseModel)


def json_answer(text: str, form: type[T], code: str) -> T:
    """The object in an answer, alone or in one code fence. Raises ReplyError: `no-json`, or `code` for a wrong form."""
    body = text.strip()
    if body.startswith("```") and body.endswith("```") and body.count("```") == 2:
        body = body[3:-3].removeprefix("json").strip()
    try:
        return form.model_validate(json.loads(body))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the answer"
        raise ReplyError(code, f"{place}: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise ReplyError("no-json", "the answer is not one JSON object") from None
