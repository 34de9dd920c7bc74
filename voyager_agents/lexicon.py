"""Subjects of words: their level of faith, and the topics that they name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

DIRECT, INDIRECT, NONE = 2, 1, 0
"""Levels of faith: its name is said, its theme is alluded to, neither."""
MAX_KNOWN = 4096
"""Texts whose level and topics are remembered; with more all are forgotten, which only costs time."""


@dataclass(frozen=True)
class Lexicon:
    """Lists of words; upper and lower case are the same."""

    direct: Sequence[str] = ()
    """Words that show faith, e.g. "Spaghetti Monster"; they count within longer words."""
    indirect: Sequence[str] = ()
    """Words that play with the theme of the faith, e.g. "Pasta"; they count within longer words."""
    topics: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Topic -> words that tell of it; they count as whole words only."""
    _faith: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _direct: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _topic: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _of: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _known: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Text -> its level and topics: people without a model say the same again and again."""

    def __post_init__(self) -> None:
        words = [word for each in self.topics.values() for word in each]
        object.__setattr__(self, "_faith", _any([*self.direct, *self.indirect]))
        object.__setattr__(self, "_direct", _any(self.direct))
        object.__setattr__(self, "_topic", re.compile(rf"\b(?:{_any(words).pattern})\b", re.IGNORECASE))
        object.__setattr__(self, "_of", {word.lower(): name for name, each in self.topics.items() for word in each})

    def level(self, text: str) -> int:
        """Return the level that somebody shows who says that."""
        return self._read(text)[0]

    def about(self, text: str) -> list[str]:
        """Return the topics of a text, in the order in which it names them, each once."""
        return list(self._read(text)[1])

    def _read(self, text: str) -> tuple[int, tuple[str, ...]]:
        known = self._known.get(text)
        if known is None:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            topics = dict.fromkeys(self._of[found.group().lower()] for found in self._topic.finditer(text))
            known = self._known[text] = (self._level(text), tuple(topics))
        return known

    def _level(self, text: str) -> int:
        if not self._faith.search(text):
            return NONE
        return DIRECT if self._direct.search(text) else INDIRECT


def _any(words: Sequence[str]) -> re.Pattern[str]:
    """Return one of these words, the longest that fits; without any word nothing fits."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, ordered)) or r"(?!)", re.IGNORECASE)
