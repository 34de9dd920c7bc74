"""A world's bots: join, play, look, leave; over the supervisor, for asyncio."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self
from weakref import WeakSet

from bridge.confinement import Confinement, confinement
from bridge.errors import BotLostError, HostError
from bridge.pictures import PictureRequest, png_bytes
from bridge.program_counter import ProgramCounter
from bridge.supervisor import Supervisor, shared_supervisor
from bridge.types import NEARBY, Address, BodiesAddress, BotObservation, Event, Limits, PolicyResult, Sensed, Senses
from bridge.wire import Json, bounds_of, observation_of, result_of, sensed_of, senses_of
from bridge.worlds import ENGINE, MINEFLAYER

MAX_WAITING = 65_536
"""Maximum events kept for a slow consumer; one more ends its stream."""

BODIES_PER_HOST = 50
"""Maximum players of a host that runs programs only, without clients."""

_numbers = itertools.count(1)


class EventStream:
    """Events since its creation, in order, until the fleet closes.

    A consumer that lags by more than `MAX_WAITING` events gets HostError instead of a silent gap.
    """

    def __init__(self) -> None:
        self._waiting: deque[Event] = deque()
        self._more = asyncio.Event()
        self._ended = False
        self._overflow = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        while not self._waiting:
            if self._overflow:
                raise HostError(f"more than {MAX_WAITING} events were waiting: read events() without long pauses")
            if self._ended:
                raise StopAsyncIteration
            self._more.clear()
            await self._more.wait()
        return self._waiting.popleft()

    async def aclose(self) -> None:
        """Stop receiving."""
        self.end()
        self._waiting.clear()

    def push(self, event: Event) -> None:
        """Add one event (by the fleet)."""
        if self._ended:
            return
        if len(self._waiting) >= MAX_WAITING:
            self._overflow = True
            self._waiting.clear()
            self._ended = True
        else:
            self._waiting.append(event)
        self._more.set()

    def end(self) -> None:
        """Mark the end of the events (by the fleet)."""
        self._ended = True
        self._more.set()


class Fleet:
    """The bots of one world, independent of the kind of server.

    Every method raises HostError when the supervisor or all hosts are lost, BotLostError when a bot is.
    `seed` drives the random numbers of the programs; `host_rss_mb` bounds the memory of a bot host. `host_script`
    replaces the host's program and `confined` its confinement (tests). `bodies` says what moves the players: clients in
    the hosts, or the server, in which case hosts run programs only.
    """

    def __init__(
        self,
        supervisor: Supervisor | None = None,
        *,
        seed: int = 0,
        host_rss_mb: int | None = None,
        host_script: Path | None = None,
        confined: Confinement | None = None,
        bodies: str = MINEFLAYER,
    ) -> None:
        self.name = f"f{os.getpid()}-{next(_numbers)}"
        self._supervisor = supervisor if supervisor is not None else shared_supervisor()
        self._hosts: dict[str, Json] = {
            "rss_mb": host_rss_mb,
            "script": None if host_script is None else str(host_script),
        }
        self._engine = bodies == ENGINE
        if self._engine:
            self._hosts |= {"bodies": ENGINE, "bots_per_host": BODIES_PER_HOST}
        self._script = host_script
        self._confinement = confined
        self._programs = ProgramCounter(seed)
        self._streams: WeakSet[EventStream] = WeakSet()
        self._seq = itertools.count(1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._address: Address | None = None
        self._bodies_address: BodiesAddress | None = None
        self._bots: set[str] = set()

    @property
    def bots(self) -> frozenset[str]:
        """Bots known to be in the world now."""
        return frozenset(self._bots)

    def separate(self) -> None:
        """Give each bot that connects from now on a host process of its own."""
        self._hosts["bots_per_host"] = 1

    async def open(self) -> None:
        """Start a first bot host; may run while the server starts."""
        self._loop = asyncio.get_running_loop()
        self._supervisor.listen(self.name, self._hear)
        if self._confinement is None:
            self._confinement = await asyncio.to_thread(confinement, self._script)
        found = self._confinement
        self._hosts["confinement"] = {"command": found.command, "network": found.own_network}
        await self._job("open", **self._hosts)

    async def close(self) -> None:
        """Disconnect all bots and end all hosts."""
        try:
            await self._job("release")
        finally:
            self._supervisor.unlisten(self.name)
            for stream in list(self._streams):
                stream.end()
            self._bots.clear()

    def use(self, address: Address, bodies_address: BodiesAddress | None = None) -> None:
        """Connect bots to this server from now on; engine bodies connect to `bodies_address`."""
        self._address = address
        self._bodies_address = bodies_address

    async def connect(self, names: Sequence[str]) -> None:
        """Connect one bot per name, a few at a time, and return once each stands in the loaded world.

        Bots that are already connected stay. Raises HostError if the fleet is not open.
        """
        if self._address is None:
            raise HostError("the fleet has no server to connect to")
        if self._engine and self._bodies_address is None:
            raise HostError("the server accepts no engine bodies: start it with bodies='engine'")
        bodies_address = self._bodies_address if self._engine else None
        spec: dict[str, Json] = {
            "host": self._address.host,
            "port": self._address.port if bodies_address is None else bodies_address.port,
            "version": self._address.version,
            "secret": None if bodies_address is None else bodies_address.secret,
            **self._hosts,  # a new supervisor does not know them
        }
        await self._job("connect", bots=list(names), **spec)

    async def disconnect(self, names: Sequence[str]) -> None:
        """Disconnect the named bots; unknown names are ignored."""
        await self._job("disconnect", bots=list(names))

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Run one program per bot, all from the same tick, and return when all have ended and their bots are quiet.

        Cancelling the awaiting task cancels the programs of this run and waits until their bots are quiet.
        """
        bounds = bounds_of(limits)
        if not policies:
            return {}
        numbers = self._programs.begin(policies)
        programs = self._programs.jobs(policies, numbers)
        future = self._supervisor.submit({"type": "run", "fleet": self.name, "policies": programs, "limits": bounds})
        ended = asyncio.wrap_future(future)
        try:
            value: dict[str, Json] = await asyncio.shield(ended)
        except asyncio.CancelledError:
            self._supervisor.cancel(future)
            await _settled(ended)
            raise
        except BotLostError:
            self._programs.refused(numbers)
            raise
        finally:
            self._programs.ended(numbers)
        return {bot: result_of(value[bot]) for bot in policies}

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """Cancel running programs (all, or of the named bots) and return when their bots are quiet."""
        await self._job("stop", bots=None if names is None else list(names))

    async def observe(self, name: str) -> BotObservation:
        """Return the player's state now."""
        return observation_of(await self._job("observe", bot=name))

    async def picture(self, request: PictureRequest) -> bytes:
        """Return what a bot sees, drawn from what the server has sent to it, as a PNG file.

        Raises BridgeError for an illegal request.
        """
        fields = request.fields()
        return png_bytes(await self._job("picture", bot=fields.pop("player"), request=fields))

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """Return state, items and surroundings of many bots, in one job; bots outside the world are left out."""
        said = await self._job("sense", bots=list(names), senses=senses_of(senses))
        return {each["name"]: sensed_of(each) for each in said}

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """Set the hearing distance of programs by voice (say, shout), in blocks; None lets all hear everything."""
        await self._job("hearing", reach=None if reach is None else dict(reach))

    async def stand(self, still: bool) -> None:
        """Freeze or resume time for players and their programs; frozen time counts against none of their limits.

        Cancelling a program lets time pass until it has ended.
        """
        await self._job("stand", still=still)

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Say lines in the game's chat, in one job; bots outside the world say nothing."""
        await self._job("speak", lines=[list(each) for each in lines])

    def events(self) -> EventStream:
        """Return a stream of all events from this call on; each consumer has its own."""
        stream = EventStream()
        self._streams.add(stream)
        return stream

    async def echo(self) -> None:
        """Return a value after one round trip to the supervisor."""
        await self._job("echo")

    async def stats(self) -> dict[str, Json]:
        """Return hosts with pid, rss (bytes), cpu_ms and bots, and the supervisor with pid, rss and Node's version."""
        said: dict[str, Json] = await self._job("stats")
        return said

    async def examine(self) -> list[dict[str, Json]]:
        """Return each host's self-examination: changed built-ins, listeners per bot, open resources, heap."""
        said: list[dict[str, Json]] = await self._job("examine")
        return said

    async def _job(self, kind: str, **fields: Json) -> Json:
        given = {key: value for key, value in fields.items() if value is not None or key == "bots"}
        return await asyncio.wrap_future(self._supervisor.submit({"type": kind, "fleet": self.name, **given}))

    def _hear(self, batch: list[dict[str, Json]]) -> None:
        """Hand a batch from the supervisor's thread to the event loop."""
        if self._loop is None or self._loop.is_closed():
            self._supervisor.unlisten(self.name)
            return
        self._loop.call_soon_threadsafe(self._ingest, batch)

    def _ingest(self, batch: list[dict[str, Json]]) -> None:
        for said in batch:
            self._programs.heard(said["kind"], said["data"])
            self._note(said["kind"], said["data"])
            event = Event(seq=next(self._seq), kind=said["kind"], tick=said["tick"], data=said["data"])
            for stream in list(self._streams):
                stream.push(event)

    def _note(self, kind: str, data: dict[str, Json]) -> None:
        """Track the bots in the world."""
        if kind == "bot" and data["state"] == "spawned":
            self._bots.add(data["bot"])
        elif kind == "bot" and data["state"] == "ended":
            self._bots.discard(data["bot"])
        elif kind == "host" and data["host"] == "supervisor" and data["state"] == "lost":
            self._bots.clear()


async def _settled(future: asyncio.Future[Json]) -> None:
    """Wait until the future is done even if the waiting task is cancelled meanwhile."""
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError:
            continue
    if not future.cancelled():
        future.exception()  # it was cancelled by us: what it says is not news
