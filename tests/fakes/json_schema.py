"""Validation of values by JSON schemas."""

from __future__ import annotations

import json
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
