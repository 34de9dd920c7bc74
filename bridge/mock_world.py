"""The mock world: vanilla rules in memory, a virtual clock, no server; the same policies in the same isolates.

Time passes only while programs run or a task sleeps on the world's clock, as fast as the machine computes. The same
seed, commands and policies give the same events, byte for byte. Players out of each other's reach may be split among
several such worlds, each with a process and a clock of its own (`bridge/mock/regions.py`).
"""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, TypeVar
from weakref import WeakSet

from bridge.errors import BotLostError, CommandError, HostError
from bridge.fleet import EventStream
from bridge.land import SurveyPart
from bridge.mock.foresight import NOTHING, Foreseen, Look, StepQuestions
from bridge.mock.pacer import Pacer
from bridge.mock.process import MockProcess
from bridge.mock.senses import SenseView, Views
from bridge.pictures import PICTURES, PictureRequest, png_bytes
from bridge.program_counter import ProgramCounter
from bridge.servers.refusals import accepted, judged
from bridge.types import NEARBY, Address, BotObservation, Event, Limits, PolicyResult, Sensed, Senses
from bridge.wire import Json, bounds_of, observation_of, result_of
from bridge.worlds import FLAT, REGIONS, SURVIVAL_TERRAIN
from common.errors import PrerequisiteError
from common.timing import at_its_time

TICKS_PER_SECOND = 20
EVENT_QUANTUM = 20
"""Maximum ticks between two turns of the consumers of `events()`: a second of game time."""
COMMANDS_AT_ONCE = 1000
"""Maximum commands of one request, so that its time does not look like a dead process."""
_SERVES = ("chests", "scoreboard", "spectators", "signals", "virtual-clock", "deterministic", "renewable", "trusting")
CAPABILITIES = frozenset({*_SERVES, SURVIVAL_TERRAIN, REGIONS, PICTURES})


T = TypeVar("T")


class Listener(Protocol):
    """A consumer that receives events immediately."""

    def push(self, event: Event) -> None:
        """Receive an event."""


def ticks(seconds: float) -> int:
    """Return game time in ticks. Raises ValueError for an invalid time."""
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError(f"seconds is {seconds}: give a number of at least 0")
    return round(seconds * TICKS_PER_SECOND)


