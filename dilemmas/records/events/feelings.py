"""Events of experiments on perception: ground truth, gifts, and a model's scores of thoughts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, EventPart

Script = list[tuple[float, float]]
"""(second, sentiment) in order, with sentiments from 0 (hate) to 10 (love), interpolated linearly."""


class TruthTold(EventModel):
    """Ground truth about the players from personas and scripts, recorded once to make the log self-contained."""

    kind: Literal["truth"] = "truth"
    study: Literal["room", "chef", "town"]
    """Name of the experiment."""
    judges: list[str]
    """Players whose thoughts about others are measured."""
    likeability: dict[str, float]
    """Player -> likeability, 0 to 10."""
    extroversion: dict[str, float]
    """Player -> extroversion, 0 to 1."""
    traits: dict[str, list[str]] = Field(default_factory=dict)
    """Player -> sentences that express these values."""
    feelings: dict[str, dict[str, Script]] = Field(default_factory=dict)
    """Player -> other player -> sentiment over time."""
    foods: list[str] = Field(default_factory=list)
    """Foods that are given away."""
    ties: int = 0
    """Number of times a player must be addressed by name by another to know it; 0 if hearing or thinking suffices."""


class FoodSeen(EventModel):
    """Number of donated food items held by each player, recorded at each change."""

    kind: Literal["food"] = "food"
    t_s: float
    held: dict[str, int]
    """Player -> number of pieces of all kinds."""
    received: dict[str, int]
    """Player -> pieces picked up since the lives began, eaten ones included."""


class ScoredThought(EventPart):
    """One thought with the score that a model gives it."""

    observer: str
    """Player who has the thought; empty for the traits of player `of`."""
    of: str
    t_s: float
    score: float | None
    """0 (hate) to 10 (love); None for an unreadable answer."""


class SummariesRated(EventModel):
    """A model's scores of the players' thoughts about each other and of their traits, all with one prompt."""

    kind: Literal["summaries_rated"] = "summaries_rated"
    scores: list[ScoredThought]
    unreadable: list[str] = Field(default_factory=list)
    """Errors in unreadable answers, in records of earlier versions; newer ones have them as steps of a mind."""
    fault: str = ""
    """Reason why the model could not be asked."""


FeelingEvent = TruthTold | FoodSeen | SummariesRated
"""Any event of a perception experiment."""
