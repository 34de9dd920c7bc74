"""Pause, go on and end, for the study that this process plays: what the page's buttons may do.

A pause is `World.standing_still`. On a virtual clock (mock) it changes nothing of what happens, to the byte. The
embedded server's ticks stop, and so does the time of its bots and of their limits. Paper is not paused: what players
do in frozen ticks is not ours to stop. Any study can be ended, as Ctrl-C ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Literal

from bridge.errors import BridgeError
from bridge.worlds import CAN_PAUSE, VIRTUAL_CLOCK, World

State = Literal["running", "paused", "steady", "ending"]
"""How the study stands; `steady`: it is played, and cannot be paused."""


class Steering:
    """Steers one study; use its `worlds` to open the study's worlds, and close it in the end."""

    def __init__(self, make: Callable[..., World], end: Callable[[], object]) -> None:
        """`make` opens worlds; `end` ends the study."""
        self._make = make
        self._end = end
        self._world: World | None = None
        self._pause: asyncio.Task[None] | None = None
        self._held = asyncio.Event()
        """Set once the world stands still: one that is not open yet, or is lost, does not."""
        self._ending = False

    def worlds(self, *given: Any, **named: Any) -> World:  # noqa: ANN401 - whatever the factory takes
        """A world, as the factory makes it; it is the one that is paused from now on."""
        self._world = self._make(*given, **named)
        return self._world

    @property
    def state(self) -> State:
        """How the study stands now."""
        if self._ending:
            return "ending"
        if self._pause is not None and not self._pause.done() and self._held.is_set():
            return "paused"
        able = frozenset() if self._world is None else self._world.capabilities
        return "steady" if able.isdisjoint((CAN_PAUSE, VIRTUAL_CLOCK)) else "running"

    async def ask(self, what: str) -> State:
        """Do what was asked (`pause`, `go`, `end`; anything else does nothing), and tell how it stands then."""
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
        """Let time pass again."""
        await self._go()


async def _stand(world: World, held: asyncio.Event) -> None:
    """Hold the world until this task is cancelled; a world that is lost needs no holding."""
    with contextlib.suppress(BridgeError):
        async with world.standing_still():
            held.set()
            await asyncio.Event().wait()
