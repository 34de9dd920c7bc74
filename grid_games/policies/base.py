"""Protocol of policies: a policy looks at a batch and returns an action for every agent."""

from __future__ import annotations

from typing import Protocol

from grid_games.arrays import Ints
from grid_games.batch import Batch


class GridPolicy(Protocol):
    """Plays all agents of all environments. It must not change the batch."""

    def act(self, game: Batch) -> Ints:
        """(B, N) an action for each agent."""
        ...
