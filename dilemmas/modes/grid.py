"""Grid mode: all players act in each step of a game on arrays, optionally displayed in a world (`--embodied`).

The arrays are the ground truth. A step counts as one second of game time. Every step goes into a trajectory file, and a
readable summary into the log. A run may have several episodes, each with a new layout.
"""

from __future__ import annotations

import time

from bridge.types import Limits
from bridge.worlds import NO_WORLD
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.modes.arena import Arena
from dilemmas.modes.embodied import GameDisplay, game_display
from dilemmas.modes.grid_chronicle import GridChronicle
from dilemmas.modes.grid_table import GridTable, policy_names
from dilemmas.modes.observation import log_shown
from dilemmas.modes.protocol import Agents, PlayedEpisode, Preparation
from dilemmas.modes.single_episode_mode import SingleEpisodeMode
from dilemmas.records.events import EndStateRead, GridBegun, GridEnded, Holdings, PoliciesStarted
from dilemmas.records.trajectories import write_trajectory
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import EndState
from grid_games import Batch, GridGame, recorded_name
from grid_games.core.tables import STAY
from grid_games.oracle import ExecutionPlan, plan_of
from voyager_agents.grid import PlanningPlayer, SeatedPlayer, WordPlayer

STATES_EVERY = 10
"""Number of steps between two logged states."""
TALKED = "you have talked with the other players"
"""News after which planners make new plans."""
DECIMALS = 9
"""Decimals kept of rewards; pooling leaves rounding residues beyond them."""


class Grid(SingleEpisodeMode):
    """Games on arrays (`dilemmas.modes.protocol.Mode`), played by the agents of `voyager_agents.grid`."""

    name = "grid"
    several = True

    def check(self, scenario: Scenario) -> None:
        """Check that the scenario is a grid game.

        Raises:
            UsageError: It is none.
        """
        if "grid-game" not in scenario.abilities:
            raise UsageError(f"{scenario.path}: plays: {scenario.spec.scenario} is no grid game; leave grid out")

    def extent(
        self, scenario: Scenario, player: str, limit_s: float, episodes: int, *, keeps: bool = False
    ) -> tuple[int, int]:
        """Return the minimum and maximum number of steps in which the player has a choice.

        The arguments `scenario`, `player`, `limit_s`, `episodes` and `keeps` are those of `Mode.extent`.
        """
        least, most = scenario.choice_range(limit_s)
        return least * episodes, most * episodes

    def round_count(self, scenario: Scenario, limit_s: float) -> int:
        """Return the number of steps."""
        return min(scenario.grid_game("").steps, int(limit_s))

    async def due(self, preparation: Preparation, played: PlayedEpisode | None, *, anew: bool) -> list[str]:
        """Return all players, for every requested episode."""
        return list(preparation.agents)

    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> PlayedEpisode:
        """Play all steps of the game, at most one per second of the time limit."""
        for player, agent in agents.items():
            if isinstance(agent, WordPlayer | PlanningPlayer | SeatedPlayer):
                agent.observe(log_shown(arena.record, arena.show(player)))
        return await _Attempt(arena, agents).play(limits)


