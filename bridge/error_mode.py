"""Error modes of primitives: how a program learns that a primitive failed (`skills_js/bot_facade/error_mode.js`).

A program chooses its mode in its last line.
"""

from __future__ import annotations

import re

NAMED = "named"
"""The default: a primitive that cannot do its work throws a named error."""
VOYAGER = "voyager"
"""Voyager's: a primitive looks for what is missing, reports its failure in the chat, and the program continues."""
ERROR_MODES = (NAMED, VOYAGER)
_LINE = re.compile(r"\n// primitives: [^\n]*\s*$")


def with_error_mode(source: str, error_mode: str) -> str:
    """Return the program with the line that chooses an error mode; other lines keep their numbers.

    Args:
        source: The program, with or without such a line.
        error_mode: One of `ERROR_MODES`.

    Raises:
        ValueError: There is no such mode.
    """
    if error_mode not in ERROR_MODES:
        raise ValueError(f"primitives: {error_mode!r} is no error mode: give one of {', '.join(ERROR_MODES)}")
    plain = without_error_mode(source)
    return plain if error_mode == NAMED else f"{plain.rstrip()}\n// primitives: {error_mode}\n"


def without_error_mode(source: str) -> str:
    """Return the program without the line that chooses an error mode."""
    return _LINE.sub("\n", source)
