"""Confidence that a model states with its answer: the request for it, and its place in an answer.

An answer under a JSON schema has it as its last key, any other text as its last line. Either is removed before the
answer is read, so that readers meet the form that they asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from common.answers.bounds import limit_length
from common.answers.reading import json_of
from voyager_agents.models.base import ChatMessage, Reply, RequestedForm, Settings

KEY = "confidence"
_MEANING = "a number from 0 (a mere guess) to 1 (certain), how sure you are of your answer"
IN_OBJECT = f'Give the object one more key, the last one: "{KEY}", {_MEANING}.'
IN_TEXT = f'After your answer write one more line, the last one: "{KEY}: P", with P {_MEANING}.'
STATED_CHARS = 20
"""Approximate characters of a stated confidence."""
SCHEMA: Mapping[str, Any] = {"type": "number", "enum": [0, *(tenth / 10 for tenth in range(1, 10)), 1]}
"""JSON schema of a confidence. Grammars cannot bound fractions otherwise."""
_MAX_LINE = 80
_LINE = re.compile(rf"[\s/#*_`]*{KEY}[*_`]*\s*[:=](.*)", re.IGNORECASE)


def ask_confidence(messages: Sequence[ChatMessage], settings: Settings) -> tuple[Sequence[ChatMessage], Settings]:
    """Return a question that also asks for the confidence; a question for tool calls or of a form that has it as is."""
    if settings.tools or not messages:
        return messages, settings
    form, request = settings.form, IN_TEXT
    if form is not None:
        if _states_it(form):
            return messages, settings
        form, request = replace(form, schema=_with_key(form.schema)), IN_OBJECT
    first = replace(messages[0], content=f"{messages[0].content.rstrip()}\n\n{request}")
    return [first, *messages[1:]], replace(settings, form=form)


def take_confidence(reply: Reply, settings: Settings) -> tuple[Reply, float | None]:
    """Return the reply without its confidence, and the confidence from 0 to 1; None if there is none to be read.

    Args:
        reply: Answer to a question by `ask_confidence`.
        settings: Settings of the question without the request.
    """
    if settings.form is None:
        return _taken_from_text(reply)
    try:
        data = json_of(reply.text)
    except ValueError:
        return reply, None
    if not isinstance(data, dict) or KEY not in data:
        return reply, None
    if _states_it(settings.form):
        return reply, _confidence(data[KEY])
    stated = _confidence(data.pop(KEY))
    return replace(reply, text=json.dumps(data)), stated


def _taken_from_text(reply: Reply) -> tuple[Reply, float | None]:
    before, _, line = reply.text.rstrip().rpartition("\n")
    found = _LINE.fullmatch(line) if len(line) <= _MAX_LINE else None
    if found is None:
        return reply, None
    try:
        stated = _confidence(float(found[1].strip(" *_`.")))
    except ValueError:
        stated = None
    return replace(reply, text=before.rstrip()), stated


def _confidence(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 1 else None  # type: ignore[operator,arg-type] # a number


def _states_it(form: RequestedForm) -> bool:
    return all(KEY in each.get("properties", ()) for each in form.schema.get("anyOf", [form.schema]))


def _with_key(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with the confidence as its last key."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [_with_key(each) for each in schema["anyOf"]]}
    properties, required = {**schema["properties"], KEY: dict(SCHEMA)}, [*schema.get("required", ()), KEY]
    return limit_length({**schema, "properties": properties, "required": required})
