"""`World.commands` for fakes that answer one command at a time."""

from __future__ import annotations

from collections.abc import Sequence

from bridge.errors import CommandError


class OneByOne:
    """Base of fake worlds. Runs a list of commands in order and returns refusals in place of replies."""

    async def command(self, text: str) -> str:
        """Return a command's reply, or raise CommandError."""
        raise NotImplementedError

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run all commands, even after a refusal."""
        found: list[str | CommandError] = []
        for text in texts:
            try:
                found.append(await self.command(text))
            except CommandError as refusal:
                found.append(refusal)
        return found
