"""The keeper of the world: starts it when it is first needed, keeps it between runs, replaces a broken one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from bridge.errors import InfrastructureError
from bridge.worlds import World


class WorldKeeper:
    """At most one world is open at a time; `close` in the end, whatever happened."""

    def __init__(self, make: Callable[[], World]) -> None:
        self._make = make
        self._world: World | None = None

    @property
    def world(self) -> World | None:
        """The world that is open now."""
        return self._world

    async def get(self) -> World:
        """The open world, started when there is none. Raises what starting raises."""
        if self._world is None:
            self._world = await self._make().__aenter__()
        return self._world

    async def close(self) -> None:
        """End the world and all that belongs to it; a world that is lost already has nothing more to say."""
        world, self._world = self._world, None
        if world is not None:
            with contextlib.suppress(InfrastructureError):
                await world.__aexit__(None, None, None)
