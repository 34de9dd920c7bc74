"""The snippets of the documentation: Python, YAML, TOML, JavaScript, as what they are.

The line before a fence may say what its snippet is, `<!-- snippet: KIND ARGUMENT -->`; else the language says it:

    python  run (one namespace a page)         yaml  a scenario, or a contract where there are parties
    toml    data                               js    a fragment of a program, with a bot in scope
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

LANGUAGES = ("python", "yaml", "toml", "js")
"""Fences in them are snippets; commands are `bash`, `text` and `sh`."""
USUAL = {"python": "run", "toml": "data", "js": "fragment"}
_FENCE = re.compile(
    r"^(?:(?P<pad> *)<!-- snippet: (?P<told>[^\n]*?) -->\n\s*)?^ *```(?P<language>\w+)\n(?P<text>.*?)^ *```",
    re.DOTALL | re.MULTILINE,
)
_COMMENT = re.compile(r"<!-- snippet: [^\n]*?-->")


@dataclass(frozen=True)
class Snippet:
    """One fence."""

    page: str
    line: int
    language: str
    kind: str
    argument: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line} ({self.kind})"


def snippets(page: Path) -> Iterator[Snippet]:
    """The snippets of a page, in order. Raises ValueError for a comment that no fence follows."""
    whole = page.read_text(encoding="utf-8")
    used = 0
    for found in _FENCE.finditer(whole):
        used += found["told"] is not None
        if found["language"] in LANGUAGES:
            text = dedent(found["text"])
            kind, _, argument = (found["told"] or _usual(found["language"], text)).partition(" ")
            line = whole[: found.start("language")].count("\n") + 1
            yield Snippet(page.name, line, found["language"], kind, argument, text)
    if used != len(_COMMENT.findall(whole)):
        raise ValueError(f"{page}: a comment `snippet:` stands before no fence")


def _usual(language: str, text: str) -> str:
    if language == "yaml":
        return "contract" if re.search(r"^parties:", text, re.MULTILINE) else "scenario"
    return USUAL[language]
