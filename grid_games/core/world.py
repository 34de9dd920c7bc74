"""Physical state of B environments, and the layout of a new episode.

A cell has two rows of layers: for agents that see its event, and for those that do not. A view is then a single gather.
Agents and cells are numbered through the batch: agent b*N + i, cell b*C + c.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grid_games.arrays import Cells, Counts, Flags, Ints, Keys
from grid_games.core.tables import HIDES, LAYERS, Tables
from grid_games.spec import Places2D

HIDDEN, SHOWN = 0, 1


class GridWorld:
    """Map, inventories and positions of all environments, with the constant tables."""

    def __init__(self, tables: Tables, batch: int) -> None:
        game = tables.game
        self.tables = tables
        self.batch, self.agents, self.size = batch, game.agents, game.cells
        count = batch * game.agents
        self.cells: Cells = np.zeros((batch * game.cells, 2, tables.layers), np.int16)
        self.rows: Cells = self.cells.reshape(-1, tables.layers)
        """The same memory, shape (B*C*2, 2+2R): row 2c hides the event of cell c, row 2c+1 shows it."""
        self.kind: Ints = np.zeros(batch * game.cells, np.intp)
        """Event + 1 of each cell, 0 without an event; shape (B*C,)."""
        self.code: Counts = np.zeros(batch * game.cells, np.int32)
        """Bits of what hides a cell's piles, and shifted by `HIDES` of what hides its event; shape (B*C,)."""
        self.open: Flags = np.zeros((batch * game.cells, 4), np.bool_)
        """True if a step leads to another cell without a block, shape (B*C, 4)."""
        self.at: Ints = np.zeros(count, np.intp)
        """Cell of each agent, numbered through the batch, shape (B*N,)."""
        self.inventory: Counts = np.zeros((count, tables.resources), np.int32)
        self.keys: Keys = np.zeros(batch, np.uint64)
        """Keys of the draws within an episode's steps, shape (B,)."""
        self.number: Ints = np.arange(count)
        self.local: Ints = self.number % game.agents
        """Index of each agent in its environment, shape (B*N,)."""
        self.environment: Ints = self.number // game.agents
        self.first_cell: Ints = self.environment * game.cells
        cells = {
            kind: np.array([row * game.width + column for _, each in named for row, column in each], np.intp)
            for kind, named in game.places.groups().items()
        }
        self._fixed = cells if any(len(each) for each in cells.values()) else {}
        """Kind of thing -> its fixed cells; empty if nothing is fixed."""
        self.capacity: Counts = np.tile(tables.capacity, (batch, 1))

    def __setstate__(self, state: dict[str, Any]) -> None:
        # The rows of a copy must refer to its own cells.
        self.__dict__.update(state)
        self.rows = self.cells.reshape(self.rows.shape)

    @property
    def piles(self) -> Cells:
        """Amounts on the ground, shape (B*C, R)."""
        return self.cells[:, SHOWN, LAYERS + self.tables.resources :]

    def lacks(self) -> Counts:
        """Return the bits of each agent's unmet requirements, shape (B*N,)."""
        tables = self.tables
        missing = self.inventory.take(tables.gate_resource, 1) < tables.gate_amount
        return np.asarray(missing.dot(tables.gate_bit))

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Lay out a new episode: blocks, piles, events and agents on distinct cells without blocks.

        Cells are random but for the game's fixed positions.
        """
        game, tables = self.tables.game, self.tables
        mine = slice(environment * self.size, (environment + 1) * self.size)
        agents = slice(environment * self.agents, (environment + 1) * self.agents)
        free, amounts = dice.permutation(self.size), np.zeros((self.size, tables.resources), np.int16)
        if self._fixed:
            others = np.concatenate(
                [np.zeros(0, np.intp), *(self._fixed[kind] for kind in ("piles", "events", "players"))]
            )
            free = _ordered(free, self._fixed["blocks"], others)
        blocks, free = free[: game.blocks], free[game.blocks :]
        places, first = game.places, 0
        spots = self._assign(dice.permutation(free), [(each.resource, each.count) for each in game.piles], places.piles)
        for pile in game.piles:
            amounts[spots[first : first + pile.count], game.resource(pile.resource)] = pile.amount
            first += pile.count
        events = np.repeat(np.arange(1, tables.events + 1), game.events)
        kind = np.zeros(self.size, np.intp)
        wanted = [(recipe.name, count) for recipe, count in zip(game.recipes, game.events, strict=True)]
        kind[self._assign(dice.permutation(free), wanted, places.events)] = events
        wanted = [(game.role_of(agent).name, 1) for agent in range(self.agents)]
        agents_at = self._assign(dice.permutation(free), wanted, places.players)
        self.keys[environment] = dice.integers(2**64, dtype=np.uint64)
        self._lay(mine, blocks, amounts, kind)
        self.at[agents] = agents_at + mine.start
        self.cells[self.at[agents], :, 0] = np.arange(1, self.agents + 1, dtype=np.int16)[:, None]
        self.inventory[agents] = tables.start

    def _assign(self, order: Ints, wanted: Sequence[tuple[str, int]], fixed: Mapping[str, Places2D]) -> Ints:
        """Return the cells of things, given as names and counts: a name's fixed ones first, then those in order."""
        if not fixed:
            return order[: sum(count for _, count in wanted)]
        width = self.tables.game.width
        given = {name: [row * width + column for row, column in cells] for name, cells in fixed.items()}
        taken = [cell for cells in given.values() for cell in cells]
        left = iter(order[~np.isin(order, taken)].tolist())
        chosen = [given[name].pop(0) if given.get(name) else next(left) for name, count in wanted for _ in range(count)]
        return np.array(chosen, np.intp)

    def _lay(self, mine: slice, blocks: Ints, amounts: Cells, kind: Ints) -> None:
        """Write the map of one environment."""
        tables = self.tables
        cells = self.cells[mine]
        cells[:] = 0
        cells[blocks, :, 1] = 1
        cells[:, SHOWN, LAYERS : LAYERS + tables.resources] = tables.event_row[kind]
        cells[:, :, LAYERS + tables.resources :] = amounts[:, None]
        self.kind[mine] = kind
        passable = cells[:, SHOWN, 1] == 0
        self.open[mine] = passable[tables.neighbours] & tables.moves_somewhere
        self.note(np.arange(mine.start, mine.stop))

    def note(self, cells: Ints) -> None:
        """Recompute the visibility of cells, shape (n,), whose piles changed."""
        tables = self.tables
        present = self.cells[cells, SHOWN, LAYERS + tables.resources :] > 0
        bits = np.bitwise_or.reduce(present * tables.pile_gate, axis=1)
        self.code[cells] = bits | (tables.event_gate[self.kind[cells]] << HIDES)


def _ordered(cells: Ints, first: Ints, last: Ints) -> Ints:
    """Return the cells with some of them first, and others last."""
    between = cells[~np.isin(cells, first) & ~np.isin(cells, last)]
    return np.concatenate([first, between, cells[np.isin(cells, last)]])
