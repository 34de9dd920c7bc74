"""Events of a repeated game: its definition and each round.

A choice is what the world showed at the end of its stage. Payoffs are in the units of the game's file.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, is_absent, is_empty


class GameBegun(EventModel):
    """Definition of the repeated game."""

    kind: Literal["game_begun"] = "game_begun"
    form: str
    """Kind of stage game (`dilemmas.scenarios.repeated_game.games.FORMS`)."""
    stages: list[str]
    options: dict[str, list[str]]
    """Player -> its options in the first stage that offers any."""
    best: float
    """Maximum total payoff of a round."""
    selfish: float
    """Total payoff of a round if every player is maximally selfish."""
    start: float
    """Initial balance of each player."""
    rounds: int
    """Number of rounds to play; players know it only if `told`."""
    told: bool
    theory: dict[str, Any] = Field(default_factory=dict)
    """Game-theoretic analysis of one round (`voyager_agents.stage_games.theory`)."""


class RoundPlayed(EventModel):
    """A round was played and paid."""

    kind: Literal["round_played"] = "round_played"
    round: int
    """Number of the round, from 1."""
    roles: dict[str, str]
    """Player -> its role and partner in this round, such as `donor of Rivet`; empty if all roles are alike."""
    choices: list[dict[str, str]]
    """For each stage: player -> option that counted."""
    cooperation: dict[str, float]
    """Player -> mean cooperativeness of its choices, 0 to 1, for players with informative choices."""
    payoffs: dict[str, float]
    trembled: list[dict[str, str]] = Field(default_factory=list)
    """For each stage: player -> intended choice, where another one counted."""
    absent: list[list[str]] = Field(default_factory=list)
    """For each stage: players without a choice in time, for whom a stand-in chose."""
    stood_in: list[dict[str, str]] = Field(default_factory=list, exclude_if=is_empty)
    """For each stage: player -> name of the stand-in that chose; empty in records of earlier versions, in which the
    game's default counted."""
    images: dict[str, int] = Field(default_factory=dict)
    """Player -> image score after the round, if the game has one."""
    types: dict[str, float] = Field(default_factory=dict, exclude_if=is_empty)
    """Player -> its private type in this round, which only this player was told."""
    state: dict[str, float] = Field(default_factory=dict, exclude_if=is_empty)
    """State that earlier rounds left behind for this one: the stock of a resource and its sustainable amount."""
    carried: dict[str, str] = Field(default_factory=dict, exclude_if=is_empty)
    """Player -> option that a mediator or the commitments carried out for it; empty without them."""


class OptionChosen(EventModel):
    """An agent's intended choice before anybody moved; the round records the choice that the world shows."""

    kind: Literal["option"] = "option"
    round: int
    stage: str
    player: str
    option: str
    """Name of the option; empty for none."""
    why: str = ""
    fault: str = ""
    """Error in the answer or on the way to the device; empty for none."""
    stood_in: str = Field(default="", exclude_if=is_empty)
    """Name of the stand-in that chose for the player; empty if the player's own choice counted."""
    beliefs: dict[str, str] = Field(default_factory=dict, exclude_if=is_empty)
    """Belief -> option: `partner_will` and `partner_expects`; empty if the player was not asked."""
    equilibria: list[str] | None = Field(default=None, exclude_if=is_absent)
    """Outcomes that the player named as pure equilibria, as `up/left`; None if it was not asked."""


GameEvent = GameBegun | RoundPlayed | OptionChosen
"""Any event of a repeated game."""
