"""Regions of a world: parts of it whose players never meet, each a world with a clock of its own.

An agent in a region acts in its context (`within`). Properties of the world, such as its clock, then mean those of the
region, so that no region waits for another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, runtime_checkable

from bridge.worlds import World

_region: ContextVar[int | None] = ContextVar("region", default=None)


@runtime_checkable
class InRegions(Protocol):
    """A world whose players are split among regions."""

    @property
    def regions(self) -> Sequence[World]:
        """The regions as worlds of their own, numbered from 0."""

    def shares(self, names: Sequence[str]) -> list[list[str]]:
        """Return players by region, in the given order."""


def here() -> int | None:
    """Return the number of the current region, or None outside of all."""
    return _region.get()


@contextmanager
def within(region: int) -> Iterator[None]:
    """Enter the context of a region; tasks started inside stay in it."""
    token = _region.set(region)
    try:
        yield
    finally:
        _region.reset(token)


def shares(world: World, names: Sequence[str]) -> list[tuple[World, list[str]]]:
    """Return each non-empty region with its players, or the world itself with all players if it has no regions."""
    if not isinstance(world, InRegions):
        return [(world, list(names))]
    return [(part, own) for part, own in zip(world.regions, world.shares(names), strict=True) if own]
