"""Random masked play: each agent takes one of its allowed actions, all alike."""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Flags, Ints
from grid_games.batch import Batch

_WIDE = 128
"""From this many actions on, guessing anew beats listing all that are allowed."""
_GUESSES = 12


class RandomPolicy:
    """Draws from its own generator; the environments' chance is untouched."""

    def __init__(self, seed: int = 0) -> None:
        self._dice = np.random.default_rng(seed)

    def act(self, game: Batch) -> Ints:
        """(B, N) an allowed action for each."""
        mask = game.mask
        rows = mask.reshape(-1, mask.shape[-1])
        return draw(rows, self._dice).reshape(mask.shape[:-1])


def draw(rows: Flags, dice: np.random.Generator) -> Ints:
    """(n,) a uniformly drawn allowed column of each row, (n, A); every row must allow one."""
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
    """Draw from a list of all that is allowed."""
    allowed = rows.reshape(-1).nonzero()[0]
    counts = np.add.reduce(rows, axis=1, dtype=np.intp)
    first = counts.cumsum() - counts
    picks = allowed.take(first + (dice.random(len(rows)) * counts).astype(np.intp))
    return np.asarray(picks % rows.shape[1])
