"""A game's numbers as small constant arrays.

A change of inventory is a *work*: 0 nothing, 1..R pick that resource, R+1..2R dump it, 2R+1..2R+E the recipes.
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
"""Bits of what hides a cell's event stand this far above the bits of what hides its piles."""
UP, DOWN, LEFT, RIGHT, STAY, PRODUCE = range(6)
PHYSICAL = 6
"""Actions before the picks: four moves, stay, produce."""
LAYERS = 2
"""Layers of a cell before the events: agent, block. R layers of events and R of amounts follow."""


@dataclass(frozen=True)
class Tables:
    """Constant arrays of a game."""

    game: GridGame

    @property
    def resources(self) -> int:
        """R."""
        return len(self.game.resources)

    @property
    def events(self) -> int:
        """E."""
        return len(self.game.recipes)

    @property
    def layers(self) -> int:
        """2 + 2R."""
        return LAYERS + 2 * self.resources

    @property
    def picks(self) -> int:
        """First action that picks."""
        return PHYSICAL

    @property
    def dumps(self) -> int:
        """First action that dumps."""
        return PHYSICAL + self.resources

    @property
    def social(self) -> int:
        """First social action."""
        return PHYSICAL + 2 * self.resources

    @cached_property
    def net(self) -> Counts:
        """(1+2R+E, R) what a work adds to the inventory."""
        size = self.resources
        crafts = [self._row(recipe.makes) - self._row(recipe.consumes) for recipe in self.game.recipes]
        unit = np.eye(size, dtype=np.int32)
        return np.vstack([np.zeros((1, size), np.int32), unit, -unit, *crafts])

    @cached_property
    def pile(self) -> Ints:
        """(1+2R+E,) the layer of a cell that a work changes; the first pile's, by nothing, for recipes."""
        works = np.arange(len(self.net))
        moved = (works > 0) & (works <= 2 * self.resources)
        return LAYERS + self.resources + np.where(moved, (works - 1) % self.resources, 0)

    @cached_property
    def pile_change(self) -> Cells:
        """(1+2R+E,) what a work adds to that layer."""
        ones = np.ones(self.resources, np.int16)
        return np.concatenate([[0], -ones, ones, np.zeros(self.events)]).astype(np.int16)

    @cached_property
    def need(self) -> Counts:
        """(E+1, R) what must be held to produce; the first row, where no event is, cannot be met."""
        rows = [self._most(recipe.consumes, recipe.requires) for recipe in self.game.recipes]
        return np.vstack([np.full((1, self.resources), UNLIMITED + 1, np.int32), *rows])

    @cached_property
    def product(self) -> Ints:
        """(E+1,) the resource that an event makes."""
        return np.array([0, *(self.game.resource(next(iter(each.makes))) for each in self.game.recipes)], np.intp)

    @cached_property
    def made(self) -> Counts:
        """(E+1,) how many units of it."""
        return np.array([0, *(next(iter(each.makes.values())) for each in self.game.recipes)], np.int32)

    @cached_property
    def capacity(self) -> Counts:
        """(N, R) most units an agent may hold."""
        roles = [self._row(role.capacity, UNLIMITED) for role in self.game.roles]
        return np.vstack(roles)[list(self.game.players)]

    @cached_property
    def value(self) -> Floats:
        """(N, R) what a unit is worth to an agent: its preference times the objective value."""
        kinds = self.game.resources
        roles = [[float(role.preference.get(each.name, 1) * each.value) for each in kinds] for role in self.game.roles]
        return np.array(roles)[list(self.game.players)]

    @cached_property
    def gain(self) -> Floats:
        """(N, 1+2R+E) what a work is worth to an agent."""
        return np.asarray(self.value @ self.net.T.astype(np.float64))

    @cached_property
    def event_row(self) -> Cells:
        """(E+1, R) the event layers of a cell: product +, inputs -."""
        return np.vstack([np.zeros((1, self.resources)), self.net[1 + 2 * self.resources :]]).astype(np.int16)

    @cached_property
    def gate_resource(self) -> Ints:
        """(Q,) the resource that each requirement asks for."""
        return np.array([self.game.resource(name) for name, _ in self.game.gates], np.intp)

    @cached_property
    def gate_amount(self) -> Counts:
        """(Q,) how many units of it."""
        return np.array([amount for _, amount in self.game.gates], np.int32)

    @cached_property
    def gate_bit(self) -> Counts:
        """(Q,) a requirement that an agent lacks, as bits: among those of piles and among those of events."""
        bits = 1 << np.arange(len(self.game.gates), dtype=np.int32)
        return (bits | (bits << HIDES)).astype(np.int32)

    @cached_property
    def pile_gate(self) -> Counts:
        """(R,) bits of what hides a pile of the resource from an agent that lacks it."""
        return np.array([self._bits(each.requires) for each in self.game.resources], np.int32)

    @cached_property
    def event_gate(self) -> Counts:
        """(E+1,) bits of what hides an event, not shifted."""
        return np.array([0, *(self._bits(each.requires) for each in self.game.recipes)], np.int32)

    @cached_property
    def screens(self) -> Counts:
        """(S,) the different sets of requirements that hide something, as bits; the first is empty."""
        return np.unique(np.concatenate([[0], self.pile_gate, self.event_gate])).astype(np.int32)

    @cached_property
    def pile_screen(self) -> Counts:
        """(R,) the screen before a resource's piles."""
        return np.searchsorted(self.screens, self.pile_gate).astype(np.int32)

    @cached_property
    def event_screen(self) -> Counts:
        """(E+1,) the screen before an event."""
        return np.searchsorted(self.screens, self.event_gate).astype(np.int32)

    @cached_property
    def neighbours(self) -> Ints:
        """(C, 4) the cells up, down, left and right of each, on the torus."""
        return self._around([(-1, 0), (1, 0), (0, -1), (0, 1)])

    @cached_property
    def window(self) -> Ints:
        """(C, W) the cells in view from each, row by row; W = (2f+1)^2."""
        reach = range(-self.game.view, self.game.view + 1)
        return self._around([(row, column) for row in reach for column in reach])

    @cached_property
    def centred(self) -> Ints:
        """(C, C) all cells as seen from each: it stands at row h // 2, column w // 2."""
        rows, columns = self.game.height, self.game.width
        steps = [(row - rows // 2, column - columns // 2) for row in range(rows) for column in range(columns)]
        return self._around(steps)

    @cached_property
    def moves_somewhere(self) -> Flags:
        """(C, 4) whether a step leads to another cell (on a map one cell wide it does not)."""
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
