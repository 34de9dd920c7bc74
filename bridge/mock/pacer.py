"""When the mock world's time may go on: only while everybody in Python who acts on the world waits for it.

Time in the mock world moves as fast as Node computes, thousands of ticks in the time of one Python statement. A rule of
a scenario that says "every second, do this" must nevertheless be on time, in every run the same. So time never passes
by itself: the pacer lets it pass, up to the next moment at which some task asked to be woken, and lets every task that
was woken do its work, until it waits again, before time goes on.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sized
from contextlib import contextmanager
from typing import Any

from bridge.errors import BridgeError
from common.errors import PrerequisiteError

SETTLE_TURNS = 20
"""Turns of the event loop without any request to the world after which nobody is about to make one.

A task that was woken makes its next request within a turn or two of the loop; one that goes through queues, locks or
gathered tasks first takes a few more. Who waits for something outside does not hold the world up, unless it says so: by
`hold`, or by a gate at the moment at which it has to be there.
"""

Gate = asyncio.Future[Any]


class Pacer:
    """Grants time. `advance(until)` lets it pass up to that tick (None: no bound) and returns the tick reached.

    `running()` says whether programs run; `quantum()` is how many ticks may pass at most before consumers of events
    must have had their turn (None: any number).
    """

    def __init__(
        self,
        advance: Callable[[int | None], Awaitable[int]],
        running: Callable[[], bool],
        quantum: Callable[[], int | None],
    ) -> None:
        self._advance = advance
        self._running = running
        self._quantum = quantum
        self._sleepers: list[tuple[int, int, asyncio.Future[None], Gate | None]] = []
        self._order = itertools.count()
        self._due: deque[Callable[[], None]] = deque()
        """What wakes those whose wait is over already, in the order in which that happened."""
        self._requests = 0
        self._answered = asyncio.Event()
        """No request is under way."""
        self._answered.set()
        self._activity = 0
        self._holds = 0
        """Number of want no time to pass."""
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.tick = 0

    def start(self) -> None:
        """Begin to grant time, for as long as there is somebody who wants it."""
        self._task = asyncio.create_task(self._pace(), name="mock world pacer")

    async def stop(self, reason: BaseException) -> None:
        """No time passes any more; whoever sleeps is woken with `reason`, whoever's wait is over as it should be."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None
        while self._due:
            self._due.popleft()()
        self.fail(reason)

    def fail(self, reason: BaseException) -> None:
        """Wake whoever sleeps with `reason`."""
        for _, _, future, _ in self._sleepers:
            if not future.done():
                future.set_exception(reason)
        self._sleepers.clear()

    def renew(self, reason: BaseException) -> None:
        """The world's clock stands at 0 again; who slept by the old one is woken with `reason`."""
        self.fail(reason)
        self.tick = 0

    def request_begins(self) -> None:
        """A task has asked the world for something: time stands still until it has its answer."""
        self._requests += 1
        self._activity += 1
        self._answered.clear()

    def request_ends(self) -> None:
        """It has its answer."""
        self._requests -= 1
        self._activity += 1
        if self._requests == 0:
            self._answered.set()

    def want(self) -> None:
        """Somebody waits for time to pass (programs have begun)."""
        self._activity += 1
        self._wanted.set()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Return no time passes inside; any number of tasks may hold it."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self.want()

    async def sleep_until(self, tick: int, gate: Gate | None = None) -> None:
        """Return at that tick; time stands still until the caller waits again.

        With a gate time also stands still at that tick until the gate is done, however long that takes.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (tick, next(self._order), future, gate))
        self.want()
        await future

    def wake(self, call: Callable[[], None]) -> None:
        """`call` wakes a task; it is called in its turn, when whoever was woken before has done its work."""
        self._due.append(call)
        self.want()

    async def _pace(self) -> None:
        while True:
            await self._settle()
            if await self._wake_one():
                continue
            if self._holds == 0 and (self._sleepers or self._running()):
                await self._grant()
            else:
                self._wanted.clear()
                await self._wanted.wait()

    async def _grant(self) -> None:
        next_wake = self._sleepers[0][0] if self._sleepers else None
        quantum = self._quantum()
        bounds = [bound for bound in (next_wake, None if quantum is None else self.tick + quantum) if bound is not None]
        try:
            self.tick = await self._advance(min(bounds) if bounds else None)
        except (BridgeError, PrerequisiteError) as error:
            self.fail(error)

    async def _settle(self) -> None:
        """Wait until nobody is about to ask the world for anything.

        That is when no other task is about to run, or nobody has asked for `SETTLE_TURNS` turns of the loop.
        """
        ready = about_to_run(asyncio.get_running_loop())
        quiet = 0
        seen = self._activity
        while quiet < SETTLE_TURNS or self._requests > 0:
            if self._requests > 0:
                await self._answered.wait()
            else:
                await asyncio.sleep(0)
            if self._requests == 0 and ready is not None and len(ready) == 0:
                return
            quiet = quiet + 1 if self._activity == seen else 0
            seen = self._activity

    async def _wake_one(self) -> bool:
        """Wake the first of those whose time has come; one at a time, so that their work never mixes.

        False when there is none; True when one was woken or its gate was waited for, and all is to be looked at again.
        """
        if self._due:
            self._due.popleft()()
            return True
        while self._sleepers and (self._sleepers[0][2].done() or self._sleepers[0][0] <= self.tick):
            _, _, future, gate = self._sleepers[0]
            if gate is not None and not gate.done() and not future.done():
                await self._gate(gate, future)
                return True
            heapq.heappop(self._sleepers)
            if not future.done():
                future.set_result(None)
                return True
        return False

    async def _gate(self, gate: Gate, future: asyncio.Future[None]) -> None:
        """Wait until the gate is done, its waiter has given up, or somebody else wants to be looked at."""
        self._wanted.clear()
        wanted = asyncio.ensure_future(self._wanted.wait())
        try:
            await asyncio.wait([gate, future, wanted], return_when=asyncio.FIRST_COMPLETED)
        finally:
            wanted.cancel()


def about_to_run(loop: asyncio.AbstractEventLoop) -> Sized | None:
    """Return what is about to run on asyncio's own loop, the running task apart; None on another loop.

    asyncio has no public name for it, and without it every wait for the world takes twenty turns instead of two.
    """
    return getattr(loop, "_ready", None)
