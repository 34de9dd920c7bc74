"""The mock world in regions: each is a mock world with the whole land and a share of the players.

Players of different regions never meet. Players are assigned to regions in the order in which they connect. Each region
has a process and a clock of its own, so that none waits for another. A player's agent acts on its region
(`bridge.regions.within`); calls for the whole world act on all regions at the same tick.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from weakref import WeakSet

from bridge.errors import CommandError
from bridge.fleet import EventStream
from bridge.mock.foresight import Look
from bridge.mock.merged import MergedEvents
from bridge.mock_world import CAPABILITIES, MockWorld, ticks
from bridge.pictures import PictureRequest
from bridge.regions import here
from bridge.types import NEARBY, Address, BotObservation, Event, Limits, PolicyResult, Sensed, Senses
from bridge.worlds import FLAT, OneOfMany
from common.timing import all_done

MAX_REGIONS = 16
_NOTHING_THERE = ("No entity was found", "Test failed")
"""Replies without a result; another region may have found one."""

T = TypeVar("T")


class MockRegions(OneOfMany):
    """A world in memory (see `bridge.worlds.World` and `bridge.regions.InRegions`) of 1 to 16 regions.

    Results depend on the number of regions and not on the number of cores; the rest is as in `MockWorld`. Raises
    ValueError for another number.
    """

    name = MockWorld.name
    capabilities = CAPABILITIES

    def __init__(
        self,
        seed: int,
        log_dir: Path,
        port: int | None = None,
        *,
        regions: int,
        threaded: bool = True,
        terrain: str = FLAT,
    ) -> None:
        if isinstance(regions, bool) or not isinstance(regions, int) or not 1 <= regions <= MAX_REGIONS:
            raise ValueError(f"regions is {regions!r}: give a number from 1 to {MAX_REGIONS}")
        self.regions = [
            MockWorld(seed, log_dir, port, threaded=threaded, terrain=terrain, region=(number, regions))
            for number in range(regions)
        ]
        self._homes: dict[str, int] = {}
        """Player -> its region, also after it left."""
        self._streams: WeakSet[EventStream] = WeakSet()
        self._events = MergedEvents(self._publish_event)
        for number, each in enumerate(self.regions):
            each.listen(_Ear(self, number))

    @property
    def address(self) -> Address | None:
        """None, since no client can join."""
        return None

    @property
    def pids(self) -> tuple[int, ...]:
        """Ids of the regions' processes; raises HostError without any."""
        return tuple(each.pid for each in self.regions)

    def trust(self) -> None:
        """Declare the following programs trusted, as `MockWorld.trust` does."""
        for each in self.regions:
            each.trust()

    def shares(self, names: Sequence[str]) -> list[list[str]]:
        """Return players by region in the given order; unknown players in the first region."""
        found: list[list[str]] = [[] for _ in self.regions]
        for name in names:
            found[self._homes.get(name, 0)].append(name)
        return found

    async def __aenter__(self) -> Self:
        try:
            await all_done(each.__aenter__() for each in self.regions)
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await all_done(each.__aexit__(kind, error, trace) for each in self.regions)
        self._events.release_events(None)
        for stream in list(self._streams):
            stream.end()

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run commands in every region; the reply is that of the first region with a result."""
        answers = await self._each(each.commands(texts) for each in self.regions)
        return [min(replies, key=_worth) for replies in zip(*answers, strict=True)]

    async def connect(self, names: Sequence[str]) -> None:
        """Connect each bot in its region; new bots get the regions in turn."""
        for name in names:
            self._homes.setdefault(name, len(self._homes) % len(self.regions))
        await self._each(self.regions[number].connect(share) for number, share in self._shared(names))

    async def disconnect(self, names: Sequence[str]) -> None:
        """Disconnect the named bots; unknown names are ignored."""
        await self._each(self.regions[number].disconnect(share) for number, share in self._shared(names))

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Run programs of bots of one region, whose time passes alone; see `MockWorld.run`.

        Raises ValueError for bots of several.
        """
        return await self._home_of(policies).run(policies, limits)

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """Cancel running programs (all, or of the named bots); their results come back as CANCELLED."""
        if names is None:
            await self._each(each.cancel() for each in self.regions)
        else:
            await self._each(self.regions[number].cancel(share) for number, share in self._shared(names))

    async def observe(self, name: str) -> BotObservation:
        """Return the player's state now."""
        self.check()
        return await self._home_of([name]).observe(name)

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """Return state, items and surroundings of many bots; bots outside the world are left out."""
        asked = self._shared(names) or [(0, [])]
        found = await self._each(self.regions[number].sense(share, senses) for number, share in asked)
        whole = {name: each for share in found for name, each in share.items()}
        return {name: whole[name] for name in names if name in whole}

    async def picture(self, request: PictureRequest) -> bytes:
        """Return what a player sees now, or its surroundings from above, as a PNG file.

        Raises BridgeError for an unknown player or an illegal request.
        """
        self.check()
        return await self._home_of([request.player]).picture(request)

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """Set the hearing distance of programs by voice (say, shout), in blocks; None lets all hear everything."""
        await self._each(each.hearing(reach) for each in self.regions)

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Say each line in its speaker's region."""
        said: dict[int, list[tuple[str, str, str | None]]] = {}
        for line in lines:
            said.setdefault(self._homes.get(line[0], 0), []).append(line)
        await self._each(self.regions[number].speak(said[number]) for number in sorted(said))

    def events(self) -> AsyncIterator[Event]:
        """Return a stream of all events from this call on, by tick and region.

        Events of a region are delivered once all regions have reached their tick.
        """
        stream = EventStream()
        self._streams.add(stream)
        return stream

    async def renew(self, seed: int) -> None:
        """Renew every region with a seed."""
        await self._each(each.renew(seed) for each in self.regions)
        self._homes.clear()

    def check(self) -> None:
        """Raise HostError if the world is not open or a region is lost."""
        for each in self.regions:
            each.check()

    async def now(self) -> int:
        """Return the age in ticks of the oldest region, or of the current region.

        Raises HostError if the world is not open.
        """
        self.check()
        region = self._inside()
        return max([await each.now() for each in self.regions]) if region is None else await region.now()

    async def sleep(self, seconds: float) -> None:
        """Wait some seconds of game time."""
        await self.until(await self.now() + max(1, ticks(seconds)))

    async def until(self, tick: int, look: Look | None = None) -> None:
        """Wait until all regions, or the current region, have an age in ticks."""
        region = self._inside()
        if region is not None:
            await region.until(tick, look)
            return
        shares = self.shares(look[0]) if look is not None else [[] for _ in self.regions]
        looks = [(share, look[1]) if share and look is not None else None for share in shares]
        await self._each(each.until(tick, own) for each, own in zip(self.regions, looks, strict=True))

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        """Return the result of outside work exactly some seconds of game time from now; in a region by its own
        clock."""
        region = self._inside()
        if region is not None:
            return await region.after(seconds, work)
        task = asyncio.ensure_future(work)
        try:
            return (await self._each(each.after(seconds, asyncio.shield(task)) for each in self.regions))[0]
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task])

    @asynccontextmanager
    async def standing_still(self) -> AsyncIterator[None]:
        """Freeze game time inside this context: of the current region, or of all."""
        region = self._inside()
        async with AsyncExitStack() as still:
            for each in self.regions if region is None else [region]:
                await still.enter_async_context(each.standing_still())
            yield

    async def _each(self, works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
        """Run work in all regions, then deliver the events.

        Raises the first region's error, or HostError if a region is lost.
        """
        found = await all_done(works)
        self.check()
        if len({each.tick for each in self.regions}) == 1:
            self._events.release_events(None)
        return found

    def _inside(self) -> MockWorld | None:
        region = here()
        return None if region is None else self.regions[region]

    def _home_of(self, names: Iterable[str]) -> MockWorld:
        """Return the region of these players. Raises ValueError if they are in several."""
        wanted = list(names)
        found = {self._homes.get(name, 0) for name in wanted}
        if len(found) > 1:
            raise ValueError(
                f"policies of {', '.join(wanted)}: they are in different regions of the mock world; run those of each "
                "region by themselves, or play with regions=1"
            )
        return self.regions[found.pop() if found else 0]

    def _shared(self, names: Sequence[str]) -> list[tuple[int, list[str]]]:
        return [(number, share) for number, share in enumerate(self.shares(names)) if share]

    def hear(self, region: int, event: Event) -> None:
        """Deliver an event of a region."""
        if self._streams:
            self._events.keep(region, event)
            self._events.release_events(min(each.tick for each in self.regions))

    def _publish_event(self, event: Event) -> None:
        for stream in list(self._streams):
            stream.push(event)


class _Ear:
    """Listener of one region."""

    def __init__(self, world: MockRegions, region: int) -> None:
        self._world = world
        self._region = region

    def push(self, event: Event) -> None:
        """Receive an event of the region."""
        self._world.hear(self._region, event)


def _worth(reply: str | CommandError) -> int:
    """Return the rank of a reply: one with a result first, then one that is no refusal."""
    if isinstance(reply, CommandError):
        return 2
    return int(reply == "" or reply.startswith(_NOTHING_THERE))
