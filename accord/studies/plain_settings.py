"""Types of a study's options in plain data such as config.yaml, derived from `accord.studies.option_groups`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from accord.analysis.validity import Treatment
from accord.studies.option_groups import GROUPS, Hosts
from dilemmas.errors import UsageError

MAX_INT = 2**63 - 1
Whole = Annotated[int, Field(ge=-MAX_INT - 1, le=MAX_INT)]
Value = str | Whole | float | bool | None
"""Scalar value in YAML."""
Texts = list[str] | tuple[str, ...]
Mapped = dict[str, Value]
PLAIN_TYPES: Mapping[Any, Any] = {
    int: Whole,
    int | None: Whole | None,
    float: float,
    float | None: float | None,
    str: str,
    str | None: str | None,
    Path: str,
    Path | None: str | None,
    Hosts: str,
    Treatment: str,
    tuple[str, ...]: Texts,
    Mapping[str, str]: Mapped | None,
    Mapping[str, Path]: Mapped | None,
    Mapping[str, tuple[str, ...]]: dict[str, list[Value] | tuple[Value, ...]] | None,
    Mapping[str, Mapping[str, float]]: dict[str, dict[str, float]],
}
"""Type of an option in Python -> its type in plain data."""
TYPES: Mapping[str, Any] = {
    "scenario": str,
    "contracts": Texts,
    **{name: PLAIN_TYPES[hint] for group in GROUPS.values() for name, hint in get_type_hints(group).items()},
    "plugins": Texts | None,
}
"""Option -> its type in plain data."""
MAX_SHOWN = 80
"""Maximum number of characters of a value in a message."""


def check_types(data: Mapping[str, Any]) -> None:
    """Check the types of plain settings.

    Raises:
        UsageError: A value has a wrong type; the message names the setting and the legal type.
    """
    for name, value in data.items():
        if name not in TYPES:
            continue
        try:
            _adapter(name).validate_python(value)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            where = ".".join([name, *(str(part) for part in first["loc"] if str(part) in _keys(value))])
            shown = _shown(value)
            raise UsageError(f"settings: {where}: {shown} is not legal; {_in_words(first['msg'])}") from None


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(TYPES[name], config=ConfigDict(strict=True))


def _keys(value: object) -> set[str]:
    return {str(key) for key in value} if isinstance(value, Mapping) else set()


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        # Python refuses to convert integers of more than 4,300 digits to text.
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def _in_words(message: str) -> str:
    """Return a message of pydantic in the wording of Accord's messages."""
    for said, given in (("less than or equal to", "at most"), ("greater than or equal to", "at least")):
        message = message.replace(said, given, 1)
    return message.replace("Input should be", "give", 1)
