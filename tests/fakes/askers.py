"""Askers whose model is a function or a list of texts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from voyager_agents.asking import PROGRAM_TRIES, Asker
from voyager_agents.models import ChatMessage, Reply, Settings
from voyager_agents.roles import JUDGE

Respond = Callable[[str, str], Awaitable[str]]
"""(system message, last user message) -> answer."""


class FunctionModel:
    """Model that answers by a function."""

    name = "function"

    def __init__(self, respond: Respond) -> None:
        self._respond = respond

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        return Reply(await self._respond(messages[0].content, messages[-1].content))

    async def close(self) -> None:
        """Release nothing."""


def asker_of(respond: Respond, tries: int = PROGRAM_TRIES) -> Asker:
    """Return an asker of the judge's role whose model answers by this function."""
    return Asker(FunctionModel(respond), JUDGE, tries=tries)
