"""One run of one condition: negotiation, episodes in the mode of play, record and result.

Lost infrastructure costs an attempt, never a score: the attempt is logged, a new world is opened, and the same programs
are run again.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from typing import Any

from accord.analysis.validity import ANSWERS, PROGRAMS, VERDICT
from accord.studies import judging
from accord.studies.agreement import Again, NegotiationInput, agree
from accord.studies.conditions import Condition
from accord.studies.option_groups import RunOptions
from accord.studies.people import Hosting
from accord.studies.players import Players
from accord.studies.progress import past_episodes
from accord.studies.resuming import Restored
from accord.studies.round_talks import RoundTalks
from accord.studies.run_measures import log_lines, run_measures
from accord.studies.run_start import log_start
from accord.studies.settings import MANY
from accord.studies.streaming_measures import tallying
from accord.studies.talks import RunTalk
from accord.studies.world_lifecycle import WorldKeeper
from bridge.errors import BridgeError, HostTakenDownError, InfrastructureError
from bridge.types import Address, Limits, PolicyResult, ProgramOutcome
from bridge.worlds import World
from common.errors import PrerequisiteError
from contracts import ContractError
from dilemmas.errors import RecordError
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.modes.arena import Arena
from dilemmas.modes.episodes import took_down
from dilemmas.modes.first_looks import draw_start, look_at_start
from dilemmas.modes.observation import PastEpisodes, observation
from dilemmas.modes.protocol import PlayedEpisode, Preparation
from dilemmas.records.answers import given_up_shares, read_answers
from dilemmas.records.costs import result_costs
from dilemmas.records.events import (
    EpisodeBroken,
    EpisodeEnded,
    EpisodeStarted,
    Event,
    RunEnded,
    Status,
    WorldReady,
)
from dilemmas.records.record import RunRecord, read_events
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.observables import goals_reached
from voyager_agents import AgentError, Budget, BudgetExhausted, QuotaExhausted
from voyager_agents.agent import Observation

MAX_REPEATS = 2
"""Maximum number of repetitions of an episode after failures of the infrastructure."""

BROKEN = (ProgramOutcome.THREW, ProgramOutcome.SYNTAX)
"""Outcomes of programs that ended with an error of their own."""


class StudyRun:
    """One run of a study. Call `perform` once."""

    def __init__(
        self,
        settings: RunOptions,
        scenario: Scenario,
        condition: Condition,
        players: Players,
        *,
        world: str,
        seed: int,
        record: RunRecord,
        keeper: WorldKeeper,
        restored: Restored | None = None,
    ) -> None:
        """Prepare a run.

        Args:
            settings: Length of the run, its negotiations and its limits.
            scenario: The scenario.
            condition: The condition.
            players: Agents and judge of the run.
            world: Name of the world, for the record.
            seed: Seed of the run.
            record: Record of the run.
            keeper: Opens and closes the world.
            restored: Checkpoint of an interrupted run; None for a new run.
        """
        self._settings = settings
        self._world_name = world
        self._scenario = scenario
        self._condition = condition
        self._players = players
        self._mode = players.mode
        self._seed = seed
        self._record = record
        self._keeper = keeper
        self._budget: Budget = players.budget
        self._from = restored or Restored()
        self._progress = self._from.progress
        self._world_told = False
        self._round_talks: RoundTalks | None = None
        """Talks between the rounds of the current attempt at an episode."""
        people = players.people
        self._hosting = Hosting(people, scenario, players.mode.name, record) if people else None
        # An interrupted run is measured from its log, since its first events were logged by an earlier process.
        self._tallying = None if self._from.started else tallying(scenario, record)
        self._began = time.monotonic()
        self._invalid = ""
        """Reason for which a finished run is invalid (`accord.analysis.validity`); empty for a valid run."""
        self.result: dict[str, Any] | None = None
        """Content of result.json; None until the run has ended."""

    async def perform(self) -> dict[str, Any]:
        """Play the run and return its result. Raises only CancelledError, PrerequisiteError and bugs."""
        status: Status = "failed"
        reason: str | None = None
        try:
            await self._in_time(self._steps())
            reason = self._nothing_ran()
            status = "complete" if reason is None else "failed"
            # A program that was never written breaks off too: then the missing answers are the reason.
            self._invalid = self._unjudged() or self._unanswered() if reason is None else self._unanswered() or PROGRAMS
        except InfrastructureError as error:
            status, reason = "infrastructure", str(error)
        except (QuotaExhausted, BudgetExhausted) as error:
            status, reason = "budget", str(error)
        except PrerequisiteError as error:
            reason = str(error)
            raise
        except (BridgeError, AgentError, ContractError) as error:
            reason = str(error)
        finally:
            # Cancellation and bugs are raised further; the record still gets the reason.
            passing = sys.exc_info()[1]
            if status == "failed" and reason is None and passing is not None:
                reason = "interrupted" if isinstance(passing, asyncio.CancelledError) else repr(passing)
            await self._players.late.cancel()
            self.result = self._end(status, reason)
        return self.result

    def _nothing_ran(self) -> str | None:
        """Return the errors of the last episode if every program failed and no player earned a reward, else None.

        Programs that took down their host do not count as failed: they may have done so on purpose.
        """
        played = self._progress.played
        if played is None or any(each.reward for each in self._progress.accounts.values()):
            return None
        broken = {name: each for name, each in played.results.items() if each.outcome in BROKEN and not took_down(each)}
        if not broken or len(broken) < len(played.results):
            return None
        errors = {name: each.error for name, each in broken.items()}
        told = [f"{name}: {'no error told' if e is None else f'{e.name}: {e.message}'}" for name, e in errors.items()]
        return f"every program broke off and nobody earned anything; {'; '.join(told)}"

    def _unjudged(self) -> str:
        """Return `verdict` if the last verdict was unreadable, so that payoffs may be wrong; else an empty text."""
        return "" if self._progress.is_readable else VERDICT

    def _unanswered(self) -> str:
        """Return `answers` if a player's model left too many questions without an answer; else an empty text."""
        try:
            shares = given_up_shares(read_answers(self._record.directory))
        except RecordError:
            return ""
        return ANSWERS if any(share > self._settings.max_unreadable for share in shares.values()) else ""

    def give_up(self, reason: str) -> dict[str, Any]:
        """End the run with status `infrastructure` without playing it, and return its result."""
        if not self._from.started:
            self._start()
        self.result = self._end("infrastructure", reason)
        return self.result

    async def _in_time(self, work: Coroutine[Any, Any, None]) -> None:
        """Await `work` within the wall time left in the study's budget. Raises BudgetExhausted."""
        limit = asyncio.timeout(self._budget.left_s)
        try:
            async with limit:
                await (work if self._hosting is None else self._hosting.unless_withdrawn(work))
        except TimeoutError:
            if not limit.expired():
                raise
            raise self._budget.out_of_time() from None

    async def _steps(self) -> None:
        if not self._from.started:
            self._start()
            await self._world()
            await self._look_before()
            await self._agree(None)
        await self._episodes()

    async def _look_before(self) -> None:
        """Take pictures of the players' starts, for models that see before the first episode.

        The scenario is built for them, and again for the episode. Games on arrays are drawn before each negotiation.
        """
        eyes, seed = self._players.eyes, self._seed
        before = self._mode.several or self._condition.kind == "negotiated"
        if not (eyes.needs_start and before) or "grid-game" in self._scenario.abilities:
            return
        await self._world()
        world = await self._keeper.for_survey(seed)
        await look_at_start(world, self._scenario, self._record, self._shown(1, None), eyes, seed)

    async def _agree(self, again: Again | None) -> None:
        """Negotiate the players' contract, or a new one after an episode."""
        progress, episode = self._progress, 1 if again is None else again.episode
        if "grid-game" in self._scenario.abilities:
            game = self._scenario.grid_game(self._condition.name.partition("+")[0])
            draw_start(game, list(self._players.agents), self._seed, episode, self._players.eyes)
        remaining = self._settings.episodes - episode
        asked = NegotiationInput(self._settings.rounds, self._seed, again, remaining, progress.breaches)
        async with self._thinking():
            if self._condition.axes.channels is not None:
                await self._talks().hold(asked)
                return
            agreed = await agree(self._scenario, self._condition, self._players, self._record, asked)
        progress.contract, progress.negotiation = agreed

    def _talks(self) -> RunTalk:
        """Return the talks of the run, whose deals are those of its state."""
        return RunTalk(self._scenario, self._condition, self._players, self._record, self._progress)

    def _thinking(self) -> AbstractAsyncContextManager[None]:
        """Return a context for model calls outside of play; with `--think pause` the world is paused inside."""
        return self._players.thinking.pause_world()

    def _start(self) -> None:
        authors = self._players.authors
        log_start(self._record, self._scenario, self._condition, self._world_name, self._seed, authors)

    async def _world(self) -> World:
        """Return the open world, or start one; log the world when this process first needs it."""
        if self._world_told:
            return await self._keeper.get(self._seed)
        self._world_told = True
        began = time.monotonic()
        reused = self._keeper.reuses
        world = await self._keeper.for_run(self._seed)
        await self._players.thinking.make_ready(world)
        address: Address | None = world.address
        self._record.log(
            WorldReady(
                address=None if address is None else str(address),
                version=None if address is None else address.version,
                reused=reused,
                wall_ms=(time.monotonic() - began) * 1000,
            )
        )
        if self._hosting is not None:
            await self._hosting.gather(self._shown(1, self._from.past))
        return world

    async def _episodes(self) -> None:
        """Play episodes until no player prepares for another one, or the number in the settings is reached."""
        await self._look_before()
        past, pending = self._from.past, self._from.pending
        done = self._progress.episodes
        for episode in range(done + 1, self._settings.episodes + 1):
            due = [] if pending is not None else await self._due(episode, past)
            if pending is None and not due:
                break
            self._check_progress()
            if pending is None and past is not None and self._condition.renegotiates:
                await self._renegotiate(episode, past)
            self._record.episode = episode
            if pending is None:
                await self._mode.prepare(self._preparation(episode, past), due)
                pending = await self._play(episode, past)
            past, pending = await self._settle(pending), None
            self._progress.episodes = episode
        self._record.episode = None
        if past is not None:
            await self._mode.conclude(self._preparation(self._progress.episodes + 1, past))
        if self._hosting is not None:
            await self._hosting.ask_afterwards()

    async def _due(self, episode: int, past: PastEpisodes | None) -> list[str]:
        """Return the players who prepare for an episode."""
        self._record.episode = None
        played = None if past is None else past.played
        return await self._mode.due(self._preparation(episode, past), played, anew=self._condition.renegotiates)

    def _preparation(self, episode: int, past: PastEpisodes | None) -> Preparation:
        return Preparation(
            episode=episode,
            agents=self._players.agents,
            authors=self._players.authors,
            show=self._shown(episode, past),
            thinking=self._thinking,
            record=self._record,
            programs=self._progress.policies,
            files=self._progress.files,
            keepers=self._players.keepers,
        )

    def _shown(self, episode: int, past: PastEpisodes | None) -> Callable[[str], Observation]:
        """Return a function from a player to its observation before an episode."""
        progress, condition = self._progress, self._condition.name
        remaining = self._settings.episodes - episode
        return lambda player: observation(
            self._scenario, player, episode, progress.contract_of(player), past, condition, remaining=remaining,
            see=self._players.eyes.see_of(player),
        )  # fmt: skip

    async def _renegotiate(self, episode: int, past: PastEpisodes) -> None:
        """Renegotiate the contract before an episode, unless the interrupted run has done so already."""
        self._record.episode = None
        if not self._from.renegotiated:
            await self._agree(Again(self._progress.contract, past, self._progress.verdict, episode))
        self._from.renegotiated = False

    def _check_progress(self) -> None:
        """Raise BudgetExhausted if the last `no_progress` episodes have changed no inventory and no reward."""
        allowed = self._settings.no_progress
        if allowed is None or self._progress.unchanged < allowed:
            return
        raise BudgetExhausted(
            f"no progress: {allowed} episodes in a row changed no inventory and no reward (--no-progress {allowed})"
        )

    async def _play(self, episode: int, past: PastEpisodes | None) -> PlayedEpisode:
        """Play an episode, and repeat it after failures of the infrastructure. Raises the last InfrastructureError.

        A program that takes down its host ends with that result, and the others play again without it. Such repetitions
        do not count against `MAX_REPEATS`. After any failure each player gets a host process of its own, so that the
        next loss can be traced to a program. With more than `MANY` players that would be too many processes.
        """
        attempt = 0
        lost = 0
        culprits: dict[str, PolicyResult] = {}
        while True:
            attempt += 1
            try:
                return await self._attempt(episode, past, attempt, culprits)
            except InfrastructureError as error:
                found = error.culprits if isinstance(error, HostTakenDownError) else {}
                culprits |= found
                lost += not found
                again = lost <= MAX_REPEATS
                reason = str(error) or type(error).__name__
                await self._players.late.settle()
                if self._round_talks is not None:
                    self._round_talks.void()
                self._record.log(EpisodeBroken(attempt=attempt, reason=reason, repeated=again))
                await self._keeper.close()
                if len(self._scenario.spec.players) <= MANY:
                    self._keeper.separate()
                if not again:
                    raise
                self._progress.repeats += 1
                self._begin_anew()

    def _begin_anew(self) -> None:
        """Create the agents anew in modes that ask them during play, so that they forget the failed attempt."""
        if not self._mode.several:
            self._players = replace(self._players, agents=self._players.anew())

    async def _attempt(
        self, episode: int, past: PastEpisodes | None, attempt: int, culprits: Mapping[str, PolicyResult]
    ) -> PlayedEpisode:
        self._record.log(EpisodeStarted(attempt=attempt))
        for event in self._scenario.opening_events(self._condition.name):
            self._record.log(event)
        await self._world()
        world = await self._keeper.for_episode(self._seed, episode)
        limit = self._settings.time_limit_s or self._scenario.spec.end.time_limit_s
        self._round_talks = self._talks_between(episode, limit)
        async with TelemetryWriter(world, self._record) as telemetry:
            arena = Arena(
                world,
                self._scenario,
                self._record,
                telemetry,
                self._shown(episode, past),
                programs=self._progress.policies,
                thought=self._players.thinking,
                afterwards=self._afterwards,
                contract=self._progress.contract_of_all,
                condition=self._condition.name.partition("+")[0],
                factors=dict(self._condition.factors),
                stand_in=self._settings.on_unreadable,
                culprits=culprits,
                talks=self._round_talks,
                eyes=self._players.eyes,
            )
            await arena.build(self._seed)
            if self._hosting is not None:
                await self._hosting.make_ready(arena.show, partial(arena.stage, self._seed))
            try:
                return await self._mode.play(arena, self._players.agents, Limits(wall_s=limit))
            finally:
                self._players.eyes.close()

    def _talks_between(self, episode: int, limit_s: float) -> RoundTalks | None:
        """Return the talks between the rounds of an attempt; None if the condition has none."""
        every = self._condition.axes.every
        if every is None:
            return None
        last = self._mode.round_count(self._scenario, limit_s)
        return RoundTalks(self._talks(), every, last, self._seed, episode, self._settings.episodes - episode)

    async def _afterwards(self) -> Sequence[Event]:
        """Wait for the agents' calls in flight after lives have ended; return a model's ratings of the lives as events.

        Without a model for ratings there are no events.
        """
        players, scenario = self._players, self._scenario
        await players.late.settle()
        if players.rater is None:
            return ()
        return await scenario.rate_lives(read_events(self._record.directory / "events.jsonl"), players.rater)

    async def _settle(self, played: PlayedEpisode) -> PastEpisodes:
        progress = self._progress
        state = played.state
        self._record.save_inventories(
            self._record.episode or 1,
            {
                "players": {name: held.model_dump(include={"items", "mined"}) for name, held in state.players.items()},
                "chest": state.chest,
            },
        )
        talks, self._round_talks = self._round_talks, None
        judged_on = played if talks is None else talks.end_last_period(played)
        remaining = self._settings.episodes - (self._record.episode or 1)
        async with self._thinking():
            judged = await self._talks().judge_agreements(judged_on, remaining)
        accounts = judging.book(self._record, judged, played, talks.transfers if talks else ())
        self._talks().age_deals()
        goals = goals_reached(self._scenario, state.players, state.chest)
        self._record.log(
            EpisodeEnded(
                reason=played.reason, game_s=played.game_s, wall_s=played.wall_s, players=accounts, goals=goals
            )
        )
        progress.settle(played, [each.outcome for each in judged], accounts, talks.outcomes if talks else ())
        return past_episodes(progress, played)

    def _end(self, status: Status, reason: str | None) -> dict[str, Any]:
        wall_s = time.monotonic() - self._began
        scenario = self._scenario
        head = {
            "scenario": scenario.spec.name,
            "version": scenario.spec.version,
            "world": self._world_name,
            "condition": self._condition.name,
            "seed": self._seed,
            "status": status,
            "reason": reason,
        }
        scored = status == "complete" or bool(self._invalid)
        result = {**head, **self._progress.result(self._players, wall_s, scored=scored)}
        result |= result_costs(self._record.directory, self._players.meter.tallies)
        if self._invalid:
            result["invalid"] = self._invalid
        if scored:
            result |= run_measures(scenario, self._record.directory, self._tallying)
        if status == "complete" and "society" in scenario.abilities:
            counted = self._tallying
            found = counted.society() if counted else scenario.society(log_lines(scenario, self._record.directory))
            result[scenario.spec.scenario] = found
        try:
            self._record.save_result(result)
            self._record.log(RunEnded(status=status, reason=reason, result=result))
        finally:
            self._record.close()
        return result
