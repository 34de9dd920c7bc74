"""Picking, dumping and producing: legality and effects."""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Counts, Flags, Floats, Ints
from grid_games.core.tables import LAYERS, PRODUCE
from grid_games.core.world import GridWorld


def allow(world: GridWorld, lacks: Counts, mask: Flags) -> None:
    """Write produce, picks and dumps into a mask (B*N, A); exactly the actions with an effect are allowed.

    Args:
        lacks: (B*N,) result of `GridWorld.lacks`.
    """
    tables, held = world.tables, world.inventory
    room = held < world.capacity
    # `take` copies a whole array that is not contiguous; whole rows avoid this.
    found = world.rows.take(world.at + world.at, 0)[:, LAYERS + tables.resources :] > 0
    found &= room
    found &= (lacks[:, None] & tables.pile_gate) == 0
    mask[:, tables.picks : tables.dumps] = found
    mask[:, tables.dumps : tables.social] = held > 0
    mask[:, PRODUCE] = False
    kind = world.kind.take(world.at)
    able = np.logical_and.reduce(held >= tables.need.take(kind, 0), axis=1).nonzero()[0]
    if able.size:
        kind = kind.take(able)
        product = tables.product.take(kind)
        after = held[able, product] + tables.made.take(kind)
        mask[able, PRODUCE] = after <= world.capacity[able, product]


def work(world: GridWorld, who: Ints, actions: Ints, made: Counts) -> Floats:
    """Apply agents' picks, dumps and productions; every action must be legal.

    Args:
        world: The world.
        who: (n,) agent numbers through the batch, each once.
        actions: (n,) their actions.
        made: (B*N, E) counts of executed events, updated in place.

    Returns:
        Value of each action to its agent, shape (n,).
    """
    tables, cells = world.tables, world.at.take(who)
    kind = world.kind.take(cells)
    produces = actions == PRODUCE
    works = np.where(produces, 2 * tables.resources + kind, actions - PRODUCE)
    world.inventory[who] += tables.net.take(works, 0)
    moved = (~produces).nonzero()[0]
    if moved.size:
        touched, moving = cells.take(moved), works.take(moved)
        world.cells[touched, :, tables.pile.take(moving)] += tables.pile_change.take(moving)[:, None]
        world.note(touched)
    if moved.size < who.size:
        made[who[produces], kind[produces] - 1] += 1
    return tables.gain[world.local.take(who), works]
