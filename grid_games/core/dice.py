"""Random numbers, with one generator per environment.

The start of an episode is drawn from a numpy generator seeded with (seed, episode). Draws within a step use SplitMix64
(Steele, Lea, Flood 2014) in counter mode with a key from that generator. A number depends on (key, step, agent) only,
not on the rest of the batch.
"""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Ints, Keys

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def generator(seed: int, episode: int) -> np.random.Generator:
    """Return the generator for an episode of an environment."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, episode])))


def draws(keys: Keys, counters: Ints) -> Keys:
    """Return a uniform 64-bit number for each key and counter; different counters of one key give different numbers."""
    mixed = keys + (counters.astype(np.uint64) + np.uint64(1)) * _GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
