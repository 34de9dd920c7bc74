"""Societies of living agents: all live at the same time in game time, and the world never waits for the slowest agent.

At every beat (`BEAT_S` of game time) all bodies sense in one call, words reach nearby players, and agents whose wake-up
time has come wake in the players' order. On a virtual clock time passes to the next beat while agents work, and what
they decide is carried out at that beat; on a server it is carried out as soon as it arrives there. Each agent's life is
a supervised task: if its code fails, the failure is recorded and the life restarts a few times before the agent is out;
others are not affected. Failures of the infrastructure and exhausted budgets end the run. At the time limit all lives
end, and no task outlives them.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
from collections.abc import Awaitable, Callable, Mapping, Sequence

from bridge.errors import BotLostError, BridgeError, InfrastructureError
from bridge.types import Limits, Sensed, Senses
from bridge.worlds import RunsAhead, World
from dilemmas.errors import UsageError
from dilemmas.minecraft.telemetry import TICKS_A_SECOND
from dilemmas.modes.arena import Arena
from dilemmas.modes.bodies import LiveBody
from dilemmas.modes.hearing import SHOUT_MARK, Earshot, sayable, voice_of
from dilemmas.modes.life_civics import LifeCivics
from dilemmas.modes.mailbox import Mailbox
from dilemmas.modes.protocol import Agents
from dilemmas.records.events import (
    Event,
    LetterSent,
    LifeBegan,
    LifeEnded,
    Speech,
)
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.institutions import institutions_of
from dilemmas.scenarios.protocol import LifeSpec
from voyager_agents.errors import AgentError, BudgetExhausted, QuotaExhausted
from voyager_agents.human.agents import RealtimeHuman
from voyager_agents.realtime_agent import BEAT_S, HeardWords, Keeps, LivingAgent, Voice

MAX_ATTEMPTS = 3
"""Maximum number of times an agent is started."""
PATIENCE_S = 0.1
"""Real time that a bot host may take to sense, in seconds, so that a busy host delays neither others nor the rules."""
FEEL = Senses(radius=8, most=6, patience_s=PATIENCE_S)
"""Senses of bodies at every beat."""
BEAT_TICKS = round(BEAT_S * TICKS_A_SECOND)
BEATS_A_LOOK = 4
"""Number of beats between two looks around (one second)."""
BEATS_A_SAMPLE = 20
"""Number of beats between two recorded positions (five seconds)."""
Paced = Callable[[], Awaitable[None]]


async def wait_for_nobody() -> None:
    """Return at once: no other region has to be waited for."""


def life_spec(scenario: Scenario) -> LifeSpec:
    """Return how agents live in the scenario.

    Raises:
        UsageError: The scenario does not describe how its players live.
    """
    if scenario.living is None:
        raise UsageError(
            f"{scenario.path}: plays: {scenario.spec.scenario} does not say how its players live; leave life out"
        )
    return scenario.living


class BeatClock:
    """Game clock of a society; sleepers wake at beats, in the order of their requests for a beat."""

    def __init__(self) -> None:
        self.beat = 0
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._dozing: dict[str, asyncio.Future[None]] = {}
        self._roused: dict[str, None] = {}

    @property
    def now(self) -> float:
        """Seconds since the lives began."""
        return self.beat * BEAT_S

    async def sleep(self, seconds: float) -> None:
        """Sleep until the first beat at least `seconds` from now."""
        beats = max(1, -int(-seconds // BEAT_S))
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.beat + beats, next(self._order), future))
        await future

    async def doze(self, seconds: float, name: str) -> None:
        """Sleep like `sleep`, but no longer than until the first beat after `rouse(name)`."""
        beats = max(1, -int(-seconds // BEAT_S))
        future = self._dozing[name] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.beat + beats, next(self._order), future))
        await future

    def rouse(self, name: str) -> None:
        """Wake the dozing agent at the next beat, because something happened to it."""
        self._roused[name] = None

    def wake(self) -> None:
        """Wake agents whose time has come, then those that were roused."""
        roused, self._roused = self._roused, {}
        while self._sleepers and self._sleepers[0][0] <= self.beat:
            _wake(heapq.heappop(self._sleepers)[2])
        for name in roused:
            if name in self._dozing:
                _wake(self._dozing.pop(name))


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


class LivingSociety:
    """All lives of one attempt, or of one region of it; call `live` once."""

    def __init__(
        self, arena: Arena, agents: Agents, limits: Limits, start: int, paced: Paced = wait_for_nobody
    ) -> None:
        """Prepare the lives.

        Args:
            arena: Built arena.
            agents: Player -> its agent.
            limits: Limits of programs; `wall_s` is the time limit in game seconds.
            start: Age of the world in ticks.
            paced: Called at each beat; returns when time may go on.
        """
        self.world: World = arena.world
        self._ahead = arena.world if isinstance(arena.world, RunsAhead) else None
        self.record = arena.record
        self.telemetry = arena.telemetry
        self.limits = limits
        self.tick = start
        self._arena = arena
        self._agents: Mapping[str, LivingAgent] = agents
        life = life_spec(arena.scenario)
        self._look = Senses(radius=life.sight, most=24, blocks=tuple(life.interests), patience_s=PATIENCE_S)
        self._reach = arena.scenario.voice_ranges(arena.condition)
        self._earshot = Earshot(self._reach)
        self._clock = BeatClock()
        self._bodies = {name: LiveBody(name, self) for name in agents}
        self._names = list(agents)
        self._mailbox = Mailbox(self._bodies, arena.scenario.assembly(arena.condition))
        self._civics = self._civic_session()
        self._found: Mapping[str, Sensed] = {}
        """Results of the last sensing."""
        self._start = start
        self._paced = paced
        self._lines: list[tuple[str, str, str | None]] = []
        self._said: dict[tuple[str, str], int] = {}
        """Lines on their way through the game's chat that were heard already."""
        self._chat = 0
        self._steps = -1
        """Number of the last step of the rules; step n is due at n times `step_s` seconds."""
        self._looks = self._samples = 0
        """Number of looks around and of recorded positions."""
        self._planned = -1
        """Last beat whose senses are planned."""
        self._senses = FEEL
        """Senses planned for that beat."""
        self._lives: dict[str, asyncio.Task[None]] = {}
        self._last_error = ""
        self._lost = False
        """True if lost infrastructure ended the lives, so that agents keep nothing from them."""

    def _civic_session(self) -> LifeCivics | None:
        """Return the institutions of the condition, or None without any."""
        arena, scenario = self._arena, self._arena.scenario
        if not institutions_of(scenario, arena.condition, arena.factors):
            return None
        return LifeCivics(arena, self._mailbox, scenario.civic_life(self.world), scenario.civic_every_s)

    @property
    def now_s(self) -> float:
        """Seconds since the lives began, as of the last beat."""
        return self._clock.now

    def seconds(self, tick: int | None) -> float | None:
        """Convert an age of the world in ticks to seconds since the lives began."""
        return None if tick is None else max(0, tick - self._start) / TICKS_A_SECOND

    def sensed(self, name: str) -> int | None:
        """Return the age of the world in ticks when the body was last sensed; None if it was not in the world."""
        return self.tick if name in self._found else None

    async def live(self) -> float:
        """Live until the time limit, and return the lived seconds."""
        self._run_ahead(0)
        await self._take_in(await self.world.sense(self._names, self._senses), self._senses)
        await self.world.hearing({"say": self._reach["say"], "shout": self._reach["shout"]})
        try:
            with self._arena.eyes.live():
                self._begin()
                await self._beats()
        except InfrastructureError:
            self._lost = True
            raise
        finally:
            await self._end()
        # Some events fall due at the end, such as the close of a season.
        await self._rules()
        if self._civics is not None:
            self._log_events(await self._civics.close())
        return self._clock.now

    def speak(self, speaker: str, voice: Voice, text: str, to: str, choice: int | None) -> Sequence[str]:
        """Deliver words to nearby players at once, and send them through the game's chat as well.

        The arguments `speaker`, `voice`, `text`, `to` and `choice` are those of `BodySociety.speak`.
        """
        words = sayable(text)
        at = self._earshot.place(speaker)
        if not words or at is None:
            return []
        hearers = self._hear(speaker, voice, words, to, choice, program=False)
        line = SHOUT_MARK + words if voice == "shout" else words
        if voice != "whisper" or hearers:
            self._lines.append((speaker, line, to if voice == "whisper" else None))
        if voice != "whisper":
            self._said[speaker, line] = self._said.get((speaker, line), 0) + 1
        return hearers

    def receive_answer(self, player: str, number: int, text: str) -> None:
        """Deliver a player's answer to letter `number`."""
        self._log_events(self._mailbox.receive_answer(self.now_s, player, number, text))

    def rouse(self, name: str) -> None:
        """Wake the agent of a body at the next beat, because something happened to the body."""
        self._clock.rouse(name)

    def _hear(
        self, speaker: str, voice: Voice, words: str, to: str, choice: int | None, *, program: bool
    ) -> Sequence[str]:
        at = self._earshot.place(speaker) or (0.0, 0.0, 0.0)
        hearers = self._earshot.hearers(speaker, voice, to)
        for name in hearers:
            heard = HeardWords(
                self.now_s, speaker, words, voice, at, voice == "whisper" or name.lower() in words.lower()
            )
            self._bodies[name].ears.append(heard)
            self._clock.rouse(name)
        self.record.log(
            Speech(
                t_s=self.now_s,
                speaker=speaker,
                voice=voice,
                text=words,
                to=to,
                at=_rounded(at),
                hearers=list(hearers),
                choice=choice,
                program=program,
            ),
            self.tick,
        )
        return hearers

    def _begin(self) -> None:
        for name in self._agents:
            self._lives[name] = asyncio.create_task(self._life(name), name=f"{name}'s life")

    async def _life(self, name: str) -> None:
        """Run one life, restarted if its code fails; an agent's error ends only its own life."""
        body = self._bodies[name]
        for attempt in range(1, MAX_ATTEMPTS + 1):
            self.record.log(LifeBegan(t_s=self.now_s, player=name, attempt=attempt), self.tick)
            error = ""
            try:
                await self._agents[name].live(body, self._clock)
            except (InfrastructureError, BudgetExhausted, QuotaExhausted):
                raise
            except Exception as failure:  # noqa: BLE001 - the boundary: whatever an agent's code raises
                error = f"{type(failure).__name__}: {failure}"
            self._last_error = f"{name}: {error}" if error else self._last_error
            again = bool(error) and attempt < MAX_ATTEMPTS
            ended = LifeEnded(t_s=self.now_s, player=name, attempt=attempt, error=error[:500], again=again)
            self.record.log(ended, self.tick)
            await body.stop()
            if not again:
                return
            await self._clock.sleep(1.0)

    async def _beats(self) -> None:
        """Advance beat by beat until the time limit.

        Where time can run ahead, it passes to the next beat while agents work on this one: from the beginning if nobody
        else needs the world as it is, else after rules and institutions.
        """
        beats = int(self.limits.wall_s / BEAT_S)
        while self._clock.beat < beats:
            await self._rules()
            self._log_events(self._told(self._mailbox.advance(self.now_s)))
            if self._civics is not None:
                self._log_events(await self._civics.advance(self.now_s))
            beat = self._clock.beat + 1
            self._run_ahead(beat)
            self._clock.wake()
            senses = self._senses
            # Scheduled by the world's age, so that a slow beat does not delay later ones.
            await self.world.until(self._tick_of(beat), (self._names, senses))
            await self._paced()
            await self._flush()
            found = await self.world.sense(self._names, senses)
            if beat < beats and self._only_agents_act(beat):
                self._run_ahead(beat + 1)
            self._hear_programs()
            await self._take_in(found, senses)
            self._check()
            # A server's time runs on while bodies sense; missed beats are skipped.
            self._clock.beat = max(beat, (self.tick - self._start) // BEAT_TICKS)

    async def _rules(self) -> None:
        """Step the scenario's rules if due, and deliver their announcements."""
        rules = self._arena.rules
        due = self._last_step(self._clock.beat)
        if due <= self._steps:
            return
        self._steps = due
        state = await rules.step(self.world, self.now_s)
        self._log_events(self._told(state.happened))
        self._log_events(self._mailbox.send(self.now_s, rules.announcements()))

    def _last_step(self, beat: int) -> int:
        """Return the number of the last step of the rules that is due at a beat."""
        # Scheduled in absolute time; relative to the last step, each delay would add up.
        return int(beat * BEAT_S / self._arena.scenario.spec.rules.step_s)

    def _told(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return events of rules and assembly, after the institutions took them in."""
        if self._civics is not None:
            self._civics.hear(events)
        return events

    def _log_events(self, events: Sequence[Event]) -> None:
        for event in events:
            self.record.log(event, self.tick)
            if isinstance(event, LetterSent):
                for name in event.to:
                    self._clock.rouse(name)

    def _tick_of(self, beat: int) -> int:
        """Return the age of the world in ticks at a beat."""
        return self._start + beat * BEAT_TICKS

    def _only_agents_act(self, beat: int) -> bool:
        """Return True if no rules, institutions or pictures need the world as it is at a beat.

        Always False where time cannot run ahead.
        """
        if self._ahead is None:
            return False
        rules_due = self._last_step(beat) > self._steps
        return not (rules_due or self._civics is not None or self._arena.eyes.awaited)

    def _run_ahead(self, beat: int) -> None:
        """Plan the senses of a beat, once, and let time pass to it on a world that can run ahead."""
        if beat <= self._planned:
            return
        self._planned = beat
        look = beat > self._looks * BEATS_A_LOOK or self._looks == 0
        self._looks += look
        self._senses = self._look if look else FEEL
        if self._ahead is not None:
            self._ahead.run_ahead(self._tick_of(beat), (self._names, self._senses))

    async def _take_in(self, found: Mapping[str, Sensed], senses: Senses) -> None:
        """Give all bodies what they sensed, and record where they are."""
        look = senses is self._look
        if not found and self._names:
            raise BotLostError("no bot is in the world any more")
        self._found = found
        for name, sensed in found.items():
            body = self._bodies[name]
            before = body.felt
            # Most of a crowd is unchanged, with the identical object.
            if sensed is not before:
                if before is not None and sensed.health < before.health:
                    self._clock.rouse(name)
                body.felt = sensed
                self.tick = max(self.tick, sensed.tick)
            if look or body.seen is None:
                body.seen = sensed
        await self._arena.eyes.serve(self.world, found)
        self._earshot.move({name: each.position for name, each in found.items()})
        if self._clock.beat >= self._samples * BEATS_A_SAMPLE:
            self._samples += 1
            self._arena.log_positions(self.now_s, {name: each.position for name, each in found.items()}, self.tick)
            # Views as of the last look around; where several see a mob, the latest view counts.
            looks = sorted((body.seen for body in self._bodies.values() if body.seen), key=lambda seen: seen.tick)
            mobs = {mob.id: (mob.kind, mob.position) for seen in looks for mob in seen.mobs}
            self._arena.log_mobs(self.now_s, mobs, self.tick)

    async def _flush(self) -> None:
        """Send spoken lines to the game's chat."""
        lines, self._lines = self._lines, []
        if lines:
            await self.world.speak(lines)

    def _hear_programs(self) -> None:
        """Deliver words that programs wrote in chat."""
        chat = self._arena.telemetry.chat
        for speaker, line in chat[self._chat :]:
            if left := self._said.pop((speaker, line), 0):
                if left > 1:
                    self._said[speaker, line] = left - 1
            elif speaker in self._bodies:
                voice, words = voice_of(line)
                program = not isinstance(self._agents[speaker], RealtimeHuman)
                self._hear(speaker, voice, words, "", self._bodies[speaker].choice, program=program)
        self._chat = len(chat)

    def _check(self) -> None:
        """Raise errors that end the run: exhausted budgets, lost infrastructure, or the end of all lives."""
        if self._arena.telemetry.task is not None and self._arena.telemetry.task.done():
            self._arena.telemetry.task.result()
        for task in self._lives.values():
            if task.done():
                task.result()
        if self._lives and all(task.done() for task in self._lives.values()):
            raise AgentError(f"nobody lives any more: {self._last_error or 'all agents have returned'}")
        for body in self._bodies.values():
            if (failure := body.failure()) is not None:
                raise failure

    async def _end(self) -> None:
        """End all lives, and wait until all bodies are at rest."""
        for task in self._lives.values():
            task.cancel()
        if self._lives:
            await asyncio.wait(self._lives.values())
        for task in self._lives.values():
            if not task.cancelled():
                task.exception()  # the error has been raised already, or another's came first
        await asyncio.gather(*(body.close() for body in self._bodies.values()), return_exceptions=True)
        with contextlib.suppress(BridgeError):
            await self.world.hearing(None)
        for agent in self._agents.values():
            if isinstance(agent, Keeps) and not self._lost:
                await agent.keep()


def _rounded(at: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = at
    return (round(x, 1), round(y, 1), round(z, 1))
