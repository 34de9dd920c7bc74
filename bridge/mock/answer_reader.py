"""Reading of a mock world's answers, without a turn of the event loop for each line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

MAX_LINE = 1 << 26
"""Maximum bytes of a line."""


class AnswerReader(asyncio.Protocol):
    """Reader of a process's output, line by line, without a turn of the event loop for each."""

    def __init__(self, receive: Callable[[bytes], None]) -> None:
        self._receive = receive
        self._begun: list[bytes] = []
        """Pieces of the line that has not ended yet."""
        self._failure: Exception | None = None
        self._ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        """Pass on the lines that end here; a line that cannot be read or does not end ends the reading."""
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = b"".join((*self._begun, lines[0]))
            self._begun.clear()
        self._begun.append(rest)
        for line in lines:
            if self._failure is None:
                self._pass_on(line)
        if sum(map(len, self._begun)) > MAX_LINE:
            self._begun.clear()
            self._fail(ValueError(f"a line of more than {MAX_LINE} bytes"))

    def _pass_on(self, line: bytes) -> None:
        try:
            self._receive(line)
        except Exception as error:  # noqa: BLE001 - raised again by `end`
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._ended.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end of the output; half a line is what a process that was killed could not finish."""
        self._ended.set()

    async def end(self) -> None:
        """Wait until the output ends; raise what receiving a line raised."""
        await self._ended.wait()
        if self._failure is not None:
            raise self._failure
