"""A server with its fleet of bots as a `bridge.worlds.World`, the base of embedded and Paper worlds."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from bridge.errors import CommandError, InfrastructureError, ServerError
from bridge.fleet import EventStream, Fleet
from bridge.servers.base import Server
from bridge.types import NEARBY, Address, BotObservation, Limits, PolicyResult, Sensed, Senses
from bridge.worlds import MINEFLAYER, quiet_gamemode
from common.timing import at_its_time, finished

TICK_S = 0.05
WATCH_S = 0.25
"""Maximum seconds between two looks at the server's clock; game time may run behind the wall clock."""

FREEZE, UNFREEZE = "tick freeze", "tick unfreeze"

S = TypeVar("S", bound=Server)
T = TypeVar("T")


class ServerWorld(Generic[S]):
    """A world in a server process; subclasses create the server and declare its capabilities."""

    name: str
    capabilities: frozenset[str]

    def __init__(self, server: S, *, seed: int = 0, bodies: str = MINEFLAYER) -> None:
        self._server = server
        self._fleet = Fleet(seed=seed, bodies=bodies)
        self._still = 0
        """Number of tasks that freeze time."""
        self._stands = False
        self._freezing = asyncio.Lock()

    @property
    def address(self) -> Address | None:
        """Address for clients that join to watch."""
        return self._server.address

    def separate(self) -> None:
        """Run each player's programs in a host process of its own; to be called before players connect."""
        self._fleet.separate()

    @property
    def fleet(self) -> Fleet:
        """The fleet of bots, for benchmarks and tests."""
        return self._fleet

    @property
    def server(self) -> S:
        """The server, for benchmarks and tests."""
        return self._server

    async def __aenter__(self) -> Self:
        starts = [asyncio.ensure_future(self._server.start()), asyncio.ensure_future(self._fleet.open())]
        try:
            await asyncio.gather(*starts)
        except BaseException:
            await asyncio.wait(starts)  # half a start cannot be stopped
            await self._leave()
            raise
        self._fleet.use(self._server.address, self._server.bodies_address)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        leaving = asyncio.ensure_future(self._leave())
        try:
            await asyncio.shield(leaving)
        except asyncio.CancelledError:
            await asyncio.wait([leaving])  # a second Ctrl-C does not leave processes behind
            raise

    async def command(self, text: str) -> str:
        """Run one vanilla command as the console; raises CommandError when the server refuses it."""
        return await self._server.command(text)

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run vanilla commands in order and return the reply or refusal of each."""
        return await self._server.commands(texts)

    async def connect(self, names: Sequence[str]) -> None:
        """Connect one bot per name and wait until each has spawned; connected ones stay.

        Servers admit all clients as spectators; only these names are put into survival mode.
        """
        new = [name for name in names if name not in self._fleet.bots]
        await self._fleet.connect(names)
        # A refusal means that the bot has left again, which its first use tells.
        await self._server.commands([quiet_gamemode("survival", name) for name in new])

    async def disconnect(self, names: Sequence[str]) -> None:
        """Disconnect the named bots."""
        await self._fleet.disconnect(names)

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Run one program per bot, all from the same tick, and return when all have ended."""
        return await self._fleet.run(policies, limits)

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """Cancel running programs (all, or of the named bots)."""
        await self._fleet.cancel(names)

    async def observe(self, name: str) -> BotObservation:
        """Return the player's state now."""
        return await self._fleet.observe(name)

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """Return state, items and surroundings of many bots; bots outside the world are left out."""
        return await self._fleet.sense(names, senses)

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """Set the hearing distance of programs by voice (say, shout), in blocks; None lets all hear everything."""
        await self._fleet.hearing(reach)

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Say lines in the game's chat: (bot, line, recipient of a whisper or None)."""
        await self._fleet.speak(lines)

    def events(self) -> EventStream:
        """Return a stream of all events from this call on, in order, while the world is open."""
        return self._fleet.events()

    async def now(self) -> int:
        """World age in ticks."""
        return ticks_in(await self._server.command("time query gametime"))

    async def sleep(self, seconds: float) -> None:
        """Wait some seconds of game time, by the server's ticks."""
        if seconds > 0:
            await self.until(await self.now() + math.ceil(seconds / TICK_S))

    async def until(self, tick: int, look: object = None) -> None:
        """Wait until the server's age, in its own ticks."""
        left = tick - await self.now()
        while left > 0:
            # Short of the end it looks again, since game time may run behind the wall clock.
            await asyncio.sleep(min(left * TICK_S, max(WATCH_S, left * TICK_S - WATCH_S)))
            left = tick - await self.now()

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        """Return the result of outside work some seconds of game time from now.

        The world continues until then and stands still while the work takes longer.
        """

        async def until(task: asyncio.Future[Any]) -> None:
            await self.sleep(seconds)
            if not task.done():
                async with self.standing_still():
                    await asyncio.wait([task])

        return await at_its_time(work, until)

    @asynccontextmanager
    async def standing_still(self) -> AsyncIterator[None]:
        """Freeze the server's ticks inside this context, and the time and limits of bots and their programs.

        It uses vanilla's `tick freeze` (since 1.20.3); raises CommandError if the server does not have it. Any number
        of tasks may be inside; time goes on when the last has left.
        """
        async with self._freezing:
            if not self._stands:
                await self._stop()
                self._stands = True
            self._still += 1
        try:
            yield
        finally:
            self._still -= 1
            await finished(self._go_on())

    async def _stop(self) -> None:
        # Bots stop first and go on last: what takes them its time (a dig) must not be too quick for the server.
        try:
            await self._fleet.stand(True)
            await self._server.command(FREEZE)
        except BaseException:
            with suppress(InfrastructureError):
                await finished(self._fleet.stand(False))
            raise

    async def _go_on(self) -> None:
        async with self._freezing:
            if self._still > 0 or not self._stands:
                return
            self._stands = False
            # A world that is lost is told by whatever is done in it next.
            with suppress(InfrastructureError):
                await self._server.command(UNFREEZE)
            with suppress(InfrastructureError):
                await self._fleet.stand(False)

    async def _leave(self) -> None:
        """Stop fleet and server, even if one of them fails."""
        ends = await asyncio.gather(self._fleet.close(), self._server.stop(), return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end


def ticks_in(reply: str) -> int:
    """Return the number in vanilla's reply to `time query`. Raises ServerError if there is none."""
    found = re.fullmatch(r"The time is (-?\d+)", reply.strip())
    if found is None:
        raise ServerError(f"the server answered {reply!r} to a question for the time")
    return int(found[1])
