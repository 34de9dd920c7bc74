"""What is wrong with a value by a JSON schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator


def faults(value: object, schema: Mapping[str, Any]) -> list[str]:
    """What is wrong with the value, with its place; empty when it fits."""
    found = _checked(json.dumps(schema)).iter_errors(value)
    return [f"{error.json_path}: {error.message[:200]}" for error in found]


@cache
def _checked(schema: str) -> Draft202012Validator:
    """What checks by that schema, which is one itself: to see that takes far longer than to check a value."""
    rules = json.loads(schema)
    Draft202012Validator.check_schema(rules)
    return Draft202012Validator(rules)
