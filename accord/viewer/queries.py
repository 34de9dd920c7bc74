"""Values in the queries of the page's requests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MAX_PLACES = 4000
"""Maximum length of a list of columns in a query, in characters."""
MAX_COLUMN = 1_900_000
"""Farthest column, in columns from the origin."""
MAX_NAMES = 400
"""Maximum number of names of blocks or items in a query."""
MAX_BITS = 53
"""Number of bits of integers that JavaScript represents exactly."""
_NAME = re.compile(r"[^,\[\]]+(?:\[[^\[\]]*\])?")
Query = Mapping[str, Any]


def whole(query: Query, key: str, usual: int | None = None) -> int:
    """Return an integer of the query. Raises KeyError if it is missing, ValueError if it is invalid or too large."""
    value = int(query[key] if usual is None else query.get(key, usual))
    if value.bit_length() > MAX_BITS:
        raise ValueError(key)
    return value


def names_of(text: str) -> list[str]:
    """Return the names in a list separated by commas; those of blocks may have properties in brackets."""
    return _NAME.findall(text)[:MAX_NAMES]


def columns_of(text: str) -> list[tuple[int, int]]:
    """Return column coordinates from `x,z;x,z`. Raises ValueError."""
    pairs = [each.split(",") for each in text[:MAX_PLACES].split(";") if each]
    if not all(len(each) == 2 for each in pairs):
        raise ValueError(text[:40])
    found = [(int(x), int(z)) for x, z in pairs]
    if any(max(abs(x), abs(z)) > MAX_COLUMN for x, z in found):
        raise ValueError(text[:40])
    return found
