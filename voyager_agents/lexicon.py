"""Lexical classification of speech: its level of faith, and the topics that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

DIRECT, INDIRECT, NONE = 2, 1, 0
"""Levels of faith: the faith's name occurs, its theme is alluded to, neither."""
MAX_KNOWN = 4096
"""Cache size in texts; a full cache is cleared, which costs time only."""


@dataclass(frozen=True)
class Lexicon:
    """Word lists, matched without regard to case."""

    direct: Sequence[str] = ()
    """Words that show faith, e.g. "Spaghetti Monster"; matched within longer words too."""
    indirect: Sequence[str] = ()
    """Words that allude to the theme of the faith, e.g. "Pasta"; matched within longer words too."""
    topics: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Topic -> words that name it; matched as whole words only."""
    _faith: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _direct: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _topic: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _of: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _known: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Cache of text -> (level, topics); rule-based agents repeat the same texts."""

    def __post_init__(self) -> None:
        words = [word for each in self.topics.values() for word in each]
        object.__setattr__(self, "_faith", _any([*self.direct, *self.indirect]))
        object.__setattr__(self, "_direct", _any(self.direct))
        object.__setattr__(self, "_topic", re.compile(rf"\b(?:{_any(words).pattern})\b", re.IGNORECASE))
        object.__setattr__(self, "_of", {word.lower(): name for name, each in self.topics.items() for word in each})

    def level(self, text: str) -> int:
        """Return the level of faith that a text shows."""
        return self._read(text)[0]

    def about(self, text: str) -> list[str]:
        """Return the topics of a text without duplicates, in order of appearance."""
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
    """Return a pattern that matches any of the words, longest first; without words it matches nothing."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, ordered)) or r"(?!)", re.IGNORECASE)
