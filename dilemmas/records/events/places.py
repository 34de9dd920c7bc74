"""Events that tell where things are: the ground of a scenario seen from above, and where its players went."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from dilemmas.records.events.base import EventModel

Spot = tuple[float, float, float]
"""x, y, z of a player's feet, in blocks of the world, to a tenth."""


def _nothing(value: list[list[int]]) -> bool:
    """Whether there is nothing to tell: such a field is left out, and older records read the same."""
    return not value


def _unknown(value: int | None) -> bool:
    """Whether it is not known: such a field is left out, and older records read the same."""
    return value is None


class GroundLaid(EventModel):
    """What a scenario has built, seen from above: the highest block of each column."""

    kind: Literal["ground"] = "ground"
    origin: tuple[int, int, int]
    """Where the scenario's own cell (0, 0, 0) is."""
    corner: tuple[int, int]
    """(x, z) of the north-west column."""
    blocks: list[str]
    """Names that `rows` counts in; an empty one for a column in which nothing was built."""
    rows: list[list[int]]
    """From north to south, in each from west to east: how many columns, of which block, how many, of which block."""
    heights: list[list[int]] = Field(default_factory=list, exclude_if=_nothing)
    """As `rows`: how many columns, how many blocks above the lowest one; left out where all is level."""
    low: int | None = Field(default=None, exclude_if=_unknown)
    """The y of the lowest one, with which the heights of columns that have changed can be compared; older records do
    not have it."""


class PlacesSeen(EventModel):
    """Where players are, from the server, about once a second (every five seconds where agents live); only of players
    that have moved since the last one.

    The first one of an attempt (after `episode_started`) has all. Where the scenario's own events tell the places
    (`field`), there are none.
    """

    kind: Literal["places"] = "places"
    t_s: float
    at: dict[str, Spot]
    gone: list[str] = Field(default_factory=list)
    """Players that were there at the last look and are not any more."""


class BeginsAt(BaseModel):
    """Where a player begins."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    land: str
    """The kind of land, as the scenario names it."""
    biome: str = ""
    """The biome that it was found by; empty for none."""
    at: tuple[int, int, int]
    """The cell, in the world's coordinates."""


class BegunAt(EventModel):
    """Where players begin, where the scenario looks for places on the land itself."""

    kind: Literal["begun_at"] = "begun_at"
    places: dict[str, BeginsAt]


class MobsSeen(EventModel):
    """Mobs that those who live have around them, every five seconds; only of those that have moved since the last one.

    It holds what somebody saw, not all that there is; where nobody ever sees one, there are none of these.
    """

    kind: Literal["mobs"] = "mobs"
    t_s: float
    at: dict[str, tuple[str, Spot]]
    """The entity's number -> its kind and place."""
    gone: list[str] = Field(default_factory=list)
    """Numbers that nobody sees any more."""


PlaceEvent = BegunAt | GroundLaid | PlacesSeen | MobsSeen
"""Any event that tells where things are."""
