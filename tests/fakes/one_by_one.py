"""`World.commands` for fakes that answer one command at a time."""

from __future__ import annotations

from collections.abc import Sequence

from bridge.errors import CommandError


class OneByOne:
    """A fake world's base: a list of commands is its commands, in their order, a refusal in the reply's place."""

    async def command(self, text: str) -> str:
        """One command's reply, or CommandError."""
        raise NotImplementedError

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """All of them, whatever one of them says."""
        found: list[str | CommandError] = []
        for text in texts:
            try:
                found.append(await self.command(text))
            except CommandError as refusal:
                found.append(refusal)
        return found
