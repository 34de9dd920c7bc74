"""Control of the mock world's clock: time passes only while all tasks that act on the world wait for it.

Virtual time moves as fast as Node computes, thousands of ticks during one Python statement. A scenario's rule "every
second, do this" must still be on time, and equally so in every run. Therefore time never passes by itself: the pacer
lets it pass up to the next wake-up time of a task, and lets each woken task work until it waits again.

A task that does not need the world while it works may let time run ahead (`run_ahead`): the next grant then waits for
the time that passes already.
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
"""Turns of the event loop without a request after which no task is about to make one.

A woken task makes its next request within a turn or two of the loop, or a few more if it goes through queues, locks or
gathered tasks. A task that waits for something outside does not hold up the world unless it uses `hold`, or a gate at
the time at which it must be done.
"""

Gate = asyncio.Future[Any]


class Pacer:
    """The clock's controller. `advance(until)` lets time pass up to a tick (None: unbounded) and returns the tick
    reached.

    `running()` says whether programs run; `quantum()` is the maximum number of ticks between two turns of the consumers
    of events (None: unbounded).
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
        """Wake-up calls of tasks whose wait is over, in order."""
        self._requests = 0
        self._unblocked = asyncio.Event()
        """Set when time need no longer wait for answers."""
        self._activity = 0
        self._holds = 0
        """Number of tasks that hold time."""
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ahead: Callable[[], Awaitable[int]] | None = None
        """Work that waits for time which runs ahead, and returns the tick reached."""
        self._granting = False
        """True while the pacer lets time pass."""
        self.tick = 0

    def start(self) -> None:
        """Start to let time pass whenever a task waits for it."""
        self._task = asyncio.create_task(self._pace(), name="mock world pacer")

    async def stop(self, reason: BaseException) -> None:
        """Stop time; sleeping tasks are woken with the error `reason`, due ones normally."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None
        while self._due:
            self._due.popleft()()
        self.fail(reason)

    def fail(self, reason: BaseException) -> None:
        """Wake all sleeping tasks with the error `reason`."""
        for _, _, future, _ in self._sleepers:
            if not future.done():
                future.set_exception(reason)
        self._sleepers.clear()

    def renew(self, reason: BaseException) -> None:
        """Reset the clock to 0; tasks that slept by the old one are woken with the error `reason`."""
        self.fail(reason)
        self._ahead = None
        self.tick = 0

    def run_ahead(self, catch_up: Callable[[], Awaitable[int]]) -> None:
        """Note that time runs ahead: `catch_up` is awaited before other time passes, and returns the tick reached."""
        self._ahead = catch_up
        self._unblocked.set()
        self.want()

    @property
    def runs_ahead(self) -> bool:
        """True while time runs ahead of the tasks that work."""
        return self._ahead is not None

    @property
    def passes(self) -> bool:
        """True while time passes, whether tasks work meanwhile or not."""
        return self.runs_ahead or self._granting

    def request_begins(self) -> None:
        """Stop time for a request until its answer."""
        self._requests += 1
        self._activity += 1

    def request_ends(self) -> None:
        """Let time pass again after the answer to a request."""
        self._requests -= 1
        self._activity += 1
        if self._requests == 0:
            self._unblocked.set()

    def want(self) -> None:
        """Note that a task waits for time to pass (programs have begun)."""
        self._activity += 1
        self._wanted.set()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold time inside this context, which any number of tasks may enter."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self.want()

    async def sleep_until(self, tick: int, gate: Gate | None = None) -> None:
        """Wait until a tick; afterwards time stands still until the caller waits again.

        With a gate, time also stands still at that tick until the gate is done.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (tick, next(self._order), future, gate))
        self.want()
        await future

    def wake(self, call: Callable[[], None]) -> None:
        """Wake a task by `call`, in its turn after the work of tasks woken before."""
        self._due.append(call)
        self.want()

    async def _pace(self) -> None:
        while True:
            await self._settle()
            if await self._wake_one():
                continue
            if self._holds == 0 and (self.runs_ahead or self._sleepers or self._running()):
                await self._grant()
            else:
                self._wanted.clear()
                await self._wanted.wait()

    @property
    def next_wake(self) -> int | None:
        """Tick at which the first task wakes; None if none sleeps."""
        return self._sleepers[0][0] if self._sleepers else None

    async def _grant(self) -> None:
        quantum = self._quantum()
        ends = (self.next_wake, None if quantum is None else self.tick + quantum)
        bounds = [bound for bound in ends if bound is not None]
        catch_up, self._ahead = self._ahead, None
        self._granting = True
        try:
            self.tick = await (self._advance(min(bounds) if bounds else None) if catch_up is None else catch_up())
        except (BridgeError, PrerequisiteError) as error:
            self.fail(error)
        finally:
            self._granting = False

    async def _settle(self) -> None:
        """Wait until no task is about to make a request.

        This holds once no other task is about to run, or none has asked for `SETTLE_TURNS` turns of the loop. What is
        asked while time runs ahead is answered afterwards.
        """
        ready = about_to_run(asyncio.get_running_loop())
        quiet = 0
        seen = self._activity
        while quiet < SETTLE_TURNS or self._waits_for_answers:
            if self._waits_for_answers:
                self._unblocked.clear()
                await self._unblocked.wait()
            else:
                await asyncio.sleep(0)
            if not self._waits_for_answers and ready is not None and len(ready) == 0:
                return
            quiet = quiet + 1 if self._activity == seen else 0
            seen = self._activity

    @property
    def _waits_for_answers(self) -> bool:
        return self._requests > 0 and not self.runs_ahead

    async def _wake_one(self) -> bool:
        """Wake the first due task; one at a time, so that their work never interleaves.

        Return False if none is due, True if one was woken or its gate awaited, so that the caller looks again.
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
        """Wait until the gate is done, its waiter is cancelled, or another task needs attention."""
        self._wanted.clear()
        wanted = asyncio.ensure_future(self._wanted.wait())
        try:
            await asyncio.wait([gate, future, wanted], return_when=asyncio.FIRST_COMPLETED)
        finally:
            wanted.cancel()


def about_to_run(loop: asyncio.AbstractEventLoop) -> Sized | None:
    """Return the number of ready callbacks of asyncio's own loop, or None on another loop.

    asyncio has no public name for it; without it every wait for the world takes twenty turns instead of two.
    """
    return getattr(loop, "_ready", None)
