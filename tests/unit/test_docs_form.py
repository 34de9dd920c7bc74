"""Form of the documentation: short paragraphs, a short README, every page in the index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
MAX_LINES = 5
"""Maximum source lines of a paragraph."""
MAX_WORDS = 900
"""Maximum words of the README."""
FENCE = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
NOT_PROSE = re.compile(r"^\s*(?:[|#<>!]|[-*] |\d+\. )", re.MULTILINE)


def long_paragraphs(text: str) -> list[str]:
    """Return the first lines of prose paragraphs with more than `MAX_LINES` lines; lists and tables do not count."""
    blocks = re.split(r"\n\s*\n", FENCE.sub("", text))
    return [
        block.strip().splitlines()[0]
        for block in blocks
        if len(block.strip().splitlines()) > MAX_LINES and not NOT_PROSE.search(block)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paragraphs_are_short(page: Path) -> None:
    assert long_paragraphs(page.read_text(encoding="utf-8")) == []


def test_a_long_paragraph_would_be_seen() -> None:
    prose = "line\n" * 6
    assert long_paragraphs(f"{prose}\n- a\n- b\n- c\n- d\n- e\n- f\n\n```\n{prose}```\n") == ["line"]


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= MAX_WORDS


def test_the_index_has_every_page() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").split()
    assert [page.stem for page in (ROOT / "docs").glob("*.md") if page.stem not in {"index", *index}] == []
