"""Idle policy: every agent stays where it is, as a stand-in for absent players."""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Ints
from grid_games.batch import Batch
from grid_games.core.tables import STAY


class Idle:
    """Policy that does nothing; in stages where staying is no action it takes the first legal one."""

    def __init__(self, seed: int = 0) -> None:
        """Create the policy; it draws nothing, so that the seed has no effect."""

    def act(self, game: Batch) -> Ints:
        """Return a legal action for each agent, shape (B, N)."""
        mask = game.mask
        return np.where(mask[..., STAY], STAY, mask.argmax(axis=-1))
