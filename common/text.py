"""Text as files and models take it: what programs and models say may hold lone surrogates, which no UTF-8 has.

A lone surrogate is half of a character beyond U+FFFF, as `'\\ud800'` or honest code such as `'...'[0]` make them in
JavaScript; JSON writes it as an escape, so that it passes every pipe and fails where the text is encoded at last. It
becomes U+FFFD, the replacement character, where text enters Python (`read_json`) and where it enters the record.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, TypeAlias

from pydantic_core import from_json

Json: TypeAlias = Any
"""What `json.loads` gives."""


def well_formed(text: str) -> str:
    """The text with U+FFFD for each lone surrogate; the two halves of one character that stand side by side join."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def well_formed_data(value: Json) -> Json:
    """Plain data with all its texts well-formed, keys included; the value itself is left as it is."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {well_formed_data(key): well_formed_data(part) for key, part in value.items()}
    if isinstance(value, list):
        return [well_formed_data(part) for part in value]
    return tuple(well_formed_data(part) for part in value) if type(value) is tuple else value


def read_json(text: str | bytes) -> Json:
    """What the JSON text says, its texts well-formed. Raises ValueError for what is no JSON."""
    with suppress(ValueError):
        # It takes half the time, and refuses lone surrogates among others: those are for the exact one.
        return from_json(text, cache_strings="keys")
    value = json.loads(text)
    # Only an escape can bring a lone surrogate into JSON that came as UTF-8.
    said = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return well_formed_data(value) if "\\ud" in said or "\\uD" in said else value
