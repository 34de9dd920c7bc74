"""Turns of stage games: a player's observation, and its choice (`voyager_agents.turn_agent`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw
from voyager_agents.stage_games.match import PlayedRound, RepeatedMatch, Repetition

TAKES = "choices"
"""Name of this kind of turns (`voyager_agents.family.Family.takes`)."""


@dataclass(frozen=True)
class StageTurn:
    """All that a player is shown before a stage."""

    player: str
    law: StageLaw
    repetition: Repetition
    round: int
    """From 1."""
    stage: int
    """From 0."""
    roles: Roles
    options: Options
    """Empty for one that has nothing to choose now."""
    choices: Choices = ()
    """Choices in earlier stages of this round."""
    history: tuple[PlayedRound, ...] = ()
    """All earlier rounds, as they counted."""
    images: Mapping[str, int] = field(default_factory=dict)
    """Player -> image score, where there is one."""
    told: tuple[str, ...] = ()
    """Other messages, such as that the last choice came to nothing."""

    @property
    def role(self) -> RoundRole:
        """Its own."""
        return self.roles.get(self.player, RoundRole())

    @property
    def earned(self) -> Fraction:
        """Sum of its payoffs so far."""
        return sum((each.payoffs[self.player] for each in self.history), Fraction(0))


@dataclass(frozen=True)
class StageDecision:
    """A player's decision for its turn."""

    option: str = ""
    """Empty: nothing."""
    why: str = ""
    """Its own reason; recorded, never shown to others."""
    fault: str = ""
    """Fault of an answer that could not be used; recorded."""


def turn_of(match: RepeatedMatch, player: str, told: tuple[str, ...] = ()) -> StageTurn:
    """Return the player's turn."""
    return StageTurn(
        player=player,
        law=match.law,
        repetition=match.repetition,
        round=match.number,
        stage=match.stage,
        roles=match.roles,
        options=match.options(player),
        choices=match.choices,
        history=tuple(match.history),
        images=match.images() if match.law.scored else {},
        told=told,
    )
