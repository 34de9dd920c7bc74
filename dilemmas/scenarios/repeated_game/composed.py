"""Compositions of games of the atlas under `game` in a scenario's file."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from dilemmas.scenarios.fields import Frozen
from dilemmas.scenarios.repeated_game.ordinal import MAX_LABELS
from voyager_agents.stage_games.atlas import game_of
from voyager_agents.stage_games.atlas_table import PLAIN, atlas_table
from voyager_agents.stage_games.composed import NESTED, PARALLEL, Restriction, composed
from voyager_agents.stage_games.laws import StageLaw

MAX_PARALLEL = 3
"""Maximum number of parallel games: a booth has nine devices, and three games have eight combinations."""
SEATS = ("first", "second")


class RestrictionSpec(Frozen):
    """Consequence of an outcome of the first of two nested games, with options as up, down, left and right."""

    after: str
    """Outcome of the first game, such as `up/left`."""
    player: Literal["first", "second"]
    only: str
    """Option that counts for the player in the second game."""

    def restriction(self) -> Restriction:
        """Return the restriction. Raises ValueError for unknown options."""
        row, _, column = self.after.partition("/")
        seat = SEATS.index(self.player)
        return Restriction((_place(0, row), _place(1, column)), seat, _place(seat, self.only))


class ComposedSpec(Frozen):
    """Two or more games of the atlas in one round."""

    form: Literal["composed"]
    how: Literal["sequential", "parallel", "nested"]
    games: tuple[str, ...] = Field(min_length=2, max_length=4)
    """Numbers or names of the games, in their order."""
    labels: int = Field(default=0, ge=0, le=MAX_LABELS)
    """Number of the labelling of all games; 0 for up and down, left and right."""
    restrict: tuple[RestrictionSpec, ...] = ()
    """Consequences of the first of two nested games."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.how == PARALLEL and len(self.games) > MAX_PARALLEL:
            raise ValueError(f"games: {len(self.games)} at once are too many; name {MAX_PARALLEL} at most")
        if self.how == NESTED and (len(self.games) != 2 or not self.restrict):
            raise ValueError("games: nested ones are two, and restrict says what the first one decides")
        if self.how != NESTED and self.restrict:
            raise ValueError(f"restrict: is for nested games, not for {self.how} ones; leave it out")
        self.law(SEATS)
        return self

    def law(self, players: tuple[str, ...]) -> StageLaw:
        """Return the law between these players. Raises ValueError."""
        parts = tuple(atlas_table(game_of(name), players, self.labels) for name in self.games)
        return composed(players, self.how, parts, tuple(each.restriction() for each in self.restrict))


def _place(seat: int, name: str) -> int:
    if name not in PLAIN[seat]:
        raise ValueError(
            f"restrict: {name!r} is no option of the {SEATS[seat]} player; write {' or '.join(PLAIN[seat])}"
        )
    return PLAIN[seat].index(name)
