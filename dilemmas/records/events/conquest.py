"""Events of Conquest: orders, battles, and the map after each round."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, EventPart, is_empty


class TerritoryMarked(EventPart):
    """State of a territory after a round."""

    owner: str
    troops: int
    burnt: int = 0
    """Number of rounds for which it still yields nothing."""


class MapDrawn(EventModel):
    """The map at the start of an attempt (round 0) and after each round; territories without change are left out."""

    kind: Literal["map"] = "map"
    round: int
    territories: dict[str, TerritoryMarked]
    regions: dict[str, list[str]] = Field(default_factory=dict, exclude_if=is_empty)
    """Region -> its territories, at the start."""
    objectives: dict[str, list[str]] = Field(default_factory=dict, exclude_if=is_empty)
    """Player -> regions of its secret objective, at the start."""


class OrderGiven(EventModel):
    """A player's order for a round."""

    kind: Literal["order"] = "order"
    round: int
    player: str
    act: Literal["hold", "move", "attack", "support"]
    origin: str = ""
    target: str = ""
    troops: int = 0
    place: str = ""
    """Territory that gets the recruits."""
    why: str = ""
    fault: str = ""
    """Reason for an unusable answer, an illegal order, or a failed move; empty if there is none."""
    stood_in: str = Field(default="", exclude_if=is_empty)
    """Name of the stand-in that gave the order; empty for the player's own."""


class BattleFought(EventModel):
    """A battle, as the garrisons in the world and the rules decide it."""

    kind: Literal["battle"] = "battle"
    round: int
    at: str
    defender: str
    attackers: dict[str, int]
    """Attacker -> troops."""
    garrison: int
    owner: str
    """Player that holds the territory afterwards."""
    troops: int


class SupportGiven(EventModel):
    """Troops that became another player's."""

    kind: Literal["support"] = "support"
    round: int
    player: str
    receiver: str
    at: str
    troops: int


class ObjectiveReached(EventModel):
    """The end of a game: players that hold all regions of their objective."""

    kind: Literal["objective"] = "objective"
    round: int
    players: list[str]
    prize: int
    """Emeralds for each of them."""


ConquestEvent = MapDrawn | OrderGiven | BattleFought | SupportGiven | ObjectiveReached
"""Any event of Conquest."""
