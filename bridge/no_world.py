"""No world: for games that are played on arrays, so that studies need not know that there is nothing to stand on.

Nobody is in it and nothing can be done in it. Its time stands at 0, since what is played has steps of its own. Answers
that are asked for at once arrive in the order in which they were asked for, so that a record repeats to the byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from bridge.errors import BridgeError, CommandError
from bridge.types import NEARBY, Address, BotObservation, Event, Limits, PolicyResult, Sensed, Senses
from bridge.worlds import NO_WORLD, OneOfMany

T = TypeVar("T")
NOTHING = "there is no world here; choose one with --world"


class NoWorld(OneOfMany):
    """A `bridge.worlds.World` without a world."""

    name = "none"
    capabilities = frozenset({NO_WORLD, "virtual-clock", "renewable"})

    def __init__(self, seed: int, log_dir: Path, port: int | None = None) -> None:
        del seed, log_dir, port
        self._last: asyncio.Future[None] | None = None
        """Is done when the answer that was asked for last has arrived."""

    @property
    def address(self) -> Address | None:
        """Nobody can join."""
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is left behind."""

    async def renew(self, seed: int) -> None:
        """It is as new at any time."""

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Return a refusal for each."""
        return [CommandError(text, NOTHING) for text in texts]

    async def connect(self, names: Sequence[str]) -> None:
        """Nobody has to be anywhere."""

    async def disconnect(self, names: Sequence[str]) -> None:
        """Nobody was."""

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Raises BridgeError: there is nothing that a program could act on."""
        raise BridgeError("programs need a world, and this one is none; choose one with --world")

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """Nothing runs."""

    async def observe(self, name: str) -> BotObservation:
        """Raises BridgeError: nobody is here."""
        raise BridgeError(f"{name} is nowhere: there is no world here; choose one with --world")

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """Nobody."""
        return {}

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """Nobody hears."""

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Nobody speaks."""

    async def events(self) -> AsyncIterator[Event]:
        """None, for as long as somebody waits for one."""
        await asyncio.Event().wait()
        yield Event(0, "", None)  # pragma: no cover - nothing ever happens

    async def now(self) -> int:
        """Always 0."""
        return 0

    async def sleep(self, seconds: float) -> None:
        """No time passes; others that are ready go first."""
        await asyncio.sleep(0)

    async def until(self, tick: int, look: object = None) -> None:
        """The same."""
        await asyncio.sleep(0)

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        """Return the work's result or error, once all that was asked for before has arrived."""
        before, mine = self._last, asyncio.get_running_loop().create_future()
        self._last = mine
        task = asyncio.ensure_future(work)
        try:
            waited: list[asyncio.Future[Any]] = [task] if before is None else [task, before]
            await asyncio.wait(waited)
            return task.result()
        finally:
            mine.set_result(None)
            if not task.done():
                task.cancel()
                await asyncio.wait([task])

    def standing_still(self) -> AbstractAsyncContextManager[None]:
        """Its time always stands still."""
        return nullcontext()
