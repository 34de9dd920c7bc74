"""Expected harvests in a commons, by the number of players that leave enough for it to regrow.

The belief follows from the facts and the four assumptions below. Expected values are simulated in steps of one second.
Strippers harvest one tree after the other to the last block; sustainers take only what exceeds the share to be left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, dist

from voyager_agents.facts import Commons
from voyager_agents.reference.foragers import LEAVES

SUSTAIN, STRIP = "sustain", "strip"
SEASON = 100
"""Assumed length of an episode in seconds; players are not told the real one."""
PACE = 1.5
"""Assumed blocks that a player takes per second, walking included."""
DEAD = 0.5
"""Expected blocks on a tree below which it counts as bare."""
SLACK = 1.1
"""Quota as a multiple of the expected harvest if all leave enough; the margin allows for luck."""

Trees = tuple[tuple[tuple[int, int, int], ...], ...]


@dataclass
class _Tree:
    size: int
    neighbours: float
    """Average number of cells near a cell of the tree."""
    law: tuple[float, ...]
    left: float

    @property
    def spare(self) -> float:
        """Number of blocks on the tree beyond the share to be left."""
        return self.left - self.size * LEAVES

    def harvest(self, most: float) -> float:
        """Take up to `most` blocks; return the number taken."""
        got = max(0.0, min(PACE, most, self.left))
        self.left -= got
        return got

    def grow(self) -> None:
        """Advance by one second. Probabilities are interpolated for fractional numbers of neighbours."""
        if self.left < DEAD:
            self.left = 0.0
            return
        near = min(self.neighbours * self.left / self.size, len(self.law) - 1)
        low = int(near)
        high = min(low + 1, len(self.law) - 1)
        chance = self.law[low] + (self.law[high] - self.law[low]) * (near - low)
        self.left += (self.size - self.left) * chance


def yields(facts: Commons, strippers: int, sustainers: int) -> tuple[float, float]:
    """Return (blocks per stripper, blocks per sustainer) of an episode; 0 for a kind without players."""
    return _season(facts.trees, facts.near, facts.regrowth, strippers, sustainers)


@lru_cache(maxsize=256)
def _season(trees: Trees, near: float, law: tuple[float, ...], strippers: int, sustainers: int) -> tuple[float, float]:
    orchard = [_Tree(len(cells), _neighbours(cells, near), law, float(len(cells))) for cells in trees]
    # Strippers start at different trees as far as possible, and continue with the fullest.
    at = [orchard[index * len(orchard) // strippers] for index in range(strippers)]
    stripped = sustained = 0.0
    for _ in range(SEASON):
        for index, tree in enumerate(at):
            if tree.left < 1:
                at[index] = max(orchard, key=lambda each: each.left)
            stripped += at[index].harvest(PACE)
        for _ in range(sustainers):
            fullest = max(orchard, key=lambda each: each.spare)
            sustained += fullest.harvest(fullest.spare)
        for tree in orchard:
            tree.grow()
    return stripped / max(1, strippers), sustained / max(1, sustainers)


def _neighbours(cells: tuple[tuple[int, int, int], ...], near: float) -> float:
    return sum(dist(one, other) <= near for one in cells for other in cells if one != other) / len(cells)


def fair_quota(facts: Commons) -> int:
    """Return the quota of each player if all leave enough."""
    _, each = yields(facts, 0, len(facts.players))
    return ceil(SLACK * each)
