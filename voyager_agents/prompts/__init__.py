"""Prompts: Markdown files with declared placeholders, checked when they are loaded.

A file starts with `<!-- placeholders: a, b -->`. A line `<!-- user -->` separates the system message, which is the same
in every call, from the user message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from voyager_agents.errors import PromptError

FOLDER = Path(__file__).parent
_DECLARATION = re.compile(r"\A<!-- placeholders:([^>]*)-->\n")
_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_USER = "<!-- user -->\n"


@dataclass(frozen=True)
class Prompt:
    """A prompt: texts with `{{name}}` placeholders."""

    name: str
    system: str
    user: str
    placeholders: frozenset[str]

    def __post_init__(self) -> None:
        used = set(_PLACEHOLDER.findall(self.system + self.user))
        for name in sorted(used - self.placeholders):
            raise PromptError(f"prompt {self.name}: {{{{{name}}}}} is not declared: declared are {self._declared}")
        for name in sorted(self.placeholders - used):
            raise PromptError(f"prompt {self.name}: {name!r} is declared but nowhere used")
        if not self.system.strip():
            raise PromptError(f"prompt {self.name}: there is no system text")

    def fill(self, values: Mapping[str, str]) -> tuple[str, str]:
        """Return (system, user) with the values filled in. Placeholders inside values are not replaced.

        Raises:
            PromptError: The values are not exactly those that the prompt declares.
        """
        if set(values) != self.placeholders:
            raise PromptError(f"prompt {self.name}: values for {sorted(values)}, declared are {self._declared}")

        def put(found: re.Match[str]) -> str:
            return values[found.group(1)]

        return _PLACEHOLDER.sub(put, self.system), _PLACEHOLDER.sub(put, self.user)

    @property
    def _declared(self) -> str:
        return ", ".join(sorted(self.placeholders)) or "none"


def load_prompt(name: str, folder: Path = FOLDER) -> Prompt:
    """Return the prompt with this name. Raises PromptError if the file and its declaration disagree."""
    path = folder / f"{name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        known = ", ".join(sorted(each.stem for each in folder.glob("*.md")))
        raise PromptError(f"prompt {name!r}: there is no {path}: prompts are {known}") from None
    return read_prompt(name, text)


def read_prompt(name: str, text: str) -> Prompt:
    """Parse a prompt. Raises PromptError if the text and its declaration disagree."""
    declaration = _DECLARATION.match(text)
    if declaration is None:
        raise PromptError(f"prompt {name}: the first line has to be <!-- placeholders: ... -->")
    declared = frozenset(part.strip() for part in declaration.group(1).split(",") if part.strip())
    parts = text[declaration.end() :].split(_USER)
    if len(parts) > 2:
        raise PromptError(f"prompt {name}: {_USER.strip()} may stand once")
    return Prompt(name, parts[0].strip(), parts[1].strip() if len(parts) == 2 else "", declared)
