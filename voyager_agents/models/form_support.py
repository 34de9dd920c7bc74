"""Support of an endpoint for forms of answers, found out by its first refusals.

Endpoints differ: some generate under a JSON schema, some only under one without bounds (OpenAI's strict mode), some
know JSON mode, some neither. A form is asked for in the strictest way that the endpoint has not yet refused for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from common.answers.schema import without_bounds
from voyager_agents.models.base import FormSupport, RequestedForm

WAYS: tuple[FormSupport, ...] = get_args(FormSupport)
_REFUSED = frozenset({400, 404, 415, 422, 500, 501})
"""Statuses with which endpoints refuse a form."""
_WORDS = (
    "response_format", "schema", "grammar", "json mode", "json_object", "structured", "guided", "failed to parse input",
)  # fmt: skip
"""Words of which an endpoint's refusal of a form has at least one, in lower case. The last are those of llama.cpp,
which ignores a schema that it cannot compile and then cannot read the answer."""


class FormRefused(Exception):
    """The endpoint refused the form; the call is made again in a less strict way."""


class FormNegotiation:
    """Ways of asking for each form that an endpoint has taken so far."""

    def __init__(self, strictest: FormSupport = "schema") -> None:
        """Begin with the strictest way to ask; `words` sends no `response_format` at all."""
        self.strictest = strictest
        self._ways: dict[str, FormSupport] = {}

    def way(self, form: RequestedForm | None) -> FormSupport | None:
        """Return the way to ask for the form; None for free text."""
        return None if form is None else self._ways.get(form.name, self.strictest)

    def refused(self, form: RequestedForm | None, way: FormSupport | None, status: int, error: str) -> bool:
        """Return True if an error refuses the form that was asked for in this way; the next way is less strict.

        Args:
            form: The form; None for free text.
            way: Way in which it was asked for.
            status: HTTP status of the error.
            error: Text of the error.
        """
        if form is None or way is None or way == "words":
            return False
        if status not in _REFUSED or not any(word in error.lower() for word in _WORDS):
            return False
        # A concurrent call may have been refused already.
        self._ways[form.name] = max(self._ways.get(form.name, way), WAYS[WAYS.index(way) + 1], key=WAYS.index)
        return True


def response_format(form: RequestedForm | None, way: FormSupport | None) -> Mapping[str, Any]:
    """Return the request fields that ask for the form in this way; empty where words of the prompt ask."""
    if form is None or way in (None, "words"):
        return {}
    if way == "json":
        return {"response_format": {"type": "json_object"}}
    schema = dict(form.schema) if way == "schema" else without_bounds(form.schema)
    return {
        "response_format": {"type": "json_schema", "json_schema": {"name": form.name, "strict": True, "schema": schema}}
    }
