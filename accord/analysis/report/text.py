"""Display of untrusted text: no invisible characters, no change of reading direction, bounded length."""

from __future__ import annotations

import re

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
"""C0 and C1 controls (escape sequences begin with one), and Unicode's controls of direction and width."""
MAX_TEXT = 20_000


def visible(text: str, limit: int = MAX_TEXT) -> str:
    """Return the text with invisible characters escaped, cut at `limit` characters. The template escapes HTML."""
    shown = _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text.replace("\r\n", "\n"))
    return shown if len(shown) <= limit else f"{shown[:limit]} … ({len(shown) - limit} more characters)"


def one_line(text: str, limit: int = 300) -> str:
    """Return the text as one line for a terminal."""
    return visible(" ".join(text.split()), limit)


def dollars(value: float) -> str:
    """Return a price: cents from a dollar on, four digits below it, and never 0 for a positive price."""
    if 0 < value < 0.0001:
        return "< $0.0001"
    return f"${value:,.2f}" if value >= 1 else f"${value:.4f}" if value else "$0"
