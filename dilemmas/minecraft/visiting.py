"""A scenario's world without players, built in a world of the user's own to walk around in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from dilemmas.minecraft.commands import Command

GameMode = Literal["spectator", "creative", "survival", "adventure"]
LOADED = 256
"""Maximum number of chunks that vanilla's `forceload` accepts in one command."""
GROUND = 24
"""Smaller side from which a fill counts as ground, in blocks."""
_FILLED = re.compile(r"fill (-?\d+) -?\d+ (-?\d+) (-?\d+) -?\d+ (-?\d+) ")
_SET = re.compile(r"setblock (-?\d+) -?\d+ (-?\d+) ")


def visit(building: Sequence[Command], start: tuple[int, int, int], mode: GameMode) -> list[Command]:
    """Return all commands for an empty world: load its chunks, build, and let visitors start at `start`.

    Without players a server loads only the chunks around its spawn and refuses to build elsewhere.

    Args:
        building: Building commands.
        start: Spawn of visitors, in world coordinates.
        mode: Game mode of visitors.
    """
    x, y, z = start
    loaded = loading(building)
    return [
        *(Command(f"forceload add {area}", ("No chunks were marked",)) for area in loaded),
        *building,
        Command(f"setworldspawn {x} {y} {z}"),
        Command(f"defaultgamemode {mode}"),
        *(Command(f"forceload remove {area}", ("No chunks were removed",)) for area in loaded),
    ]


def built_area(building: Sequence[Command]) -> tuple[int, int, int, int] | None:
    """Return the area with buildings (x, z of two corners, in blocks), or None if there are none.

    Cleared air and laid ground do not count.
    """
    spots: list[tuple[int, int]] = []
    for command in building:
        corners = _corners(command.text)
        if not command.text.endswith(" air") and not _is_ground(corners):
            spots += corners
    if not spots:
        return None
    return min(x for x, _ in spots), min(z for _, z in spots), max(x for x, _ in spots), max(z for _, z in spots)


def _is_ground(corners: Sequence[tuple[int, int]]) -> bool:
    """Return True for a fill that is too wide to be a building."""
    if not corners:
        return False
    (x0, z0), (x1, z1) = corners[0], corners[-1]
    return min(abs(x1 - x0), abs(z1 - z0)) >= GROUND


def loading(building: Sequence[Command]) -> list[str]:
    """Return the built areas in blocks (x z x z), each within the limit of loaded chunks."""
    spots = [spot for command in building for spot in _corners(command.text)]
    if not spots:
        return []
    x0, x1 = (edge(x // 16 for x, _ in spots) for edge in (min, max))
    z0, z1 = (edge(z // 16 for _, z in spots) for edge in (min, max))
    step = max(1, LOADED // (z1 - z0 + 1))
    deep = min(LOADED, z1 - z0 + 1)
    return [
        f"{16 * x} {16 * z} {16 * min(x + step - 1, x1) + 15} {16 * min(z + deep - 1, z1) + 15}"
        for x in range(x0, x1 + 1, step)
        for z in range(z0, z1 + 1, deep)
    ]


def _corners(text: str) -> list[tuple[int, int]]:
    if found := _FILLED.match(text):
        x0, z0, x1, z1 = map(int, found.groups())
        return [(x0, z0), (x1, z1)]
    if found := _SET.match(text):
        return [(int(found[1]), int(found[2]))]
    return []
