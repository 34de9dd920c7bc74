"""View of one agent at one step, with the numbers of the cells that it sees.

Beside its observation an agent knows its own cell, which it could keep track of by its own moves, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grid_games.arrays import Array, Cells, Flags, Ints, Parts
from grid_games.batch import Batch


@dataclass(frozen=True)
class AgentView:
    """Perception of one agent before a step."""

    agent: int
    time: int
    place: int
    """Number of the agent's cell: row * width + column."""
    inventory: Ints
    """Units held, shape (R,)."""
    mask: Flags
    """Legal actions, shape (A,)."""
    cells: Ints
    """Numbers of the visible cells, shape (n,)."""
    own: Flags
    """True for cells in the agent's own window, false for cells that others show it, shape (n,)."""
    layers: Cells
    """Layers of the visible cells, shape (n, 2+2R)."""
    parts: Mapping[str, Array]
    """The agent's observation (`grid_games.observe`)."""


def view_of(batch: Batch, parts: Parts, agent: int) -> AgentView:
    """Return an agent's view in the first environment of a batch.

    Args:
        batch: The batch.
        parts: The current observations of its agents, `observe(batch)`.
        agent: Index of the agent.
    """
    tables, place = batch.tables, int(batch.places[0, agent])
    layers = np.moveaxis(parts["grid"][0, agent], 0, -1).reshape(-1, tables.layers)
    near = tables.window[place]
    if batch.game.full_map:
        senders = np.flatnonzero(batch.rules.graph.views()[0][:, agent])
        shown = np.unique(np.concatenate([near, tables.window[batch.places[0, senders]].reshape(-1)]))
        around = tables.centred[place]
        chosen = np.flatnonzero(np.isin(around, shown))
        cells, layers = around[chosen], layers[chosen]
    else:
        # A window that is wider than the map shows cells twice.
        cells, first = np.unique(near, return_index=True)
        layers = layers[first]
    return AgentView(
        agent=agent,
        time=int(batch.time[0]),
        place=place,
        inventory=batch.inventory[0, agent].astype(np.intp),
        mask=batch.mask[0, agent].copy(),
        cells=cells,
        own=np.isin(cells, near),
        layers=layers,
        parts={name: part[0, agent] for name, part in parts.items()},
    )
