"""State at a moment: sections of keys and values, recorded as small changes.

A change is `[moment, section, key, value]`; a value of None removes the key. A full scene is `{section: {key: value}}`.
The scene at a moment is an earlier full scene with the changes since then applied, which is all that the page has to
implement. Long content (a program, a memory, slots) is not in the scene; a reference `[offset, length]` in bytes points
to its line of the log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MAX_TEXT = 240
"""Maximum length of a text in a scene, in characters."""
Sections = dict[str, dict[str, Any]]
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False)
Ref = tuple[int, int]
"""Offset and length of a line, in bytes."""


class Scene:
    """Current scene, with the changes since `take_changes`."""

    def __init__(self, sections: Sections | None = None) -> None:
        self.sections: Sections = sections or {}
        self.changes: list[str] = []
        """Changes as JSON texts."""
        self.size = 0
        """Total length of the changes, in characters."""

    def put(self, moment: float, section: str, key: str, value: object) -> bool:
        """Set a value, or remove it with None.

        Args:
            moment: Time of the change, in seconds from the first line.
            section: Section of the scene.
            key: Key within the section.
            value: JSON value; None removes the key.

        Returns:
            True if anything changed.
        """
        held = self.sections.setdefault(section, {})
        if held.get(key) == value:
            return False
        # Serialized first, so that an invalid value raises before it is in the scene.
        text = compact([moment, section, key, value])
        if value is None:
            del held[key]
        else:
            held[key] = value
        self.changes.append(text)
        self.size += len(text) + 1
        return True

    def clear(self, moment: float, section: str) -> None:
        """Remove all keys of a section."""
        for key in list(self.sections.get(section, ())):
            self.put(moment, section, key, None)

    def get(self, section: str, key: str) -> Any:  # noqa: ANN401 - any JSON
        """Return a value, or None."""
        return self.sections.get(section, {}).get(key)

    def of(self, section: str) -> Mapping[str, Any]:
        """Return the keys and values of a section."""
        return self.sections.get(section, {})

    def take_changes(self) -> str:
        """Return the changes as a JSON list, and forget them."""
        text = f"[{','.join(self.changes)}]"
        self.changes, self.size = [], 0
        return text


def compact(value: object) -> str:
    """Return compact JSON. Raises ValueError for NaN and infinity."""
    return _ENCODER.encode(value)


def short(text: object, most: int = MAX_TEXT) -> str:
    """Return a text as one line of at most `most` characters."""
    line = " ".join(str(text).split()) if isinstance(text, str) else compact(text)
    return line if len(line) <= most else line[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
