"""Bounds of a JSON schema that keep the longest answer within a limit, so that no answer is cut off.

Small models fill texts to their end: a form whose texts and lists add up to more than the tokens of an answer would be
cut off in the middle. Texts are shortened first, then lists.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import ceil
from typing import Any

MAX_LONGEST = 2000
"""Maximum characters of the longest answer under a schema, without blanks; a token has at least one character."""
MIN_TEXT = 60
"""Smallest bound that a text gets, in characters, unless its own is smaller."""
_STEPS = ((1.0, 1.0), (0.75, 1.0), (0.5, 1.0), (0.25, 1.0), (0.25, 0.5), (0.1, 0.5), (0.1, 0.25))
"""Factors of texts and of lists that are tried, in this order."""
_PATTERN, _NUMBER = 60, 8
"""Assumed characters of a text with a pattern, and of a number: nothing fills them to their end."""


def limit_length(schema: Mapping[str, Any], limit: int = MAX_LONGEST) -> dict[str, Any]:
    """Return the schema with its texts and lists shortened until its longest answer fits, as far as they can be.

    Args:
        schema: Schema by `bounded_schema`; alternatives are limited one by one.
        limit: Maximum characters of an answer.
    """
    if "anyOf" in schema:
        return {**schema, "anyOf": [limit_length(each, limit) for each in schema["anyOf"]]}
    tried = (_scaled(schema, *step) for step in _STEPS)
    found: dict[str, Any] = next(
        (each for each in tried if longest_answer(each) <= limit), _scaled(schema, *_STEPS[-1])
    )
    return found


def longest_answer(schema: Mapping[str, Any]) -> int:
    """Return the characters of the longest answer under a schema, without blanks between its parts."""
    if "anyOf" in schema:
        return max(longest_answer(each) for each in schema["anyOf"])
    if "enum" in schema:
        return max(len(json.dumps(each)) for each in schema["enum"])
    match schema.get("type"):
        case "object":
            fields = sum(len(key) + 4 + longest_answer(each) for key, each in schema.get("properties", {}).items())
            # Grammars bound neither the keys of a map nor their number: a form lists its entries instead.
            return 2 + fields + (MAX_LONGEST if schema.get("additionalProperties") else 0)
        case "array":
            count = schema["maxItems"]
            return 2 + (count * (1 + longest_answer(schema["items"])) if count else 0)
        case "string":
            return 2 + int(schema.get("maxLength", _PATTERN))
    return _NUMBER


def _scaled(schema: Any, texts: float, lists: float) -> Any:  # noqa: ANN401 - a part of a JSON schema
    """Return a part of a schema with its bounds multiplied by the factors of texts and lists."""
    if isinstance(schema, list):
        return [_scaled(each, texts, lists) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _scaled(each, texts, lists) for key, each in schema.items() if key != "enum"}
    if "enum" in schema:
        found["enum"] = schema["enum"]
    if schema.get("type") == "string" and "maxLength" in schema and "enum" not in schema:
        longest = schema["maxLength"]
        found["maxLength"] = max(min(longest, MIN_TEXT), int(longest * texts))
    elif schema.get("type") == "array" and schema.get("maxItems"):
        found["maxItems"] = max(1, schema.get("minItems", 0), ceil(schema["maxItems"] * lists))
    return found
