"""Events of institutions among those who live: letters, an assembly's steps, seasons of tax and what was paid in them.

What was paid is what the server shows: inventories and chests. The words of agents are data.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel

Items = dict[str, int]
"""Item -> count."""


class LetterSent(EventModel):
    """An institution told members something, or asked them; it reaches them wherever they are."""

    kind: Literal["letter"] = "letter"
    t_s: float
    number: int
    """From 1."""
    what: str
    to: list[str]
    text: str
    until_s: float | None = None
    """Until when an answer is taken."""


class AssemblyEntry(EventModel):
    """A step of an assembly: who said what, who proposed what, how everybody voted, the count, the law before and after
    (`contracts.institutions.assembly`)."""

    kind: Literal["assembly"] = "assembly"
    t_s: float
    entry: dict[str, Any]


class SeasonOpened(EventModel):
    """A season of tax begins."""

    kind: Literal["season_opened"] = "season_opened"
    t_s: float
    season: int
    """From 1."""
    closes_s: float
    held: dict[str, Items]
    """Constituent -> what it holds now."""
    chests: dict[str, Items]
    """Community chest -> what lies in it now; whatever does was put there out of season."""
    at: dict[str, tuple[int, int, int]]
    """Community chest -> where it stands."""


class TaxMoved(EventModel):
    """Items went from a player into a community chest in the season, or out of it (`taken`)."""

    kind: Literal["tax"] = "tax"
    t_s: float
    season: int
    player: str
    """Empty where the server shows nobody near who has lost or got them."""
    chest: str
    items: Items
    taken: bool = False


class SeasonClosed(EventModel):
    """A season is over: what each constituent has paid, and whether all is accounted for."""

    kind: Literal["season_closed"] = "season_closed"
    t_s: float
    season: int
    paid: dict[str, int]
    """Constituent -> items of it that are in the chests."""
    held: dict[str, int]
    """Constituent -> items that it held when the season opened."""
    state: dict[str, str]
    """Constituent -> `paid`, `paid_again` (more than once), `nothing_held`, `present` (at a chest, and paid nothing),
    `absent`, or `gone` (not in the world)."""
    chests: dict[str, Items]
    """What lies in them; afterwards they are emptied."""
    unattributed: Items = Field(default_factory=dict)
    """In the chests, and nobody near had lost it."""
    balanced: bool
    """Whether what is in the chests is what constituents paid, less what was taken."""


CivicEvent = LetterSent | AssemblyEntry | SeasonOpened | TaxMoved | SeasonClosed
"""Any event of institutions."""
