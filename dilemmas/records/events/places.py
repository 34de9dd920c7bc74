"""Events of positions: a scenario's ground seen from above, and the movement of players and mobs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, EventPart, is_empty

Spot = tuple[float, float, float]
"""x, y, z of a player's feet, in blocks of the world, rounded to a tenth."""


def _unknown(value: int | None) -> bool:
    """Return True for an unknown value; the field is then omitted, as in older records."""
    return value is None


class GroundLaid(EventModel):
    """A scenario's constructions seen from above: the highest block of each column."""

    kind: Literal["ground"] = "ground"
    origin: tuple[int, int, int]
    """World position of the scenario's cell (0, 0, 0)."""
    corner: tuple[int, int]
    """(x, z) of the north-west column."""
    blocks: list[str]
    """Block names that `rows` refers to; empty for a column without constructions."""
    rows: list[list[int]]
    """Rows from north to south, each a run-length encoding from west to east: [count, block, count, block, ...]."""
    heights: list[list[int]] = Field(default_factory=list, exclude_if=is_empty)
    """Run-length encoding like `rows`, with heights above the lowest block; omitted for level ground."""
    low: int | None = Field(default=None, exclude_if=_unknown)
    """y of the lowest block, needed to compare heights of changed columns; missing in older records."""


class PlacesSeen(EventModel):
    """Players' positions from the server, about once a second (every five seconds in societies), for players that
    moved.

    The first event of an attempt (after `episode_started`) names all players. A scenario whose own events contain
    positions (`field`) has none of these.
    """

    kind: Literal["places"] = "places"
    t_s: float
    at: dict[str, Spot]
    gone: list[str] = Field(default_factory=list)
    """Players that have disappeared since the previous event."""


class BeginsAt(EventPart):
    """Starting position of a player."""

    land: str
    """Kind of land, as the scenario names it."""
    biome: str = ""
    """Biome by which the place was found; empty for none."""
    at: tuple[int, int, int]
    """Cell in world coordinates."""


class BegunAt(EventModel):
    """Starting positions of players, in scenarios that search the land for them."""

    kind: Literal["begun_at"] = "begun_at"
    places: dict[str, BeginsAt]


class MobsSeen(EventModel):
    """Mobs near living agents, every five seconds, for mobs that moved since the previous event.

    Only mobs within an agent's view are included.
    """

    kind: Literal["mobs"] = "mobs"
    t_s: float
    at: dict[str, tuple[str, Spot]]
    """Entity number -> its kind and position."""
    gone: list[str] = Field(default_factory=list)
    """Numbers of entities that are no longer in view."""


PlaceEvent = BegunAt | GroundLaid | PlacesSeen | MobsSeen
"""Any event about positions."""
