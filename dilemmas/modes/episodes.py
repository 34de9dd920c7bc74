"""Episode mode: start all programs in one tick, step the scenario, stop, and read the end state from the server.

This module neither judges nor retries. A lost component raises InfrastructureError, and `accord.studies.study` decides.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from bridge.errors import BotLostError, BridgeError, HostError, HostTakenDownError
from bridge.types import Limits, PolicyResult, ProgramOutcome
from dilemmas.minecraft.telemetry import TICKS_A_SECOND, TelemetryWriter
from dilemmas.modes import restoring
from dilemmas.modes.arena import Arena
from dilemmas.modes.civics import CivicSession, bookings_for, has_institutions
from dilemmas.modes.episode_play import EpisodePlay
from dilemmas.modes.gathering import gather_all
from dilemmas.modes.observation import shown
from dilemmas.modes.protocol import Agents, Mode, PlayedEpisode, Preparation
from dilemmas.records.events import (
    Critique,
    EndReason,
    EndStateRead,
    InstitutionActed,
    LogLine,
    PoliciesStarted,
    PolicyEnded,
    PolicyProblem,
    PolicyWritten,
)
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import EndState
from voyager_agents.agent import Action, Caller, CallSession, Learner, Reviewer

if TYPE_CHECKING:
    from dilemmas.modes.tool_players import ToolPlayer

MAX_THOUGHT = 8_000
"""Maximum number of characters kept of an author's reasoning; calls.jsonl has the full answer."""
NO_SESSIONS: Mapping[str, CallSession] = {}
GRACE_S = 2.0
"""Hosts end programs at the time limit; the episode does it this many seconds later if they fail to."""
SLOWEST = 2.0
"""Maximum slowdown of a server, in episodes that end by the world's clock, before hosts end the programs."""


class Episodes(Mode):
    """Episodes in which each agent writes a program and all start in one tick (`dilemmas.modes.protocol.Mode`).

    An agent writes a program for every episode unless its critic (`voyager_agents.agent.Reviewer`) is satisfied or its
    family keeps a program that ended well. A run ends when nobody writes another program.
    """

    name = "episodes"
    several = True
    civic = True

    def check(self, scenario: Scenario) -> None:
        """Accept every scenario."""

    def extent(
        self, scenario: Scenario, player: str, limit_s: float, episodes: int, *, keeps: bool = False
    ) -> tuple[int, int]:
        """Return the number of episodes for which the player writes; at least 1 for players that keep a program.

        The arguments `scenario`, `player`, `limit_s`, `episodes` and `keeps` are those of `Mode.extent`.
        """
        return (1 if keeps else episodes, episodes)

    async def due(self, preparation: Preparation, played: PlayedEpisode | None, *, anew: bool) -> list[str]:
        """Return the players who write a program.

        These are all players before the first episode and when contracts are renegotiated, and otherwise all who do not
        keep their program.
        """
        agents = preparation.agents
        if played is None:
            return list(agents)
        if anew:
            return [player for player in played.results if player in agents]
        asked = [player for player in agents if player not in {*played.failed, *_learners(agents)}]
        asked = [player for player in asked if player not in _callers(agents)]
        kept = await _players_keeping(preparation, asked)
        return [player for player in played.results if player in agents and player not in kept]

    async def prepare(self, preparation: Preparation, players: Sequence[str]) -> None:
        """Let the players write their programs concurrently."""
        agents = preparation.agents
        for player in players:
            agents[player].observe(shown(preparation, player))
        async with preparation.thinking():
            actions = await gather_all(agents[player].act() for player in players)
        written = dict(zip(players, actions, strict=True))
        for player, action in written.items():
            if action.critique:
                preparation.record.log(Critique(player=player, text=action.critique, success=action.success))
            preparation.programs[player] = action.policy
        for player in agents:
            _save_program(preparation, player, written.get(player))

    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> PlayedEpisode:
        """Run the programs until the episode ends; only agents that act by tool calls are asked meanwhile."""
        sessions = {player: agent.begin_calls() for player, agent in _callers(agents).items()}
        civics = None
        if has_institutions(arena):
            game = arena.rules.civic_game
            assert game is not None, "institutions that cannot act are refused before the start"
            civics = CivicSession(arena, agents, game, arena.scenario.civic_every_s)
        return await run_programs(arena, arena.programs, limits, sessions, civics)

    async def conclude(self, preparation: Preparation) -> None:
        """Let learning agents review the last episode."""
        learners = _learners(preparation.agents)
        if not learners:
            return
        for player, agent in learners.items():
            agent.observe(shown(preparation, player))
        async with preparation.thinking():
            answers = await gather_all(each.conclude() for each in learners.values())
        for player, (critique, success) in zip(learners, answers, strict=True):
            if critique:
                preparation.record.log(Critique(player=player, text=critique, success=success))

    def restore(self, end: EndStateRead, since: Sequence[LogLine]) -> PlayedEpisode:
        """Restore the episode from the log, which holds all of it."""
        return restoring.restore_episode(end, since)

    def can_settle(self, since: Sequence[LogLine]) -> bool:
        """Return False after a step of an institution, whose state the log does not hold; else it has everything."""
        return not any(isinstance(line.event, InstitutionActed) for line in since)


