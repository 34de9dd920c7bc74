"""Programs on their way to Node: nothing that is too long to be one crosses."""

from __future__ import annotations

MAX_SOURCE = 200_000
"""Longest program, in characters, as the hosts take it (bridge/host/syntax.js)."""


def posted(source: str) -> str:
    """The program as it crosses.

    Of one that is too long only so much crosses that the host refuses it by name, as the program's own `syntax` error;
    in whole it would be longer than any message.
    """
    return source[: MAX_SOURCE + 1]
