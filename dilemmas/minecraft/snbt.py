"""Parser of SNBT, the text form of Minecraft's data in replies to `data get`.

It reads exactly what `data get` writes: compounds, lists, typed arrays, quoted and bare strings, suffixed numbers.
Numbers become int or float; other bare words stay strings.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

Tag: TypeAlias = int | float | str | list["Tag"] | dict[str, "Tag"]

_BARE = re.compile(r"[A-Za-z0-9._+-]+")
_INTEGER = re.compile(r"([+-]?\d+)[bBsSlL]?$")
_DECIMAL = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?$")
_PLAIN = {quote: re.compile(f"{quote}([^{quote}\\\\]*){quote}") for quote in "'\""}
"""Quote -> regex of a string in such quotes without escapes."""
_SPACE = re.compile(r"\s*")
_TYPED = re.compile(r"[BIL];")
MAX_DEPTH = 64
"""Maximum nesting; deeper data is refused before it overflows Python's stack."""


def parse(text: str) -> Tag:
    """Parse a text of SNBT.

    Raises:
        ValueError: The text is malformed; the message has the position.
    """
    reader = _Reader(text)
    value = reader.value(0)
    reader.skip_space()
    if reader.at != len(text):
        raise ValueError(f"SNBT: something follows the data at position {reader.at}: {text[reader.at :][:20]!r}")
    return value


class _Reader:
    """Recursive-descent parser of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def skip_space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def peek(self) -> str:
        symbol = self.text[self.at : self.at + 1]
        if symbol.isspace():
            self.skip_space()
            return self.text[self.at : self.at + 1]
        return symbol

    def accept_symbol(self, symbol: str) -> bool:
        if self.peek() != symbol:
            return False
        self.at += 1
        return True

    def expect(self, symbol: str) -> None:
        if not self.accept_symbol(symbol):
            raise ValueError(f"SNBT: expected {symbol!r} at position {self.at}, found {self.peek()!r}")

    def value(self, depth: int) -> Tag:
        if depth > MAX_DEPTH:
            raise ValueError(f"SNBT: nested deeper than {MAX_DEPTH}")
        symbol = self.peek()
        if symbol == "{":
            return self.compound(depth)
        if symbol == "[":
            return self.sequence(depth)
        if symbol in ("'", '"') and symbol:
            return self.quoted()
        return self.bare()

    def compound(self, depth: int) -> dict[str, Tag]:
        self.expect("{")
        found: dict[str, Tag] = {}
        while self.peek() != "}":
            key = self.quoted() if self.peek() in ("'", '"') else self.word()
            self.expect(":")
            found[key] = self.value(depth + 1)
            if not self.accept_symbol(","):
                break
        self.expect("}")
        return found

    def sequence(self, depth: int) -> list[Tag]:
        self.expect("[")
        if _TYPED.match(self.text, self.at):
            self.at += 2
        found: list[Tag] = []
        while self.peek() != "]":
            found.append(self.value(depth + 1))
            if not self.accept_symbol(","):
                break
        self.expect("]")
        return found

    def quoted(self) -> str:
        quote = self.peek()
        if plain := _PLAIN[quote].match(self.text, self.at):
            self.at = plain.end()
            return plain[1]
        self.at += 1
        letters: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != quote:
            if self.text[self.at] == "\\":
                self.at += 1
            letters.append(self.text[self.at : self.at + 1])
            self.at += 1
        self.expect(quote)
        return "".join(letters)

    def word(self) -> str:
        self.skip_space()
        match = _BARE.match(self.text, self.at)
        if match is None:
            raise ValueError(f"SNBT: expected a value at position {self.at}, found {self.text[self.at :][:1]!r}")
        self.at = match.end()
        return match.group()

    def bare(self) -> Tag:
        return _read(self.word())


@lru_cache(1 << 12)
def _read(word: str) -> int | float | str:
    """Return the word as a number if possible; cached, because few numbers recur often."""
    if whole := _INTEGER.match(word):
        return int(whole[1])
    if decimal := _DECIMAL.match(word):
        return float(decimal[1])
    return word
