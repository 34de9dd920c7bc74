"""Bodies of living agents: their senses and hearing, and one action at a time.

A new action stops the current one cleanly, and the stopped action's outcome says so. Outcomes come from the world: the
program's end and the change of the inventory.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from bridge.errors import BotLostError, BridgeError, InfrastructureError
from bridge.types import Limits, PolicyResult, Sensed
from bridge.types import ProgramOutcome as Ending
from bridge.worlds import VIRTUAL_CLOCK, World
from common.errors import PrerequisiteError
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.records.events import TOOL_CALLS, ActBegan, ActEnded, ChoiceMade, LifeSummed, MindNoted, SlotWritten
from dilemmas.records.record import RunRecord
from voyager_agents.realtime_agent import Act, ActOutcome, Ended, HeardWords, Letter, ToolAct, Voice

ENDED: dict[Ending, Ended] = {
    Ending.RETURNED: "done",
    Ending.THREW: "failed",
    Ending.SYNTAX: "failed",
    Ending.TIMEOUT: "late",
    Ending.CANCELLED: "stopped",
    Ending.INFRASTRUCTURE: "lost",
}
"""Outcome of a program -> outcome of its action."""


def changed_items(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return item -> change of its count between two inventories; unchanged items are absent."""
    changes = {item: after.get(item, 0) - before.get(item, 0) for item in sorted({*before, *after})}
    return {item: change for item, change in changes.items() if change}


class BodySociety(Protocol):
    """Interface that bodies need of their society."""

    world: World
    record: RunRecord
    telemetry: TelemetryWriter
    limits: Limits

    @property
    def now_s(self) -> float:
        """Seconds since the lives began."""

    @property
    def tick(self) -> int:
        """Age of the world at the last beat, in ticks."""

    def seconds(self, tick: int | None) -> float | None:
        """Convert an age of the world in ticks to seconds since the lives began; None stays None."""

    def sensed(self, name: str) -> int | None:
        """Return the age of the world in ticks when the body was last sensed; None if it was not in the world."""

    def rouse(self, name: str) -> None:
        """Wake the agent of that body at the next beat, because something happened to the body."""

    def speak(self, speaker: str, voice: Voice, text: str, to: str, choice: int | None) -> Sequence[str]:
        """Speak now.

        Args:
            speaker: Name of the speaker.
            voice: Voice, which decides the reach.
            text: Words to say.
            to: Receiver of a whisper; empty otherwise.
            choice: Number of the decision that led to it.

        Returns:
            The names of the hearers.
        """

    def receive_answer(self, player: str, number: int, text: str) -> None:
        """Deliver a player's answer to letter `number`."""


@dataclass
class RunningAct:
    """An action in progress (`voyager_agents.realtime_agent.Doing`)."""

    number: int
    act: Act
    began_s: float
    outcome: ActOutcome | None = None
    printed: Sequence[str] = ()


