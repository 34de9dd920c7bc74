"""Shortest ways on a remembered map."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

from grid_games.arrays import Flags, Ints

FAR = 10**6
"""Distance of cells that cannot be reached."""


@dataclass(frozen=True)
class Ways:
    """Shortest ways from one cell to all others."""

    distance: list[int]
    """Steps to each cell, or `FAR`."""
    first: list[int]
    """First moves of the shortest ways to each cell, as bits: 1 up, 2 down, 4 left, 8 right."""

    def nearest(self, cells: Collection[int], cost: Callable[[int], float] | None = None) -> int | None:
        """Return the reachable cell with the lowest cost, by default its distance, and then the lowest number."""
        there = [cell for cell in sorted(cells) if self.distance[cell] < FAR]
        return min(there, key=cost or self.distance.__getitem__, default=None)

    def moves(self, cell: int) -> list[int]:
        """Return the numbers of the first moves that lead to a cell; none if it is here or cannot be reached."""
        return [move for move in range(4) if self.first[cell] >> move & 1]


def ways_from(start: int, neighbours: Ints, blocks: Flags, occupied: Collection[int]) -> Ways:
    """Return the shortest ways around blocks, and around agents next to the start.

    An agent's cell can be the end of a way, but not lie on it; farther agents will have moved on.

    Args:
        start: Number of the cell.
        neighbours: (C, 4) cells above, below, left and right of each cell.
        blocks: (C,) cells that cannot be entered.
        occupied: Cells of other agents.
    """
    around, walls = neighbours.tolist(), blocks.tolist()
    closed = {cell for cell in around[start] if cell in occupied}
    distance, first = [FAR] * len(around), [0] * len(around)
    distance[start] = 0
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell in closed:
            continue
        for move, other in enumerate(around[cell]):
            if walls[other] or other == start:
                continue
            if distance[other] == FAR:
                distance[other] = distance[cell] + 1
                queue.append(other)
            if distance[other] == distance[cell] + 1:
                first[other] |= 1 << move if cell == start else first[cell]
    return Ways(distance, first)
