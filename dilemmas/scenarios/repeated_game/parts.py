"""Parts of a repeated game's spec: number of rounds, rules, conditions."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from dilemmas.scenarios.fields import Frozen
from dilemmas.scenarios.repeated_game.amounts import Number
from dilemmas.scenarios.spec import ConditionSpec, RulesSpec
from voyager_agents.stage_games.laws import share
from voyager_agents.stage_games.match import Repetition
from voyager_agents.stage_games.stand_ins import GameStandIn

Device = Literal["plates", "levers", "chests"]
"""A pressure plate to stand on, a lever to pull, or a chest to put a sheet of paper into."""


class RepeatedSpec(Frozen):
    """Number of rounds: one of `known`, `unknown` and `random`."""

    known: int | None = Field(default=None, ge=1, le=10_000)
    """Number of rounds that all players know."""
    unknown: int | None = Field(default=None, ge=1, le=10_000)
    """Number of rounds that no player knows."""
    random: Number | None = None
    """Probability that the game ends after a round, which all players know."""
    most: int = Field(default=1000, ge=1, le=10_000)
    """Maximum number of rounds of a game with a random end."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [key for key in ("known", "unknown", "random") if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError(f"{' and '.join(given) or 'nothing'} is given; give one of known, unknown and random")
        if self.random is not None and not 0 < share(self.random) < 1:
            raise ValueError(f"random: {self.random} is no chance between 0 and 1")
        return self

    def repetition(self) -> Repetition:
        """Return the number of rounds as data for players."""
        if self.random is not None:
            return Repetition(self.most, told=False, stops=share(self.random))
        return Repetition(self.known or self.unknown or 1, told=self.known is not None)


class GameRules(RulesSpec):
    """Rules of a repeated game."""

    stage_s: float = Field(default=8.0, ge=2, le=600)
    """Time in which all have to choose in each stage of a game by programs, in seconds of game time."""
    move_s: float = Field(default=15.0, ge=5, le=60)
    """Maximum duration of the way to a device in rounds, in seconds of game time."""
    noise: Number = 0
    """Probability that another option than the chosen one counts."""
    default: GameStandIn = "random"
    """Stand-in for a player that chooses nothing in time."""

    @model_validator(mode="after")
    def _chance(self) -> Self:
        if not 0 <= share(self.noise) <= 1:
            raise ValueError(f"noise: {self.noise} is no chance from 0 to 1")
        return self


class GameCondition(ConditionSpec):
    """Condition of a repeated game. A given contract without a source is made from the game."""

    fine: Number | None = None
    """Fine of a generated contract for an act that is not cooperative.

    None for the least fine that makes cooperation everybody's best answer to all acts of the others.
    """

    @property
    def generated(self) -> bool:
        """True if the contract is made from the game."""
        return self.contract == "given" and self.library is None and self.file is None

    @property
    def sources(self) -> int:
        """Number of named sources; 1 for a generated contract."""
        return 1 if self.generated else super().sources
