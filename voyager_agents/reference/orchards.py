"""Expected harvests of players of a commons, by the number of players that leave enough for it to grow again.

The belief follows from the facts and four suppositions, named below: a season of seconds in which expected values are
stepped. Strippers take one tree after the other bare, sustainers take what a tree has beyond the share to be left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, dist

from voyager_agents.facts import Commons
from voyager_agents.reference.foragers import LEAVES

SUSTAIN, STRIP = "sustain", "strip"
SEASON = 100
"""Seconds that an episode is supposed to last; nobody is told."""
PACE = 1.5
"""Blocks that a player is supposed to take in a second, ways included."""
DEAD = 0.5
"""Blocks expected on a tree below which it is taken for bare."""
SLACK = 1.1
"""Allowance of a quota, as a multiple of the expected harvest when all leave enough: chance may favour somebody."""

Trees = tuple[tuple[tuple[int, int, int], ...], ...]


@dataclass
class _Tree:
    size: int
    neighbours: float
    """Cells near a cell of it, on average."""
    law: tuple[float, ...]
    left: float

    @property
    def spare(self) -> float:
        """Return the tree's apples beyond the share to be left."""
        return self.left - self.size * LEAVES

    def take(self, most: float) -> float:
        """Take up to so many blocks; what was got."""
        got = max(0.0, min(PACE, most, self.left))
        self.left -= got
        return got

    def grow(self) -> None:
        """Advance by one second. Chances between two whole numbers of neighbours are interpolated."""
        if self.left < DEAD:
            self.left = 0.0
            return
        near = min(self.neighbours * self.left / self.size, len(self.law) - 1)
        low = int(near)
        high = min(low + 1, len(self.law) - 1)
        chance = self.law[low] + (self.law[high] - self.law[low]) * (near - low)
        self.left += (self.size - self.left) * chance


def yields(facts: Commons, strippers: int, sustainers: int) -> tuple[float, float]:
    """Return (blocks for each stripper, blocks for each sustainer) of an episode; 0 for a kind without players."""
    return _season(facts.trees, facts.near, facts.regrowth, strippers, sustainers)


@lru_cache(maxsize=256)
def _season(trees: Trees, near: float, law: tuple[float, ...], strippers: int, sustainers: int) -> tuple[float, float]:
    orchard = [_Tree(len(cells), _neighbours(cells, near), law, float(len(cells))) for cells in trees]
    # Strippers begin at trees of their own, as far as there are some, and go on to the fullest.
    at = [orchard[index * len(orchard) // strippers] for index in range(strippers)]
    stripped = sustained = 0.0
    for _ in range(SEASON):
        for index, tree in enumerate(at):
            if tree.left < 1:
                at[index] = max(orchard, key=lambda each: each.left)
            stripped += at[index].take(PACE)
        for _ in range(sustainers):
            fullest = max(orchard, key=lambda each: each.spare)
            sustained += fullest.take(fullest.spare)
        for tree in orchard:
            tree.grow()
    return stripped / max(1, strippers), sustained / max(1, sustainers)


def _neighbours(cells: tuple[tuple[int, int, int], ...], near: float) -> float:
    return sum(dist(one, other) <= near for one in cells for other in cells if one != other) / len(cells)


def fair_quota(facts: Commons) -> int:
    """Return the blocks that everybody may take where all leave enough."""
    _, each = yields(facts, 0, len(facts.players))
    return ceil(SLACK * each)
