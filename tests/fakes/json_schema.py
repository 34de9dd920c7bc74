"""A strict checker for the part of JSON schema that Accord's schemas use; an unknown keyword fails the test."""

from __future__ import annotations

from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_KNOWN = {
    *("$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "properties", "required"),
    *("additionalProperties", "minProperties", "maxProperties", "items", "minItems", "maxItems", "minimum", "oneOf"),
    *("if", "then", "else"),
}


def faults(value: object, schema: dict[str, Any], root: dict[str, Any] | None = None, at: str = "$") -> list[str]:
    """What is wrong with the value; empty when it fits."""
    root = root if root is not None else schema
    unknown = set(schema) - _KNOWN
    assert not unknown, f"the checker does not know {unknown}"
    if "$ref" in schema:
        return faults(value, _resolve(schema["$ref"], root), root, at)
    found = _simple(value, schema, at)
    if isinstance(value, dict):
        found += _object(value, schema, root, at)
    if isinstance(value, list) and "items" in schema:
        found += [fault for i, item in enumerate(value) for fault in faults(item, schema["items"], root, f"{at}[{i}]")]
    return found + _combined(value, schema, root, at)


def _resolve(reference: str, root: dict[str, Any]) -> dict[str, Any]:
    here: Any = root
    for part in reference.removeprefix("#/").split("/"):
        here = here[part]
    resolved: dict[str, Any] = here
    return resolved


def _simple(value: object, schema: dict[str, Any], at: str) -> list[str]:
    found = []
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(_is(value, name) for name in names):
            found.append(f"{at}: {value!r} is no {' or '.join(names)}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r} is none of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        found.append(f"{at}: {value!r} is not {schema['const']!r}")
    if "minimum" in schema and _is(value, "number") and value < schema["minimum"]:
        found.append(f"{at}: {value} is below {schema['minimum']}")
    if isinstance(value, list) and not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        found.append(f"{at}: {len(value)} items")
    return found


def _is(value: object, name: str) -> bool:
    return isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def _object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], at: str) -> list[str]:
    properties = schema.get("properties", {})
    found = [f"{at}: {key!r} is missing" for key in schema.get("required", ()) if key not in value]
    if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
        found.append(f"{at}: {len(value)} keys")
    for key, item in value.items():
        if key in properties:
            found += faults(item, properties[key], root, f"{at}.{key}")
        elif schema.get("additionalProperties") is False:
            found.append(f"{at}: {key!r} is not a known key")
        elif isinstance(schema.get("additionalProperties"), dict):
            found += faults(item, schema["additionalProperties"], root, f"{at}.{key}")
    return found


def _combined(value: object, schema: dict[str, Any], root: dict[str, Any], at: str) -> list[str]:
    found = []
    if "oneOf" in schema:
        tries = [faults(value, option, root, at) for option in schema["oneOf"]]
        if sum(not each for each in tries) != 1:
            found.append(f"{at}: fits {sum(not each for each in tries)} of {len(tries)} forms: {min(tries, key=len)}")
    if "if" in schema:
        branch = "then" if not faults(value, schema["if"], root, at) else "else"
        found += faults(value, schema.get(branch, {}), root, at)
    return found
