"""Pause, resume and end of the study that this process plays, as requested by the page's buttons.

A pause is `World.standing_still`. On a virtual clock (mock) it changes nothing in the log, byte for byte. On the
embedded server ticks stop, and with them the time of bots and their limits. Paper cannot be paused, because its players
act in frozen ticks too. Every study can be ended, with the effect of Ctrl-C.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Literal

from bridge.errors import BridgeError
from bridge.worlds import CAN_PAUSE, VIRTUAL_CLOCK, World

State = Literal["running", "paused", "steady", "ending"]
"""State of the study; `steady` means that it is played and cannot be paused."""


class StudyControl:
    """Control of one study; use its `worlds` to open the study's worlds, and close it at the end."""

    def __init__(self, make: Callable[..., World], end: Callable[[], object]) -> None:
        """Set the study's callbacks.

        Args:
            make: Opens a world.
            end: Ends the study.
        """
        self._make = make
        self._end = end
        self._world: World | None = None
        self._pause: asyncio.Task[None] | None = None
        self._held = asyncio.Event()
        """Set once the world stands still; a world that is not open or is lost never does."""
        self._ending = False

    def worlds(self, *given: Any, **named: Any) -> World:  # noqa: ANN401 - whatever the factory takes
        """Open a world with the factory; it becomes the one that can be paused."""
        self._world = self._make(*given, **named)
        return self._world

    @property
    def state(self) -> State:
        """Current state of the study."""
        if self._ending:
            return "ending"
        if self._pause is not None and not self._pause.done() and self._held.is_set():
            return "paused"
        able = frozenset() if self._world is None else self._world.capabilities
        return "steady" if able.isdisjoint((CAN_PAUSE, VIRTUAL_CLOCK)) else "running"

    async def ask(self, what: str) -> State:
        """Do `what` (`pause`, `go` or `end`; anything else does nothing), and return the resulting state."""
        if what == "pause" and self.state == "running" and self._world is not None:
            await self._go()
            held = self._held = asyncio.Event()
            self._pause = asyncio.create_task(_stand(self._world, held), name="pause")
            waiting = asyncio.create_task(held.wait())
            await asyncio.wait([self._pause, waiting], return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
        elif what == "go":
            await self._go()
        elif what == "end" and not self._ending:
            self._ending = True
            await self._go()
            self._end()
        return self.state

    async def _go(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._pause
            self._pause = None

    async def close(self) -> None:
        """Resume a paused world."""
        await self._go()


async def _stand(world: World, held: asyncio.Event) -> None:
    """Pause the world until this task is cancelled; a lost world needs no pause."""
    with contextlib.suppress(BridgeError):
        async with world.standing_still():
            held.set()
            await asyncio.Event().wait()
