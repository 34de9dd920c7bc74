"""Events of a world with bots, waited for by tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Event

PATIENCE_S = 240.0


async def until(stream: AsyncIterator[Event], wanted: Callable[[Event], bool]) -> Event:
    """Return the first event that satisfies `wanted`."""
    async with asyncio.timeout(PATIENCE_S):
        async for event in stream:
            if wanted(event):
                return event
    raise AssertionError("the stream ended")


async def host_pids(world: EmbeddedWorld) -> list[int]:
    return [host["pid"] for host in (await world.fleet.stats())["hosts"]]
