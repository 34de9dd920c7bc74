"""Players who act by tool calls within an episode: each call is a program of its own, run like any other program.

The model thinks while the episode goes on (`dilemmas.modes.thinking`). The limits of an episode hold for all calls of
a player together: its time, and the CPU time of its programs.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Literal

from bridge.types import Limits, PolicyResult, ProgramError, ProgramOutcome
from common.answers.stand_ins import StandIn
from dilemmas.minecraft.telemetry import TICKS_A_SECOND
from dilemmas.modes.arena import Arena
from dilemmas.modes.bodies import ENDED, changed_items
from dilemmas.records.events import TOOL_CALLS, ActBegan, ActEnded
from voyager_agents.agent import CallSession
from voyager_agents.errors import ReplyError
from voyager_agents.tool_calls.outcome import CallOutcome
from voyager_agents.tool_calls.toolbox import PrimitiveUse

_OVER = (ProgramOutcome.TIMEOUT, ProgramOutcome.CANCELLED, ProgramOutcome.INFRASTRUCTURE)
"""Outcomes of a call after which its player makes no other one."""


class ToolPlayer:
    """One player's calls in an episode; call `play` once."""

    def __init__(self, arena: Arena, name: str, session: CallSession, limits: Limits, start: int) -> None:
        """Prepare the player.

        Args:
            arena: Built arena.
            name: The player.
            session: Source of the calls.
            limits: Limits of all calls together.
            start: Age of the world in ticks when the episode started.
        """
        self._arena = arena
        self.name = name
        self.stood_in: StandIn | Literal[""] = ""
        """Stand-in that took over after an unusable answer; empty if the player acted itself."""
        self._session = session
        self._limits = limits
        self._start = start
        self._stopped = False
        self._thinking: asyncio.Future[PrimitiveUse | None] | None = None
        self._made = 0
        self._chat = 0
        self._wall_ms = self._cpu_ms = 0.0

    def stop(self) -> None:
        """Make no further call; the episode is over. A running call has to be cancelled in the world."""
        self._stopped = True
        if self._thinking is not None:
            self._thinking.cancel()

    async def play(self) -> dict[str, PolicyResult]:
        """Make calls until the model stops or the episode is over; return the player's result.

        Raises:
            InfrastructureError: A component is lost.
            AgentError: The model failed, or the budget is used up.
        """
        last: CallOutcome | None = None
        while True:
            try:
                use = await self._next(last)
            except ReplyError as error:
                self.stood_in = "idle"
                return await self._result(ProgramOutcome.THREW, ProgramError("Error", f"no usable tool call: {error}"))
            if self._stopped or await self._left_s() <= 0:
                late = await self._left_s() <= 0
                return await self._result(ProgramOutcome.TIMEOUT if late else ProgramOutcome.CANCELLED)
            if use is None:
                return await self._result(ProgramOutcome.RETURNED)
            last, result = await self._make(use)
            lost = result.error is not None and result.error.name == "HostLost"
            if result.outcome in _OVER or lost:
                return await self._result(result.outcome, result.error)

    async def _next(self, last: CallOutcome | None) -> PrimitiveUse | None:
        """Return the model's next call; None if it stops or is stopped."""
        if self._stopped:
            return None
        await self._arena.eyes.take(self._arena.world, "now", [self.name])
        self._thinking = asyncio.ensure_future(self._session.next_call(last))
        try:
            return await self._thinking
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self._stopped or (task is not None and task.cancelling()):
                raise
            return None
        finally:
            self._thinking.cancel()
            self._thinking = None

    async def _make(self, use: PrimitiveUse) -> tuple[CallOutcome, PolicyResult]:
        """Run the program of a call; record it and its outcome."""
        world, telemetry, record, name = self._arena.world, self._arena.telemetry, self._arena.record, self.name
        self._made += 1
        before, began = await world.observe(name), await world.now()
        calls = [{"name": use.name, "args": list(use.args)}]
        record.log(
            ActBegan(
                t_s=telemetry.seconds(began),
                player=name,
                number=self._made,
                label=use.label,
                calls=calls,
                by=TOOL_CALLS,
            ),
            began,
        )
        printed, ends = len(telemetry.logs.get(name, ())), telemetry.ends[name]
        cpu_ms = max(1, self._limits.cpu_ms - round(self._cpu_ms))
        bounds = replace(self._limits, wall_s=await self._left_s(), cpu_ms=cpu_ms)
        result = (await world.run({name: self._session.program(use)}, bounds))[name]
        self._wall_ms += result.wall_ms
        self._cpu_ms += result.cpu_ms
        await telemetry.program_ended(name, ends + 1)
        now = await world.now() if result.ended_tick is None else result.ended_tick
        over = result.outcome is ProgramOutcome.INFRASTRUCTURE
        after = before if over else await world.observe(name)
        told = "" if result.error is None else f"{result.error.name}: {result.error.message}"
        open_ended = self._arena.scenario.spec.end.open_ended
        outcome = CallOutcome(
            use,
            ENDED[result.outcome],
            told,
            (now - began) / TICKS_A_SECOND,
            printed=tuple(telemetry.logs.get(name, ())[printed:]),
            gained=changed_items(before.items, after.items),
            position=after.position,
            chat=self._heard(),
            left_s=None if open_ended else await self._left_s(),
        )
        record.log(
            ActEnded(
                t_s=telemetry.seconds(now),
                player=name,
                number=self._made,
                label=use.label,
                ended=outcome.ended,
                error=told,
                seconds=round(outcome.seconds, 3),
                gained=dict(outcome.gained),
            ),
            now,
        )
        return outcome, result

    def _heard(self) -> tuple[tuple[str, str], ...]:
        """Return the other players' chat since the last call."""
        chat = self._arena.telemetry.chat
        heard = tuple((speaker, text) for speaker, text in chat[self._chat :] if speaker != self.name)
        self._chat = len(chat)
        return heard

    async def _left_s(self) -> float:
        """Return the game seconds until the limit."""
        return self._limits.wall_s - (await self._arena.world.now() - self._start) / TICKS_A_SECOND

    async def _result(self, outcome: ProgramOutcome, error: ProgramError | None = None) -> dict[str, PolicyResult]:
        now = await self._arena.world.now()
        found = PolicyResult(self.name, outcome, error, self._wall_ms, self._cpu_ms, self._start, now)
        return {self.name: found}