async def _players_keeping(preparation: Preparation, players: Sequence[str]) -> set[str]:
    """Return the players who keep their program; `players` are those whose programs ended well.

    A critic decides if there is one, because a program that catches its own errors may have achieved nothing.
    """
    agents = {name: agent for name in players if isinstance(agent := preparation.agents[name], Reviewer)}
    kept = {player for player in players if player not in agents and player in preparation.keepers}
    for player, agent in agents.items():
        agent.observe(preparation.show(player))
    if not agents:
        return kept
    async with preparation.thinking():
        answers = await gather_all(each.review() for each in agents.values())
    for player, (critique, success) in zip(agents, answers, strict=True):
        if success:
            kept.add(player)
            if critique:
                preparation.record.log(Critique(player=player, text=critique, success=True))
    return kept


def _learners(agents: Agents) -> dict[str, Learner]:
    return {player: agent for player, agent in agents.items() if isinstance(agent, Learner)}


def _callers(agents: Agents) -> dict[str, Caller]:
    """Return the agents that act by tool calls."""
    return {player: agent for player, agent in agents.items() if isinstance(agent, Caller) and agent.by_calls}


def _save_program(preparation: Preparation, player: str, action: Action | None) -> None:
    """Save the player's program in the record, with its author's reasoning; None for a program that was kept."""
    source, author, episode = preparation.programs[player], preparation.authors[player], preparation.episode
    file = preparation.record.save_policy(episode, player, source)
    preparation.files[player] = file
    thought, stood_in = ("", "") if action is None else (action.thought[:MAX_THOUGHT], action.stood_in)
    preparation.record.log(
        PolicyWritten(
            player=player, author=author, source=source, file=file, attempt=episode, thought=thought, stood_in=stood_in
        )
    )


def _tool_players(
    arena: Arena, sessions: Mapping[str, CallSession], limits: Limits, start: int
) -> Sequence[ToolPlayer]:
    """Return the players that act by calls; a study without any does not load what they need."""
    if not sessions:
        return ()
    from dilemmas.modes.tool_players import ToolPlayer

    return [ToolPlayer(arena, name, session, limits, start) for name, session in sessions.items()]


