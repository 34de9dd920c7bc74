"""Values of prompts that come in several lengths, and their way into messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from common.answers.fitting import Build
from common.untrusted_text import quote_document
from voyager_agents.primitive_docs import LEVELS, PrimitiveDocs, parse_primitives
from voyager_agents.prompts import Prompt

CHARS_A_TOKEN = 3.0
"""Characters per token that are assumed before the endpoint has billed a prompt: fewer than English text has."""


@dataclass(frozen=True)
class ShownPrimitives:
    """Documentation of the primitives as a value of a prompt, in one of its lengths."""

    docs: PrimitiveDocs
    task: str
    """Task, scenario and contract of the player, in words, which tell the primitives that are needed first."""
    level: int = 0
    preface: str = ""

    @classmethod
    def of_page(cls, page: str, task: str) -> ShownPrimitives:
        """Return the documentation of a page in its whole length; text before the first section is kept."""
        preface, mark, rest = page.partition("## ")
        return cls(parse_primitives(mark + rest), task, preface=preface.strip())

    def shorter(self, last: int = LEVELS - 1) -> ShownPrimitives:
        """Return the next shorter length, or the same if it is the length `last`."""
        return replace(self, level=min(self.level + 1, max(last, self.level)))

    def __str__(self) -> str:
        return "\n\n".join(part for part in (self.preface, self.docs.render(self.level, self.task)) if part)


def fill_with(prompt: Prompt) -> Build:
    """Return the maker of a prompt's messages, which fills in the values as texts."""
    return lambda values: prompt.fill({key: str(value) for key, value in values.items()})


def quote_values(values: Mapping[str, Any]) -> str:
    """Return the values as a quoted document."""
    return quote_document(
        {key: str(value) if isinstance(value, ShownPrimitives) else value for key, value in values.items()}
    )
