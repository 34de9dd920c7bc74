"""Inputs of learned policies: parts of an agent's observation as one row of numbers.

A policy stores the names of the parts that it was trained on, so that it gets the same inputs again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from grid_games.arrays import Array, Inputs, Ints
from grid_games.batch import Batch
from grid_games.core.tables import LAYERS

PILE, EPISODE = 5.0, 100.0
"""Scale of a pile's amount, and of the steps left."""


def inputs(batch: Batch, parts: Sequence[str]) -> Inputs:
    """Return the named parts side by side, shape (B, N, F); see `PARTS`."""
    return np.concatenate([PARTS[part](batch) for part in parts], axis=2, dtype=np.float32)


def _window(batch: Batch) -> Array:
    """Return the own window, shape (B, N, W * (2+2R)): other agents by role, blocks, events, amounts."""
    grid = batch.windows()["grid"]
    resources = batch.tables.resources
    view = grid.astype(np.float32)
    view[..., 0] = np.take_along_axis(_kinship(batch.game.players)[None, :, :], grid[..., 0].astype(np.intp), axis=2)
    piles = view[..., LAYERS + resources :]
    piles /= PILE
    return view.reshape(batch.size, batch.agents, -1)


def _inventory(batch: Batch) -> Array:
    """Return log(1 + amount) of the inventory, shape (B, N, R)."""
    return np.log1p(batch.inventory)


def _number(batch: Batch) -> Array:
    """Return the agent's index, one-hot, shape (B, N, N)."""
    return np.broadcast_to(np.eye(batch.agents), (batch.size, batch.agents, batch.agents))


def _left(batch: Batch) -> Array:
    """Return the steps left in the episode, in hundreds, shape (B, N, 1)."""
    left = (batch.game.steps - batch.time) / EPISODE
    return np.broadcast_to(left[:, None, None], (batch.size, batch.agents, 1))


def _social(batch: Batch) -> Array:
    """Return the social graph, which all agents see, shape (B, N, M * M)."""
    state = batch.rules.social_state().reshape(batch.size, 1, -1)
    return np.broadcast_to(state, (batch.size, batch.agents, state.shape[2]))


def _rules(batch: Batch) -> Array:
    """Return the parts specific to the game's rules, such as messages, requests and claims; shape (B, N, ...)."""
    told = batch.rules.observe().values()
    flat = [each.reshape(batch.size, batch.agents, -1) for each in told]
    return np.concatenate(flat, axis=2) if flat else np.zeros((batch.size, batch.agents, 0))


@cache
def _kinship(players: tuple[int, ...]) -> Array:
    """Return 1 for agents of the own role, -1 for another role, 0 for none, by agent and cell value; shape (N, N+1)."""
    roles: Ints = np.array(players, np.intp)
    same = np.where(roles[:, None] == roles, 1.0, -1.0)
    return np.hstack([np.zeros((len(roles), 1)), same]).astype(np.float32)


PARTS: dict[str, Callable[[Batch], Array]] = {
    "window": _window,
    "inventory": _inventory,
    "number": _number,
    "left": _left,
    "social": _social,
    "rules": _rules,
}
"""Name -> function that returns the part, shape (B, N, F)."""