async def run_programs(
    arena: Arena,
    programs: Mapping[str, str],
    limits: Limits,
    sessions: Mapping[str, CallSession] = NO_SESSIONS,
    civics: CivicSession | None = None,
) -> PlayedEpisode:
    """Run the programs in a built arena until the episode ends.

    The program of a culprit does not run again; its earlier result counts.

    Args:
        arena: Built arena.
        programs: Player -> its program.
        limits: Limits of the episode.
        sessions: Player -> its calls, for players that act by tool calls instead of their program.
        civics: Institutions of the attempt; they act every `Scenario.civic_every_s` seconds.

    Raises:
        InfrastructureError: A component is lost.
        AgentError: The model of a player that acts by tool calls failed.
    """
    began = time.monotonic()
    telemetry = arena.telemetry
    done = arena.culprits
    acting = [name for name in programs if name not in done]
    policies = {name: programs[name] for name in acting if name not in sessions}
    start = await arena.world.now()
    telemetry.start_episode([name for name in programs if name not in sessions], start)
    arena.record.log(PoliciesStarted(players=acting), start)
    # If players do not know the time limit, the episode ends their programs. Otherwise the hosts do, as a failure.
    open_ended = arena.scenario.spec.end.open_ended
    bounds = replace(limits, wall_s=SLOWEST * limits.wall_s + GRACE_S) if open_ended else limits
    callers = _tool_players(arena, {name: sessions[name] for name in acting if name in sessions}, bounds, start)
    play = EpisodePlay(arena, policies, callers)
    run = asyncio.create_task(play.run(bounds))
    try:
        limit_s = limits.wall_s if open_ended else limits.wall_s + GRACE_S
        ended_by = await _steps(arena, play, run, limit_s, civics)
        found = checked_results(await run, acting)
        results = {name: done[name] if name in done else found[name] for name in programs}
    finally:
        await _cancel_task(run)
    await telemetry.settle()
    if callers:
        for event in await arena.afterwards():
            arena.record.log(event)
    record_ends(arena, results, {each.name: each.stood_in for each in callers})
    game_s = _game_seconds(results, telemetry, await arena.world.now())
    state = await arena.scenario.read(arena.world)
    for event in state.happened:
        arena.record.log(event)
    await arena.eyes.take(arena.world, "end", programs)
    # The last items may arrive between the last step and the policies' end.
    if ended_by is None:
        ended_by = _reason(arena, state, results)
    wall_s = time.monotonic() - began
    end = EndStateRead(t_s=game_s, players=state.players, chest=state.chest, reason=ended_by, wall_s=wall_s)
    arena.record.log(end)
    bookings: tuple[tuple[str, str, float], ...] = ()
    if civics is not None:
        async with arena.thinking():
            bookings = bookings_for(await civics.close(int(game_s // arena.scenario.civic_every_s)))
    logs = {name: tuple(telemetry.logs.get(name, ())) for name in programs}
    return PlayedEpisode(ended_by, state, results, tuple(telemetry.chat), logs, game_s, wall_s, bookings)


async def _steps(
    arena: Arena,
    play: EpisodePlay,
    run: asyncio.Task[dict[str, PolicyResult]],
    limit_s: float,
    civics: CivicSession | None,
) -> EndReason | None:
    """Step until the policies end (None), the scenario ends the episode, or `limit_s` passes; return the reason."""
    world, scenario, telemetry = arena.world, arena.scenario, arena.telemetry
    seen: EndState | None = None
    governed = -1
    while not run.done():
        t_s = telemetry.seconds(await world.now())
        state = await arena.step(t_s)
        for event in state.happened:
            arena.record.log(event)
        if state != seen:
            arena.log_state(t_s if seen else 0.0, state)
            seen = state
        if civics is not None and (due := int(t_s // scenario.civic_every_s)) > governed:
            governed = due
            async with arena.thinking():
                await civics.step(due)
        if scenario.finished(state):
            await play.stop()
            return "all_collected"
        if t_s >= limit_s:
            await play.stop()
            return "time_limit"
        await _wait(world.sleep(scenario.spec.rules.step_s), run, telemetry)
    return None


async def _wait(pause: Awaitable[None], run: asyncio.Task[dict[str, PolicyResult]], telemetry: TelemetryWriter) -> None:
    """Wait until the pause ends or the policies end; a failing record ends the wait as well."""
    sleeping = asyncio.ensure_future(pause)
    others = {telemetry.task} if telemetry.task is not None else set()
    try:
        await asyncio.wait({sleeping, run, *others}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _cancel_task(sleeping)
    for task in others:
        if task.done():
            task.result()
    if sleeping.done() and not sleeping.cancelled():
        sleeping.result()


async def _cancel_task(task: asyncio.Future[Any]) -> None:
    """Cancel a task and wait for its end; its result was taken before or no longer matters."""
    if task.done():
        return
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, BridgeError):
        await task


def checked_results(results: dict[str, PolicyResult], policies: Iterable[str]) -> dict[str, PolicyResult]:
    """Return the results in the players' order.

    Raises:
        HostError: A result is missing.
        HostTakenDownError: A program took down the bot host of other players.
        BotLostError: The infrastructure lost a policy.
    """
    policies = list(policies)
    missing = [name for name in policies if name not in results]
    if missing:
        raise HostError(f"no result came back for the policy of {', '.join(missing)}")
    culprits = {name: results[name] for name in policies if took_down(results[name])}
    for name in policies:
        result = results[name]
        if result.outcome is ProgramOutcome.INFRASTRUCTURE:
            why = result.error.message if result.error else "no reason was given"
            if culprits:
                whose = " and ".join(f"{culprit}'s program" for culprit in culprits)
                raise HostTakenDownError(f"{whose} took the bot host of {name} down: {why}", culprits)
            raise BotLostError(f"{name}'s policy was lost: {why}")
    return {name: _without_interruption(results[name]) for name in policies}


def took_down(result: PolicyResult) -> bool:
    """Return True if the program is known to have taken down its host (bridge/host/supervisor/host_fleet.js)."""
    return result.outcome is ProgramOutcome.THREW and result.error is not None and result.error.name == "HostLost"


def _without_interruption(result: PolicyResult) -> PolicyResult:
    """Clear the error of a program interrupted by the end of the episode, since it did nothing wrong."""
    return replace(result, error=None) if result.outcome is ProgramOutcome.CANCELLED else result


def record_ends(arena: Arena, results: Mapping[str, PolicyResult], stood_in: Mapping[str, str]) -> None:
    """Log the outcome of each program.

    Args:
        arena: Arena of the episode.
        results: Player -> end of its program.
        stood_in: Player -> stand-in that took over for it, if any.
    """
    for name, result in results.items():
        error = result.error
        ended = PolicyEnded(
            player=name,
            outcome=str(result.outcome),
            error=None if error is None else PolicyProblem(**asdict(error)),
            wall_ms=result.wall_ms,
            cpu_ms=result.cpu_ms,
            stood_in=stood_in.get(name, ""),
        )
        arena.record.log(ended, result.ended_tick)


def _reason(arena: Arena, state: EndState, results: Mapping[str, PolicyResult]) -> EndReason:
    if arena.scenario.finished(state):
        return "all_collected"
    if any(result.outcome is ProgramOutcome.TIMEOUT for result in results.values()):
        return "time_limit"
    return "policies_returned"


def _game_seconds(results: Mapping[str, PolicyResult], telemetry: TelemetryWriter, now: int) -> float:
    starts = [result.started_tick for result in results.values() if result.started_tick is not None]
    ends = [result.ended_tick for result in results.values() if result.ended_tick is not None]
    if not starts or len(ends) != sum(not took_down(result) for result in results.values()):
        return telemetry.seconds(now)
    return (max(ends) - min(starts)) / TICKS_A_SECOND
