"""Work of each agent in the oracle's plan, from the public facts of a game."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from grid_games.arrays import Flags, Ints
from grid_games.core.tables import Tables
from grid_games.oracle import plan_of
from grid_games.spec import GridGame


class PlanDuties:
    """Assignment of work to agents by the plan and the roles; arrays of shape (N, ...)."""

    def __init__(self, game: GridGame) -> None:
        self.tables = Tables(game)
        self.plan = plan_of(game)
        self.runs: Ints = np.array([self.plan.executions.get(each.name, 0) for each in game.recipes], np.intp)
        self.left: Ints = np.array([self.plan.left.get(each.name, 0) for each in game.resources], np.intp)
        self.inputs: Ints = np.maximum(-self.tables.net[1 + 2 * self.tables.resources :], 0).astype(np.intp)

    @cached_property
    def can(self) -> Flags:
        """True where an agent's capacities allow an event, shape (N, E)."""
        capacity = self.tables.capacity
        return (capacity[:, None] >= self.tables.need[1:]).all(axis=2) & (capacity[:, self.tables.product[1:]] > 0)

    @cached_property
    def keeps(self) -> Flags:
        """Agents that should end up with each resource, shape (N, R).

        They value it most and, among those, have the largest capacity.
        """
        value, room = self.tables.value, self.tables.capacity
        dear = value == value.max(axis=0)
        return np.asarray(dear & (room == np.where(dear, room, -1).max(axis=0)) & (self.left > 0))

    @cached_property
    def tools(self) -> Ints:
        """Units that each agent must hold as tools for its picks and events, shape (N, R)."""
        needs = np.zeros(self.tables.capacity.shape, np.intp)
        picks = (self.keeps | (self.can @ self.inputs > 0)) & (self.tables.capacity > 0)
        for gate, (resource, amount) in enumerate(zip(self.tables.gate_resource, self.tables.gate_amount, strict=True)):
            bit = 1 << gate
            wanted = (picks & ((self.tables.pile_gate & bit) > 0)).any(axis=1)
            wanted |= (self.can & ((self.tables.event_gate[1:] & bit) > 0)).any(axis=1)
            needs[wanted, resource] = np.maximum(needs[wanted, resource], amount)
        return np.minimum(needs, self.tables.capacity)
