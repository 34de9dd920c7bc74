"""Iteration mode: one land for the whole run, on which each program continues where the last one ended (Voyager).

An iteration is one program. Its player sees its inventory, its position and the end of its last program, writes the
next program, and the program runs on the same land from the same place with the same inventory. The run ends after the
scenario's number of iterations, when the goal is held, or at the time limit. A run has one episode. An interrupted run
starts again from its first iteration, and answered model calls are not repeated.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bridge.errors import BridgeError
from bridge.types import Limits, PolicyResult, Senses
from dilemmas.errors import UsageError
from dilemmas.minecraft import commands
from dilemmas.minecraft.telemetry import TICKS_A_SECOND
from dilemmas.modes.arena import Arena
from dilemmas.modes.bodies import ENDED
from dilemmas.modes.episodes import MAX_THOUGHT, checked_results
from dilemmas.modes.gathering import gather_all
from dilemmas.modes.observation import log_shown
from dilemmas.modes.protocol import Agents, PlayedEpisode
from dilemmas.modes.single_episode_mode import SingleEpisodeMode
from dilemmas.records.events import (
    ActBegan,
    ActEnded,
    Critique,
    EndReason,
    EndStateRead,
    PoliciesStarted,
)
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import EndState
from voyager_agents.agent import Action, Agent, LastRun, Learner, Observation
from voyager_agents.rendering import surroundings

LOOK_S = 1.0
"""Interval between samples of positions while programs run, in game seconds."""
SEEN = Senses(radius=32, most=24)
"""Surroundings shown to players before they write."""


class Iterations(SingleEpisodeMode):
    """Programs one after another (`dilemmas.modes.protocol.Mode`), written by `voyager_agents.agent.Agent`."""

    name = "iterations"
    unit = "iteration"
    """Unit of progress shown to the user."""
    timed = False
    """False because times in the log are seconds, not iterations."""

    def check(self, scenario: Scenario) -> None:
        """Check that the scenario says how many iterations there are.

        Raises:
            UsageError: It does not.
        """
        if "trial" not in scenario.abilities:
            raise UsageError(
                f"{scenario.path}: plays: {scenario.spec.scenario} does not say how many iterations there are; "
                "leave iterations out"
            )

    def extent(
        self, scenario: Scenario, player: str, limit_s: float, episodes: int, *, keeps: bool = False
    ) -> tuple[int, int]:
        """Return the number of iterations; the minimum is 1 if the first program may reach the goal.

        The arguments `scenario`, `player`, `limit_s`, `episodes` and `keeps` are those of `Mode.extent`.
        """
        return (scenario.min_iterations, scenario.iterations)

    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> PlayedEpisode:
        """Play all iterations."""
        return await _Attempt(arena, agents, limits).play()


@dataclass
class _Past:
    """A player's knowledge of its last iteration."""

    last: LastRun | None = None
    chat: tuple[tuple[str, str], ...] = ()
    prints: int = 0
    """Number of lines printed by its programs so far."""


