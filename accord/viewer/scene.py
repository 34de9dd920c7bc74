"""What is true at a moment: sections of keys and values, told as small changes that anybody can put together again.

A change is `[moment, section, key, value]`; a value of None takes the key away. A whole scene is
`{section: {key: value}}`, and the scene at a moment is an earlier whole one with the changes since then put in, which
is all that the page has to know. What is long (a program, a memory, what passed a bottleneck) is not in the scene but
a reference to its line of the log: `[offset, length]` in bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MAX_TEXT = 240
"""Characters of a text in a scene."""
Sections = dict[str, dict[str, Any]]
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False)
Ref = tuple[int, int]
"""Offset and length of a line, in bytes."""


class Scene:
    """The scene now, and the changes since they were last taken out."""

    def __init__(self, sections: Sections | None = None) -> None:
        self.sections: Sections = sections or {}
        self.changes: list[str] = []
        """Each as JSON text."""
        self.size = 0
        """Characters of all changes."""

    def put(self, moment: float, section: str, key: str, value: object) -> bool:
        """Change a value; None removes it. Returns whether anything changed."""
        held = self.sections.setdefault(section, {})
        if held.get(key) == value:
            return False
        # Whatever is no JSON is refused before it is in the scene.
        text = compact([moment, section, key, value])
        if value is None:
            del held[key]
        else:
            held[key] = value
        self.changes.append(text)
        self.size += len(text) + 1
        return True

    def clear(self, moment: float, section: str) -> None:
        """Take all keys of a section away."""
        for key in list(self.sections.get(section, ())):
            self.put(moment, section, key, None)

    def get(self, section: str, key: str) -> Any:  # noqa: ANN401 - any JSON
        """A value; None where there is none."""
        return self.sections.get(section, {}).get(key)

    def of(self, section: str) -> Mapping[str, Any]:
        """A section's keys and values."""
        return self.sections.get(section, {})

    def cut(self) -> str:
        """The changes as a JSON list; there are none afterwards."""
        text = f"[{','.join(self.changes)}]"
        self.changes, self.size = [], 0
        return text


def compact(value: object) -> str:
    """JSON in as few characters as it takes. Raises ValueError for a number that JSON has not."""
    return _ENCODER.encode(value)


def short(text: object, most: int = MAX_TEXT) -> str:
    """A text as a scene has it: in one line, and cut."""
    line = " ".join(str(text).split()) if isinstance(text, str) else compact(text)
    return line if len(line) <= most else line[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
