"""Protocol of agents that live under institutions: they answer questions with typed forms and hear what happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from common.answers.reading import Strict
from contracts.institutions.frame import CivicQuestion


@runtime_checkable
class Citizen(Protocol):
    """An agent that votes, serves in offices and pays under institutions."""

    async def answer_institution(self, question: CivicQuestion[Any]) -> Strict | None:
        """Return an answer in the question's form; None if it is unreadable. Raises AgentError if it cannot go on."""

    def hear_institutions(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Take in entries of institutions that this person may know, oldest first."""
