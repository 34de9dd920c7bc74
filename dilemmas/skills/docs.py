"""What models read about the functions in scope: the page that is made from the primitives' own JSDoc."""

from __future__ import annotations

from pathlib import Path

from bridge.plugin_primitives import documentation
from bridge.prerequisites import SOURCES
from common.errors import PrerequisiteError

PAGE = SOURCES / "docs" / "primitives.md"
"""Made by `skills_js/docs.js`; a test there compares it with what runs."""


def skill_docs(page: Path = PAGE) -> str:
    """The page from its first section on. Raises PrerequisiteError where there is none."""
    try:
        text = page.read_text(encoding="utf-8")
    except OSError as error:
        raise PrerequisiteError(
            f"{page}: cannot be read ({error.strerror}); models learn from it: run accord in a whole checkout"
        ) from None
    own = text[text.index("\n## ") :].strip()
    added = documentation()
    return f"{own}\n\n## Of plugins\n\n{added}" if added else own
