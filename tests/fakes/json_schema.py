"""What is wrong with a value by a JSON schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator


def faults(value: object, schema: Mapping[str, Any]) -> list[str]:
    """What is wrong with the value, with its place; empty when it fits."""
    Draft202012Validator.check_schema(schema)
    found = Draft202012Validator(schema).iter_errors(value)
    return [f"{error.json_path}: {error.message[:200]}" for error in found]
