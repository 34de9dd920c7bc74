"""Situation of one agent at one step, from which goals choose an action."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Flags, Ints
from grid_games.core.tables import PRODUCE, STAY, UNLIMITED, Tables
from grid_games.planning.memory import MapMemory
from grid_games.planning.paths import Ways, ways_from
from grid_games.planning.view import AgentView


@dataclass(frozen=True)
class PlanState:
    """Knowledge of an agent before a step, and the progress of its plan."""

    tables: Tables
    numbers: Mapping[GridAction, int]
    """Action -> its number."""
    view: AgentView
    memory: MapMemory
    dice: random.Random
    done: int = 0
    """Acts of the plan so far that had an effect."""
    steps: int = 0
    """Steps of the plan so far."""

    @cached_property
    def ways(self) -> Ways:
        """Shortest ways from the agent's cell."""
        return ways_from(
            self.view.place, self.tables.neighbours, self.memory.blocks, self.memory.occupied - {self.view.place}
        )

    @property
    def physical(self) -> bool:
        """True if the agent may work now, and not only wait or act socially."""
        mask = self.view.mask
        return bool(mask[:STAY].any() or mask[PRODUCE : self.tables.social].any())

    @cached_property
    def room(self) -> Ints:
        """Units that the agent can still take up, shape (R,)."""
        return np.asarray(self.tables.capacity[self.view.agent].astype(np.intp) - self.view.inventory)

    @cached_property
    def pickable(self) -> Flags:
        """True for resources that the agent can pick up now if it finds them, shape (R,)."""
        return np.asarray(self.memory.meets(self.view.inventory) & (self.room > 0))

    def held(self, resource: str) -> int:
        """Return the units held of a resource."""
        return int(self.view.inventory[self.tables.game.resource(resource)])

    def capacity(self, resource: str) -> int | None:
        """Return the most units of a resource that the agent can hold; None for any number."""
        most = int(self.tables.capacity[self.view.agent, self.tables.game.resource(resource)])
        return None if most >= UNLIMITED else most

    def number(self, kind: str, target: str | int | float | None = None) -> int | None:
        """Return the number of an action if it is legal now."""
        number = self.numbers.get(GridAction(kind, target))
        return number if number is not None and self.view.mask[number] else None

    def targets(self, kind: str) -> list[str | int | float]:
        """Return the targets of the legal actions of a kind."""
        mask = self.view.mask
        return [
            each.target
            for each, number in self.numbers.items()
            if each.kind == kind and each.target is not None and mask[number]
        ]

    def toward(self, cell: int) -> int:
        """Return the number of a move that shortens the way to a cell, or `stay` if there is none."""
        moves = [move for move in self.ways.moves(cell) if self.view.mask[move]]
        return self.dice.choice(moves) if moves else STAY
