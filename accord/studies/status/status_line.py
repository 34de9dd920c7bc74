"""Progress line of a command: updated in place on a terminal, printed every 30 s elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable

from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line

EVERY_S = 30.0
"""Seconds between two lines without a terminal."""


class StatusLine:
    """Progress of a command that plays many games, in one line.

    On a terminal the line is updated in place. Elsewhere it is printed at the start, every 30 s and at the end, so that
    a log shows that the command is alive. A quiet console shows nothing.
    """

    def __init__(self, console: Console, text: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Show `text` first; `sleep` waits between two lines without a terminal."""
        self._console = console
        self._text = text
        self._written = ""
        self._sleep = sleep
        self._status = console.status(one_line(text)) if console.is_terminal else None

    def update(self, text: str) -> None:
        """Change the text."""
        self._text = text
        if self._status is not None:
            self._status.update(Text(one_line(text)))

    @contextlib.asynccontextmanager
    async def shown(self) -> AsyncGenerator[None]:
        """Show the line while the block runs."""
        if self._status is not None:
            with self._status:
                yield
            return
        self._write()
        beat = asyncio.create_task(self._beat(), name="status line")
        try:
            yield
        finally:
            beat.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beat
        if self._text != self._written:
            self._write()

    async def _beat(self) -> None:
        while True:
            await self._sleep(EVERY_S)
            self._write()

    def _write(self) -> None:
        self._written = self._text
        self._console.print(Text(one_line(self._text)), soft_wrap=True)