class _Attempt:
    """One attempt at an episode; call `play` once."""

    def __init__(self, arena: Arena, agents: Agents) -> None:
        seed: int = getattr(arena.rules, "seed", 0)
        self._arena, self._names = arena, list(agents)
        game = arena.scenario.grid_game(arena.condition)
        self._batch = Batch(game, [seed])
        for _ in range((arena.record.episode or 1) - 1):
            self._batch.reset()
        self._plan = _plan(game)
        goal = arena.scenario.spec.task
        self._table = GridTable(agents, seed, arena.stand_in or "idle", arena.eyes, goal)
        self._authors = dict(zip(agents, policy_names(agents), strict=True))
        self._chronicle = GridChronicle(self._batch, self._names)

    async def play(self, limits: Limits) -> PlayedEpisode:
        began = time.monotonic()
        arena, batch = self._arena, self._batch
        self._begin(await arena.world.now())
        watching = None if NO_WORLD in arena.world.capabilities else game_display(arena, batch)
        if watching is not None:
            await watching.show_start()
        for _ in range(min(batch.game.steps, int(limits.wall_s))):
            await self._talk()
            await self._step(watching)
        self._table.show_people(batch, over=True)
        if watching is not None:
            await watching.show_end()
        wall_s = time.monotonic() - began
        return self._end(wall_s)

    def _begin(self, tick: int) -> None:
        arena, game = self._arena, self._batch.game
        arena.telemetry.start_episode([], tick)
        arena.record.log(PoliciesStarted(players=self._names), tick)
        arena.record.log(
            GridBegun(
                game=recorded_name(game.name),
                rows=game.height,
                columns=game.width,
                steps=game.steps,
                roles={name: game.role_of(agent).name for agent, name in enumerate(self._names)},
                players=self._authors,
                oracle=self._plan.total,
                plan=dict(self._plan.executions),
                stage=int(getattr(self._batch.rules, "stage", 0)),
            )
        )
        arena.log_state(0.0, self._state())
        for event in self._chronicle.initial_events():
            arena.record.log(event)

    async def _talk(self) -> None:
        """Let the players talk before the next step, if a talk is due."""
        arena, played = self._arena, int(self._batch.time[0])
        if arena.talks is not None and arena.talks.is_due(played):
            self._table.show_all(self._batch)
            async with arena.thinking():
                await arena.talks.hold(played, self._state(), (), {})
            self._table.renew_plans(TALKED)

    async def _step(self, watching: GameDisplay | None) -> None:
        arena, batch = self._arena, self._batch
        self._chronicle.before_step()
        async with arena.thinking():
            moves = await self._table.moves(batch)
        effective = batch.mask[0, range(batch.agents), moves.actions[0]]
        step = batch.step(moves.actions, moves.words)
        for event in self._chronicle.record_step(moves, step):
            arena.record.log(event)
        number = int(batch.time[0])
        if number % STATES_EVERY == 0:
            arena.log_state(float(number), self._state())
        if watching is not None:
            moves.actions[0, ~effective] = STAY
            await watching.show_step(moves.actions)

    def _state(self) -> EndState:
        """Return holdings, executed events and rewards of all players."""
        batch, game = self._batch, self._batch.game
        kinds, events = [each.name for each in game.resources], [recipe.name for recipe in game.recipes]
        players = {}
        for agent, name in enumerate(self._names):
            items = dict(zip(kinds, batch.inventory[0, agent].tolist(), strict=True))
            runs = dict(zip(events, batch.executions[0, agent].tolist(), strict=True))
            reward = round(float(batch.rewards[0, agent]), DECIMALS) or 0.0
            players[name] = Holdings(items=_without_zeros(items), mined=_without_zeros(runs), reward=reward)
        return EndState(players)

    def _end(self, wall_s: float) -> PlayedEpisode:
        arena, batch, chronicle = self._arena, self._batch, self._chronicle
        state, steps = self._state(), int(batch.time[0])
        file = write_trajectory(arena.record.directory, arena.record.episode or 1, chronicle.arrays())
        own = batch.own[0].round(DECIMALS).tolist()
        arena.record.log(
            GridEnded(
                game=recorded_name(batch.game.name),
                steps=steps,
                trajectory=file,
                oracle=self._plan.total,
                plan=dict(self._plan.executions),
                rewards={name: held.reward for name, held in state.players.items()},
                own=dict(zip(self._names, own, strict=True)),
                executions={name: held.mined for name, held in state.players.items()},
                refused=chronicle.refused(),
                faults=chronicle.faults,
                questions=chronicle.asked_questions(),
                degrees=chronicle.last_degrees(),
                over_time=chronicle.degrees_over_time(),
                split=chronicle.split(),
            )
        )
        t_s = float(steps)
        arena.record.log(EndStateRead(t_s=t_s, players=state.players, chest={}, reason="time_limit", wall_s=wall_s))
        return PlayedEpisode("time_limit", state, {}, tuple(arena.telemetry.chat), {}, t_s, wall_s)


def _plan(game: GridGame) -> ExecutionPlan:
    """Return the oracle's plan. Raises PrerequisiteError if it is neither stored nor solvable here."""
    try:
        return plan_of(game)
    except ImportError as error:
        raise PrerequisiteError(f"{game.name}: its oracle's plan is not stored, and {error}") from None


def _without_zeros(counts: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}
