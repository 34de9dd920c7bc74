"""Planning players of a grid game: they state plans, and a controller for each of them chooses the actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dilemmas.modes.gathering import gather_all
from dilemmas.scenarios.ada.samples import plan_turn
from grid_games import Batch
from grid_games.arrays import Parts
from grid_games.planning import GridPlan, PlanReview, PlanRunner, ScriptedPlanner, open_goals, view_of
from grid_games.planning.runner import Cause
from grid_games.text import (
    GridAnswer,
    PlanReply,
    grid_plan,
    plan_details,
    plan_form,
)
from voyager_agents.grid import PlanningPlayer, ScriptedPlayer


@dataclass(frozen=True)
class StatedPlan:
    """A new plan of a player, for records."""

    cause: Cause
    detail: str
    goal: str
    details: Mapping[str, Any]
    why: str = ""


@dataclass
class _Seat:
    """Player and its runner."""

    player: PlanningPlayer | ScriptedPlayer
    runner: PlanRunner


@dataclass
class PlannedStep:
    """Actions of all planning players in one step."""

    answers: dict[int, GridAnswer] = field(default_factory=dict)
    """Agent -> its action, and the words of its message."""
    faults: dict[int, str] = field(default_factory=dict)
    """Agent -> error in its model's answer even after a correction."""
    plans: dict[int, StatedPlan] = field(default_factory=dict)
    """Agent -> plan that it made in this step."""
    asked: set[int] = field(default_factory=set)
    """Agents whose model was asked."""


class GridPlanners:
    """All planning players of one game."""

    def __init__(self, players: Mapping[int, PlanningPlayer | ScriptedPlayer], seed: int) -> None:
        """Seat the players.

        Args:
            players: Index of an agent -> its player.
            seed: Seed of the controllers.
        """
        self._players, self._seed = players, seed
        self._seats: dict[int, _Seat] = {}
        self._script: ScriptedPlanner | None = None

    async def step(self, batch: Batch, parts: Parts) -> PlannedStep:
        """Return the actions in the current step, with the new plans that they follow.

        Raises:
            AgentError: A model fails.
        """
        self._open(batch)
        found, reviews = PlannedStep(), dict[int, PlanReview]()
        for agent, seat in self._seats.items():
            view = view_of(batch, parts, agent)
            seat.runner.see(view)
            if view.mask.sum() == 1:
                found.answers[agent] = GridAnswer(int(view.mask.argmax()))
                seat.runner.skip()
            elif (review := seat.runner.review()) is not None:
                reviews[agent] = review
        plans = await gather_all(self._plan(batch, agent, review) for agent, review in reviews.items())
        for (agent, review), plan in zip(reviews.items(), plans, strict=True):
            self._adopt(found, batch, agent, review, plan)
        for agent, seat in self._seats.items():
            if agent not in found.answers and agent not in found.faults:
                found.answers[agent] = _answer(batch, seat.runner)
        return found

    def renew(self, news: str) -> None:
        """Ask all players for new plans, because of news from outside the game, in words."""
        for seat in self._seats.values():
            seat.runner.renew(news)

    def stand_in(self, agent: int, *, go_on: bool) -> GridAnswer | None:
        """Return the next action of an agent's last plan if it goes on, or None; count the step in any case.

        Args:
            agent: Index of an agent without a usable answer.
            go_on: True if the agent goes on with a plan that has not come to its end.
        """
        runner = self._seats[agent].runner
        review = runner.review()
        if go_on and (review is None or review.cause in ("changed", "review")):
            return GridAnswer(runner.act())
        runner.skip()
        return None

    def _open(self, batch: Batch) -> None:
        if self._seats:
            return
        for agent, player in self._players.items():
            runner = PlanRunner(batch.game, batch.actions, agent, self._seed, player.review)
            self._seats[agent] = _Seat(player, runner)
        if any(isinstance(player, ScriptedPlayer) for player in self._players.values()):
            self._script = ScriptedPlanner(batch.game)

    async def _plan(self, batch: Batch, agent: int, review: PlanReview) -> tuple[GridPlan, str] | str:
        """Return an agent's plan and its reason, or the error in its model's answer."""
        seat, game = self._seats[agent], batch.game
        if isinstance(seat.player, ScriptedPlayer):
            assert self._script is not None, "made with the seats"
            return self._script.plan(seat.runner.start), ""

        def check(reply: PlanReply) -> None:
            if (fault := seat.runner.fault(grid_plan(reply, game))) is not None:
                raise ValueError(f"this plan cannot be carried out: {fault}")

        legal = open_goals(seat.runner.start)
        turn = plan_turn(batch, seat.runner, review)
        reply = await seat.player.plan(turn, plan_form(game, legal), check)
        return reply if isinstance(reply, str) else (grid_plan(reply, game), reply.why)

    def _adopt(
        self, found: PlannedStep, batch: Batch, agent: int, review: PlanReview, plan: tuple[GridPlan, str] | str
    ) -> None:
        """Give a new plan to the agent's controller, or note the error."""
        if not isinstance(self._seats[agent].player, ScriptedPlayer):
            found.asked.add(agent)
        if isinstance(plan, str):
            found.faults[agent] = plan
            return
        stated, why = plan
        self._seats[agent].runner.adopt(stated)
        details = plan_details(stated, batch.game)
        found.plans[agent] = StatedPlan(review.cause, review.text, stated.goal, details, why)


def _answer(batch: Batch, runner: PlanRunner) -> GridAnswer:
    """Return the next action of a runner's plan, with the words of a message."""
    action, words = runner.act(), runner.plan.words if runner.plan else None
    if words is None or batch.actions[action].kind != "message":
        return GridAnswer(action)
    length = int(batch.game.settings["words"])
    return GridAnswer(action, (*words, *(0 for _ in range(length - len(words))))[:length])
