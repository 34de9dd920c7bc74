"""Scripted planner: plans from the public facts of a game and one agent's memory, as a perfect model could.

It knows what LLM-C's model is told: rules, everybody's capacities and values, and what the agent itself has seen. It
unites with all others, works by its role in the oracle's plan, and drops what others value more.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grid_games.arrays import Ints
from grid_games.planning.goals import GOALS, open_goals
from grid_games.planning.plan import GridPlan
from grid_games.planning.state import PlanState
from grid_games.policies.duties import PlanDuties
from grid_games.spec import GridGame

BATCH = 5
"""Runs of an event that inputs are gathered for at a time."""
RUN_STEPS = 4
"""Steps of a run of an event: two picks, the run, and the drop of what it makes."""
WALK_STEPS = 8
"""Steps of walking that are reckoned for a batch."""
LATE = 3
"""Steps before the end from which nothing is dropped, because nobody could collect it."""
WAIT = 10
"""Steps of waiting or exploring at a time."""


class ScriptedPlanner:
    """Planner of all agents of a game."""

    def __init__(self, game: GridGame) -> None:
        self._duties = PlanDuties(game)
        self._value = self._duties.tables.value.max(axis=0)
        recipes = range(len(game.recipes))
        self._events = sorted(recipes, key=lambda event: -self._value[self._duties.tables.product[1 + event]])
        """Events, that with the dearest product first."""

    def plan(self, state: PlanState) -> GridPlan:
        """Return a plan that can be carried out from here."""
        plans = (each for each in self._wishes(state) if GOALS[each.goal].fault(each, state) is None)
        return next(plans, GridPlan("wait", amount=1))

    def _wishes(self, state: PlanState) -> Iterator[GridPlan]:
        """Yield plans, the best first, possible or not."""
        if not state.physical:
            yield from _social_wishes(state)
            return
        left = state.tables.game.steps - state.view.time
        wanted = self._wanted(state, left)
        yield from self._tools(state)
        yield from self._crafts(state)
        if left > LATE:
            yield from self._drops(state, wanted)
        yield from self._gathers(state, wanted)
        yield from self._keeps(state)
        yield from self._steps_aside(state)
        yield GridPlan("explore" if state.memory.unseen.size else "wait", amount=WAIT)

    def _name(self, resource: int) -> str:
        return self._duties.tables.game.resources[resource].name

    def _tools(self, state: PlanState) -> Iterator[GridPlan]:
        """Yield plans to pick up the tools that the agent lacks."""
        lacking = self._duties.tools[state.view.agent] - state.view.inventory
        for resource in np.flatnonzero(lacking > 0).tolist():
            yield GridPlan("gather", self._name(resource), int(lacking[resource]))

    def _crafts(self, state: PlanState) -> Iterator[GridPlan]:
        """Yield plans to run events for which the agent holds the inputs."""
        tables, duties = self._duties.tables, self._duties
        for event in self._events:
            inputs = duties.inputs[event]
            if duties.runs[event] and duties.can[state.view.agent, event]:
                runs = int((state.view.inventory[inputs > 0] // inputs[inputs > 0]).min(initial=BATCH))
                product = int(tables.product[1 + event])
                yield GridPlan("craft", self._name(product), max(min(runs, int(state.room[product])), 1))

    def _wanted(self, state: PlanState, left: int) -> Ints:
        """Return the inputs of the next batch of the dearest event whose inputs are held or known, shape (R,)."""
        known = state.memory.piles.sum(axis=0) * state.pickable + state.view.inventory
        batch = min(BATCH, (left - WALK_STEPS) // RUN_STEPS)
        for event in self._events:
            inputs = self._duties.inputs[event]
            if self._duties.runs[event] and self._duties.can[state.view.agent, event]:
                runs = int((known[inputs > 0] // inputs[inputs > 0]).min(initial=batch))
                if runs > 0:
                    return np.asarray(inputs * runs)
        return np.zeros_like(self._duties.left)

    def _drops(self, state: PlanState, wanted: Ints) -> Iterator[GridPlan]:
        """Yield plans to drop what others should keep, or need as a tool."""
        duties, agent = self._duties, state.view.agent
        excess = state.view.inventory - np.maximum(wanted, duties.tools[agent])
        others = np.arange(len(duties.keeps)) != agent
        given = (duties.keeps[others] | (duties.tools[others] > 0)).any(axis=0) & ~duties.keeps[agent]
        for resource in np.flatnonzero((excess > 0) & given).tolist():
            yield GridPlan("drop", self._name(resource), int(excess[resource]))

    def _gathers(self, state: PlanState, wanted: Ints) -> Iterator[GridPlan]:
        """Yield plans to pick up the inputs of the next batch."""
        lacking = wanted - state.view.inventory
        for resource in np.flatnonzero(lacking > 0).tolist():
            yield GridPlan("gather", self._name(resource), int(lacking[resource]))

    def _keeps(self, state: PlanState) -> Iterator[GridPlan]:
        """Yield plans to pick up what the agent should end up with: products, and in the end the rest."""
        duties, piles = self._duties, state.memory.piles.sum(axis=0)
        keeps = duties.keeps[state.view.agent] & (piles > 0)
        used = duties.inputs[duties.runs > 0].sum(axis=0) > 0
        late = 2 * state.view.time > state.tables.game.steps and not state.memory.unseen.size
        for resource in sorted(np.flatnonzero(keeps & (late | ~used)).tolist(), key=lambda each: -self._value[each]):
            yield GridPlan("gather", self._name(resource), int(piles[resource]))

    def _steps_aside(self, state: PlanState) -> Iterator[GridPlan]:
        """Yield a plan to leave a pile to others."""
        piles, here = state.memory.piles.sum(axis=1), state.view.place
        if piles[here]:
            taken = state.memory.occupied
            free = [cell for cell in np.flatnonzero((piles == 0) & ~state.memory.blocks).tolist() if cell not in taken]
            if (cell := state.ways.nearest(set(free) - {here})) is not None:
                yield GridPlan("go", cell=cell)


def _social_wishes(state: PlanState) -> Iterator[GridPlan]:
    """Yield social plans that unite all agents in one group with equal shares."""
    legal = open_goals(state)
    if "join" in legal:
        yield GridPlan("join", group=0)
    if "claim" in legal or "accept" in legal:
        yield from _bargain(state)
    if "request" in legal:
        yield GridPlan("request", partner=_partner(state))
    for goal, choices in legal.items():
        yield GridPlan(goal, **{field: values[0] for field, values in choices.items()})


def _bargain(state: PlanState) -> Iterator[GridPlan]:
    """Yield an acceptance of a claim that leaves the own side its part by heads, then a claim of that part."""
    proposal, together = state.view.parts["proposal"], state.view.parts["social_state"]
    partner = int(proposal.argmax()) if proposal.any() else None
    mine = 1 + int(together[state.view.agent].sum())
    its = 1 if partner is None else 1 + int(together[partner].sum())
    shares = [float(each) for each in state.targets("claim")]
    part = mine / (mine + its)
    if partner is not None and 1 - float(proposal[partner]) >= part - 0.06:
        yield GridPlan("accept")
    if shares:
        yield GridPlan("claim", share=min(shares, key=lambda share: abs(share - part)))
    yield GridPlan("accept")


def _partner(state: PlanState) -> int | None:
    """Return the agent to ask: sides are paired in the order of their first members, who speak for them."""
    together, free = state.view.parts["social_state"], set(state.targets("request"))
    sides: list[list[int]] = []
    for agent in range(state.tables.game.agents):
        if all(agent not in side for side in sides):
            sides.append([agent, *np.flatnonzero(together[agent]).tolist()])
    own = next(place for place, side in enumerate(sides) if state.view.agent in side)
    other = own ^ 1
    asked = [each for each in (sides[other] if other < len(sides) else []) if each in free]
    return min(asked, default=None)
