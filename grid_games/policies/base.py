"""Protocol of policies."""

from __future__ import annotations

from typing import Protocol

from grid_games.arrays import Ints
from grid_games.batch import Batch


class GridPolicy(Protocol):
    """Policy that plays all agents of all environments. It must not change the batch."""

    def act(self, game: Batch) -> Ints:
        """Return an action for each agent, shape (B, N)."""
        ...
