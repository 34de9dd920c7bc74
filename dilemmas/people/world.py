"""World with human players, which offers everything that a `World` does.

Bots behave as before. A person's state is what `data get entity` reports, and its program is its own play until it says
that it is done or time is up. Commands wait for absent people, and the world stands still meanwhile.
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
from dilemmas.people.body import body_of
from dilemmas.people.human_session import HumanPlayers, HumanSession
from dilemmas.people.screen_text import lines_for
from voyager_agents.human.connection import ChatLine

LOOK_S = 1.0
"""Interval between two checks of who is online, in seconds of wall time."""
_ONLINE = re.compile(r"online:\s*(.*)$", re.DOTALL)
_QUESTION = re.compile(
    r"(?:execute as @a\[[^\]]*\] run )?(?:data get |scoreboard players (?:get|list) |clear \S+ \S+ 0$)"
)
_COUNT = re.compile(r"has (\d+) ")
LEFT = "accord_left"
"""Scoreboard objective that counts a player's departures; it reveals a person that left and rejoined at once."""
SHOUT = "!"


class PeopledWorld(OneOfMany):
    """Wrapper of a world with human players; other attributes are the inner world's."""

    on_pages = False

    def __init__(self, inner: World, people: HumanPlayers) -> None:
        self._inner = inner
        self._people = people
        self._sessions = people.sessions
        self._streams: WeakSet[EventStream] = WeakSet()
        self._tasks: list[asyncio.Task[None]] = []
        self._still = contextlib.AsyncExitStack()
        self._frozen = False
        self._begun = asyncio.Event()
        """Set when the bots of an episode have started."""
        self._seeing = asyncio.Lock()
        self._awaited = False
        """True once people have been asked to join; nothing waits before."""
        self._reach: Mapping[str, float] | None = None
        self._at: dict[str, Place] = {}
        self._seq = 0
        people.venue = self

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the inner world has
        return getattr(self._inner, name)

    async def __aenter__(self) -> Self:
        for session in self._sessions.values():
            session.here = session.known = False
            session.page.show_presence(here=False, admitted=session.admitted)
        self._people.update_everybody()
        await self._inner.__aenter__()
        try:
            await self._admit_people()
        except BaseException as error:
            await self._inner.__aexit__(type(error), error, error.__traceback__)
            raise
        if self._inner.address is not None:
            for session in self._sessions.values():
                session.page.open_game(self._inner.address)
        events = self._inner.events()
        self._tasks = [
            asyncio.create_task(self._listen(events), name="words of people"),
            asyncio.create_task(self._watch(), name="who is there"),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for session in self._sessions.values():
            session.page.close_game()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(BridgeError):
            await self._set_frozen(wanted=False)
        await self._inner.__aexit__(kind, error, trace)

    @property
    def watching(self) -> Sequence[asyncio.Task[None]]:
        """Task that checks who is online, which ends only if the server is lost; none before the world is open."""
        return self._tasks[1:]

    def events(self) -> EventStream:
        """Return a stream of all events from now on, those of people included."""
        stream = EventStream()
        self._streams.add(stream)
        return stream

    async def connect(self, names: Sequence[str]) -> None:
        """Connect bots, and wait for people."""
        await self._inner.connect([name for name in names if name not in self._sessions])
        self._awaited = True
        self._people.open_forms()
        address = self._inner.address
        where = f"join {address} with Minecraft {address.version}" if address else "join"
        self._people.report_awaited(lambda name: f"{where} as {name}")
        await self._wait_for_people()

    async def _admit_people(self) -> None:
        """Register people before the address is announced, so that early visitors can join."""
        # A server that stays up may have the objective from an earlier study, and its refusal is ignored. Paper admits
        # only whitelisted players: the fleet adds bots, and people are added here.
        asked = [f"scoreboard objectives add {LEFT} minecraft.custom:minecraft.leave_game"]
        await self._inner.commands([*asked, *(f"whitelist add {name}" for name in self._sessions)])

    async def disconnect(self, names: Sequence[str]) -> None:
        """Disconnect bots; people stay."""
        await self._inner.disconnect([name for name in names if name not in self._sessions])

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run console commands, and wait for absent people.

        Queries made and commands refused while somebody was away are repeated when all are back.
        """
        if not texts:
            return []
        await self._wait_for_people()
        told, *replies = await self._inner.commands(["list", *texts])
        await self._update_presence(told)
        if self._people.everybody_here.is_set() or not self._awaited:
            return replies
        again = [n for n, reply in enumerate(replies) if isinstance(reply, CommandError) or _QUESTION.match(texts[n])]
        for number, reply in zip(again, await self.commands([texts[n] for n in again]), strict=True):
            replies[number] = reply
        return replies

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Run the bots' programs, while people play until they are done or time is up."""
        people = [self._sessions[name] for name in policies if name in self._sessions]
        bots = {name: source for name, source in policies.items() if name not in self._sessions}
        if not people:
            return await self._inner.run(bots, limits)
        for session in people:
            session.begin_play()
        self._begun = asyncio.Event()
        work = [asyncio.create_task(self._inner.run(bots, limits))] if bots else []
        if not bots:
            self._begun.set()
        turns = [asyncio.create_task(self._turn(session, limits)) for session in people]
        try:
            played = {result.bot: result for result in await _await_turns(turns, work)}
            found: dict[str, PolicyResult] = work[0].result() if work else {}
        finally:
            for session in people:
                session.end_play()
        starts = [each.started_tick for each in found.values() if each.started_tick is not None]
        began = starts[0] if starts else min(each.started_tick or 0 for each in played.values())
        return {name: found[name] if name in found else replace(played[name], started_tick=began) for name in policies}

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """End programs and people's turns."""
        for name, session in self._sessions.items():
            if session.playing and (names is None or name in names):
                session.end_play()
                session.done.set()
        await self._inner.cancel(None if names is None else [name for name in names if name not in self._sessions])

    async def observe(self, name: str) -> BotObservation:
        """Return a player's current state.

        Raises:
            BotLostError: The person is away.
        """
        if name not in self._sessions:
            return await self._inner.observe(name)
        found = (await self._sense_people([name])).get(name)
        if found is None:
            raise BotLostError(f"{name} is not in the world")
        return BotObservation(
            name, found.position, found.health, found.food, found.items, found.held, found.gamemode, found.tick
        )

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """Return the senses of bots and the state of people, without absent people."""
        bots = [name for name in names if name not in self._sessions]
        found = await self._inner.sense(bots, senses) if bots else {}
        people = [name for name in names if name in self._sessions]
        if people:
            found = {**found, **await self._sense_people(people)}
        self._at = {name: each.position for name, each in found.items()}
        return {name: found[name] for name in names if name in found}

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """Set the distance that words carry, for programs and for people's screens."""
        self._reach = reach
        await self._inner.hearing(reach)

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Let bots speak.

        Lines that some people are too far away to hear bypass the game's chat, which has no distance. People's own
        lines are already in the chat.
        """
        open_lines: list[tuple[str, str, str | None]] = []
        for speaker, line, to in lines:
            near = [name for name in self._sessions if self._can_hear(name, speaker, line)]
            if speaker in self._sessions:
                continue
            if to is not None or len(near) == len(self._sessions):
                open_lines.append((speaker, line, to))
                continue
            self._push("chat", {"from": speaker, "text": line})
            for name in near:
                await self._inner.commands(lines_for(name, f"<{speaker}> {line}"))
        await self._inner.speak(open_lines)

    def _can_hear(self, person: str, speaker: str, line: str) -> bool:
        if self._reach is None:
            return True
        here, there = self._at.get(person), self._at.get(speaker)
        reach = self._reach["shout" if line.startswith(SHOUT) else "say"]
        return here is not None and there is not None and dist(here, there) <= reach

    async def _sense_people(self, names: Sequence[str]) -> dict[str, Sensed]:
        tick = await self._inner.now()
        replies = await self._inner.commands([f"data get entity {name}" for name in names])
        told = [(name, reply) for name, reply in zip(names, replies, strict=True) if isinstance(reply, str)]
        return {name: body_of(name, reply, tick) for name, reply in told}

    async def _turn(self, session: HumanSession, limits: Limits) -> PolicyResult:
        """Run a person's turn from the start of the bots' programs."""
        await self._begun.wait()
        began = await self._inner.now()
        self._push("policy", {"bot": session.name, "state": "started", "result": None}, began)
        up = asyncio.ensure_future(self._inner.sleep(limits.wall_s))
        done = asyncio.ensure_future(session.done.wait())
        try:
            await asyncio.wait({up, done}, return_when=asyncio.FIRST_COMPLETED)
            if up.done():
                up.result()
        finally:
            await _cancel_futures(up, done)
        said = session.done.is_set() and session.playing
        outcome = (
            ProgramOutcome.RETURNED
            if said
            else ProgramOutcome.CANCELLED
            if session.done.is_set()
            else ProgramOutcome.TIMEOUT
        )
        ended = await self._inner.now()
        if said:
            self._people.report_state(session.name, "done")
        result = {"outcome": str(outcome), "started_tick": began, "ended_tick": ended}
        self._push("policy", {"bot": session.name, "state": "ended", "result": result}, ended)
        return PolicyResult(session.name, outcome, None, (ended - began) * 50.0, 0.0, began, ended)

    def _push(self, kind: str, data: dict[str, Any], tick: int | None = None) -> None:
        self._seq += 1
        for stream in list(self._streams):
            stream.push(Event(self._seq, kind, tick, data))

    def set_presence(self, name: str, *, here: bool) -> None:
        """Do nothing: the world's own list says who is in it."""

    def hear_whisper(self, name: str, text: str) -> None:
        """Record words of a person that it has not said in the game, as a whisper to the ear."""
        self._sessions[name].record_words(ChatLine(text, self._people.ear))
        self._push("chat", {"from": name, "text": text, "to": self._people.ear})

    async def _listen(self, events: AsyncIterator[Event]) -> None:
        """Forward events, and record people's words."""
        try:
            async for event in events:
                if event.kind == "chat" and (session := self._sessions.get(str(event.data.get("from")))) is not None:
                    session.record_words(ChatLine(str(event.data.get("text")), str(event.data.get("to") or "")))
                self._push(event.kind, event.data, event.tick)
                if event.kind == "policy":
                    self._begun.set()
        finally:
            for stream in list(self._streams):
                stream.end()

    async def _watch(self) -> None:
        """Check repeatedly who is online; a lost server surfaces in the next call to it."""
        while True:
            counts = [f"scoreboard players get {name} {LEFT}" for name in self._sessions]
            told, *left = await self._inner.commands(["list", *counts])
            await self._count_departures(left)
            await self._update_presence(told)
            await self._people.pause(LOOK_S)

    async def _count_departures(self, left: Sequence[str | CommandError]) -> None:
        """Compare the counts of departures: a person that left and is online was away in between."""
        for session, reply in zip(self._sessions.values(), left, strict=True):
            found = None if isinstance(reply, CommandError) else _COUNT.search(reply)
            count = int(found[1]) if found else 0
            async with self._seeing:
                if count > session.left and session.here:
                    await self._set_presence(session, here=False)
            session.left = count

    async def _wait_for_people(self) -> None:
        """Wait until all people are online. Raises PrerequisiteError if one stays away, and BridgeError."""
        if self._awaited:
            await self._people.wait_for_people()

    async def _update_presence(self, told: str | CommandError) -> None:
        """Record arrivals and departures from the server's player list; time stands still while a person is away."""
        found = None if isinstance(told, CommandError) else _ONLINE.search(told)
        if found is None:
            return
        async with self._seeing:
            names = {name.strip() for name in found[1].split(",")}
            for name, session in self._sessions.items():
                # Nobody plays before the study's forms are answered, whatever client is in the game.
                here = name in names and session.admitted
                if here != session.here:
                    await self._set_presence(session, here=here)
            await self._set_frozen(
                wanted=any(session.known and not session.here for session in self._sessions.values())
            )
            self._people.update_everybody()

    async def _set_presence(self, session: HumanSession, *, here: bool) -> None:
        state = self._people.set_presence(session, here=here)
        if here:
            texts = lines_for(session.name, self._people.welcome(session.name))
            if state == "joined":
                texts = [f"gamemode adventure {session.name}", *texts, *self._people.books_of(session.name)]
            await self._inner.commands(texts)

    async def _set_frozen(self, *, wanted: bool) -> None:
        """Stop or resume game time."""
        if wanted and not self._frozen:
            await self._still.enter_async_context(self._inner.standing_still())
        elif self._frozen and not wanted:
            await self._still.aclose()
        self._frozen = wanted


async def _await_turns(
    turns: Sequence[asyncio.Task[PolicyResult]], work: Sequence[asyncio.Task[Any]]
) -> list[PolicyResult]:
    """Await all turns and programs, and return the turns' results; the first error cancels the rest."""
    tasks: list[asyncio.Task[Any]] = [*turns, *work]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        raise
    return [task.result() for task in turns]


async def _cancel_futures(*futures: asyncio.Future[Any]) -> None:
    for future in futures:
        future.cancel()
    await asyncio.gather(*futures, return_exceptions=True)
