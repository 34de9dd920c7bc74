"""Limit of concurrent calls of a model: all calls run until the provider reports an overload.

An answer widens the gate a little, an overload narrows it at once; calls that were in flight already when it was
narrowed do not narrow it again. Whoever waits is served in the order of coming.
"""

from __future__ import annotations

import asyncio
from collections import deque

MAX_LIMIT = 1000
"""Calls in flight at most; the HTTP client has as many connections."""
MIN_LIMIT = 4
WIDEN = 0.1
"""Calls more for every answer: a tenth more for a whole round of answers."""
NARROW = 0.7


class CallLimiter:
    """Bounds the calls in flight; `enter` before a call, `leave` after it, whatever came of it."""

    def __init__(self, most: int = MAX_LIMIT) -> None:
        self.limit = float(most)
        """Calls that may be in flight now."""
        self.in_flight = 0
        self._most = float(most)
        self._narrowed = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def full(self) -> bool:
        """True if the next call has to wait for its turn."""
        return self.in_flight >= int(self.limit)

    async def enter(self) -> int:
        """Wait for a place; returns the mark that `overloaded` wants."""
        if self.full:
            await self._wait()
        else:
            self.in_flight += 1
        return self._narrowed

    def leave(self) -> None:
        """Give the place back."""
        self.in_flight -= 1
        while self._waiting and self.in_flight < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def answered(self) -> None:
        """Widen the limit: the provider answered a call."""
        self.limit = min(self._most, self.limit + WIDEN)

    def overloaded(self, mark: int) -> None:
        """Narrow the limit: the provider was overloaded. `mark` is the value that `enter` returned for the call."""
        if mark == self._narrowed:
            self._narrowed += 1
            self.limit = max(min(MIN_LIMIT, self._most), min(self.limit, self.in_flight) * NARROW)

    async def _wait(self) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave()
            raise
