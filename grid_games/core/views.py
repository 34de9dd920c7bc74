"""Views of agents: the own window, or the whole map filled from the own window and the windows shared by others.

A pile or an event is visible only to agents that meet its requirement. A shared view shows what its sender can see.
"""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Cells, Counts, Flags
from grid_games.core.tables import HIDES, LAYERS
from grid_games.core.world import SHOWN, GridWorld

_PILES = (1 << HIDES) - 1


def windows(world: GridWorld, lacks: Counts) -> Cells:
    """Return the cells around each agent, row by row with its own in the middle; shape (B*N, W, 2+2R)."""
    tables = world.tables
    seen = tables.window.take(world.at - world.first_cell, 0)
    if world.batch > 1:
        seen += world.first_cell[:, None]
    hidden = world.code.take(seen)
    hidden &= lacks[:, None]
    seen += seen
    seen += hidden <= _PILES
    view = world.rows.take(seen, 0)
    hidden &= _PILES
    spots = hidden.reshape(-1).nonzero()[0]
    if spots.size:
        missing = lacks.take(spots // hidden.shape[1])
        piles = view.reshape(-1, tables.layers)[:, LAYERS + tables.resources :]
        piles[spots] *= (tables.pile_gate & missing[:, None]) == 0
    return view


def maps(world: GridWorld, lacks: Counts, shares: Flags) -> Cells:
    """Return the whole map with the agent in the middle (row h // 2, column w // 2), shape (B*N, C, 2+2R).

    Cells that nobody shows are empty.

    Args:
        shares: (B, N, N) True where the first agent shares its view with the second.
    """
    tables = world.tables
    around = np.take(tables.centred, world.at - world.first_cell, axis=0)
    known = np.take_along_axis(_known(world, lacks, shares), around, axis=1)
    cells = around + world.first_cell[:, None]
    view: Cells = world.cells[cells, SHOWN]
    events, piles = LAYERS, LAYERS + tables.resources
    view[..., :events] *= (known != 0)[..., None]
    shown = known >> tables.event_screen[world.kind[cells]] & 1
    view[..., events:piles] *= shown.astype(np.int16)[..., None]
    view[..., piles:] *= (known[..., None] >> tables.pile_screen & 1).astype(np.int16)
    return view


def _known(world: GridWorld, lacks: Counts, shares: Flags) -> Counts:
    """Return the screens that each agent sees through at each cell, 0 out of view; shape (B*N, C)."""
    tables = world.tables
    near = np.take(tables.window, world.at - world.first_cell, axis=0)
    through = ((lacks[:, None] & tables.screens) == 0) @ (1 << np.arange(len(tables.screens), dtype=np.int32))
    known = np.zeros((len(world.at), world.size), np.int32)
    known[world.number[:, None], near] = through[:, None]
    environment, sender, receiver = np.nonzero(shares)
    first = environment * world.agents
    spots = (first + receiver)[:, None] * world.size + near[first + sender]
    np.bitwise_or.at(known.reshape(-1), spots, through[first + sender, None])
    return known
