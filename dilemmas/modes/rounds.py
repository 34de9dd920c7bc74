"""Round mode: in each round all players observe, all decide concurrently, the moves are carried out, the rules step
once.

The scenario (`dilemmas.scenarios.protocol.RoundGame`) defines observations, legal decisions and consequences. A
decision is an intention; the world decides what becomes of it. A loss of infrastructure is never taken for a decision:
it breaks the episode, which is repeated. A run has one episode.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bridge.types import Limits, PolicyResult
from bridge.worlds import NO_WORLD
from dilemmas.errors import UsageError
from dilemmas.minecraft import commands
from dilemmas.minecraft.telemetry import TICKS_A_SECOND
from dilemmas.modes.arena import Arena
from dilemmas.modes.civics import CivicSession, bookings_for, has_institutions
from dilemmas.modes.episodes import checked_results
from dilemmas.modes.gathering import gather_all
from dilemmas.modes.observation import log_shown
from dilemmas.modes.protocol import Agents, PlayedEpisode
from dilemmas.modes.single_episode_mode import SingleEpisodeMode
from dilemmas.records.events import CouncilEntry, EndReason, EndStateRead, InstitutionActed, LogLine, PoliciesStarted
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import CivicGame, EndState
from voyager_agents.rendering import contract_text
from voyager_agents.turn_agent import HasCouncil, Observes, SeesEnd


class Rounds(SingleEpisodeMode):
    """Decisions in rounds (`dilemmas.modes.protocol.Mode`) of `voyager_agents.turn_agent.TurnTaker`."""

    name = "rounds"
    civic = True
    unit = "round"
    """Unit of progress shown to the user."""

    def check(self, scenario: Scenario) -> None:
        """Check that the scenario has a game in rounds.

        Raises:
            UsageError: It has none.
        """
        if "round-game" not in scenario.abilities:
            raise UsageError(
                f"{scenario.path}: plays: {scenario.spec.scenario} has no game in rounds; leave rounds out"
            )

    def extent(
        self, scenario: Scenario, player: str, limit_s: float, episodes: int, *, keeps: bool = False
    ) -> tuple[int, int]:
        """Return the minimum and maximum number of the player's turns.

        The arguments `scenario`, `player`, `limit_s`, `episodes` and `keeps` are those of `Mode.extent`.
        """
        least, most = scenario.turn_range(limit_s)
        every = scenario.spec.players[player].every
        return (least // every, most // every)

    def round_count(self, scenario: Scenario, limit_s: float) -> int:
        """Return the maximum number of rounds."""
        return scenario.round_range(limit_s)[1]

    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> PlayedEpisode:
        """Play all rounds of the scenario, at most one per second of the time limit."""
        for player, agent in agents.items():
            if isinstance(agent, Observes):
                agent.observe(log_shown(arena.record, arena.show(player)))
        return await _Attempt(arena, agents).play(limits)

    def can_settle(self, since: Sequence[LogLine]) -> bool:
        """Return False after a step of a council or an institution as well: the log does not hold their state."""
        held = CouncilEntry | InstitutionActed
        return super().can_settle(since) and not any(isinstance(line.event, held) for line in since)


class _Attempt:
    """One attempt at an episode; call `play` once."""

    def __init__(self, arena: Arena, agents: Agents) -> None:
        self._arena = arena
        self._agents = agents
        self._council = next((each.council for each in agents.values() if isinstance(each, HasCouncil)), None)
        self._scenario = arena.scenario
        self._game = self._scenario.round_game(arena.rules, contract_notice(arena))
        self._state: EndState | None = None
        self._civics = self._civic_session()

    def _civic_session(self) -> CivicSession | None:
        """Return the session of the condition's institutions, or None without any."""
        if not has_institutions(self._arena):
            return None
        assert isinstance(self._game, CivicGame), "a scenario with civic slots has a game with institutions"
        return CivicSession(self._arena, self._agents, self._game)

    async def _govern(self, number: int) -> None:
        """Let the institutions act after a round."""
        if self._civics is not None:
            async with self._arena.thinking():
                await self._civics.step(number)

    async def play(self, limits: Limits) -> PlayedEpisode:
        began = time.monotonic()
        arena, council = self._arena, self._council
        start = await arena.world.now()
        arena.telemetry.start_episode([], start)
        arena.record.log(PoliciesStarted(players=list(self._agents)), start)
        await self._step(0)
        await self._govern(0)
        _, last = self._scenario.round_range(limits.wall_s)
        played = 0
        while not self._is_over() and played < last:
            await self._talk(played)
            played += 1
            await self._round(played)
        await self._show_end(played)
        reason: EndReason = "all_collected" if self._is_over() else "time_limit"
        self._log_council(council.close(played) if council else ())
        # Without a world the rules hold the state.
        played_out = self._state if NO_WORLD in arena.world.capabilities else None
        state = played_out or await arena.scenario.read(arena.world)
        wall_s = time.monotonic() - began
        t_s = float(played)
        arena.record.log(EndStateRead(t_s=t_s, players=state.players, chest=state.chest, reason=reason, wall_s=wall_s))
        bookings = bookings_for(council.transfers()) if council else ()
        if self._civics is not None:
            async with arena.thinking():
                bookings += bookings_for(await self._civics.close(played))
        return PlayedEpisode(reason, state, {}, tuple(arena.telemetry.chat), {}, t_s, wall_s, bookings)

    async def _show_end(self, played: int) -> None:
        for name, agent in self._agents.items():
            if isinstance(agent, SeesEnd):
                await agent.see_end(self._game.turn(name, played + 1))

    def _is_over(self) -> bool:
        return self._state is not None and self._arena.scenario.finished(self._state)

    async def _talk(self, played: int) -> None:
        """Let the players talk after that number of rounds, if a talk is due."""
        talks, state = self._arena.talks, self._state
        if talks is not None and state is not None and talks.is_due(played):
            places = await commands.positions(self._arena.world, list(self._agents))
            async with self._arena.thinking():
                await talks.hold(played, state, tuple(self._arena.telemetry.chat), places)

    async def _round(self, number: int) -> None:
        game, council = self._game, self._council
        turns = {name: game.turn(name, number) for name in self._agents}
        await self._arena.eyes.take(self._arena.world, "now", self._agents)
        async with self._arena.thinking():
            if council:
                self._log_council(await council.talk(turns))
            decisions = await self._decisions(turns, number)
        results = await self._carry_out(game.programs(number, decisions))
        await self._step(number)
        for event in game.after_programs(number, results):
            self._arena.record.log(event)
        if council:
            self._log_council(council.judge(number, game.deeds))
        await self._govern(number)

    async def _decisions(self, turns: Mapping[str, Any], number: int) -> dict[str, Any]:
        """Ask all players with a turn concurrently; a bot that moves every second round waits in the others."""
        players = self._arena.scenario.spec.players
        due = [name for name in turns if number % players[name].every == 0]
        return dict(zip(due, await gather_all(self._agents[name].take_turn(turns[name]) for name in due), strict=True))

    async def _carry_out(self, programs: Mapping[str, str]) -> dict[str, PolicyResult]:
        """Carry out all moves concurrently in the world; a round takes a minimum time."""
        world, game = self._arena.world, self._game
        began = await world.now()
        results: dict[str, PolicyResult] = {}
        if programs:
            results = checked_results(await world.run(programs, Limits(wall_s=game.move_s)), programs)
        left = game.round_s - (await world.now() - began) / TICKS_A_SECOND
        if left > 0:
            await world.sleep(left)
        return results

    async def _step(self, number: int) -> None:
        """Step the rules once."""
        state = await self._arena.step(float(number))
        for event in self._game.after_step(number, state):
            self._arena.record.log(event)
        if state != self._state:
            self._arena.log_state(float(number), state)
        self._state = state

    def _log_council(self, entries: Iterable[Mapping[str, Any]]) -> None:
        for entry in entries:
            self._arena.record.log(CouncilEntry(entry=dict(entry)))


def contract_notice(arena: Arena) -> tuple[str, ...]:
    """Return the contract's notice to players before the first round; empty without a contract visible to them."""
    if arena.contract is None or "contract" not in arena.scenario.spec.observables:
        return ()
    clauses = " ".join(contract_text(arena.contract).split())
    return (f"Before the game all agreed on this contract: {clauses}",)
