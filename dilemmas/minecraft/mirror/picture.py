"""Visible state of a grid game at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from grid_games import Batch
from grid_games.arrays import Flags, Ints

ALONE = -1
"""Group of an agent without a group."""


@dataclass(frozen=True, eq=False)
class Picture:
    """Visible state of one environment, in integers."""

    blocks: Flags
    """(C,) True for blocked cells."""
    events: Ints
    """(C,) event index + 1; 0 for none."""
    piles: Ints
    """(C, R) units on the ground."""
    places: Ints
    """(N,) cells of the agents."""
    inventory: Ints
    """(N, R) units held."""
    groups: Ints
    """(N,) first group of each agent."""
    rewards: Ints
    """(N,) rewards in whole units."""

    def __eq__(self, other: object) -> bool:
        """Return True if all arrays are equal."""
        return isinstance(other, Picture) and not self.differences(other)

    __hash__ = None  # type: ignore[assignment]

    def differences(self, other: Picture) -> list[str]:
        """Return the names of the arrays that differ."""
        mine: dict[str, Any] = vars(self)
        return [name for name, array in mine.items() if not np.array_equal(array, getattr(other, name))]


def picture_of(batch: Batch, environment: int = 0) -> Picture:
    """Return the visible state of an environment."""
    world, size, agents = batch.world, batch.world.size, batch.agents
    cells = slice(environment * size, (environment + 1) * size)
    groups = batch.rules.graph.member[0][environment, :, 0]
    return Picture(
        blocks=world.cells[cells, 1, 1] != 0,
        events=world.kind[cells].copy(),
        piles=world.piles[cells].astype(np.intp),
        places=batch.places[environment].copy(),
        inventory=world.inventory[environment * agents : (environment + 1) * agents].astype(np.intp),
        groups=groups.copy(),
        # Halves round up; the epsilon absorbs residues of pooling.
        rewards=np.floor(batch.rewards[environment] + 0.5 + 1e-9).astype(np.intp),
    )
