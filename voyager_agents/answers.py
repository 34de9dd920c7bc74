"""Parsing of model answers that must be one JSON object with a given schema."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from common.answers.reading import first_problem, json_of
from voyager_agents.errors import ReplyError
from voyager_agents.models.base import Reply

T = TypeVar("T", bound=BaseModel)


def with_cause(error: ReplyError, reply: Reply) -> ReplyError:
    """Return the error prefixed with the cause if the answer was cut short, else the error itself."""
    return ReplyError(error.code, f"{reply.cause}: {error}") if reply.cause else error


def json_answer(text: str, form: type[T], code: str) -> T:
    """Return the object in an answer, either bare or inside one code fence.

    Raises:
        ReplyError: With code `no-json` if there is no JSON object, with `code` if it does not match the schema.
    """
    try:
        return form.model_validate(json_of(text))
    except ValidationError as error:
        raise ReplyError(code, first_problem(error)) from None
    except ValueError as error:
        raise ReplyError("no-json", f"the answer is not one JSON object ({error})") from None
