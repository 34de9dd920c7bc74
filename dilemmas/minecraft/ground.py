"""The ground of a scenario seen from above, derived from its building commands; used for maps only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

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
    # Axes: z (rows), x (columns), y (height).
    # Imported here: a tenth of the start of a run that draws no ground.
    import numpy as np

    space = np.zeros((size[2], size[0], size[1]), dtype=np.int16)
    for box in boxes:
        x, y, z = (slice(box.low[axis] - low[axis], box.high[axis] - low[axis] + 1) for axis in range(3))
        space[z, x, y] = names.index(box.block) if box.block in names else 0
    top = space.shape[2] - 1 - np.argmax(space[:, :, ::-1] != 0, axis=2)
    seen = np.take_along_axis(space, top[:, :, np.newaxis], axis=2)[:, :, 0]
    # Empty columns have no height and count as the lowest.
    lowest = int(top[seen != 0].min()) if seen.any() else 0
    heights = np.where(seen != 0, top - lowest, 0)
    told = _in_runs(heights.tolist()) if heights.any() else []
    rows = _in_runs(seen.tolist())
    height = low[1] + lowest
    return GroundLaid(origin=origin, corner=(low[0], low[2]), blocks=names, rows=rows, heights=told, low=height)


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
