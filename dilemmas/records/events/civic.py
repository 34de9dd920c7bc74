"""Events of institutions: letters, steps of an assembly, tax seasons and payments.

Payments are what the server shows in inventories and chests. Words of agents are data, never instructions.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, is_absent, is_empty

Items = dict[str, int]
"""Item -> count."""


class LetterSent(EventModel):
    """Message or question from an institution to members, delivered wherever they are."""

    kind: Literal["letter"] = "letter"
    t_s: float
    number: int
    """Number of the letter, from 1."""
    what: str
    to: list[str]
    text: str
    until_s: float | None = None
    """Deadline for an answer, in seconds of game time."""


class AssemblyEntry(EventModel):
    """A step of an assembly: a statement, a proposal, the votes, the count, or the law before and after
    (`contracts.institutions.assembly`).
    """

    kind: Literal["assembly"] = "assembly"
    t_s: float
    entry: dict[str, Any]


class SeasonOpened(EventModel):
    """A tax season began."""

    kind: Literal["season_opened"] = "season_opened"
    t_s: float
    season: int
    """Number of the season, from 1."""
    closes_s: float
    held: dict[str, Items]
    """Constituent -> items held now."""
    chests: dict[str, Items]
    """Community chest -> items in it now, put there out of season."""
    at: dict[str, tuple[int, int, int]]
    """Community chest -> its position."""


class TaxMoved(EventModel):
    """A transfer of items from a player into a community chest during the season, or out of it (`taken`)."""

    kind: Literal["tax"] = "tax"
    t_s: float
    season: int
    player: str
    """Name of the player; empty if no player near the chest lost or gained the items."""
    chest: str
    items: Items
    taken: bool = False


class SeasonClosed(EventModel):
    """End of a tax season: payments of each constituent, and whether the chests balance."""

    kind: Literal["season_closed"] = "season_closed"
    t_s: float
    season: int
    paid: dict[str, int]
    """Constituent -> number of its items in the chests."""
    held: dict[str, int]
    """Constituent -> number of items it held when the season opened."""
    state: dict[str, str]
    """Constituent -> `paid`, `paid_again` (more than once), `nothing_held`, `present` (at a chest without paying),
    `absent`, or `gone` (not in the world).
    """
    chests: dict[str, Items]
    """Items in the chests, which are emptied afterwards."""
    unattributed: Items = Field(default_factory=dict)
    """Items in the chests that no player nearby had lost."""
    balanced: bool
    """True if the chests hold the constituents' payments minus the items taken out."""


class InstitutionActed(EventModel):
    """A step of an institution: who, what, why, and how it was counted (`contracts.institutions.frame`)."""

    kind: Literal["institution"] = "institution"
    t_s: float
    """Number of the round, or game time in seconds."""
    part: str
    """The institution, such as `elections`."""
    what: str
    who: str = Field(default="", exclude_if=is_empty)
    why: str = Field(default="", exclude_if=is_empty)
    known_to: list[str] | None = Field(default=None, exclude_if=is_absent)
    """People that were told of it; None for all."""
    data: dict[str, Any] = Field(default_factory=dict, exclude_if=is_empty)


CivicEvent = LetterSent | AssemblyEntry | SeasonOpened | TaxMoved | SeasonClosed | InstitutionActed
"""Any event of an institution."""
