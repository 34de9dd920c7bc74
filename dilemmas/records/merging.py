"""Merge of the events of several world regions into one reproducible order.

Each region has a clock of its own. Events wait until no other region can log an earlier one, and are then written by
tick, region and order within the region. A region far ahead of the others waits, which bounds the buffer.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
from collections.abc import Callable

from dilemmas.records.events import Event

LEAD = 600
"""Maximum lead over the slowest region, in ticks (30 s of game time), which evens out varying region speeds."""


class RegionMerger:
    """Buffer that orders the events of concurrent regions."""

    def __init__(self, regions: int, start: int, write: Callable[[Event, int | None], None]) -> None:
        """Start with empty buffers.

        Args:
            regions: Number of regions, numbered from 0.
            start: Age of the world in ticks.
            write: Append an event and its tick to the log.
        """
        self._write = write
        self._clocks: list[float] = [start] * regions
        """Tick of each region before which it logs nothing more."""
        self._kept: list[tuple[float, int, int, Event, int | None]] = []
        self._last: list[float] = [start] * regions
        """Tick of each region's last event."""
        self._order = itertools.count()
        self._waiting: dict[int, asyncio.Future[None]] = {}

    def add_event(self, region: int, event: Event, tick: int | None) -> None:
        """Add an event of a region, with its tick if known."""
        at = max(self._last[region], self._clocks[region], -1 if tick is None else tick)
        self._last[region] = at
        heapq.heappush(self._kept, (at, region, next(self._order), event, tick))

    def advance_clock(self, region: int, tick: float) -> None:
        """Advance a region's clock, and write all events that every region has passed."""
        self._clocks[region] = max(self._clocks[region], tick)
        passed = min(self._clocks)
        while self._kept and self._kept[0][0] < passed:
            self._write_next()
        for number, future in list(self._waiting.items()):
            if not self.is_far_ahead(number) and not future.done():
                future.set_result(None)

    def finish_region(self, region: int) -> None:
        """Mark a region as finished: it logs nothing more."""
        self.advance_clock(region, math.inf)

    def is_far_ahead(self, region: int) -> bool:
        """Return True if the region has to wait for others."""
        return self._clocks[region] > min(self._clocks) + LEAD

    async def wait_for_others(self, region: int) -> None:
        """Wait until the region is no longer far ahead."""
        while self.is_far_ahead(region):
            self._waiting[region] = asyncio.get_running_loop().create_future()
            try:
                await self._waiting[region]
            finally:
                del self._waiting[region]

    def write_rest(self) -> None:
        """Write all remaining events in order."""
        while self._kept:
            self._write_next()

    def _write_next(self) -> None:
        _, _, _, event, tick = heapq.heappop(self._kept)
        self._write(event, tick)
