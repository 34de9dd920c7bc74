"""Positions: a booth for each player, side by side along x, with a row of devices in front of the player.

The seat stands in the middle of its booth; device number `i` of `count` is at the same place in every booth.
"""

from __future__ import annotations

from typing import Any

from dilemmas.minecraft.layout import Cell

MAX_DEVICES = 9
"""Maximum number of devices in a booth."""
STRIDE = MAX_DEVICES + 2
"""Distance from one booth to the next, with a wall between them."""
MIDDLE = 5
DEPTH = 2
"""Cells from the seat to its devices."""
HEIGHT = 4
COLOURS = ("lime", "red", "yellow", "light_blue", "magenta", "orange", "white", "cyan", "brown")
"""Colours of the floor below the devices, in their order."""


def seat(booth: int) -> Cell:
    """Return the cell in which the player of a booth starts each stage."""
    return (STRIDE * booth + MIDDLE, 0, 0)


def devices(booth: int, count: int) -> list[Cell]:
    """Return the cells of `count` devices of a booth."""
    first = STRIDE * booth + MIDDLE - (count - 1) // 2
    return [(first + place, 0, DEPTH) for place in range(count)]


def boxes(count: int) -> list[dict[str, Any]]:
    """Return ground, air, and unbreakable transparent walls for `count` booths."""
    last = STRIDE * count
    found = [
        _box((-3, -3, -5), (last + 3, -1, 7), "smooth_stone"),
        _box((-3, 0, -5), (last + 3, 6, 7), "air"),
        _box((0, 0, -2), (last, HEIGHT, -2), "barrier"),
        _box((0, 0, DEPTH + 2), (last, HEIGHT, DEPTH + 2), "barrier"),
    ]
    return found + [
        _box((STRIDE * wall, 0, -2), (STRIDE * wall, HEIGHT, DEPTH + 2), "barrier") for wall in range(count + 1)
    ]


def _box(start: Cell, end: Cell, block: str) -> dict[str, Any]:
    return {"from": list(start), "to": list(end), "block": block}
