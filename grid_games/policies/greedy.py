"""Greedy policy: each agent maximizes its own value from its own view, and never dumps or gives."""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Floats, Ints
from grid_games.batch import Batch
from grid_games.policies import social
from grid_games.policies.seek import Worth, in_window, seek


class Greedy:
    """Policy that pursues the greatest gain in an agent's own value per step.

    It avoids sharing: in Contract each agent joins its own group; in Negotiation it claims the maximum and accepts no
    less than half.
    """

    def __init__(self, seed: int = 0) -> None:
        self._dice = np.random.default_rng(seed)

    def act(self, game: Batch) -> Ints:
        """Return a legal action for each agent, shape (B, N)."""
        tables, world = game.tables, game.world
        gains = tables.gain[world.local]
        worth = Worth(
            pick=tables.value[world.local] * (world.inventory < world.capacity),
            make=np.maximum(gains[:, 1 + 2 * tables.resources :], 0) * able(game),
            drop=np.zeros_like(gains[:, : tables.resources]),
        )
        acts = seek(game, worth, in_window(game), self._dice)
        return social.choose(game, acts.reshape(game.size, game.agents), social.Loner(), self._dice)


def able(game: Batch) -> Floats:
    """Return 1 where an agent has an event's inputs and capacity for its product, shape (B*N, E)."""
    tables, world = game.tables, game.world
    held, product = world.inventory, tables.product[1:]
    enough = (held[:, None] >= tables.need[1:]).all(axis=2)
    return (enough & (held[:, product] + tables.made[1:] <= world.capacity[:, product])).astype(np.float64)
