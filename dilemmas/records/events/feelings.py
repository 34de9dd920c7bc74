"""Events of experiments on perception: what is true, what was given, and how a model scores what was thought."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from dilemmas.records.events.base import EventModel

Script = list[tuple[float, float]]
"""(second, sentiment) in order, sentiments from 0 (hate) to 10 (love): straight from one to the next."""


class TruthTold(EventModel):
    """What is true of the players, from personas and scripts, told once so that a log explains itself."""

    kind: Literal["truth"] = "truth"
    study: Literal["room", "chef", "town"]
    """What is asked."""
    judges: list[str]
    """Whose thoughts of others are measured."""
    likeability: dict[str, float]
    """Player -> 0 to 10."""
    extroversion: dict[str, float]
    """Player -> 0 to 1."""
    traits: dict[str, list[str]] = Field(default_factory=dict)
    """Player -> the sentences that say the same in words."""
    feelings: dict[str, dict[str, Script]] = Field(default_factory=dict)
    """Player -> another -> what it feels for that one."""
    foods: list[str] = Field(default_factory=list)
    """What is given away."""
    ties: int = 0
    """Somebody knows another who has spoken to it by name so often; 0: whoever has been heard or thought of."""


class FoodSeen(EventModel):
    """How much of the food that is given away everybody holds, as the server tells it, whenever that has changed."""

    kind: Literal["food"] = "food"
    t_s: float
    held: dict[str, int]
    """Player -> pieces of all kinds together."""
    received: dict[str, int]
    """Player -> pieces that it has picked up since the lives began; what it ate is not taken off."""


class ScoredThought(BaseModel):
    """One thought as a model scores it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    observer: str
    """Whose thought it is; empty: the traits of that one."""
    of: str
    t_s: float
    score: float | None
    """0 (hate) to 10 (love); None where the answer could not be read."""


class SummariesRated(EventModel):
    """How a model scores, by one prompt, what players thought of each other, and what traits say."""

    kind: Literal["summaries_rated"] = "summaries_rated"
    scores: list[ScoredThought]
    unreadable: list[str] = Field(default_factory=list)
    """What was wrong with answers that could not be read."""
    fault: str = ""
    """Why the model could not be asked."""


FeelingEvent = TruthTold | FoodSeen | SummariesRated
"""Any event of an experiment on perception."""
