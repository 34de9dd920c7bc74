"""Events of a kitchen: contents of its stations, work of its cooks, and soups served, all as the server shows them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, EventPart, is_empty

WorkAct = Literal["take", "put", "cook", "craft", "fill", "give"]


class StationLaid(EventPart):
    """A station of the kitchen."""

    kind: str
    at: tuple[int, int, int]
    """Cell in world coordinates."""
    rooms: list[str]
    """Rooms from which it can be reached."""


class StationsSeen(EventModel):
    """Contents of the stations that changed since the previous event of this kind; the first of an attempt has all."""

    kind: Literal["stations"] = "stations"
    t_s: float
    holds: dict[str, dict[str, int]]
    """Station -> item -> count."""
    laid: dict[str, StationLaid] = Field(default_factory=dict, exclude_if=is_empty)
    """All stations, in the first event of an attempt."""
    rooms: dict[str, str] = Field(default_factory=dict, exclude_if=is_empty)
    """Player -> its room, in the first event of an attempt."""
    needs: dict[str, dict[str, int]] = Field(default_factory=dict, exclude_if=is_empty)
    """Kind of work -> item -> units for one soup, in the first event of an attempt."""


class WorkDone(EventModel):
    """Work of a cook, seen in inventories and stations; both sides may be seen a second or two apart."""

    kind: Literal["work"] = "work"
    t_s: float
    player: str
    act: WorkAct
    """`take` from and `put` into a container, `cook` (put into a stove), `craft`, `fill`, or `give` to a player."""
    item: str
    count: int
    station: str = Field(default="", exclude_if=is_empty)
    to: str = Field(default="", exclude_if=is_empty)
    """Player that got the items, if they were given by hand."""

    @property
    def text(self) -> str:
        """The work in words, such as `takes 4 carrot from the pantry`."""
        what, where = f"{self.count} {self.item.replace('_', ' ')}", self.station.replace("_", " ")
        match self.act:
            case "take":
                return f"takes {what} from the {where}"
            case "put":
                return f"puts {what} into the {where}"
            case "cook":
                return f"puts {what} into the {where} to cook"
            case "craft":
                return f"crafts {what} at the {where}"
            case "fill":
                return f"fills {what} at the {where}"
        return f"gives {what} to {self.to}"


class SoupServed(EventModel):
    """Soups that the guests took from the counter."""

    kind: Literal["soup"] = "soup"
    t_s: float
    count: int
    total: int
    """Soups served since the start, these included."""


KitchenEvent = StationsSeen | WorkDone | SoupServed
"""Any event of a kitchen."""
