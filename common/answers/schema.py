"""JSON schemas of typed answers, for endpoints that generate under a schema.

Grammars of local engines and the strict mode of providers ask for the same plain form: references resolved, no unknown
keys, all keys required. Every text and every list has a bound, so that a small model cannot be cut off in the middle of
a text that never ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

from pydantic import BaseModel

MAX_TEXT = 400
"""Maximum characters of a text whose model names no bound."""
MAX_ITEMS = 8
"""Maximum items of a list whose model names no bound."""
_NOTES = ("title", "description", "default", "examples", "discriminator")
_BOUNDS = (
    "maxLength", "minLength", "maxItems", "minItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "pattern", "maxProperties", "minProperties",
)  # fmt: skip


def bounded_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a model: references resolved, keys required and closed, texts and lists bounded."""
    return deepcopy(_bounded(shape))


@cache
def _bounded(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of `bounded_schema`; pydantic takes milliseconds to make it."""
    raw = shape.model_json_schema()
    found: dict[str, Any] = _plain(raw, raw.get("$defs", {}))
    return found


def limit_values(schema: dict[str, Any], choices: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Replace the schemas of the fields at these paths (`transfers.clause`) by enumerations of legal values.

    Objects of several alternatives keep the values that each alternative names.

    Args:
        schema: Schema by `bounded_schema`; it is changed.
        choices: Path -> legal values.

    Returns:
        The same schema.

    Raises:
        KeyError: The schema has no such field.
    """
    for path, legal in choices.items():
        *steps, last = path.split(".")
        parent = schema
        for step in steps:
            parent = _item(parent["properties"][step])
        if "anyOf" in parent:
            continue
        parent["properties"][last] = _enumerated(parent["properties"][last], list(legal))
    return schema


def tagged_schema(
    kinds: Mapping[str, type[BaseModel]],
    tag: str,
    choices: Mapping[str, Sequence[Any]] | None = None,
    fields: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the schema of an object of one of several kinds.

    Args:
        kinds: Kind -> model of its objects.
        tag: Field that names the kind.
        choices: Field -> legal values, for each kind that has the field; a kind without a legal value is left out.
        fields: Field -> schema in place of the model's, for each kind that has the field.
    """
    found = []
    for name, shape in kinds.items():
        schema = bounded_schema(shape)
        properties = schema["properties"]
        limits = {key: legal for key, legal in (choices or {}).items() if key in properties}
        if all(limits.values()):
            properties.update({key: dict(each) for key, each in (fields or {}).items() if key in properties})
            found.append(limit_values(schema, {tag: (name,), **limits}))
    return {"anyOf": found}


def list_schema(items: Mapping[str, Any], least: int, most: int) -> dict[str, Any]:
    """Return the schema of a list of `least` to `most` items."""
    return {"type": "array", "items": dict(items), "minItems": least, "maxItems": most}


def names_schema(legal: Sequence[str], most: int | None = None) -> dict[str, Any]:
    """Return the schema of a list of some of these names; small models repeat names as long as a list may grow.

    Args:
        legal: The names.
        most: Maximum number of names; all of them if left out.
    """
    item = {"type": "string", "enum": list(legal)} if legal else text_schema(1)
    return list_schema(item, 0, len(legal) if most is None else min(most, len(legal)))


def integer_schema(least: int, most: int) -> dict[str, Any]:
    """Return the schema of a whole number from `least` to `most`."""
    return {"type": "integer", "minimum": least, "maximum": most}


def text_schema(most: int, least: int = 0) -> dict[str, Any]:
    """Return the schema of a text of `least` to `most` characters."""
    return {"type": "string", **({"minLength": least} if least else {}), "maxLength": most}


def points_schema(most: int) -> dict[str, Any]:
    """Return the schema of points from 0 to `most`, halves included; grammars cannot bound fractions otherwise."""
    return {"type": "number", "enum": [half // 2 if half % 2 == 0 else half / 2 for half in range(2 * most + 1)]}


def without_bounds(schema: Any) -> Any:  # noqa: ANN401 - a part of a JSON schema
    """Return the schema without limits of lengths and values, for providers whose strict mode refuses them."""
    if isinstance(schema, list):
        return [without_bounds(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in _BOUNDS or not _is_bound(value)}
    return {
        key: {name: without_bounds(each) for name, each in value.items()}
        if key == "properties"
        else without_bounds(value)
        for key, value in kept.items()
    }


def _is_bound(value: object) -> bool:
    """Return True for the value of a limit; a property that is called like one has a schema instead."""
    return isinstance(value, int | float | str)


def _item(schema: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = schema["items"] if schema.get("type") == "array" else schema
    return found


def _enumerated(schema: dict[str, Any], legal: list[Any]) -> dict[str, Any]:
    """Return an enumeration, of the items where the field is a list."""
    if schema.get("type") == "array":
        return {**schema, "items": _enumerated(schema["items"], legal)}
    types = sorted({_TYPES[type(value)] for value in legal})
    return {"type": types[0], "enum": legal} if len(types) == 1 else {"enum": legal}


_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def _plain(schema: Any, known: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a part of a JSON schema
    if isinstance(schema, list):
        return [_plain(each, known) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _plain(known[str(schema["$ref"]).rpartition("/")[2]], known)
    found = {key: value for key, value in schema.items() if key not in (*_NOTES, "$defs", "properties")}
    found = {"anyOf" if key == "oneOf" else key: _plain(value, known) for key, value in found.items()}
    match schema.get("type"):
        case "string" if not {"enum", "const"} & found.keys():
            found.setdefault("maxLength", MAX_TEXT)
        case "array":
            found.setdefault("maxItems", MAX_ITEMS)
        case "object" if "properties" in schema:
            found["properties"] = {name: _plain(each, known) for name, each in schema["properties"].items()}
            found["required"] = list(schema["properties"])
            found["additionalProperties"] = False
        case _:
            pass
    return found
