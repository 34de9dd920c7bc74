"""Regions of a world: parts of it whose players never meet, each a world with a clock of its own.

Whoever lives in a region acts in its context (`within`). What belongs to the whole world, such as its clock, then
stands for that region's: no region waits for another one.
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
    """A world whose players are dealt out to regions."""

    @property
    def regions(self) -> Sequence[World]:
        """Each one as a world of its own; they have numbers from 0."""

    def shares(self, names: Sequence[str]) -> list[list[str]]:
        """Return those players by region, in the order in which they were named."""


def here() -> int | None:
    """Return the number of the region in whose context this runs; None outside of all."""
    return _region.get()


@contextmanager
def within(region: int) -> Iterator[None]:
    """Return the context of that region: tasks that begin in it stay in it."""
    token = _region.set(region)
    try:
        yield
    finally:
        _region.reset(token)


def shares(world: World, names: Sequence[str]) -> list[tuple[World, list[str]]]:
    """Return each region of the world with those of the players who are in it, regions without any left out; the world
    itself with all where it has no regions."""
    if not isinstance(world, InRegions):
        return [(world, list(names))]
    return [(part, own) for part, own in zip(world.regions, world.shares(names), strict=True) if own]
