"""The ground of a scenario seen from above, derived from its building commands; used for maps only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise

from dilemmas.minecraft.commands import Command
from dilemmas.records.events import GroundLaid

Corner = tuple[int, int, int]
UNSEEN = frozenset({"air", "cave_air", "void_air", "barrier", "light", "structure_void"})
"""Blocks that are transparent on the map."""
MAX_SIDE = 512
"""Maximum width and depth of a map, in blocks; larger constructions have no map."""
MAX_VOLUME = 16_000_000
"""Maximum volume examined for a map, in blocks."""
_FILLED = re.compile(
    r"(?:fill (?P<from>-?\d+ -?\d+ -?\d+) |setblock )(?P<to>-?\d+ -?\d+ -?\d+) (?:minecraft:)?(?P<block>[a-z0-9_]+)"
)


@dataclass(frozen=True)
class GroundBox:
    """A cuboid of one block, both corners included."""

    low: Corner
    high: Corner
    block: str


def seen_from_above(building: Sequence[Command], origin: Corner) -> GroundLaid | None:
    """Return the highest block of each column built by `fill` and `setblock`; None if there is none or too much."""
    boxes = [box for command in building if (box := box_of(command.text))]
    if not boxes:
        return None
    low = [min(box.low[axis] for box in boxes) for axis in range(3)]
    size = [max(box.high[axis] for box in boxes) - low[axis] + 1 for axis in range(3)]
    if max(size[0], size[2]) > MAX_SIDE or size[0] * size[1] * size[2] > MAX_VOLUME:
        return None
    names = ["", *dict.fromkeys(box.block for box in boxes if box.block not in UNSEEN)]
    rows: list[list[tuple[int, int] | None]] = []
    top_of = cache(_top_of)
    # Between two edges of boxes all rows are equal, and so are all columns of a row. Without numpy, whose import takes
    # longer than a short run.
    for z, next_z in _spans(boxes, 2, low[2], size[2]):
        crossing = [box for box in boxes if box.low[2] <= z <= box.high[2]]
        row: list[tuple[int, int] | None] = []
        for x, next_x in _spans(crossing, 0, low[0], size[0]):
            top = top_of(tuple(box for box in crossing if box.low[0] <= x <= box.high[0]))
            row += [top and (names.index(top[0]), top[1])] * (next_x - x)
        rows += [row] * (next_z - z)
    # Empty columns have no height and count as the lowest.
    lowest = min((top[1] for row in rows for top in row if top), default=low[1])
    heights = [[top[1] - lowest if top else 0 for top in row] for row in rows]
    told = _in_runs(heights) if any(map(any, heights)) else []
    seen = _in_runs([[top[0] if top else 0 for top in row] for row in rows])
    return GroundLaid(origin=origin, corner=(low[0], low[2]), blocks=names, rows=seen, heights=told, low=lowest)


def _spans(boxes: Sequence[GroundBox], axis: int, low: int, size: int) -> Iterable[tuple[int, int]]:
    """Return the spans (start, end) from `low` on into which the edges of boxes cut an axis."""
    edges = {edge for box in boxes for edge in (box.low[axis], box.high[axis] + 1)}
    return pairwise(sorted(edges | {low, low + size}))


def _top_of(boxes: Sequence[GroundBox]) -> tuple[str, int] | None:
    """Return the highest visible block of a column through boxes built in this order, and its y; None without any."""
    column: dict[int, str] = {}
    for box in boxes:
        column.update(dict.fromkeys(range(box.low[1], box.high[1] + 1), box.block))
    y = max((y for y, block in column.items() if block not in UNSEEN), default=None)
    return None if y is None else (column[y], y)


def _in_runs(rows: list[list[int]]) -> list[list[int]]:
    """Return each row's run-length encoding: [count, value, count, value, ...]."""
    return [[part for value, run in groupby(row) for part in (sum(1 for _ in run), value)] for row in rows]


def box_of(text: str) -> GroundBox | None:
    """Return the cuboid that a command fills, or None for a command that sets no block."""
    if (found := _FILLED.match(text)) is None:
        return None
    end = _corner(found["to"])
    start = _corner(found["from"]) if found["from"] else end
    low, high = zip(*((min(pair), max(pair)) for pair in zip(start, end, strict=True)), strict=True)
    return GroundBox((low[0], low[1], low[2]), (high[0], high[1], high[2]), found["block"])


def _corner(text: str) -> Corner:
    x, y, z = (int(part) for part in text.split())
    return (x, y, z)
