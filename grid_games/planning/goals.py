"""Goals of plans: when each is possible, what it does in a step, and when it is reached."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grid_games.core.tables import STAY
from grid_games.planning.paths import FAR
from grid_games.planning.plan import GridPlan
from grid_games.planning.state import PlanState

OCCUPIED = 6
"""Steps that another agent on a cell is reckoned to stay there."""
Choices = Mapping[str, Sequence[Any]]
"""Field of a plan -> its legal values now."""


class PlanGoal(ABC):
    """A kind of goal."""

    fields: tuple[str, ...] = ()
    """Fields of a plan that the goal reads, beside `goal`."""
    optional: frozenset[str] = frozenset()
    """Fields among them that may keep their default."""
    lookout: bool = False
    """True if the plan ends when the agent finds something that it can pick up."""

    def __init__(self, about: str) -> None:
        self.about = about
        """Explanation for planners."""

    @abstractmethod
    def choices(self, state: PlanState) -> Choices | None:
        """Return the legal values of the fields that have a list of them; None if the goal is not open now."""

    @abstractmethod
    def fault(self, plan: GridPlan, state: PlanState) -> str | None:
        """Return the reason why the plan cannot be carried out from here, or None."""

    def reached(self, plan: GridPlan, state: PlanState) -> bool:
        """Return True if the plan is done."""
        return state.done >= plan.amount

    @abstractmethod
    def act(self, plan: GridPlan, state: PlanState) -> int:
        """Return the number of the next action; the plan has no fault and is not done."""


class _Gather(PlanGoal):
    """Picking up units of a resource from known piles."""

    fields = ("resource", "amount")

    def choices(self, state: PlanState) -> Choices | None:
        known = state.pickable & (state.memory.piles > 0).any(axis=0)
        names = [each.name for each, there in zip(state.tables.game.resources, known, strict=True) if there]
        return {"resource": names} if state.physical and names else None

    def fault(self, plan: GridPlan, state: PlanState) -> str | None:
        number = state.tables.game.resource(plan.resource)
        if not state.memory.meets(state.view.inventory)[number]:
            needs = state.tables.game.resources[number].requires
            return f"to see and pick up {plan.resource} you must hold {_amounts(needs)}"
        if state.room[number] <= 0:
            return f"you can hold no more {plan.resource} (at most {state.capacity(plan.resource)})"
        if _best_pile(plan, state) is None:
            return f"you know of no {plan.resource} on the ground that you can reach"
        return None

    def act(self, plan: GridPlan, state: PlanState) -> int:
        pick = state.number("pick", plan.resource)
        if pick is not None:
            return pick
        pile = _best_pile(plan, state)
        return STAY if pile is None else state.toward(pile)


class _Craft(PlanGoal):
    """Running an event that makes a resource."""

    fields = ("resource", "amount")

    def choices(self, state: PlanState) -> Choices | None:
        names = [next(iter(each.makes)) for each in state.tables.game.recipes]
        able = [name for name in names if self.fault(GridPlan("craft", name), state) is None]
        return {"resource": able} if state.physical and able else None

    def fault(self, plan: GridPlan, state: PlanState) -> str | None:
        event = _event_of(plan, state)
        if event == 0:
            return f"no event makes {plan.resource}"
        recipe = state.tables.game.recipes[event - 1]
        lacking = {
            name: count - state.held(name)
            for name, count in {**recipe.requires, **recipe.consumes}.items()
            if state.held(name) < count
        }
        if lacking:
            return f"to craft {plan.resource} you lack {_amounts(lacking)}"
        if state.room[state.tables.game.resource(plan.resource)] < recipe.makes[plan.resource]:
            return f"you can hold no more {plan.resource} (at most {state.capacity(plan.resource)})"
        if self._place(event, state) is None:
            return f"you know of no cell with {recipe.name} that you can reach"
        return None

    def act(self, plan: GridPlan, state: PlanState) -> int:
        event = _event_of(plan, state)
        produce = state.number("produce")
        if produce is not None and state.memory.event[state.view.place] == event:
            return produce
        place = self._place(event, state)
        return STAY if place is None else state.toward(place)

    def _place(self, event: int, state: PlanState) -> int | None:
        cells = np.flatnonzero(state.memory.event == event).tolist()
        return state.ways.nearest(cells, lambda cell: _steps(cell, state))


class _Drop(PlanGoal):
    """Dropping units here, at a cell, or beside another agent."""

    fields = ("resource", "amount", "partner", "cell")
    optional = frozenset({"partner", "cell"})

    def choices(self, state: PlanState) -> Choices | None:
        names = [each.name for each in state.tables.game.resources if state.held(each.name)]
        others = [each for each in range(state.tables.game.agents) if each != state.view.agent]
        return {"resource": names, "partner": others} if state.physical and names else None

    def fault(self, plan: GridPlan, state: PlanState) -> str | None:
        if not state.held(plan.resource):
            return f"you hold no {plan.resource}"
        there = self._place(plan, state)
        if there is None:
            return "you have not seen that player yet"
        if state.ways.distance[there] == FAR:
            return "you cannot get there"
        lost = plan.cell is None and plan.partner is not None and not self._sees(plan.partner, state)
        if lost and not state.done and self._near(plan, state):
            return "that player is no longer where you saw it"
        return None

    def reached(self, plan: GridPlan, state: PlanState) -> bool:
        return state.done >= plan.amount or (state.done > 0 and not state.held(plan.resource))

    def act(self, plan: GridPlan, state: PlanState) -> int:
        there = self._place(plan, state)
        dump = state.number("dump", plan.resource)
        if dump is not None and (state.done or self._near(plan, state)):
            return dump
        return STAY if there is None else state.toward(there)

    def _place(self, plan: GridPlan, state: PlanState) -> int | None:
        """Return the cell to go to, which another agent may occupy; None if the partner was never seen."""
        if plan.cell is not None:
            return plan.cell
        if plan.partner is None:
            return state.view.place
        seen = state.memory.others.get(plan.partner)
        return None if seen is None else seen.cell

    def _sees(self, partner: int, state: PlanState) -> bool:
        return partner in state.memory.others and state.memory.others[partner].time == state.view.time

    def _near(self, plan: GridPlan, state: PlanState) -> bool:
        """Return True at the cell itself, and beside it if it is taken or the partner's."""
        there = self._place(plan, state)
        if there is None:
            return False
        beside = plan.cell is None or there in state.memory.occupied
        return state.ways.distance[there] <= int(beside and there != state.view.place)


