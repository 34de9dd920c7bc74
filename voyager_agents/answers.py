"""Answers that have to be one JSON object of a given form."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from contracts.answers import first_problem, json_of
from voyager_agents.errors import ReplyError
from voyager_agents.models.base import Reply

T = TypeVar("T", bound=BaseModel)


def with_cause(error: ReplyError, reply: Reply) -> ReplyError:
    """Return the error of an answer that ended early with the cause of that, else the error itself."""
    return ReplyError(error.code, f"{reply.cause}: {error}") if reply.cause else error


def json_answer(text: str, form: type[T], code: str) -> T:
    """Return the object in an answer, alone or in one code fence. Raises ReplyError: `no-json`, or `code` for a
    wrong form."""
    try:
        return form.model_validate(json_of(text))
    except ValidationError as error:
        raise ReplyError(code, first_problem(error)) from None
    except ValueError as error:
        raise ReplyError("no-json", f"the answer is not one JSON object ({error})") from None
