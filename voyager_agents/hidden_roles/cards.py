"""Cards of the games of hidden roles: a topic, its words, and the associations of each word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from contracts.yaml12 import load_yaml

FILE = Path(__file__).parent / "cards.yaml"
"""Cards that come with Accord."""


@dataclass(frozen=True)
class WordCard:
    """A topic with its words."""

    topic: str
    words: Mapping[str, tuple[str, ...]]
    """Word -> its associations, which reference players know and no player is told."""

    def fits(self, clue: str, word: str) -> bool:
        """Return True if a clue is an association of a word."""
        return clue.casefold() in self.words[word]

    def similarity(self, one: str, other: str) -> int:
        """Return the number of associations that two words have in common."""
        return len(set(self.words[one]) & set(self.words[other]))

    def nearest(self, word: str) -> str:
        """Return the other word with the most associations in common; the first one of several."""
        return max((each for each in self.words if each != word), key=lambda each: self.similarity(word, each))


@cache
def standard_cards() -> tuple[WordCard, ...]:
    """Return the cards that come with Accord."""
    found = load_yaml(FILE.read_text(encoding="utf-8"))
    assert isinstance(found, list), "the file is a list of cards"
    return tuple(WordCard(each["topic"], {word: tuple(told) for word, told in each["words"].items()}) for each in found)