class _Go(PlanGoal):
    """Walking to a cell."""

    fields = ("cell",)
    lookout = True

    def choices(self, state: PlanState) -> Choices | None:
        return {} if state.physical else None

    def fault(self, plan: GridPlan, state: PlanState) -> str | None:
        if plan.cell is None:
            return "say which cell: [row, column]"
        if plan.cell == state.view.place and not state.steps:
            return "you are there already"
        return "you cannot get there" if state.ways.distance[plan.cell] == FAR else None

    def reached(self, plan: GridPlan, state: PlanState) -> bool:
        assert plan.cell is not None, "plans with a fault are never carried out"
        distance = state.ways.distance[plan.cell]
        return distance == 0 or (distance == 1 and plan.cell in state.memory.occupied)

    def act(self, plan: GridPlan, state: PlanState) -> int:
        assert plan.cell is not None, "plans with a fault are never carried out"
        return state.toward(plan.cell)


class _Explore(PlanGoal):
    """Walking to what was never seen, or else to what was seen longest ago."""

    fields = ("amount",)
    lookout = True

    def choices(self, state: PlanState) -> Choices | None:
        return {} if state.physical else None

    def fault(self, plan: GridPlan, state: PlanState) -> str | None:
        return None

    def reached(self, plan: GridPlan, state: PlanState) -> bool:
        return state.steps >= plan.amount

    def act(self, plan: GridPlan, state: PlanState) -> int:
        seen, distance = state.memory.seen, np.array(state.ways.distance)
        open_to = ~state.memory.blocks & (distance > 0) & (distance < FAR)
        if not open_to.any():
            return STAY
        oldest = np.flatnonzero(open_to & (seen == seen[open_to].min()))
        return state.toward(int(oldest[distance[oldest].argmin()]))


class _Wait(PlanGoal):
    """Staying in place."""

    fields = ("amount",)
    lookout = True

    def choices(self, state: PlanState) -> Choices | None:
        return {} if state.view.mask[STAY] else None

    def fault(self, plan: GridPlan, state: PlanState) -> str | None:
        return None if state.view.mask[STAY] else "you must act now"

    def reached(self, plan: GridPlan, state: PlanState) -> bool:
        return state.steps >= plan.amount

    def act(self, plan: GridPlan, state: PlanState) -> int:
        return STAY


