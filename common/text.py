"""Well-formed text: lone surrogates, which UTF-8 cannot encode, are replaced.

A lone surrogate is half of a character beyond U+FFFF, as `'\\ud800'` or `'...'[0]` make it in
JavaScript. JSON writes it as an escape, so that it passes every pipe and fails only when the text is encoded. It
becomes U+FFFD, the replacement character, where text enters Python (`read_json`) and where it enters the record.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, TypeAlias

from pydantic_core import from_json

Json: TypeAlias = Any
"""A value as returned by `json.loads`."""


def well_formed(text: str) -> str:
    """Return the text with U+FFFD for each lone surrogate; adjacent halves of one character are joined."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def well_formed_data(value: Json) -> Json:
    """Return a copy of plain data with all texts well-formed, keys included."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {well_formed_data(key): well_formed_data(part) for key, part in value.items()}
    if isinstance(value, list):
        return [well_formed_data(part) for part in value]
    return tuple(well_formed_data(part) for part in value) if type(value) is tuple else value


def read_json(text: str | bytes) -> Json:
    """Parse JSON and make its texts well-formed. Raises ValueError for invalid JSON."""
    with suppress(ValueError):
        # Half the time, but it refuses lone surrogates among other things: those go to the exact parser.
        return from_json(text, cache_strings="keys")
    value = json.loads(text)
    # In JSON that came as UTF-8, only an escape can hold a lone surrogate.
    said = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return well_formed_data(value) if "\\ud" in said or "\\uD" in said else value
