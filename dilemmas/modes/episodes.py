"""One attempt at an episode: start all policies in one tick, step the scenario, stop, read the end from the server.

Nothing here judges or retries: a lost part raises an InfrastructureError and `dilemmas.running.study` decides.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from bridge.errors import BotLostError, BridgeError, HostError, HostTakenDownError
from bridge.types import Limits, Outcome, PolicyResult
from dilemmas.minecraft.telemetry import TICKS_A_SECOND, Telemetry
from dilemmas.modes.arena import Arena
from dilemmas.records.events import (
    EndReason,
    EndStateRead,
    Holdings,
    PoliciesStarted,
    PolicyEnded,
    PolicyProblem,
    StateSeen,
)
from dilemmas.scenarios.protocol import EndState, reward
from voyager_agents.turns import TurnTaker

GRACE_S = 2.0
"""The hosts end programs at the time limit; this much later the episode does it for them."""


@dataclass(frozen=True)
class Played:
    """What an attempt left behind."""

    reason: EndReason
    state: EndState
    results: dict[str, PolicyResult]
    chat: tuple[tuple[str, str], ...]
    logs: dict[str, tuple[str, ...]]
    """Player -> what its program printed."""
    game_s: float
    wall_s: float
    bookings: tuple[tuple[str, str, float], ...] = ()
    """(payer, payee, amount) of what players owe each other by rules that they made while they played."""

    @property
    def failed(self) -> list[str]:
        """Players whose program did not work: it threw, was no program, or had not ended when the time was over."""
        bad = (Outcome.THREW, Outcome.SYNTAX, Outcome.TIMEOUT)
        return [name for name, result in self.results.items() if result.outcome in bad]


class PlaysRounds(Protocol):
    """What a scenario whose spec `plays` rounds has beside `dilemmas.scenarios.protocol.Scenario`."""

    async def play(self, arena: Arena, telemetry: Telemetry, takers: Mapping[str, TurnTaker], limits: Limits) -> Played:
        """Play all rounds on a built arena; logs `EndStateRead` in the end. Models think between rounds, all at once,
        inside `async with arena.thinking()`. Raises InfrastructureError and AgentError.
        """


async def play(
    arena: Arena,
    telemetry: Telemetry,
    programs: Mapping[str, str],
    limits: Limits,
    culprits: Mapping[str, PolicyResult] | None = None,
) -> Played:
    """Run the programs on a built arena until the episode ends. Raises InfrastructureError when a part was lost.

    `culprits` are players whose program has taken a host down in an earlier attempt: it does not run again, and what
    became of it then is its result.
    """
    began = time.monotonic()
    done = dict(culprits or {})
    policies = {name: source for name, source in programs.items() if name not in done}
    start = await arena.world.now()
    telemetry.begin(programs, start)
    arena.record.log(PoliciesStarted(players=list(policies)), start)
    # Where players do not know the limit, the episode ends their programs; elsewhere the hosts do, and it is a failure.
    open_ended = arena.scenario.spec.end.open_ended
    bounds = replace(limits, wall_s=limits.wall_s + GRACE_S) if open_ended else limits
    run = asyncio.create_task(arena.world.run(policies, bounds))
    try:
        ended_by = await _steps(arena, telemetry, run, limits.wall_s if open_ended else limits.wall_s + GRACE_S)
        found = checked(await run, policies)
        results = {name: done[name] if name in done else found[name] for name in programs}
    finally:
        await _stop(run)
    await telemetry.settle()
    _record_ends(arena, results)
    game_s = _game_seconds(results, telemetry, await arena.world.now())
    state = await arena.scenario.read(arena.world)
    # The last items may have come in between the last step and the policies' return.
    if ended_by is None:
        ended_by = _reason(arena, state, results)
    wall_s = time.monotonic() - began
    held = holdings(arena, state)
    arena.record.log(EndStateRead(t_s=game_s, players=held, chest=state.chest, reason=ended_by, wall_s=wall_s))
    logs = {name: tuple(telemetry.logs.get(name, ())) for name in programs}
    return Played(ended_by, state, results, tuple(telemetry.chat), logs, game_s, wall_s)


def holdings(arena: Arena, state: EndState) -> dict[str, Holdings]:
    """What the players have, and what it is worth to each."""
    prices = {name: player.prices for name, player in arena.scenario.spec.players.items()}
    return {
        name: Holdings(items=each.items, mined=each.mined, reward=reward(prices[name], each.items))
        for name, each in state.players.items()
    }


async def _steps(
    arena: Arena, telemetry: Telemetry, run: asyncio.Task[dict[str, PolicyResult]], limit_s: float
) -> EndReason | None:
    """Step until the policies have ended (None), the scenario ends the episode, or `limit_s` has passed (why)."""
    world, scenario = arena.world, arena.scenario
    seen: EndState | None = None
    while not run.done():
        t_s = telemetry.seconds(await world.now())
        state = await arena.rules.step(world, t_s)
        for event in state.happened:
            arena.record.log(event)
        if state != seen:
            arena.record.log(StateSeen(t_s=t_s if seen else 0.0, players=holdings(arena, state), world=state.world))
            seen = state
        if scenario.finished(state):
            await world.cancel()
            return "all_collected"
        if t_s >= limit_s:
            await world.cancel()
            return "time_limit"
        await _wait(world.sleep(scenario.spec.rules.step_s), run, telemetry)
    return None


async def _wait(pause: Awaitable[None], run: asyncio.Task[dict[str, PolicyResult]], telemetry: Telemetry) -> None:
    """Until the pause is over or the policies have ended; a record that cannot be written any more ends it too."""
    sleeping = asyncio.ensure_future(pause)
    others = {telemetry.task} if telemetry.task is not None else set()
    try:
        await asyncio.wait({sleeping, run, *others}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _stop(sleeping)
    for task in others:
        if task.done():
            task.result()
    if sleeping.done() and not sleeping.cancelled():
        sleeping.result()


async def _stop(task: asyncio.Future[Any]) -> None:
    """End a task and wait for its end; its result or error was taken already, or no longer matters."""
    if task.done():
        return
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, BridgeError):
        await task


def checked(results: dict[str, PolicyResult], policies: Mapping[str, str]) -> dict[str, PolicyResult]:
    """The results in the players' order, when nothing of the infrastructure was lost."""
    missing = [name for name in policies if name not in results]
    if missing:
        raise HostError(f"no result came back for the policy of {', '.join(missing)}")
    culprits = {name: results[name] for name in policies if took_down(results[name])}
    for name in policies:
        result = results[name]
        if result.outcome is Outcome.INFRASTRUCTURE:
            why = result.error.message if result.error else "no reason was given"
            if culprits:
                whose = " and ".join(f"{culprit}'s program" for culprit in culprits)
                raise HostTakenDownError(f"{whose} took the bot host of {name} down: {why}", culprits)
            raise BotLostError(f"{name}'s policy was lost: {why}")
    return {name: _told(results[name]) for name in policies}


