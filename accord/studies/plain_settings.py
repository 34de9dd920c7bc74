"""Types of settings in plain data, such as those of a config.yaml: checked before anything is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from dilemmas.errors import UsageError

MAX_INT = 2**63 - 1
Whole = Annotated[int, Field(ge=-MAX_INT - 1, le=MAX_INT)]
Value = str | Whole | float | bool | None
"""A text, or what YAML makes of one."""
Texts = list[str] | tuple[str, ...]
Mapped = dict[str, Value]
_WHOLE = ("seed", "runs", "jobs", "episodes", "rounds")
_WHOLE_OR_NONE = ("no_progress", "repeat", "port")
_TEXT = ("scenario", "world", "embodied", "terrain", "hosts", "invalid", "out")
_TEXT_OR_NONE = ("bodies", "agents", "model", "base_url", "think", "judge", "prompts", "api_key_file", "prices")
_MAPPED = ("players", "agents_options", "models", "sampling", "base_urls", "api_key_files")
TYPES: Mapping[str, Any] = {
    **dict.fromkeys(_WHOLE, Whole),
    **dict.fromkeys(_WHOLE_OR_NONE, Whole | None),
    **dict.fromkeys(_TEXT, str),
    **dict.fromkeys(_TEXT_OR_NONE, str | None),
    **dict.fromkeys(_MAPPED, Mapped | None),
    "contracts": Texts,
    "plugins": Texts | None,
    "vary": dict[str, list[Value] | tuple[Value, ...]] | None,
    "budget": dict[str, dict[str, float]],
    "human_wait_s": float,
    "time_limit_s": float | None,
}
"""Setting -> its type in plain data."""
MAX_SHOWN = 80
"""Characters of a value that a message shows."""


def check_types(data: Mapping[str, Any]) -> None:
    """Check the types of plain settings. Raises UsageError: one line with the setting and what is legal."""
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
        # Python writes no integer of more than some thousand digits.
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def _in_words(message: str) -> str:
    """Turn pydantic's words into those of a message: what to give."""
    for said, given in (("less than or equal to", "at most"), ("greater than or equal to", "at least")):
        message = message.replace(said, given, 1)
    return message.replace("Input should be", "give", 1)
