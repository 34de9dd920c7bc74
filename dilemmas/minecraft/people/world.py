"""A world in which some players are people: everything that a `World` does, with them in their places.

Bots are bots as before. Of a person the server tells what there is to know, by vanilla commands: a person's state is
what `data get entity` says, its program is its own doing until it says so or the time is up. Commands wait for people
who are away; the world stands still meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from math import dist
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

from bridge.errors import BotLostError, BridgeError, CommandError
from bridge.fleet import EventStream
from bridge.types import NEARBY, BotObservation, Event, Limits, Place, PolicyResult, ProgramOutcome, Sensed, Senses
from bridge.worlds import OneOfMany, World
from dilemmas.minecraft.people.body import body_of
from dilemmas.minecraft.people.human_session import HumanPlayers, HumanSession, State
from dilemmas.minecraft.people.telling import lines_for
from voyager_agents.person import ChatLine

LOOK_S = 1.0
"""Wall time between two looks at who is there."""
_ONLINE = re.compile(r"online:\s*(.*)$", re.DOTALL)
_QUESTION = re.compile(
    r"(?:execute as @a\[[^\]]*\] run )?(?:data get |scoreboard players (?:get|list) |clear \S+ \S+ 0$)"
)
_COUNT = re.compile(r"has (\d+) ")
LEFT = "accord_left"
"""Scoreboard objective that counts how often a player has left: who is back at once is noticed by it."""
SHOUT = "!"


class PeopledWorld(OneOfMany):
    """See the module's head; what is not here is the inner world's."""

    def __init__(self, inner: World, people: HumanPlayers) -> None:
        self._inner = inner
        self._people = people
        self._desks = people.desks
        self._streams: WeakSet[EventStream] = WeakSet()
        self._tasks: list[asyncio.Task[None]] = []
        self._all_here = asyncio.Event()
        self._still = contextlib.AsyncExitStack()
        self._frozen = False
        self._begun = asyncio.Event()
        """Whether the bots of an episode have begun."""
        self._seeing = asyncio.Lock()
        self._awaited = False
        """Whether anybody has been asked to join: before that nothing waits."""
        self._reach: Mapping[str, float] | None = None
        self._at: dict[str, Place] = {}
        self._seq = 0
        people.world = self

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the inner world has
        return getattr(self._inner, name)

    async def __aenter__(self) -> Self:
        for desk in self._desks.values():
            desk.here = desk.known = False
        await self._inner.__aenter__()
        try:
            await self._let_in()
        except BaseException as error:
            await self._inner.__aexit__(type(error), error, error.__traceback__)
            raise
        events = self._inner.events()
        self._tasks = [
            asyncio.create_task(self._listen(events), name="words of people"),
            asyncio.create_task(self._watch(), name="who is there"),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(BridgeError):
            await self._freeze(wanted=False)
        await self._inner.__aexit__(kind, error, trace)

    def events(self) -> EventStream:
        """Every event from now on, those of people included."""
        stream = EventStream()
        self._streams.add(stream)
        return stream

    async def connect(self, names: Sequence[str]) -> None:
        """Bots join; people are waited for."""
        await self._inner.connect([name for name in names if name not in self._desks])
        self._awaited = True
        for name, desk in self._desks.items():
            if not desk.here:
                address = self._inner.address
                where = f"join {address} with Minecraft {address.version}" if address else "join"
                self._people.tell_of(name, "awaited", f"{where} as {name} within {self._people.wait_s:g} s")
        await self._present()

    async def _let_in(self) -> None:
        """Before anybody hears where the world is: who comes at once finds the door open."""
        # Refused where the server stays up and has it from an earlier study: then it counts on.
        # Paper lets in only whom it knows, and bots are named by the fleet: people are named here.
        asked = [f"scoreboard objectives add {LEFT} minecraft.custom:minecraft.leave_game"]
        await self._inner.commands([*asked, *(f"whitelist add {name}" for name in self._desks)])

    async def disconnect(self, names: Sequence[str]) -> None:
        """Bots leave; people stay."""
        await self._inner.disconnect([name for name in names if name not in self._desks])

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """As the console; waits for people who are away.

        What was asked, or refused, while somebody was away is asked again when all are back.
        """
        if not texts:
            return []
        await self._present()
        told, *replies = await self._inner.commands(["list", *texts])
        await self._saw(told)
        if self._all_here.is_set() or not self._awaited:
            return replies
        again = [n for n, reply in enumerate(replies) if isinstance(reply, CommandError) or _QUESTION.match(texts[n])]
        for number, reply in zip(again, await self.commands([texts[n] for n in again]), strict=True):
            replies[number] = reply
        return replies

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Bots run their programs; people play until they say that they are done, at most as long."""
        people = [self._desks[name] for name in policies if name in self._desks]
        bots = {name: source for name, source in policies.items() if name not in self._desks}
        if not people:
            return await self._inner.run(bots, limits)
        for desk in people:
            desk.done.clear()
            desk.playing = True
        self._begun = asyncio.Event()
        work = [asyncio.create_task(self._inner.run(bots, limits))] if bots else []
        if not bots:
            self._begun.set()
        turns = [asyncio.create_task(self._turn(desk, limits)) for desk in people]
        try:
            played = {result.bot: result for result in await _all(turns, work)}
            found: dict[str, PolicyResult] = work[0].result() if work else {}
        finally:
            for desk in people:
                desk.playing = False
        starts = [each.started_tick for each in found.values() if each.started_tick is not None]
        began = starts[0] if starts else min(each.started_tick or 0 for each in played.values())
        return {name: found[name] if name in found else replace(played[name], started_tick=began) for name in policies}

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """End programs; a person's turn ends, too."""
        for name, desk in self._desks.items():
            if desk.playing and (names is None or name in names):
                desk.playing = False
                desk.done.set()
        await self._inner.cancel(None if names is None else [name for name in names if name not in self._desks])

    async def observe(self, name: str) -> BotObservation:
        """A player's state now. Raises BotLostError for a person who is away."""
        if name not in self._desks:
            return await self._inner.observe(name)
        found = (await self._felt([name])).get(name)
        if found is None:
            raise BotLostError(f"{name} is not in the world")
        return BotObservation(
            name, found.position, found.health, found.food, found.items, found.held, found.gamemode, found.tick
        )

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """What bots sense, and the state of people; who is away is missing."""
        bots = [name for name in names if name not in self._desks]
        found = await self._inner.sense(bots, senses) if bots else {}
        people = [name for name in names if name in self._desks]
        if people:
            found = {**found, **await self._felt(people)}
        self._at = {name: each.position for name, each in found.items()}
        return {name: found[name] for name in names if name in found}

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """How far words carry, to programs and to people's screens."""
        self._reach = reach
        await self._inner.hearing(reach)

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Bots say lines. What no person is near enough to hear does not go through the game's chat, which has no
        distance; people's own lines were in it already."""
        open_lines: list[tuple[str, str, str | None]] = []
        for speaker, line, to in lines:
            near = [name for name in self._desks if self._hears(name, speaker, line)]
            if speaker in self._desks:
                continue
            if to is not None or len(near) == len(self._desks):
                open_lines.append((speaker, line, to))
                continue
            self._push("chat", {"from": speaker, "text": line})
            for name in near:
                await self._inner.commands(lines_for(name, f"<{speaker}> {line}"))
        await self._inner.speak(open_lines)

    def _hears(self, person: str, speaker: str, line: str) -> bool:
        if self._reach is None:
            return True
        here, there = self._at.get(person), self._at.get(speaker)
        reach = self._reach["shout" if line.startswith(SHOUT) else "say"]
        return here is not None and there is not None and dist(here, there) <= reach

    async def _felt(self, names: Sequence[str]) -> dict[str, Sensed]:
        tick = await self._inner.now()
        replies = await self._inner.commands([f"data get entity {name}" for name in names])
        told = [(name, reply) for name, reply in zip(names, replies, strict=True) if isinstance(reply, str)]
        return {name: body_of(name, reply, tick) for name, reply in told}

    async def _turn(self, desk: HumanSession, limits: Limits) -> PolicyResult:
        """A person's part of an episode, from when the bots' programs have started."""
        await self._begun.wait()
        began = await self._inner.now()
        self._push("policy", {"bot": desk.name, "state": "started", "result": None}, began)
        up = asyncio.ensure_future(self._inner.sleep(limits.wall_s))
        done = asyncio.ensure_future(desk.done.wait())
        try:
            await asyncio.wait({up, done}, return_when=asyncio.FIRST_COMPLETED)
            if up.done():
                up.result()
        finally:
            await _stopped(up, done)
        said = desk.done.is_set() and desk.playing
        outcome = (
            ProgramOutcome.RETURNED
            if said
            else ProgramOutcome.CANCELLED
            if desk.done.is_set()
            else ProgramOutcome.TIMEOUT
        )
        ended = await self._inner.now()
        if said:
            self._people.tell_of(desk.name, "done")
        result = {"outcome": str(outcome), "started_tick": began, "ended_tick": ended}
        self._push("policy", {"bot": desk.name, "state": "ended", "result": result}, ended)
        return PolicyResult(desk.name, outcome, None, (ended - began) * 50.0, 0.0, began, ended)

    def _push(self, kind: str, data: dict[str, Any], tick: int | None = None) -> None:
        self._seq += 1
        for stream in list(self._streams):
            stream.push(Event(self._seq, kind, tick, data))

    async def _listen(self, events: AsyncIterator[Event]) -> None:
        """Hand on what happens, and take down what people say."""
        try:
            async for event in events:
                if event.kind == "chat" and (desk := self._desks.get(str(event.data.get("from")))) is not None:
                    desk.said(ChatLine(str(event.data.get("text")), str(event.data.get("to") or "")))
                self._push(event.kind, event.data, event.tick)
                if event.kind == "policy":
                    self._begun.set()
        finally:
            for stream in list(self._streams):
                stream.end()

    async def _watch(self) -> None:
        """Look who is there, again and again; a server that is lost is told of by whatever is done in it next."""
        while True:
            counts = [f"scoreboard players get {name} {LEFT}" for name in self._desks]
            told, *left = await self._inner.commands(["list", *counts])
            await self._count(left)
            await self._saw(told)
            await self._people.pause(LOOK_S)

    async def _count(self, left: Sequence[str | CommandError]) -> None:
        """How often each has left by now: who did, and is there, was away in between."""
        for desk, reply in zip(self._desks.values(), left, strict=True):
            found = None if isinstance(reply, CommandError) else _COUNT.search(reply)
            count = int(found[1]) if found else 0
            async with self._seeing:
                if count > desk.left and desk.here:
                    await self._moved(desk, here=False)
            desk.left = count

    async def _present(self) -> None:
        """Return when all people are there. Raises PrerequisiteError when one stays away."""
        if self._all_here.is_set() or not self._awaited:
            return
        away = ", ".join(name for name, desk in self._desks.items() if not desk.here)
        here = asyncio.ensure_future(self._all_here.wait())
        try:
            await self._people.within(
                asyncio.wait({here, self._tasks[1]}, return_when=asyncio.FIRST_COMPLETED),
                f"{away} has not been in the world",
            )
        finally:
            here.cancel()
        if not self._all_here.is_set():
            self._tasks[1].result()  # the server is lost

    async def _saw(self, told: str | CommandError) -> None:
        """The server's list of who is there: note who came and went, and let time stand still while one is away."""
        found = None if isinstance(told, CommandError) else _ONLINE.search(told)
        if found is None:
            return
        async with self._seeing:
            names = {name.strip() for name in found[1].split(",")}
            for name, desk in self._desks.items():
                if (name in names) != desk.here:
                    await self._moved(desk, here=name in names)
            await self._freeze(wanted=any(desk.known and not desk.here for desk in self._desks.values()))
            if all(desk.here for desk in self._desks.values()):
                self._all_here.set()
            else:
                self._all_here.clear()

    async def _moved(self, desk: HumanSession, *, here: bool) -> None:
        desk.here = here
        state: State = ("back" if desk.known else "joined") if here else "left"
        self._people.tell_of(desk.name, state)
        desk.known = True
        if here:
            texts = lines_for(desk.name, self._people.welcome(desk.name))
            if state == "joined":
                texts = [f"gamemode adventure {desk.name}", *texts, *self._people.books_of(desk.name)]
            await self._inner.commands(texts)

    async def _freeze(self, *, wanted: bool) -> None:
        """Let time stand still, or go on."""
        if wanted and not self._frozen:
            await self._still.enter_async_context(self._inner.standing_still())
        elif self._frozen and not wanted:
            await self._still.aclose()
        self._frozen = wanted


async def _all(turns: Sequence[asyncio.Task[PolicyResult]], work: Sequence[asyncio.Task[Any]]) -> list[PolicyResult]:
    """What came of the turns, when all is over; the first error of any ends the others."""
    tasks: list[asyncio.Task[Any]] = [*turns, *work]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        raise
    return [task.result() for task in turns]


async def _stopped(*futures: asyncio.Future[Any]) -> None:
    for future in futures:
        future.cancel()
    await asyncio.gather(*futures, return_exceptions=True)
