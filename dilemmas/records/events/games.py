"""Events of a repeated game: what it is, and each round that was played.

A choice is what the world showed when its stage was over. Payoffs are in the units of the game's file.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel


class GameBegun(EventModel):
    """A repeated game begins."""

    kind: Literal["game_begun"] = "game_begun"
    form: str
    """What kind of stage game it is (`dilemmas.scenarios.repeated_game.games.FORMS`)."""
    stages: list[str]
    options: dict[str, list[str]]
    """Player -> its options in the first stage in which it has some."""
    best: float
    """The most that a round can bring all together."""
    selfish: float
    """What a round brings all together when everybody is most selfish."""
    start: float
    """What each holds before the first round."""
    rounds: int
    """How many are to be played; players know it only where `told`."""
    told: bool
    theory: dict[str, Any] = Field(default_factory=dict)
    """Of a table: what game theory says of it (`accord.analysis.tables`)."""


class RoundPlayed(EventModel):
    """A round was played and paid."""

    kind: Literal["round_played"] = "round_played"
    round: int
    """From 1."""
    roles: dict[str, str]
    """Player -> what it was in this round, with whom, such as `donor of Rivet`; empty text where all are alike."""
    choices: list[dict[str, str]]
    """For each stage: player -> the option that counted."""
    cooperation: dict[str, float]
    """Player -> how cooperative its choices were, 0 to 1, on average; of those whose choices say something of it."""
    payoffs: dict[str, float]
    trembled: list[dict[str, str]] = Field(default_factory=list)
    """For each stage: player -> what it chose, where something else counted."""
    absent: list[list[str]] = Field(default_factory=list)
    """For each stage: who chose nothing in time, so that the game's default counted."""
    images: dict[str, int] = Field(default_factory=dict)
    """Player -> image score after the round, where there is one."""


class OptionChosen(EventModel):
    """What an agent decided to choose, before anybody moved; whether the world shows it is told by the round."""

    kind: Literal["option"] = "option"
    round: int
    stage: str
    player: str
    option: str
    """Empty: nothing."""
    why: str = ""
    fault: str = ""
    """What was wrong with its answer, or with its way to the device; empty for nothing."""


GameEvent = GameBegun | RoundPlayed | OptionChosen
"""Any event of a repeated game."""