@dataclass
class _Attempt:
    """One attempt at the run; call `play` once."""

    arena: Arena
    agents: Mapping[str, Agent]
    limits: Limits
    start: int = 0
    state: EndState = field(default_factory=lambda: EndState({}))

    def __post_init__(self) -> None:
        self._scenario = self.arena.scenario
        self._past = {player: _Past() for player in self.agents}
        self._chat = 0
        self._goal = self._scenario.goal(self.arena.condition)
        self._task = self._scenario.task(self.arena.condition)

    async def play(self) -> PlayedEpisode:
        """Play all iterations, and return the played episode."""
        began, arena = time.monotonic(), self.arena
        self.start = await arena.world.now()
        arena.telemetry.start_episode([], self.start)
        arena.record.log(PoliciesStarted(players=list(self.agents)), self.start)
        self.state = await arena.scenario.read(arena.world)
        reason: EndReason = "policies_returned"
        for number in range(1, self._scenario.iterations + 1):
            await self._iterate(number)
            if self._reached():
                reason = "all_collected"
                break
            if self._left() <= 0:
                reason = "time_limit"
                break
        await self._conclude(number + 1)
        wall_s, t_s = time.monotonic() - began, self._seconds(await arena.world.now())
        players, chest = self.state.players, self.state.chest
        arena.record.log(EndStateRead(t_s=t_s, players=players, chest=chest, reason=reason, wall_s=wall_s))
        return PlayedEpisode(reason, self.state, {}, tuple(arena.telemetry.chat), {}, t_s, wall_s)

    async def _iterate(self, number: int) -> None:
        """Observe, write, run, and read the result."""
        arena = self.arena
        shown = {player: await self._observation(player, number) for player in self.agents}
        for player, agent in self.agents.items():
            agent.observe(log_shown(arena.record, shown[player]))
        await arena.eyes.take(arena.world, "now", self.agents)
        async with arena.thinking():
            written = await gather_all(agent.act() for agent in self.agents.values())
        actions = dict(zip(self.agents, written, strict=True))
        await self._run(number, actions)

    async def _observation(self, player: str, number: int) -> Observation:
        """Return the player's observation before iteration `number`, as the scenario grants it."""
        arena, past = self.arena, self._past[player]
        granted = arena.scenario.spec.observables
        base = arena.show(player)
        found = replace(base, episode=number - 1, task=self._task)
        if "scenario" in granted:
            seen = (await arena.world.sense([player], self._senses))[player]
            found = replace(found, scenario=f"{base.scenario}\n\n{surroundings(seen)}")
            if (beside := base.pictured) is not None:
                shown = replace(beside, scenario=f"{beside.scenario}\n\n{surroundings(seen, things=False)}")
                found = replace(found, pictured=shown)
        if "inventories" in granted:
            held = {name: dict(each.items) for name, each in self.state.players.items()}
            found = replace(found, inventories=held)
        if "chat" in granted:
            found = replace(found, chat=past.chat)
        return replace(found, last_run=past.last) if "last_run" in granted else found

    @property
    def _senses(self) -> Senses:
        return replace(SEEN, blocks=tuple(self._scenario.interests))

    async def _run(self, number: int, actions: Mapping[str, Action]) -> None:
        """Run the programs of one iteration from the same tick, and record their outcomes."""
        arena = self.arena
        telemetry, before = arena.telemetry, self.state
        programs = {player: action.policy for player, action in actions.items()}
        began = await arena.world.now()
        for player, action in actions.items():
            self._log_action(number, player, action, began)
        results = await self._in_world(programs)
        await telemetry.settle()
        self.state = await arena.scenario.read(arena.world)
        now = await arena.world.now()
        chat = tuple(telemetry.chat[self._chat :])
        self._chat = len(telemetry.chat)
        for player, result in results.items():
            past, log = self._past[player], telemetry.logs.get(player, [])
            self._past[player] = _Past(_last(programs[player], result, log[past.prints :]), chat, len(log))
            self._log_end(number, player, result, began, now, before)

    async def _in_world(self, programs: Mapping[str, str]) -> dict[str, PolicyResult]:
        """Run the programs while sampling positions. Raises InfrastructureError if a component is lost."""
        world, telemetry = self.arena.world, self.arena.telemetry
        wall_s = max(LOOK_S, min(self._scenario.iteration_s, self._left(await world.now())))
        telemetry.expect(programs)
        run = asyncio.create_task(world.run(programs, replace(self.limits, wall_s=wall_s)))
        others = {telemetry.task} if telemetry.task is not None else set()
        try:
            while not run.done():
                await self._look()
                pause = asyncio.ensure_future(world.sleep(LOOK_S))
                try:
                    await asyncio.wait({pause, run, *others}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    await _cancel_task(pause)
                for task in others:
                    if task.done():
                        task.result()
            await self._look()
            return checked_results(await run, programs)
        finally:
            await _cancel_task(run)

    async def _look(self) -> None:
        """Log the current positions of all players."""
        places = await commands.positions(self.arena.world, self.arena.players)
        tick = await self.arena.world.now()
        self._now = tick
        self.arena.log_positions(self._seconds(tick), places, tick)

    def _log_action(self, number: int, player: str, action: Action, tick: int) -> None:
        """Log a player's program, with the critique of its last one."""
        record, t_s = self.arena.record, self._seconds(tick)
        self._now = tick
        if action.critique:
            record.log(Critique(player=player, text=action.critique, success=action.success))
        label = " ".join(action.thought.split())[:MAX_THOUGHT] or f"iteration {number}"
        record.log(
            ActBegan(t_s=t_s, player=player, number=number, label=label, program=action.policy, by="iteration"), tick
        )

    def _log_end(self, number: int, player: str, result: PolicyResult, began: int, now: int, before: EndState) -> None:
        """Log the program's outcome and the change of the player's inventory on the server."""
        error = "" if result.error is None else f"{result.error.name}: {result.error.message}"
        self.arena.record.log(
            ActEnded(
                t_s=self._seconds(now),
                player=player,
                number=number,
                label=f"iteration {number}",
                ended=ENDED[result.outcome],
                error=error,
                seconds=round((now - began) / TICKS_A_SECOND, 3),
                gained=_change(before, self.state, player),
            ),
            now,
        )

    async def _conclude(self, number: int) -> None:
        """Let learning agents review the last iteration."""
        arena = self.arena
        learners = {player: agent for player, agent in self.agents.items() if isinstance(agent, Learner)}
        for player, agent in learners.items():
            agent.observe(log_shown(arena.record, await self._observation(player, number)))
        await arena.eyes.take(arena.world, "now", learners)
        async with arena.thinking():
            answers = await gather_all(each.conclude() for each in learners.values())
        for player, (critique, success) in zip(learners, answers, strict=True):
            if critique:
                arena.record.log(Critique(player=player, text=critique, success=success))

    def _reached(self) -> bool:
        """Return True if a player holds all items of the goal."""
        return bool(self._goal) and any(
            all(held.items.get(item, 0) >= count for item, count in self._goal.items())
            for held in self.state.players.values()
        )

    def _seconds(self, tick: int) -> float:
        return max(0, tick - self.start) / TICKS_A_SECOND

    def _left(self, tick: int | None = None) -> float:
        """Return the game seconds until the time limit."""
        return self.limits.wall_s - self._seconds(self._now if tick is None else tick)


def _last(program: str, result: PolicyResult, log: Sequence[str]) -> LastRun:
    """Return the program's end as its author sees it."""
    error = result.error
    told = "" if error is None else f"{error.name}: {error.message}"
    return LastRun(program, str(result.outcome), told, error.line if error else None, tuple(log))


def _change(before: EndState, after: EndState, player: str) -> dict[str, int]:
    old, new = (state.players[player].items if player in state.players else {} for state in (before, after))
    changes = {item: new.get(item, 0) - old.get(item, 0) for item in sorted({*old, *new})}
    return {item: change for item, change in changes.items() if change}


async def _cancel_task(task: asyncio.Future[Any]) -> None:
    """Cancel a task and wait for its end; its result was taken before or no longer matters."""
    if task.done():
        return
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, BridgeError):
        await task
