"""What a player of a stage game is shown before it chooses, and its choice (`voyager_agents.turn_agent`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw
from voyager_agents.stage_games.match import PlayedRound, RepeatedMatch, Repetition

TAKES = "choices"
"""What this kind of turn is called in `voyager_agents.family.Family.takes`."""


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
    """What was chosen in earlier stages of this round."""
    history: tuple[PlayedRound, ...] = ()
    """All earlier rounds, as they counted."""
    images: Mapping[str, int] = field(default_factory=dict)
    """Player -> image score, where there is one."""
    told: tuple[str, ...] = ()
    """What else it is told now, such as that its last choice came to nothing."""

    @property
    def role(self) -> RoundRole:
        """Its own."""
        return self.roles.get(self.player, RoundRole())

    @property
    def earned(self) -> Fraction:
        """What it got so far."""
        return sum((each.payoffs[self.player] for each in self.history), Fraction(0))


@dataclass(frozen=True)
class StageDecision:
    """What a player does with its turn."""

    option: str = ""
    """Empty: nothing."""
    why: str = ""
    """Its own reason; recorded, never shown to others."""
    fault: str = ""
    """What was wrong with its answer when it could not be used; recorded."""


def turn_of(match: RepeatedMatch, player: str, told: tuple[str, ...] = ()) -> StageTurn:
    """What that player is shown now."""
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
