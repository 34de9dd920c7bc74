"""Scripted model for tests. Running out of answers is an error, and so are unused answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voyager_agents.errors import ScriptExhausted
from voyager_agents.models.base import ChatMessage, Reply, Settings


class ScriptedModel:
    """Model that returns the script's answers in order; `seen` holds its prompts and settings."""

    def __init__(self, replies: Iterable[str | Reply | Exception], name: str = "scripted") -> None:
        """Create a model with these answers; an exception among them is raised in its turn."""
        self.name = name
        self._replies = list(replies)
        self.seen: list[tuple[tuple[ChatMessage, ...], Settings]] = []

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the next answer. Raises ScriptExhausted if there is none."""
        if len(self.seen) >= len(self._replies):
            raise ScriptExhausted(
                f"model {self.name!r} was asked {len(self.seen) + 1} times, its script has {len(self._replies)} answers"
            )
        reply = self._replies[len(self.seen)]
        self.seen.append((tuple(messages), settings))
        if isinstance(reply, Exception):
            raise reply
        return Reply(reply, model=self.name) if isinstance(reply, str) else reply

    def finish(self) -> None:
        """Raise ScriptExhausted if answers are left over."""
        left = len(self._replies) - len(self.seen)
        if left:
            raise ScriptExhausted(f"model {self.name!r} has {left} answers left that nobody asked for")

    async def close(self) -> None:
        """Do nothing; a script holds no resources."""
