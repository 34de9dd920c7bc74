"""Facts of lives for words about them: works that calls of primitives show, places where players are, stocks of ore."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from accord.analysis.words.scenario_truth import Cell, ScenarioTruth
from contracts.yaml12 import load_yaml

FILE = Path(__file__).with_name("works.yaml")
NEAR = 16.0
"""Horizontal distance from a place within which a player is at it, in blocks."""
TAKING = "getItemFromChest"
"""Primitive that takes items out of a chest."""


@cache
def works() -> Mapping[str, Mapping[str, Any]]:
    """Return kind of work -> the words that claim it and the deeds that show it."""
    return dict(load_yaml(FILE.read_text(encoding="utf-8")))


@cache
def work_words() -> Mapping[str, str]:
    """Return words that claim a work -> kind of the work."""
    return {word: work for work, each in works().items() for word in each["says"]}


def work_of(primitive: str, args: Sequence[object]) -> str:
    """Return the kind of work that a call of a primitive shows; empty for none.

    Args:
        primitive: Name of the primitive.
        args: Its arguments, of which the first names the thing.
    """
    thing = args[0] if args and isinstance(args[0], str) else ""
    for work, each in works().items():
        things = each["deeds"].get(primitive)
        if things is not None and (not things or any(fnmatchcase(thing, pattern) for pattern in things)):
            return work
    return ""


def is_decidable(work: str) -> bool:
    """Return True if the log shows deeds of a kind of work."""
    return bool(works().get(work, {}).get("deeds"))


def taken_items(args: Sequence[object]) -> list[str]:
    """Return the items that a call of `TAKING` asks for."""
    asked = args[1] if len(args) > 1 else None
    return [str(item) for item in asked] if isinstance(asked, Mapping) else []


class Surroundings:
    """Places and stocks of a scenario, and the cells of the stocks that are left in an episode."""

    def __init__(self, truth: ScenarioTruth) -> None:
        self._places = dict(truth.places)
        self._stocks = truth.stocks
        self._boxes = {block: _box(cells) for block, cells in truth.stocks.items() if cells}
        self._block_at = {cell: block for block, cells in truth.stocks.items() for cell in cells}
        self._left: dict[str, set[Cell]] = {}
        self.begin()

    def begin(self) -> None:
        """Begin an episode, in which all stocks are whole again."""
        self._left = {block: set(cells) for block, cells in self._stocks.items()}

    def near(self, x: float, z: float) -> tuple[str, ...]:
        """Return the places, and the blocks of stocks, within `NEAR` blocks of a position."""
        found = [name for name, (px, pz) in self._places.items() if (x - px) ** 2 + (z - pz) ** 2 <= NEAR**2]
        for block, (low_x, low_z, high_x, high_z) in self._boxes.items():
            if low_x - NEAR <= x <= high_x + NEAR and low_z - NEAR <= z <= high_z + NEAR:
                found.append(block)
        return tuple(found)

    def change(self, cell: Cell, block: str) -> tuple[str, int] | None:
        """Take a changed cell, and return the block of its stock with the number left, or None if nothing changed."""
        stocked = self._block_at.get(cell)
        if stocked is None:
            return None
        left = self._left[stocked]
        before = len(left)
        if block == stocked:
            left.add(cell)
        else:
            left.discard(cell)
        return (stocked, len(left)) if len(left) != before else None

    def stocks(self) -> Mapping[str, int]:
        """Return block -> number that is left."""
        return {block: len(cells) for block, cells in self._left.items()}


def _box(cells: frozenset[Cell]) -> tuple[int, int, int, int]:
    """Return the lowest and highest x and z."""
    xs, zs = [cell[0] for cell in cells], [cell[2] for cell in cells]
    return min(xs), min(zs), max(xs), max(zs)
