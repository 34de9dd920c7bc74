"""Remembered map of one agent: what it saw stays known until it sees the cell again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grid_games.arrays import Flags, Ints
from grid_games.core.tables import LAYERS, Tables
from grid_games.planning.view import AgentView

NEVER = -1


@dataclass(frozen=True)
class SeenAgent:
    """Cell at which another agent was last seen, and the step."""

    cell: int
    time: int


class MapMemory:
    """Map as one agent remembers it; arrays of shape (C, ...)."""

    def __init__(self, tables: Tables) -> None:
        game = tables.game
        self.tables = tables
        self.seen: Ints = np.full(game.cells, NEVER, np.intp)
        """Step at which each cell was last seen, or `NEVER`."""
        self.blocks: Flags = np.zeros(game.cells, np.bool_)
        self.event: Ints = np.zeros(game.cells, np.intp)
        """Event + 1 of each cell, 0 if none is known."""
        self.piles: Ints = np.zeros((game.cells, tables.resources), np.intp)
        """Units on the ground, as last seen."""
        self.others: dict[int, SeenAgent] = {}
        """Other agent -> where it was last seen."""
        self.occupied: frozenset[int] = frozenset()
        """Cells in which another agent is seen now."""
        self.found: Flags = np.zeros(tables.resources, np.bool_)
        """Resources of which the last view showed a pile at a cell without a known one."""

    @property
    def unseen(self) -> Ints:
        """Numbers of the cells never seen."""
        return np.flatnonzero(self.seen == NEVER)

    def update(self, view: AgentView) -> None:
        """Add a view to the map.

        A pile or an event that the agent lacks the tool for looks like nothing, so it is not forgotten.
        """
        cells, layers, size = view.cells, view.layers, self.tables.resources
        self.seen[cells] = view.time
        self.blocks[cells] = layers[:, 1] == 1
        self._see_others(view)
        events = layers[:, LAYERS : LAYERS + size]
        for number in range(1, self.tables.events + 1):
            self.event[cells[events[:, self.tables.product[number]] > 0]] = number
        amounts = layers[:, LAYERS + size :].astype(np.intp)
        # Others' views hide what they lack a tool for, and only the own tools are known.
        gated = self.tables.pile_gate > 0
        sure = np.where(view.own[:, None], self.meets(view.inventory)[None], ~gated[None])
        fresh = (amounts > 0) & (self.piles[cells] == 0)
        self.found = fresh.any(axis=0)
        self.piles[cells] = np.where(sure | (amounts > 0), amounts, self.piles[cells])

    def meets(self, inventory: Ints) -> Flags:
        """Return True for resources whose requirements an inventory fulfils, shape (R,)."""
        missing = inventory[self.tables.gate_resource] < self.tables.gate_amount
        bits = int((missing << np.arange(len(missing))).sum())
        return np.asarray((self.tables.pile_gate & bits) == 0)

    def _see_others(self, view: AgentView) -> None:
        numbers = view.layers[:, 0].astype(np.intp) - 1
        there = np.flatnonzero((numbers >= 0) & (numbers != view.agent))
        for spot in there.tolist():
            self.others[int(numbers[spot])] = SeenAgent(int(view.cells[spot]), view.time)
        self.occupied = frozenset(view.cells[there].tolist())
