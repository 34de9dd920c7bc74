"""Random policy over the action mask: each agent draws a legal action uniformly."""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Flags, Ints
from grid_games.batch import Batch

_WIDE = 128
"""Number of actions from which rejection sampling beats listing all legal actions."""
_GUESSES = 12


class RandomPolicy:
    """Policy with its own generator; it does not affect the environments' random numbers."""

    def __init__(self, seed: int = 0) -> None:
        self._dice = np.random.default_rng(seed)

    def act(self, game: Batch) -> Ints:
        """Return a legal action for each agent, shape (B, N)."""
        mask = game.mask
        rows = mask.reshape(-1, mask.shape[-1])
        return draw(rows, self._dice).reshape(mask.shape[:-1])


def draw(rows: Flags, dice: np.random.Generator) -> Ints:
    """Return a uniformly drawn legal column per row of (n, A), shape (n,); every row must have one."""
    if rows.shape[1] < _WIDE:
        return _listed(rows, dice)
    drawn = dice.integers(rows.shape[1], size=len(rows))
    left = np.flatnonzero(~rows[np.arange(len(rows)), drawn])
    for _ in range(_GUESSES):
        if not left.size:
            return drawn
        drawn[left] = dice.integers(rows.shape[1], size=len(left))
        left = left[~rows[left, drawn[left]]]
    drawn[left] = _listed(rows[left], dice)
    return drawn


def _listed(rows: Flags, dice: np.random.Generator) -> Ints:
    """Draw from a list of all legal actions."""
    allowed = rows.reshape(-1).nonzero()[0]
    counts = np.add.reduce(rows, axis=1, dtype=np.intp)
    first = counts.cumsum() - counts
    picks = allowed.take(first + (dice.random(len(rows)) * counts).astype(np.intp))
    return np.asarray(picks % rows.shape[1])