def took_down(result: PolicyResult) -> bool:
    """Whether the program is known to have taken its host down (bridge/host/host_fleet.js)."""
    return result.outcome is Outcome.THREW and result.error is not None and result.error.name == "HostLost"


def _told(result: PolicyResult) -> PolicyResult:
    """A program that the episode's own end cut short did nothing wrong: its interruption is no error of its."""
    return replace(result, error=None) if result.outcome is Outcome.CANCELLED else result


def _record_ends(arena: Arena, results: Mapping[str, PolicyResult]) -> None:
    for name, result in results.items():
        error = result.error
        ended = PolicyEnded(
            player=name,
            outcome=str(result.outcome),
            error=None if error is None else PolicyProblem(**asdict(error)),
            wall_ms=result.wall_ms,
            cpu_ms=result.cpu_ms,
        )
        arena.record.log(ended, result.ended_tick)


def _reason(arena: Arena, state: EndState, results: Mapping[str, PolicyResult]) -> EndReason:
    if arena.scenario.finished(state):
        return "all_collected"
    if any(result.outcome is Outcome.TIMEOUT for result in results.values()):
        return "time_limit"
    return "policies_returned"


def _game_seconds(results: Mapping[str, PolicyResult], telemetry: Telemetry, now: int) -> float:
    starts = [result.started_tick for result in results.values() if result.started_tick is not None]
    ends = [result.ended_tick for result in results.values() if result.ended_tick is not None]
    if not starts or len(ends) != sum(not took_down(result) for result in results.values()):
        return telemetry.seconds(now)
    return (max(ends) - min(starts)) / TICKS_A_SECOND
