"""A game's constants as small arrays.

A *work* is a change of an inventory: 0 none, 1..R pick that resource, R+1..2R dump it, 2R+1..2R+E run the recipe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grid_games.arrays import Cells, Counts, Flags, Floats, Ints
from grid_games.spec import GridGame

UNLIMITED = 2**30
HIDES = 16
"""Shift of the bits that hide a cell's event above the bits that hide its piles."""
UP, DOWN, LEFT, RIGHT, STAY, PRODUCE = range(6)
PHYSICAL = 6
"""Number of actions before the picks: four moves, stay, produce."""
LAYERS = 2
"""Layers of a cell before the events: agent, block. R layers of events and R of amounts follow."""


@dataclass(frozen=True)
class Tables:
    """Constant arrays of a game."""

    game: GridGame

    @property
    def resources(self) -> int:
        """Number of resources, R."""
        return len(self.game.resources)

    @property
    def events(self) -> int:
        """Number of events, E."""
        return len(self.game.recipes)

    @property
    def layers(self) -> int:
        """Number of layers of a cell, 2 + 2R."""
        return LAYERS + 2 * self.resources

    @property
    def picks(self) -> int:
        """Number of the first pick action."""
        return PHYSICAL

    @property
    def dumps(self) -> int:
        """Number of the first dump action."""
        return PHYSICAL + self.resources

    @property
    def social(self) -> int:
        """Number of the first social action."""
        return PHYSICAL + 2 * self.resources

    @cached_property
    def net(self) -> Counts:
        """Change of the inventory by each work, shape (1+2R+E, R)."""
        size = self.resources
        crafts = [self._row(recipe.makes) - self._row(recipe.consumes) for recipe in self.game.recipes]
        unit = np.eye(size, dtype=np.int32)
        return np.vstack([np.zeros((1, size), np.int32), unit, -unit, *crafts])

    @cached_property
    def pile(self) -> Ints:
        """Layer of the cell that each work changes, shape (1+2R+E,); recipes name the first pile's layer and add 0."""
        works = np.arange(len(self.net))
        moved = (works > 0) & (works <= 2 * self.resources)
        return LAYERS + self.resources + np.where(moved, (works - 1) % self.resources, 0)

    @cached_property
    def pile_change(self) -> Cells:
        """Change of that layer by each work, shape (1+2R+E,)."""
        ones = np.ones(self.resources, np.int16)
        return np.concatenate([[0], -ones, ones, np.zeros(self.events)]).astype(np.int16)

    @cached_property
    def need(self) -> Counts:
        """Items needed to produce at each event, shape (E+1, R); row 0 (no event) cannot be satisfied."""
        rows = [self._most(recipe.consumes, recipe.requires) for recipe in self.game.recipes]
        return np.vstack([np.full((1, self.resources), UNLIMITED + 1, np.int32), *rows])

    @cached_property
    def product(self) -> Ints:
        """Resource made by each event, shape (E+1,)."""
        return np.array([0, *(self.game.resource(next(iter(each.makes))) for each in self.game.recipes)], np.intp)

    @cached_property
    def made(self) -> Counts:
        """Units made by each event, shape (E+1,)."""
        return np.array([0, *(next(iter(each.makes.values())) for each in self.game.recipes)], np.int32)

    @cached_property
    def capacity(self) -> Counts:
        """Maximum units that each agent can hold, shape (N, R)."""
        roles = [self._row(role.capacity, UNLIMITED) for role in self.game.roles]
        return np.vstack(roles)[list(self.game.players)]

    @cached_property
    def start(self) -> Counts:
        """Units that each agent holds at the start of an episode, shape (N, R)."""
        return np.vstack([self._row(role.inventory) for role in self.game.roles])[list(self.game.players)]

    @cached_property
    def value(self) -> Floats:
        """Value of a unit to each agent, its preference times the objective value; shape (N, R)."""
        kinds = self.game.resources
        roles = [[float(role.preference.get(each.name, 1) * each.value) for each in kinds] for role in self.game.roles]
        return np.array(roles)[list(self.game.players)]

    @cached_property
    def gain(self) -> Floats:
        """Value of each work to each agent, shape (N, 1+2R+E)."""
        return np.asarray(self.value @ self.net.T.astype(np.float64))

    @cached_property
    def event_row(self) -> Cells:
        """Event layers of a cell (product +, inputs -), shape (E+1, R)."""
        return np.vstack([np.zeros((1, self.resources)), self.net[1 + 2 * self.resources :]]).astype(np.int16)

    @cached_property
    def gate_resource(self) -> Ints:
        """Resource of each requirement, shape (Q,)."""
        return np.array([self.game.resource(name) for name, _ in self.game.gates], np.intp)

    @cached_property
    def gate_amount(self) -> Counts:
        """Units demanded by each requirement, shape (Q,)."""
        return np.array([amount for _, amount in self.game.gates], np.int32)

    @cached_property
    def gate_bit(self) -> Counts:
        """Bits set for an unmet requirement, shape (Q,): one among those of piles and one among those of events."""
        bits = 1 << np.arange(len(self.game.gates), dtype=np.int32)
        return (bits | (bits << HIDES)).astype(np.int32)

    @cached_property
    def pile_gate(self) -> Counts:
        """Bits of the requirements that hide each resource's piles, shape (R,)."""
        return np.array([self._bits(each.requires) for each in self.game.resources], np.int32)

    @cached_property
    def event_gate(self) -> Counts:
        """Bits of the requirements that hide each event, not shifted, shape (E+1,)."""
        return np.array([0, *(self._bits(each.requires) for each in self.game.recipes)], np.int32)

    @cached_property
    def screens(self) -> Counts:
        """All distinct sets of requirements that hide something, as bits, shape (S,); the first is empty."""
        return np.unique(np.concatenate([[0], self.pile_gate, self.event_gate])).astype(np.int32)

    @cached_property
    def pile_screen(self) -> Counts:
        """Index in `screens` for each resource's piles, shape (R,)."""
        return np.searchsorted(self.screens, self.pile_gate).astype(np.int32)

    @cached_property
    def event_screen(self) -> Counts:
        """Index in `screens` for each event, shape (E+1,)."""
        return np.searchsorted(self.screens, self.event_gate).astype(np.int32)

    @cached_property
    def neighbours(self) -> Ints:
        """Cells above, below, left and right of each cell on the torus, shape (C, 4)."""
        return self._around([(-1, 0), (1, 0), (0, -1), (0, 1)])

    @cached_property
    def window(self) -> Ints:
        """Cells in view of each cell, row by row, shape (C, W) with W = (2f+1)^2."""
        reach = range(-self.game.view, self.game.view + 1)
        return self._around([(row, column) for row in reach for column in reach])

    @cached_property
    def centred(self) -> Ints:
        """All cells relative to each cell, which is at row h // 2, column w // 2; shape (C, C)."""
        rows, columns = self.game.height, self.game.width
        steps = [(row - rows // 2, column - columns // 2) for row in range(rows) for column in range(columns)]
        return self._around(steps)

    @cached_property
    def moves_somewhere(self) -> Flags:
        """True if a step leads to another cell, shape (C, 4); false on a map one cell wide."""
        return np.asarray(self.neighbours != np.arange(self.game.cells)[:, None])

    def _around(self, steps: list[tuple[int, int]]) -> Ints:
        rows, columns = np.divmod(np.arange(self.game.cells)[:, None], self.game.width)
        up, right = np.array(steps, np.intp).T
        return np.asarray((rows + up) % self.game.height * self.game.width + (columns + right) % self.game.width)

    def _row(self, amounts: Mapping[str, int], rest: int = 0) -> Counts:

        return np.array([amounts.get(each.name, rest) for each in self.game.resources], np.int32)

    def _most(self, *amounts: Mapping[str, int]) -> Counts:
        return np.asarray(np.maximum.reduce([self._row(each) for each in amounts]))

    def _bits(self, requires: Mapping[str, int]) -> int:

        return sum(1 << index for index, gate in enumerate(self.game.gates) if gate in requires.items())
