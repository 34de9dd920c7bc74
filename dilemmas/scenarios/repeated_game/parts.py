"""Parts of a repeated game's spec: how often it is played, what it does by itself, its conditions."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from dilemmas.scenarios.repeated_game.games import Number
from dilemmas.scenarios.spec import ConditionSpec, Frozen, RulesSpec
from voyager_agents.stage_games.laws import share
from voyager_agents.stage_games.match import Repetition

Device = Literal["plates", "levers", "chests"]
"""A pressure plate that one stands on, a lever that one pulls, a chest that one puts a sheet of paper into."""


class RepeatedSpec(Frozen):
    """How often the game is played: one of the three."""

    known: int | None = Field(default=None, ge=1, le=10_000)
    """So many rounds, and all are told."""
    unknown: int | None = Field(default=None, ge=1, le=10_000)
    """So many rounds, and nobody is told."""
    random: Number | None = None
    """The chance that it ends after a round; all are told it."""
    most: int = Field(default=1000, ge=1, le=10_000)
    """With a random end: rounds at most."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [key for key in ("known", "unknown", "random") if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError(f"{' and '.join(given) or 'nothing'} is given; give one of known, unknown and random")
        if self.random is not None and not 0 < share(self.random) < 1:
            raise ValueError(f"random: {self.random} is no chance between 0 and 1")
        return self

    def repetition(self) -> Repetition:
        """As data for players."""
        if self.random is not None:
            return Repetition(self.most, told=False, stops=share(self.random))
        return Repetition(self.known or self.unknown or 1, told=self.known is not None)


class GameRules(RulesSpec):
    """What the game does by itself."""

    stage_s: float = Field(default=8.0, ge=2, le=600)
    """Where agents write programs: seconds of game time in which all have to choose, in each stage."""
    move_s: float = Field(default=15.0, ge=5, le=60)
    """In rounds: seconds of game time that the way to a device may take."""
    noise: Number = 0
    """The chance that another option than the one that was chosen counts."""
    default: Literal["selfish", "cooperative"] = "selfish"
    """What counts for who chooses nothing in time."""

    @model_validator(mode="after")
    def _chance(self) -> Self:
        if not 0 <= share(self.noise) <= 1:
            raise ValueError(f"noise: {self.noise} is no chance from 0 to 1")
        return self


class GameCondition(ConditionSpec):
    """A condition of a repeated game. A contract that is given and names no source is made from the game."""

    fine: Number | None = None
    """Of such a contract: what an act that is not cooperative costs whoever does it; None for the least that makes
    cooperation everybody's best answer to whatever the others do."""

    @property
    def generated(self) -> bool:
        """Whether the contract is made from the game."""
        return self.contract == "given" and self.library is None and self.file is None

    @property
    def sources(self) -> int:
        """One, where none is named."""
        return 1 if self.generated else super().sources
