"""Validation of values by JSON schemas, and random values of them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator


def faults(value: object, schema: Mapping[str, Any]) -> list[str]:
    """Return the violations of a schema with their locations."""
    found = _checked(json.dumps(schema)).iter_errors(value)
    return [f"{error.json_path}: {error.message[:200]}" for error in found]


@cache
def _checked(schema: str) -> Draft202012Validator:
    """Return a validator, cached because checking the schema itself takes far longer than checking a value."""
    rules = json.loads(schema)
    Draft202012Validator.check_schema(rules)
    return Draft202012Validator(rules)


def draw_value(schema: Mapping[str, Any], draw: random.Random) -> Any:  # noqa: ANN401 - a value of the schema
    """Return a random value of a schema in the plain form of `common.answers.schema`."""
    if "anyOf" in schema:
        return draw_value(draw.choice(schema["anyOf"]), draw)
    if "enum" in schema:
        return draw.choice(schema["enum"])
    match schema["type"]:
        case "boolean":
            return draw.random() < 0.5
        case "integer":
            return draw.randint(int(schema.get("minimum", 0)), int(schema.get("maximum", 100)))
        case "number":
            return draw.uniform(schema.get("minimum", 0), schema.get("maximum", 100))
        case "string":
            return "".join(draw.choices("abc \u00e9{}", k=draw.randint(schema.get("minLength", 0), 12)))
        case "array":
            count = draw.randint(schema.get("minItems", 0), min(4, schema.get("maxItems", 4)))
            return [draw_value(schema["items"], draw) for _ in range(max(count, schema.get("minItems", 0)))]
        case "object":
            return {name: draw_value(each, draw) for name, each in schema["properties"].items()}
    raise AssertionError(schema)
