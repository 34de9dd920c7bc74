"""Events of grid games: what people read. Every step of every agent is in the trajectory beside the log.

Steps count from 1: an event of step 5 is what came of the agents' fifth actions. Step 0 is the beginning.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel

Ways = tuple[str, str]
"""(who shows, whom): the first player's view goes to the second."""


class GridBegun(EventModel):
    """A game is laid out."""

    kind: Literal["grid_begun"] = "grid_begun"
    game: str
    """Its name, with variants."""
    rows: int
    columns: int
    steps: int
    roles: dict[str, str]
    """Player -> its role."""
    players: dict[str, str]
    """Player -> the policy or family that plays it."""
    oracle: float
    """The most that all could have together, without time, space or roles."""
    plan: dict[str, int]
    """Event -> how often the oracle's plan runs it; what completion rates are shares of."""
    stage: int = 0
    """Steps for choosing groups or bargaining, before anybody works."""


class SocietyChanged(EventModel):
    """The social graph is another one than before: only what has changed is named."""

    kind: Literal["society"] = "society"
    step: int
    shows: list[Ways] = Field(default_factory=list)
    """Edges that are new."""
    hides: list[Ways] = Field(default_factory=list)
    """Edges that are gone."""
    groups: dict[str, dict[int, float]] = Field(default_factory=dict)
    """Player -> group -> what of the group's pool it is paid; empty: it is in none. Of those for whom this changed."""


class GridSocialAct(EventModel):
    """A player asked, claimed, accepted, ended, or said something to another."""

    kind: Literal["social_act"] = "social_act"
    step: int
    player: str
    act: str
    """request | met | claim | accept | end | message"""
    to: str = ""
    share: float | None = None
    """Of a claim: what the player wants for its side."""
    words: list[int] = Field(default_factory=list)


class GridExchanged(EventModel):
    """A player picked up what another had dropped."""

    kind: Literal["exchange"] = "exchange"
    step: int
    giver: str
    taker: str
    resource: str


class GridFault(EventModel):
    """A typed answer that named no action, even after its correction: the player did nothing."""

    kind: Literal["grid_fault"] = "grid_fault"
    step: int
    player: str
    fault: str


class Degree(EventModel):
    """Degrees of one kind of node of the social graph."""

    mean_in: float
    mean_out: float
    max_in: float
    max_out: float


class GridEnded(EventModel):
    """A game is over: all that its measures are made of."""

    kind: Literal["grid_ended"] = "grid_ended"
    game: str
    steps: int
    trajectory: str
    """The file with every step, relative to the run directory."""
    oracle: float
    plan: dict[str, int]
    rewards: dict[str, float]
    """Player -> its rewards, after pooling."""
    own: dict[str, float]
    """Player -> the value of what it ended with."""
    executions: dict[str, dict[str, int]]
    """Player -> event -> how often it ran it."""
    refused: dict[str, int]
    """Player -> its actions that had no effect."""
    faults: dict[str, int] = Field(default_factory=dict)
    """Player -> its answers that named no action; where words are typed."""
    degrees: dict[str, Degree]
    """Kind of node -> its degrees at the end."""
    over_time: dict[str, Degree]
    """The same, as means over the steps; the greatest are those of any step."""
    split: float | None = None
    """Weights of the first role's players over those of the second's."""


GridEvent = GridBegun | SocietyChanged | GridSocialAct | GridExchanged | GridFault | GridEnded
"""Any event of a grid game."""
