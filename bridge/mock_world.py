"""The mock world: vanilla rules in memory, a virtual clock, no server; the same policies in the same isolates.

Time passes only while programs run or somebody sleeps on the world's clock, as fast as the machine computes. The same
seed, commands and policies give the same events, byte for byte. Players who are out of each other's reach may be dealt
out to several processes, its regions (`bridge/mock/regions.py`).
"""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar
from weakref import WeakSet

from bridge.counting import Programs
from bridge.errors import BotLostError, CommandError, HostError, PrerequisiteError
from bridge.fleet import EventStream
from bridge.mock.pacer import Pacer
from bridge.mock.region import Look, Region
from bridge.mock.regions import Regions
from bridge.servers.refusals import accepted, judged
from bridge.timing import at_its_time
from bridge.types import NEARBY, Address, Event, Limits, Observation, PolicyResult, Sensed, Senses
from bridge.wire import Json, bounds_of, observation_of, result_of
from bridge.worlds import FLAT, REGIONS, SURVIVAL_TERRAIN

TICKS_PER_SECOND = 20
EVENT_QUANTUM = 20
"""Ticks that pass at most before whoever listens to `events()` has had its turn: a second of game time. Regions are
never further apart."""
COMMANDS_AT_ONCE = 1000
"""Commands of one crossing: what they take together must not look like silence."""
_SERVES = ("chests", "scoreboard", "spectators", "signals", "virtual-clock", "deterministic", "renewable", "trusting")
CAPABILITIES = frozenset({*_SERVES, SURVIVAL_TERRAIN, REGIONS})


T = TypeVar("T")


def ticks(seconds: float) -> int:
    """That much game time in ticks. Raises ValueError for what is no time."""
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError(f"seconds is {seconds}: give a number of at least 0")
    return round(seconds * TICKS_PER_SECOND)


