"""Readable events of grid games; the trajectory beside the log holds every step of every agent.

Steps count from 1: an event of step 5 results from the agents' fifth actions. Step 0 is the initial state.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from common.answers.stand_ins import StandIn
from dilemmas.records.events.base import EventModel, EventPart, is_empty

Ways = tuple[str, str]
"""(shower, viewer): the first player's view goes to the second."""


class GridBegun(EventModel):
    """Definition of a game."""

    kind: Literal["grid_begun"] = "grid_begun"
    game: str
    """Name of the game with its variants."""
    rows: int
    columns: int
    steps: int
    roles: dict[str, str]
    """Player -> role."""
    players: dict[str, str]
    """Player -> policy or family that plays it."""
    oracle: float
    """Upper bound of the total reward, without limits of time, space or roles."""
    plan: dict[str, int]
    """Event -> number of runs in the oracle's plan, the reference of completion rates."""
    stage: int = 0
    """Number of steps for choosing groups or bargaining before work starts."""


class SocietyChanged(EventModel):
    """Changes of the social graph since the previous event."""

    kind: Literal["society"] = "society"
    step: int
    shows: list[Ways] = Field(default_factory=list)
    """New edges."""
    hides: list[Ways] = Field(default_factory=list)
    """Removed edges."""
    groups: dict[str, dict[int, float]] = Field(default_factory=dict)
    """Player -> group -> its share of the group's pool, for changed players; empty if the player is in no group."""


class GridSocialAct(EventModel):
    """A player's request, claim, acceptance, end of a bargain, or message."""

    kind: Literal["social_act"] = "social_act"
    step: int
    player: str
    act: str
    """request | met | claim | accept | end | message"""
    to: str = ""
    share: float | None = None
    """Share that the player claims for its side."""
    words: list[int] = Field(default_factory=list)


class GridExchanged(EventModel):
    """A player picked up a resource dropped by another."""

    kind: Literal["exchange"] = "exchange"
    step: int
    giver: str
    taker: str
    resource: str


class GridFault(EventModel):
    """A typed answer that named no action even after a correction; a stand-in acted for the player."""

    kind: Literal["grid_fault"] = "grid_fault"
    step: int
    player: str
    fault: str
    stood_in: StandIn = "idle"
    """Stand-in that acted for the player."""


class GridPlanned(EventModel):
    """A new plan of a player, which a controller carries out."""

    kind: Literal["grid_plan"] = "grid_plan"
    step: int
    player: str
    cause: Literal["first", "done", "impossible", "changed", "review"]
    """Cause of the new plan: there was none, or the last one was done, became impossible, relied on something that has
    changed, or was as old as the players' option `review` says."""
    detail: str = Field("", exclude_if=is_empty)
    """Details of the cause, in words."""
    goal: str
    details: dict[str, str | int | float | list[int]] = Field(default_factory=dict)
    """Details that the goal names, such as `resource` and `amount`."""
    why: str = Field("", exclude_if=is_empty)
    """The model's reason."""


class Degree(EventPart):
    """Degrees of one kind of node of the social graph."""

    mean_in: float
    mean_out: float
    max_in: float
    max_out: float


class GridEnded(EventModel):
    """End of a game, with the input of its measures."""

    kind: Literal["grid_ended"] = "grid_ended"
    game: str
    steps: int
    trajectory: str
    """Path of the file with every step, relative to the run directory."""
    oracle: float
    plan: dict[str, int]
    rewards: dict[str, float]
    """Player -> total reward after pooling."""
    own: dict[str, float]
    """Player -> value of its final holdings."""
    executions: dict[str, dict[str, int]]
    """Player -> event -> number of runs."""
    refused: dict[str, int]
    """Player -> number of its own actions without effect."""
    faults: dict[str, int] = Field(default_factory=dict)
    """Player -> number of answers that named no action, in games played by typed words."""
    questions: dict[str, int] = Field(default_factory=dict, exclude_if=is_empty)
    """Player -> number of questions to its model for an action or a plan; corrections are not counted."""
    degrees: dict[str, Degree]
    """Kind of node -> degrees at the end."""
    over_time: dict[str, Degree]
    """Kind of node -> mean degrees over all steps, and the maximum of any step."""
    split: float | None = None
    """Total weight of the first role's players divided by that of the second role's."""


GridEvent = GridBegun | SocietyChanged | GridSocialAct | GridExchanged | GridFault | GridPlanned | GridEnded
"""Any event of a grid game."""
