"""Simultaneous moves of all agents.

A cell whose occupant stays is closed; an agent that wanted to enter it stays too, which closes its own cell in turn. If
several agents want one cell, one is drawn and the others stay. Agents may swap cells, and chains and cycles move.
"""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Flags, Ints
from grid_games.core.dice import draws
from grid_games.core.world import GridWorld


class Mover:
    """Resolver of moves; keeps scratch memory between steps."""

    def __init__(self, world: GridWorld) -> None:
        self._world = world
        self._claim: Ints = np.zeros(len(world.kind), np.intp)
        self._moving: Flags = np.zeros(len(world.at), np.bool_)

    def move(self, who: Ints, directions: Ints, time: Ints) -> Ints:
        """Move agents; return those that arrived.

        Args:
            who: (n,) agent numbers through the batch, each once, ascending.
            directions: (n,) numbers 0..3, onto cells without blocks.
            time: (B,) step number, part of the counter for draws.
        """
        world = self._world
        start, first = world.at.take(who), world.first_cell.take(who)
        target = world.tables.neighbours.take((start - first) * 4 + directions) + first
        moving = self._moving
        moving[who] = True
        self._contest(who, target, time)
        self._close(who, target)
        goes = moving.take(who).nonzero()[0]
        moving[who] = False
        arrived, onto = who.take(goes), target.take(goes)
        world.cells[start.take(goes), :, 0] = 0
        world.cells[onto, :, 0] = (world.local.take(arrived) + 1)[:, None]
        world.at[arrived] = onto
        return arrived

    def _contest(self, who: Ints, target: Ints, time: Ints) -> None:
        """Keep one mover for each cell that several want."""
        claim, world = self._claim, self._world
        claim[target] = who
        if np.logical_and.reduce(claim.take(target) == who):
            return
        # The last write wins, so all write again in the order of their draws.
        environment = world.environment[who]
        lots = draws(world.keys[environment], time[environment] * world.agents + world.local[who])
        order = np.argsort(lots)
        claim[target[order]] = who[order]
        self._moving[who[claim[target] != who]] = False

    def _close(self, who: Ints, target: Ints) -> None:
        """Stop agents that want the cell of a staying agent, until nothing changes."""
        moving, world = self._moving, self._world
        occupant = world.cells.reshape(-1).take(target * (2 * world.tables.layers))
        taken = occupant.nonzero()[0]
        if not taken.size:
            return
        who = who[taken]
        occupant_of = occupant[taken] - 1 + world.environment[who] * world.agents
        while True:
            stuck = moving[who] & ~moving[occupant_of]
            if not np.logical_or.reduce(stuck):
                return
            moving[who[stuck]] = False
