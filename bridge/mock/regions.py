"""The mock world in regions: each is a mock world of its own, with the whole land and its share of the players.

Who is in one region never meets who is in another. Players are dealt out in the order in which they connect, and stay
where they are. Each region has a process and a clock of its own, so that none waits for another one: whoever lives in
it acts on it alone (`bridge.regions.within`). Whoever acts on the whole world acts on all regions at the same tick.
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
from bridge.mock.merged import MergedEvents
from bridge.mock_world import CAPABILITIES, Look, MockWorld, ticks
from bridge.regions import here
from bridge.types import NEARBY, Address, BotObservation, Event, Limits, PolicyResult, Sensed, Senses
from bridge.worlds import FLAT, OneOfMany
from common.timing import all_done

MAX_REGIONS = 16
_NOTHING_THERE = ("No entity was found", "Test failed")
"""Accepted, but another region may have found what was asked for."""

T = TypeVar("T")


class MockRegions(OneOfMany):
    """A world in memory (see `bridge.worlds.World` and `bridge.regions.InRegions`) of 1 to 16 regions.

    What happens depends on their number, and not on how many cores there are. All else is as of `MockWorld`. Raises
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
        self.regions = [MockWorld(seed, log_dir, port, threaded=threaded, terrain=terrain) for _ in range(regions)]
        self._homes: dict[str, int] = {}
        """Player -> where it is, or was when it left."""
        self._streams: WeakSet[EventStream] = WeakSet()
        self._events = MergedEvents(self._tell)
        for number, each in enumerate(self.regions):
            each.listen(_Ear(self, number))

    @property
    def address(self) -> Address | None:
        """None: nobody can join."""
        return None

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes of its regions; raises HostError when there are none."""
        return tuple(each.pid for each in self.regions)

    def trust(self) -> None:
        """As `MockWorld.trust`."""
        for each in self.regions:
            each.trust()

    def shares(self, names: Sequence[str]) -> list[list[str]]:
        """Return those players by region, in the order in which they were named; in the first who was never there."""
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
        self._events.told(None)
        for stream in list(self._streams):
            stream.end()

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run in every region; each one's reply is that of the first region that found what it is about."""
        answers = await self._each(each.commands(texts) for each in self.regions)
        return [min(replies, key=_worth) for replies in zip(*answers, strict=True)]

    async def connect(self, names: Sequence[str]) -> None:
        """Join each in its region: the next one in turn for who is new."""
        for name in names:
            self._homes.setdefault(name, len(self._homes) % len(self.regions))
        await self._each(self.regions[number].connect(share) for number, share in self._shared(names))

    async def disconnect(self, names: Sequence[str]) -> None:
        """Take the named bots out of the world; names that are not there are no error."""
        await self._each(self.regions[number].disconnect(share) for number, share in self._shared(names))

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Return as `MockWorld.run`, for bots of one region: its time passes alone.

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
        """Return what many bots are, have and see around them now; whoever is not there is missing."""
        asked = self._shared(names) or [(0, [])]
        found = await self._each(self.regions[number].sense(share, senses) for number, share in asked)
        whole = {name: each for share in found for name, each in share.items()}
        return {name: whole[name] for name in names if name in whole}

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """How far words carry to programs, by voice (say, shout), in blocks; None: everybody hears everything."""
        await self._each(each.hearing(reach) for each in self.regions)

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Each line is said where its speaker is, and heard there."""
        said: dict[int, list[tuple[str, str, str | None]]] = {}
        for line in lines:
            said.setdefault(self._homes.get(line[0], 0), []).append(line)
        await self._each(self.regions[number].speak(said[number]) for number in sorted(said))

    def events(self) -> AsyncIterator[Event]:
        """Return every event from this call on, by tick and region; what happened in a region is told when all have
        come so far."""
        stream = EventStream()
        self._streams.add(stream)
        return stream

    async def renew(self, seed: int) -> None:
        """Every region as a world with that seed begins."""
        await self._each(each.renew(seed) for each in self.regions)
        self._homes.clear()

    def check(self) -> None:
        """Raises HostError when the world is not open, or any region of it is lost."""
        for each in self.regions:
            each.check()

    async def now(self) -> int:
        """World age in ticks, the oldest region's; in a region its own. Raises HostError when the world is not open."""
        self.check()
        region = self._inside()
        return max([await each.now() for each in self.regions]) if region is None else await region.now()

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds of game time."""
        await self.until(await self.now() + max(1, ticks(seconds)))

    async def until(self, tick: int, look: Look | None = None) -> None:
        """Wait until the world is that old, all of it; in a region until that one is."""
        region = self._inside()
        if region is not None:
            await region.until(tick, look)
            return
        shares = self.shares(look[0]) if look is not None else [[] for _ in self.regions]
        looks = [(share, look[1]) if share and look is not None else None for share in shares]
        await self._each(each.until(tick, own) for each, own in zip(self.regions, looks, strict=True))

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        """Return the result of that work, exactly so many seconds of game time from now; in a region by its clock
        alone."""
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
        """Return no time passes inside; in a region in that one alone."""
        region = self._inside()
        async with AsyncExitStack() as still:
            for each in self.regions if region is None else [region]:
                await still.enter_async_context(each.standing_still())
            yield

    async def _each(self, works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
        """Return all of it at once; then whoever listens hears what came of it. Raises the error of the first that has
        one, HostError where any region is lost."""
        found = await all_done(works)
        self.check()
        if len({each.tick for each in self.regions}) == 1:
            self._events.told(None)
        return found

    def _inside(self) -> MockWorld | None:
        region = here()
        return None if region is None else self.regions[region]

    def _home_of(self, names: Iterable[str]) -> MockWorld:
        """Return where these players are. Raises ValueError for several regions."""
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
        """That has happened there; where nobody listens it is told to nobody."""
        if self._streams:
            self._events.keep(region, event)
            self._events.told(min(each.tick for each in self.regions))

    def _tell(self, event: Event) -> None:
        for stream in list(self._streams):
            stream.push(event)


class _Ear:
    """Listens to one region."""

    def __init__(self, world: MockRegions, region: int) -> None:
        self._world = world
        self._region = region

    def push(self, event: Event) -> None:
        """That has happened there."""
        self._world.hear(self._region, event)


def _worth(reply: str | CommandError) -> int:
    """Return the first that found something is best, then the first that did not refuse."""
    if isinstance(reply, CommandError):
        return 2
    return int(reply == "" or reply.startswith(_NOTHING_THERE))
