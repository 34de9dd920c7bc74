"""A null world for games on arrays, so that studies need no special case.

It has no players and takes no actions. Its time stands at 0, since the games have steps of their own. Concurrent model
answers arrive in the order of the questions, so that a record is reproducible to the byte.
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
    """A `bridge.worlds.World` without players or actions."""

    name = "none"
    capabilities = frozenset({NO_WORLD, "virtual-clock", "renewable"})

    def __init__(self, seed: int, log_dir: Path, port: int | None = None) -> None:
        del seed, log_dir, port
        self._last: asyncio.Future[None] | None = None
        """Done once the answer to the latest question has arrived."""

    @property
    def address(self) -> Address | None:
        """None, since no client can join."""
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing."""

    async def renew(self, seed: int) -> None:
        """Do nothing, since it has no state."""

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Return a refusal for each."""
        return [CommandError(text, NOTHING) for text in texts]

    async def connect(self, names: Sequence[str]) -> None:
        """Do nothing, since there are no bots."""

    async def disconnect(self, names: Sequence[str]) -> None:
        """Do nothing, since there are no bots."""

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Raise BridgeError, since programs cannot act here."""
        raise BridgeError("programs need a world, and this one is none; choose one with --world")

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """Do nothing, since no program runs."""

    async def observe(self, name: str) -> BotObservation:
        """Raise BridgeError, since there are no players."""
        raise BridgeError(f"{name} is nowhere: there is no world here; choose one with --world")

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """Return no senses."""
        return {}

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """Do nothing, since there are no players."""

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Do nothing, since there are no players."""

    async def events(self) -> AsyncIterator[Event]:
        """Yield no event."""
        await asyncio.Event().wait()
        yield Event(0, "", None)  # pragma: no cover - nothing ever happens

    async def now(self) -> int:
        """Return 0."""
        return 0

    async def sleep(self, seconds: float) -> None:
        """Let other ready tasks run; no time passes."""
        await asyncio.sleep(0)

    async def until(self, tick: int, look: object = None) -> None:
        """Let other ready tasks run; no time passes."""
        await asyncio.sleep(0)

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        """Return the work's result, or raise its error, once all earlier answers have arrived."""
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
        """Do nothing, since time always stands still."""
        return nullcontext()
