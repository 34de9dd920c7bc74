"""Turns of stage games for `voyager_agents.turn_agent`: a player's observation and its decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw, without_types
from voyager_agents.stage_games.match import PlayedRound, RepeatedMatch, Repetition, own_rounds

TAKES = "choices"
"""Name of this kind of turn in `voyager_agents.family.Family.takes`."""


@dataclass(frozen=True)
class StageTurn:
    """Observation of a player before a stage."""

    player: str
    law: StageLaw
    repetition: Repetition
    round: int
    """Round number, from 1."""
    stage: int
    """Stage index, from 0."""
    roles: Roles
    options: Options
    """Legal options; empty if the player has no choice in this stage."""
    choices: Choices = ()
    """Choices in earlier stages of this round."""
    history: tuple[PlayedRound, ...] = ()
    """All earlier rounds, with their effective choices."""
    images: Mapping[str, int] = field(default_factory=dict)
    """Player -> image score; empty if the game has none."""
    told: tuple[str, ...] = ()
    """Other messages to the player, such as a notice that its last choice had no effect."""

    @property
    def role(self) -> RoundRole:
        """The player's role in this round."""
        return self.roles.get(self.player, RoundRole())

    @property
    def earned(self) -> Fraction:
        """Sum of the player's payoffs so far."""
        return sum((each.payoffs[self.player] for each in self.history), Fraction(0))


@dataclass(frozen=True)
class StageDecision:
    """A player's decision for its turn."""

    option: str = ""
    """Chosen option; empty for no choice."""
    why: str = ""
    """The player's stated reason; recorded, never shown to other players."""
    fault: str = ""
    """Error of an unusable answer; recorded."""
    beliefs: Mapping[str, str] = field(default_factory=dict)
    """Name of a belief (`voyager_agents.stage_games.beliefs`) -> option; recorded, never shown to other players."""
    equilibria: tuple[str, ...] | None = None
    """Outcomes that the player named as pure equilibria, as `up/left`; None if it was not asked."""


def turn_of(match: RepeatedMatch, player: str, told: tuple[str, ...] = ()) -> StageTurn:
    """Return the player's observation of the match's current stage.

    `told` holds further messages to the player.
    """
    law, stage = match.law, match.stage
    return StageTurn(
        player=player,
        law=law,
        repetition=match.repetition,
        round=match.number,
        stage=stage,
        roles=without_types(match.roles, player) if law.has_types else match.roles,
        options=match.options(player),
        choices=law.seen_choices(stage, player, match.choices),
        history=own_rounds(player, match.history) if law.private_rounds else tuple(match.history),
        images=match.images() if law.scored and match.roles.get(player, RoundRole()).informed else {},
        told=(*law.seen_lines(stage, player, match.roles, match.choices), *told),
    )
