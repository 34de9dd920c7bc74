"""Adaptive limit of concurrent model calls: no limit applies until the provider reports an overload.

An answer raises the limit a little, an overload lowers it at once. Calls that were already in flight when the limit was
lowered do not lower it again. Waiting calls start in order of arrival.
"""

from __future__ import annotations

import asyncio
from collections import deque

MAX_LIMIT = 1000
"""Maximum calls in flight; the HTTP client has as many connections."""
MIN_LIMIT = 4
WIDEN = 0.1
"""Increase of the limit per answer: a tenth of a call."""
NARROW = 0.7


class CallLimiter:
    """Limiter of calls in flight: call `enter` before a call, and `leave` after it in any case."""

    def __init__(self, most: int = MAX_LIMIT) -> None:
        self.limit = float(most)
        """Current limit of calls in flight."""
        self.in_flight = 0
        self._most = float(most)
        self._narrowed = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def full(self) -> bool:
        """True if the next call has to wait."""
        return self.in_flight >= int(self.limit)

    async def enter(self) -> int:
        """Wait for a slot, and return the mark to pass to `overloaded`."""
        if self.full:
            await self._wait()
        else:
            self.in_flight += 1
        return self._narrowed

    def leave(self) -> None:
        """Release the slot."""
        self.in_flight -= 1
        while self._waiting and self.in_flight < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def answered(self) -> None:
        """Raise the limit after an answer."""
        self.limit = min(self._most, self.limit + WIDEN)

    def overloaded(self, mark: int) -> None:
        """Lower the limit after an overload. `mark` is the value that `enter` returned for the call."""
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