class MockWorld:
    """A world in memory (see `bridge.worlds.World`), which no client can join.

    `threaded` gives each program a thread of its own, so that a program that eats memory or spins harms only itself;
    otherwise programs must be trusted and run many times as fast. `port` is for other worlds; here it must be None.
    `terrain` is one of `bridge.worlds.TERRAINS`. `region` is the number of a region, from 0, and the number of regions.
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
        region: tuple[int, int] = (0, 1),
    ) -> None:
        if port is not None:
            raise PrerequisiteError(f"port {port}: nobody can join the mock world; leave it out, or choose another one")
        number, count = region
        where = {"number": number, "count": count}
        self._settings: dict[str, Json] = {"seed": seed, "threaded": threaded, "terrain": terrain, "region": where}
        self._log_file = log_dir / "mock.log"
        self._process = MockProcess(self._settings, self._log_file, self._hear, self._run_ended, self._reach)
        self._pacer = Pacer(self._advance, self._programs_run, self._event_quantum)
        self._streams: WeakSet[EventStream] = WeakSet()
        self._listeners: list[Listener] = []
        self._seq = itertools.count(1)
        self._programs = ProgramCounter(seed)
        self._views = Views()
        self._foreseen = NOTHING
        self._questions = StepQuestions()
        self._looking: tuple[int, Look] | None = None
        self._run_numbers = itertools.count(1)
        self._runs: dict[int, asyncio.Future[Json]] = {}

    @property
    def address(self) -> Address | None:
        """None, since no client can join."""
        return None

    def trust(self) -> None:
        """Declare the following programs trusted (`threaded=False`), for callers that did not create the world.

        Raises ValueError if the world is already open.
        """
        if self._process.started:
            raise ValueError("the mock world is open: say before that its programs are trusted")
        self._settings["threaded"] = False

    @property
    def pid(self) -> int:
        """Id of the world's process; raises HostError if there is none."""
        return self._process.pid

    async def __aenter__(self) -> Self:
        await self._process.start()
        self._pacer.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        closed = HostError("the mock world is closed")
        await self._pacer.stop(closed)
        self._lose(closed)
        await self._process.stop()
        for stream in list(self._streams):
            stream.end()

    async def command(self, text: str) -> str:
        """Run one vanilla command as the console; raises CommandError when it is refused."""
        (reply,) = await self._replies([text])
        return accepted(text, reply)

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run commands as the console, in order and at one moment; return the reply or refusal of each."""
        return judged(texts, await self._replies(texts))

    async def _replies(self, texts: Sequence[str]) -> list[str]:
        """Return the console's reply to each command; at once if all came with the last advance."""
        self._questions.note(texts)
        foreseen = self._foreseen
        if foreseen.number == self._process.asked and all(text in foreseen.replies for text in texts):
            return [foreseen.replies[text] for text in texts]
        replies: list[str] = []
        async with self._holding():
            for start in range(0, len(texts), COMMANDS_AT_ONCE):
                replies += await self._process.ask("commands", texts=list(texts[start : start + COMMANDS_AT_ONCE]))
        return replies

    async def connect(self, names: Sequence[str]) -> None:
        """Connect one bot per name, in order; connected ones stay."""
        await self._ask("connect", bots=list(names))

    async def disconnect(self, names: Sequence[str]) -> None:
        """Disconnect the named bots; unknown names are ignored."""
        await self._ask("disconnect", bots=list(names))

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Run one program per bot, all from the same tick, and return when all have ended.

        Cancelling the awaiting task cancels the programs of this run, and of no other.
        """
        bounds = bounds_of(limits)
        if not policies:
            return {}
        run, programs = next(self._run_numbers), self._programs
        numbers = programs.begin(policies)
        ended = self._runs[run] = asyncio.get_running_loop().create_future()
        try:
            await self._ask("start", run=run, policies=programs.jobs(policies, numbers), limits=bounds)
            self._pacer.want()
            results: dict[str, Json] = await ended
        except BotLostError:
            programs.refused(numbers)
            raise
        except asyncio.CancelledError:
            await self._abandon(run)
            raise
        finally:
            del self._runs[run]
            programs.ended(numbers)
            if ended.done() and not ended.cancelled():
                ended.exception()  # who was told that the start failed needs no second word
        return {bot: result_of(results[bot]) for bot in policies}

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """Cancel running programs (all, or of the named bots); their results come back as CANCELLED."""
        await self._ask("cancel", bots=None if names is None else list(names), run=None)

    async def observe(self, name: str) -> BotObservation:
        """Return the player's state now."""
        if name in self._foreseen.held and self._foreseen.number == self._process.asked:
            return observation_of(self._foreseen.held[name])
        return observation_of(await self._ask("observe", bot=name))

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """Return state, items and surroundings of many bots in one request; bots outside the world are left out."""
        foreseen = self._foreseen
        if foreseen.found is not None and foreseen.look == (names, senses) and foreseen.number == self._process.asked:
            return dict(foreseen.found)
        view = self._views.of(senses)
        while True:
            found = view.apply_changes(names, await self._ask("sense", **view.fields(names)))
            if found is not None:
                return found

    async def picture(self, request: PictureRequest) -> bytes:
        """Return what a player sees now, or its surroundings from above, as a PNG file.

        Raises BridgeError for an unknown player or an illegal request.
        """
        return png_bytes(await self._ask("picture", **request.fields()))

    async def survey(self, part: SurveyPart, **fields: Json) -> Json:
        """Return a part of the land as data for a viewer; see `bridge.land`. Raises BridgeError if it is refused."""
        return await self._ask("survey", part=part, **fields)

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """Set the hearing distance of programs by voice (say, shout), in blocks; None lets all hear everything."""
        await self._ask("hearing", reach=None if reach is None else dict(reach))

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Say lines in the game's chat: (bot, line, recipient of a whisper or None)."""
        number = self._process.asked
        await self._ask("speak", lines=[list(each) for each in lines])
        self._keep_foreseen(number)

    def events(self) -> AsyncIterator[Event]:
        """Return a stream of all events from this call on; each consumer has its own."""
        stream = EventStream()
        self._streams.add(stream)
        return stream

    def listen(self, listener: Listener) -> None:
        """Pass all events from now on to a listener, before the consumers of `events`."""
        self._listeners.append(listener)

    async def renew(self, seed: int) -> None:
        """Renew the world in the same process, so that it behaves like a world just opened with this seed.

        Running programs are cancelled, players removed, and the clock is set to 0. Event numbers continue.
        """
        if (await self._ask("renew", seed=seed))["worn"]:
            await self._restart(seed)
        self._programs = ProgramCounter(seed)
        self._views = Views()
        self._foreseen, self._questions, self._looking = NOTHING, StepQuestions(), None
        self._pacer.renew(HostError("the mock world was renewed while somebody waited for its clock"))

    async def _restart(self, seed: int) -> None:
        """Start another process, since the old one holds a thread or memory of a program that cannot be freed."""
        await self._process.stop()
        self._settings["seed"] = seed
        self._process = MockProcess(self._settings, self._log_file, self._hear, self._run_ended, self._reach)
        await self._process.start()

    def check(self) -> None:
        """Raise HostError if the world is not open, or lost."""
        self._process.check()

    @property
    def tick(self) -> int:
        """World age in ticks, also of a lost world."""
        return self._pacer.tick

    async def now(self) -> int:
        """Return the world's age in ticks. Raises HostError if the world is not open."""
        self.check()
        return self.tick

    async def sleep(self, seconds: float) -> None:
        """Wait some seconds of game time; afterwards time stands still until the caller waits again."""
        await self._pacer.sleep_until(self._pacer.tick + max(1, ticks(seconds)))

    async def until(self, tick: int, look: Look | None = None) -> None:
        """Wait until the world is that old; what the caller senses then crosses with the time that has passed."""
        self._looking = None if look is None else (tick, look)
        await self._pacer.sleep_until(tick)

    def run_ahead(self, tick: int, look: Look | None = None) -> None:
        """Let time pass now to that tick, or to the first at which a task wakes, while tasks still work."""
        wake = self._pacer.next_wake
        until = tick if wake is None else min(tick, wake)
        if self._pacer.passes or until <= self.tick:
            return
        self._looking = None if look is None else (tick, look)
        self._questions.take()
        view, fields = self._coming_look(until)
        number = self._process.asked
        answer = self._process.run_ahead(until=until, **fields)
        self._keep_foreseen(number)

        async def catch_up() -> int:
            self._process.catch_up()
            value = await self._told(answer)
            # What was asked meanwhile is carried out after the look, and shows in the next.
            return self._foresee(self._process.asked, value, view, ())

        self._pacer.run_ahead(catch_up)

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        """Return the result of that work, exactly so many seconds of game time from now; the world lives on until
        then, and waits there for work that takes longer."""
        return await at_its_time(work, lambda gate: self._pacer.sleep_until(self._pacer.tick + ticks(seconds), gate))

    @asynccontextmanager
    async def standing_still(self) -> AsyncIterator[None]:
        """Return no time passes inside."""
        with self._pacer.hold():
            yield

    async def _ask(self, verb: str, **fields: Json) -> Json:
        self._questions.close()
        async with self._holding():
            return await self._process.ask(verb, **fields)

    @asynccontextmanager
    async def _holding(self) -> AsyncIterator[None]:
        """Hold the world's clock while a request is under way."""
        self._pacer.request_begins()
        try:
            yield
        finally:
            self._pacer.request_ends()

    def _programs_run(self) -> bool:
        return any(not ended.done() for ended in self._runs.values())

    def _event_quantum(self) -> int | None:
        return EVENT_QUANTUM if self._streams or self._listeners else None

    async def _advance(self, until: int | None) -> int:
        view, fields = self._coming_look(until)
        questions = self._questions.take() if until == self._pacer.next_wake else []
        if questions:
            fields["questions"] = questions
        number = self._process.asked + 1
        value = await self._told(self._process.ask("advance", until=until, **fields))
        return self._foresee(number, value, view, questions)

    def _coming_look(self, until: int | None) -> tuple[tuple[SenseView, Look] | None, dict[str, Json]]:
        """Return the look at that tick, if one comes, and the fields of a request that crosses with it."""
        if self._looking is None or self._looking[0] != until:
            return None, {}
        look = self._looking[1]
        view = self._views.of(look[1])
        return (view, look), {"look": view.fields(look[0])}

    async def _told(self, answer: Awaitable[Json]) -> Json:
        try:
            return await answer
        except HostError as error:
            self._lose(error)
            raise

    def _foresee(
        self, number: int, value: Json, coming: tuple[SenseView, Look] | None, questions: Sequence[str]
    ) -> int:
        """Keep what came with the end of an advance, and return the tick reached."""
        if isinstance(value, int):
            return value
        view, look = coming or (None, None)
        news = value["look"]
        found = None if look is None or view is None or news is None else view.apply_changes(look[0], news)
        replies = dict(zip(questions, value["replies"], strict=False))  # none if the advance ended early
        self._foreseen = Foreseen(number, value["held"], look, found, replies)
        return int(value["age"])

    def _keep_foreseen(self, number: int) -> None:
        """Let what holds before request `number` + 1 hold after it too, since that request changes none of it."""
        if self._foreseen.number == number:
            self._foreseen = replace(self._foreseen, number=number + 1)

    def _lose(self, error: HostError) -> None:
        """The process is gone, and every run with it."""
        for ended in self._runs.values():
            if not ended.done():
                ended.set_exception(HostError(str(error)))

    def _reach(self, tick: int) -> None:
        """Time has passed: whoever hears of what happened finds the clock where it stands now."""
        self._pacer.tick = tick

    def _run_ended(self, run: int, results: dict[str, Json]) -> None:
        """Wake the waiter of an ended run once no other task works, so that the actions of two waiters do not
        interleave."""
        ended = self._runs.get(run)
        if ended is None:
            return

        def wake() -> None:
            if not ended.done():
                ended.set_result(results)

        self._pacer.wake(wake)

    async def _abandon(self, run: int) -> None:
        """The caller of a run has been cancelled: end its programs, whatever else happens."""
        cancel = asyncio.ensure_future(self._ask("cancel", bots=None, run=run))
        while not cancel.done():
            try:
                await asyncio.wait([cancel])
            except asyncio.CancelledError:
                continue

    def _hear(self, batch: list[dict[str, Json]]) -> None:
        hearers = (*self._listeners, *self._streams)
        for said in batch:
            self._programs.heard(said["kind"], said["data"])
            event = Event(seq=next(self._seq), kind=said["kind"], tick=said["tick"], data=said["data"])
            for hearer in hearers:
                hearer.push(event)