class LiveBody:
    """One agent's body (`voyager_agents.realtime_agent.Body`)."""

    def __init__(self, name: str, society: BodySociety) -> None:
        self.name = name
        self.felt: Sensed | None = None
        self.seen: Sensed | None = None
        self.ears: list[HeardWords] = []
        self.mailbox: list[Letter] = []
        self.choice: int | None = None
        """Number of the last decision."""
        self._society = society
        self._deed: RunningAct | None = None
        self._next: RunningAct | None = None
        self._acts = 0
        self._worker: asyncio.Task[None] | None = None
        self._running: asyncio.Task[dict[str, PolicyResult]] | None = None
        self._known: tuple[int, dict[str, int]] = (-1, {})
        """Tick of the last inventory query, and the inventory then."""

    def feel(self) -> Sensed:
        """Return what the body feels, as of the last beat."""
        assert self.felt is not None
        return self.felt

    def sense(self) -> Sensed:
        """Return what the body sees, as of the last look around."""
        assert self.seen is not None
        return self.seen

    def hear(self) -> list[HeardWords]:
        """Return the words heard since the previous call."""
        heard, self.ears = self.ears, []
        return heard

    def letters(self) -> list[Letter]:
        """Return the letters received since the previous call."""
        mailbox, self.mailbox = self.mailbox, []
        return mailbox

    def answer(self, number: int, text: str) -> None:
        """Answer letter `number`."""
        self._society.receive_answer(self.name, number, text)

    @property
    def doing(self) -> RunningAct | None:
        """The most recently requested action."""
        return self._next or self._deed

    def do(self, act: Act) -> RunningAct:
        """Start `act` once the current action has stopped."""
        self._acts += 1
        wanted = RunningAct(self._acts, act, self._society.now_s)
        if self._next is not None:
            self._close(self._next, "stopped", "another act was wanted before it began", {})
        self._next = wanted
        self._interrupt()
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), name=f"{self.name}'s hands")
        return wanted

    async def stop(self) -> None:
        """Stop all actions and wait until the body is at rest."""
        if self._next is not None:
            self._close(self._next, "stopped", "", {})
            self._next = None
        self._interrupt()
        worker = self._worker
        if worker is not None and not worker.done():
            await asyncio.wait([worker])

    def say(self, text: str) -> Sequence[str]:
        """Say `text` to players nearby, and return the hearers' names."""
        return self._society.speak(self.name, "say", text, "", self.choice)

    def shout(self, text: str) -> Sequence[str]:
        """Shout `text`, which carries farther than `say`, and return the hearers' names."""
        return self._society.speak(self.name, "shout", text, "", self.choice)

    def whisper(self, to: str, text: str) -> Sequence[str]:
        """Whisper `text` to one player, and return the hearers' names."""
        return self._society.speak(self.name, "whisper", text, to, self.choice)

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Log a note of the agent; kinds and data are in `voyager_agents.realtime_agent.NOTES`."""
        t_s, log = self._society.now_s, self._society.record.log
        if kind == "choice":
            self.choice = data["number"]
            log(ChoiceMade(t_s=t_s, player=self.name, **data), self._society.tick)
        elif kind == "slot":
            log(SlotWritten(t_s=t_s, player=self.name, **data), self._society.tick)
        elif kind == "lived":
            log(LifeSummed(t_s=t_s, player=self.name, **data), self._society.tick)
        else:
            log(MindNoted.model_validate({"t_s": t_s, "player": self.name, "what": kind, **data}), self._society.tick)

    def failure(self) -> BaseException | None:
        """Return the infrastructure's error that ended the body's actions, or None."""
        worker = self._worker
        if worker is None or not worker.done() or worker.cancelled():
            return None
        return worker.exception()

    async def close(self) -> None:
        """Stop at the end of the life; errors of the infrastructure no longer matter."""
        await self.stop()
        if self._worker is not None:
            with contextlib.suppress(InfrastructureError):
                await self._worker

    def _interrupt(self) -> None:
        if self._running is not None and not self._running.done():
            self._running.cancel()

    async def _work(self) -> None:
        """Perform requested actions one after another until none is left."""
        while self._next is not None:
            self._deed, self._next = self._next, None
            await self._perform(self._deed)

    async def _perform(self, deed: RunningAct) -> None:
        society, act = self._society, deed.act
        deed.began_s = society.now_s
        tool = act.call if isinstance(act, ToolAct) else None
        society.record.log(
            ActBegan(
                t_s=deed.began_s,
                player=self.name,
                number=deed.number,
                label=act.label,
                calls=[
                    {"name": call.name, "args": list(call.args)} for call in (act.calls if tool is None else (tool,))
                ],
                program=act.program if tool is None else "",
                by=act.by if tool is None else TOOL_CALLS,
                choice=self.choice,
            ),
            society.tick,
        )
        known = await self._known_now()
        before = known if known is not None else await self._held()
        limits = replace(society.limits, wall_s=act.limit_s)
        before_call = None if tool is None else self._printed()
        self._running = asyncio.create_task(society.world.run({self.name: act.source}, limits))
        try:
            result = (await self._running)[self.name]
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
            self._close(deed, "stopped", "", changed_items(before, await self._held()))
            return
        except InfrastructureError:
            self._close(deed, "lost", "the infrastructure was lost", {})
            raise
        except (BridgeError, PrerequisiteError) as error:
            self._close(deed, "failed", str(error), {})
            return
        if before_call is not None:
            deed.printed = await self._printed_since(*before_call)
        told = "" if result.error is None else f"{result.error.name}: {result.error.message}"
        change = changed_items(before, await self._held())
        self._close(deed, ENDED[result.outcome], told, change, society.seconds(result.ended_tick))

    def _printed(self) -> tuple[int, int]:
        """Return the number of lines printed so far, and of programs that have ended."""
        telemetry = self._society.telemetry
        return len(telemetry.logs.get(self.name, ())), telemetry.ends[self.name]

    async def _printed_since(self, lines: int, ends: int) -> Sequence[str]:
        """Return the lines printed by the program after these."""
        telemetry = self._society.telemetry
        await telemetry.program_ended(self.name, ends + 1)
        return telemetry.logs.get(self.name, [])[lines:]

    async def _held(self) -> dict[str, int]:
        """Return the body's inventory; as of the last beat if the bot is lost."""
        try:
            seen = await self._society.world.observe(self.name)
        except BotLostError:
            return dict(self.felt.items) if self.felt is not None else {}
        self._known = (seen.tick, dict(seen.items))
        return dict(seen.items)

    async def _known_now(self) -> dict[str, int] | None:
        """Return the inventory if it is known without a query: on a virtual clock, if nothing happened in this tick."""
        world = self._society.world
        if VIRTUAL_CLOCK not in world.capabilities:
            return None
        tick = await world.now()
        if self._known[0] == tick:
            return dict(self._known[1])
        return dict(self.felt.items) if self.felt is not None and self._society.sensed(self.name) == tick else None

    def _close(
        self, deed: RunningAct, ended: Ended, error: str, gained: Mapping[str, int], t_s: float | None = None
    ) -> None:
        """Record the end of an action."""
        now = self._society.now_s if t_s is None else t_s
        self._society.rouse(self.name)
        deed.outcome = ActOutcome(deed.number, deed.act.label, ended, error, deed.began_s, now, dict(gained))
        self._society.record.log(
            ActEnded(
                t_s=now,
                player=self.name,
                number=deed.number,
                label=deed.act.label,
                ended=ended,
                error=error,
                seconds=round(now - deed.began_s, 3),
                gained=dict(gained),
            ),
            self._society.tick,
        )