class _Social(PlanGoal):
    """One social action; where nothing else is legal, a join or a request is kept up."""

    def __init__(self, about: str, kind: str, field: str = "", *, kept_up: bool = False) -> None:
        super().__init__(about)
        self.fields = (field,) if field else ()
        if kind == "message":
            self.fields = ("partner", "words")
        self._kind, self._field, self._kept_up = kind, field, kept_up

    def choices(self, state: PlanState) -> Choices | None:
        if not self._field:
            return None if state.number(self._kind) is None else {}
        legal = state.targets(self._kind)
        return {self._field: legal} if legal else None

    def fault(self, plan: GridPlan, state: PlanState) -> str | None:
        if self._number(plan, state) is not None or (self._kept_up and state.done):
            return None
        return f"that is not possible now: {self._kind} {getattr(plan, self._field) if self._field else ''}".strip()

    def reached(self, plan: GridPlan, state: PlanState) -> bool:
        return state.done > 0 and (not self._kept_up or state.physical or self._number(plan, state) is None)

    def act(self, plan: GridPlan, state: PlanState) -> int:
        number = self._number(plan, state)
        return STAY if number is None else number

    def _number(self, plan: GridPlan, state: PlanState) -> int | None:
        return state.number(self._kind, getattr(plan, self._field) if self._field else None)


GOALS: Mapping[str, PlanGoal] = {
    "gather": _Gather(
        "pick up `amount` units of `resource` from the piles that you know; the controller chooses the pile and walks"
    ),
    "craft": _Craft("make `amount` units of `resource` at the nearest cell with the event; you must hold the inputs"),
    "drop": _Drop(
        "drop `amount` units of `resource`: beside the player `partner` where you saw it last, or at `cell`, or else "
        "where you stand; others can pick them up as soon as you have left the cell"
    ),
    "go": _Go("walk to `cell`, or beside it if somebody stands there"),
    "explore": _Explore("walk for up to `amount` steps to places that you do not know yet, or saw longest ago"),
    "wait": _Wait("stay where you are for up to `amount` steps"),
    "join": _Social("join `group`, and choose it again in your later turns of choosing", "join", "group", kept_up=True),
    "request": _Social("ask the player `partner` to bargain, until somebody bargains with you", "request", "partner",
                       kept_up=True),
    "claim": _Social("claim `share` of what both sides earn together for your side", "claim", "share"),
    "accept": _Social("accept the claim of the player that you bargain with", "accept"),
    "end": _Social("end the bargain without an agreement", "end"),
    "share": _Social("begin to show the player `partner` what you see, or end it", "share", "partner"),
    "message": _Social("send the numbers `words` to the player `partner`", "message", "partner"),
}  # fmt: skip
"""Name -> goal; the physical ones of LLM-C's plans first, then the social actions of the games."""


def open_goals(state: PlanState) -> dict[str, Choices]:
    """Return goal -> legal values of its fields, for the goals that are possible now."""
    found = {name: goal.choices(state) for name, goal in GOALS.items()}
    return {name: choices for name, choices in found.items() if choices is not None}


def _best_pile(plan: GridPlan, state: PlanState) -> int | None:
    """Return the cell where the wanted units are picked up fastest, or None."""
    units = state.memory.piles[:, state.tables.game.resource(plan.resource)]
    wanted = max(plan.amount - state.done, 1)

    def cost(cell: int) -> float:
        found = min(int(units[cell]), wanted)
        return (_steps(cell, state) + found) / found

    return state.ways.nearest(np.flatnonzero(units).tolist(), cost)


def _steps(cell: int, state: PlanState) -> float:
    """Return the steps to a cell, more if another agent is there."""
    return state.ways.distance[cell] + OCCUPIED * (cell in state.memory.occupied)


def _event_of(plan: GridPlan, state: PlanState) -> int:
    """Return the number of the event that makes the plan's resource, or 0."""
    names = [next(iter(each.makes)) for each in state.tables.game.recipes]
    return 1 + names.index(plan.resource) if plan.resource in names else 0


def _amounts(amounts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in amounts.items())
