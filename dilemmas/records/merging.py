"""Lines of several regions of a world, in one order that the machine's speed has no part in.

Each region lives by a clock of its own. Its lines are kept until no other region can log an earlier one, and then come
by tick, by region and as they were logged there. A region that is far ahead is to wait, so that few lines are kept.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
from collections.abc import Callable

from dilemmas.records.events import Event

LEAD = 600
"""Ticks that a region may be ahead of the last one: half a minute evens out what regions take now and then."""


class Merging:
    """`write` appends a line to the log. Regions have numbers from 0; `start` is the world's age."""

    def __init__(self, regions: int, start: int, write: Callable[[Event, int | None], None]) -> None:
        self._write = write
        self._clocks: list[float] = [start] * regions
        """Tick before which each region logs nothing more."""
        self._kept: list[tuple[float, int, int, Event, int | None]] = []
        self._last: list[float] = [start] * regions
        """Where each region's last line stands."""
        self._order = itertools.count()
        self._waiting: dict[int, asyncio.Future[None]] = {}

    def take(self, region: int, event: Event, tick: int | None) -> None:
        """That region logs this, at that age of the world where it is known."""
        at = max(self._last[region], self._clocks[region], -1 if tick is None else tick)
        self._last[region] = at
        heapq.heappush(self._kept, (at, region, next(self._order), event, tick))

    def reached(self, region: int, tick: float) -> None:
        """That region's clock stands there: what all have passed is written."""
        self._clocks[region] = max(self._clocks[region], tick)
        passed = min(self._clocks)
        while self._kept and self._kept[0][0] < passed:
            self._write_next()
        for number, future in list(self._waiting.items()):
            if not self.far_ahead(number) and not future.done():
                future.set_result(None)

    def over(self, region: int) -> None:
        """That region logs nothing more."""
        self.reached(region, math.inf)

    def far_ahead(self, region: int) -> bool:
        """Whether that region is to wait for others."""
        return self._clocks[region] > min(self._clocks) + LEAD

    async def caught_up(self, region: int) -> None:
        """Returns when it is far ahead no longer."""
        while self.far_ahead(region):
            self._waiting[region] = asyncio.get_running_loop().create_future()
            try:
                await self._waiting[region]
            finally:
                del self._waiting[region]

    def close(self) -> None:
        """Write all that is left, in order."""
        while self._kept:
            self._write_next()

    def _write_next(self) -> None:
        _, _, _, event, tick = heapq.heappop(self._kept)
        self._write(event, tick)
