"""The manners of primitives, as a program asks for them: its last line (`skills_js/lookalike/manners.js`)."""

from __future__ import annotations

import re

NAMED = "named"
"""Ours: a primitive that cannot do its work throws a named error."""
VOYAGER = "voyager"
"""Voyager's: it looks for what is missing, says in the chat what went wrong, and the program goes on."""
MANNERS = (NAMED, VOYAGER)
_LINE = re.compile(r"\n// primitives: [^\n]*\s*$")


def with_manners(source: str, manners: str) -> str:
    """The program under these manners; its lines keep their numbers. Raises ValueError for unknown ones."""
    if manners not in MANNERS:
        raise ValueError(f"primitives: {manners!r} are no manners: give one of {', '.join(MANNERS)}")
    plain = without_manners(source)
    return plain if manners == NAMED else f"{plain.rstrip()}\n// primitives: {manners}\n"


def without_manners(source: str) -> str:
    """The program without the line that asks for manners."""
    return _LINE.sub("\n", source)