class MockWorld:
    """A world in memory (see `bridge.worlds.World`); nobody can join it to watch.

    `threaded` gives each program a thread of its own, so that one which eats memory or spins harms only itself;
    without, programs must be trusted and run many times as fast. `port` is for other worlds; here it must be None.
    `terrain` is one of `bridge.worlds.TERRAINS`. With `regions` (1 to 16) players are dealt out to so many processes,
    in the order in which they connect, and meet only who is in the same; what happens depends on that number, and not
    on how many cores there are. Raises ValueError for another number.
    """

    name = "mock"
    capabilities = CAPABILITIES

    def __init__(
        self,
        seed: int,
        log_dir: Path,
        port: int | None = None,
        *,
        threaded: bool = True,
        terrain: str = FLAT,
        regions: int = 1,
    ) -> None:
        if port is not None:
            raise PrerequisiteError(f"port {port}: nobody can join the mock world; leave it out, or choose another one")
        self._settings: dict[str, Json] = {"seed": seed, "threaded": threaded, "terrain": terrain}
        log_file = log_dir / "mock.log"
        self._regions = Regions(regions, self._settings, log_file, self._hear, self._run_ended, self._reach)
        self._pacer = Pacer(self._advance, self._programs_run, self._event_quantum)
        self._streams: WeakSet[EventStream] = WeakSet()
        self._seq = itertools.count(1)
        self._programs = Programs(seed)
        self._looking: tuple[int, Look] | None = None
        self._run_numbers = itertools.count(1)
        self._runs: dict[int, asyncio.Future[Json]] = {}

    @property
    def address(self) -> Address | None:
        """None: nobody can join."""
        return None

    def trust(self) -> None:
        """The programs to come are the caller's own: `threaded=False`, for whoever has not made the world.

        Raises ValueError when the world is open already.
        """
        if self._regions.started:
            raise ValueError("the mock world is open: say before that its programs are trusted")
        self._settings["threaded"] = False

    @property
    def pid(self) -> int:
        """The process that the world lives in, its first region's; raises HostError when there is none."""
        return self.pids[0]

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes of all its regions; raises HostError when there are none."""
        return self._regions.pids

    async def __aenter__(self) -> Self:
        await self._regions.start()
        self._pacer.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        closed = HostError("the mock world is closed")
        await self._pacer.stop(closed)
        self._lose(closed)
        await self._regions.stop()
        for stream in list(self._streams):
            stream.end()

    async def command(self, text: str) -> str:
        """Run one vanilla command as the console; raises CommandError when it is refused."""
        async with self._holding():
            (reply,) = await self._regions.commands([text])
        return accepted(text, reply)

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run commands as the console, in their order and in one moment; each one's reply or refusal."""
        replies: list[str] = []
        async with self._holding():
            for start in range(0, len(texts), COMMANDS_AT_ONCE):
                replies += await self._regions.commands(texts[start : start + COMMANDS_AT_ONCE])
        return judged(texts, replies)

    async def connect(self, names: Sequence[str]) -> None:
        """Join one bot per name, in that order; a name that is there already stays."""
        async with self._holding():
            await self._regions.connect(names)

    async def disconnect(self, names: Sequence[str]) -> None:
        """Take the named bots out of the world; names that are not there are no error."""
        async with self._holding():
            await self._regions.ask_shares("disconnect", names)

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Run one program per bot; all start in the same tick; returns when all have ended.

        Cancelling the awaiting task cancels the programs of this run, and of no other. Raises ValueError for bots of
        different regions.
        """
        bounds = bounds_of(limits)
        if not policies:
            return {}
        run, programs, region = next(self._run_numbers), self._programs, self._regions.region_of(policies)
        numbers = programs.begin(policies)
        ended = self._runs[run] = asyncio.get_running_loop().create_future()
        try:
            async with self._holding():
                await region.ask("start", run=run, policies=programs.jobs(policies, numbers), limits=bounds)
            self._pacer.want()
            results: dict[str, Json] = await ended
        except BotLostError:
            programs.refused(numbers)
            raise
        except asyncio.CancelledError:
            await self._abandon(region, run)
            raise
        finally:
            del self._runs[run]
            programs.ended(numbers)
            if ended.done() and not ended.cancelled():
                ended.exception()  # who was told that the start failed needs no second word
        return {bot: result_of(results[bot]) for bot in policies}

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """Cancel running programs (all, or of the named bots); their results come back as CANCELLED."""
        async with self._holding():
            if names is None:
                await self._regions.ask_all("cancel", bots=None, run=None)
            else:
                await self._regions.ask_shares("cancel", names, run=None)

    async def observe(self, name: str) -> Observation:
        """The player's state now."""
        region = self._regions.region_of([name])
        held = region.held(name)
        if held is not None:
            return observation_of(held)
        async with self._holding():
            return observation_of(await region.ask("observe", bot=name))

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """What many bots are, have and see around them now, in one crossing; whoever is not there is missing."""
        foreseen = self._regions.foreseen(names, senses)
        if foreseen is not None:
            return foreseen
        async with self._holding():
            return await self._regions.sense(names, senses)

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """How far words carry to programs, by voice (say, shout), in blocks; None: everybody hears everything."""
        async with self._holding():
            await self._regions.ask_all("hearing", reach=None if reach is None else dict(reach))

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Say lines in the game's chat: bot, line, and whom it is whispered to (None: everybody)."""
        async with self._holding():
            await self._regions.speak(lines)

    def events(self) -> AsyncIterator[Event]:
        """Every event from this call on; any number of consumers, each with its own."""
        stream = EventStream()
        self._streams.add(stream)
        return stream

    async def renew(self, seed: int) -> None:
        """The same process with a world as new: what it does from here on is what a world opened with that seed does.

        Programs that run are cancelled, players are gone, and the clock stands at 0. Numbers of events go on.
        """
        async with self._holding():
            await self._regions.renew(seed)
        self._programs = Programs(seed)
        self._looking = None
        self._pacer.renew(HostError("the mock world was renewed while somebody waited for its clock"))

    async def now(self) -> int:
        """World age in ticks; raises HostError when the world is not open."""
        self._regions.check()
        return self._pacer.tick

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds of game time; the world stands still until the caller waits for it again."""
        await self._pacer.sleep_until(self._pacer.tick + max(1, ticks(seconds)))

    async def until(self, tick: int, look: Look | None = None) -> None:
        """Wait until the world is that old; what the caller senses then crosses with the time that has passed."""
        self._looking = None if look is None else (tick, look)
        await self._pacer.sleep_until(tick)

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        """The result of that work, exactly so many seconds of game time from now; the world lives on until then, and
        waits there for work that takes longer."""
        return await at_its_time(work, lambda gate: self._pacer.sleep_until(self._pacer.tick + ticks(seconds), gate))

    @asynccontextmanager
    async def standing_still(self) -> AsyncIterator[None]:
        """No time passes inside."""
        with self._pacer.hold():
            yield

    @asynccontextmanager
    async def _holding(self) -> AsyncIterator[None]:
        """Time stands still while a request is under way."""
        self._pacer.request_begins()
        try:
            yield
        finally:
            self._pacer.request_ends()

    def _programs_run(self) -> bool:
        return any(not ended.done() for ended in self._runs.values())

    def _event_quantum(self) -> int | None:
        return EVENT_QUANTUM if self._streams or self._regions.several else None

    async def _advance(self, until: int | None) -> int:
        look = self._looking[1] if self._looking is not None and self._looking[0] == until else None
        try:
            return await self._regions.advance(until, look)
        except HostError as error:
            self._lose(error)
            raise

    def _lose(self, error: HostError) -> None:
        """The process is gone, and every run with it."""
        for ended in self._runs.values():
            if not ended.done():
                ended.set_exception(HostError(str(error)))

    def _reach(self, tick: int) -> None:
        """Time has passed: whoever hears of what happened finds the clock where it stands now."""
        self._pacer.tick = tick

    def _run_ended(self, run: int, results: dict[str, Json]) -> None:
        """Whoever waits for that run is woken when nobody else works: what two of them do next must not mix."""
        ended = self._runs.get(run)
        if ended is None:
            return

        def wake() -> None:
            if not ended.done():
                ended.set_result(results)

        self._pacer.wake(wake)

    async def _abandon(self, region: Region, run: int) -> None:
        """The caller of a run has been cancelled: end its programs, whatever else happens."""
        cancel = asyncio.ensure_future(self._cancel(region, run))
        while not cancel.done():
            try:
                await asyncio.wait([cancel])
            except asyncio.CancelledError:
                continue

    async def _cancel(self, region: Region, run: int) -> None:
        async with self._holding():
            await region.ask("cancel", bots=None, run=run)

    def _hear(self, batch: list[dict[str, Json]]) -> None:
        for said in batch:
            self._programs.heard(said["kind"], said["data"])
            event = Event(seq=next(self._seq), kind=said["kind"], tick=said["tick"], data=said["data"])
            for stream in list(self._streams):
                stream.push(event)
