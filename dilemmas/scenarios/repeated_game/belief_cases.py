"""Decisions with stated beliefs beside what happened, in games of two players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from dilemmas.records.events import GameBegun, OptionChosen, RoundPlayed


@dataclass(frozen=True)
class BeliefCase:
    """One decision with beliefs. An option is None if a stand-in chose, or nothing was asked."""

    player: str
    beliefs: Mapping[str, str]
    own: str | None
    """Option that the player chose."""
    partner: str | None
    """Option that the partner chose."""
    expected: str | None
    """Option that the partner expected of the player."""

    def truths(self) -> list[tuple[str, bool]]:
        """Return (belief, True if it was right) for the beliefs whose truth is known."""
        known = {"partner_will": self.partner, "partner_expects": self.expected}
        return [
            (name, self.beliefs[name] == truth)
            for name, truth in known.items()
            if truth is not None and name in self.beliefs
        ]


def belief_cases(
    begun: GameBegun, rounds: Sequence[RoundPlayed], decisions: Sequence[OptionChosen]
) -> Iterator[BeliefCase]:
    """Yield the decisions with beliefs.

    Args:
        begun: Definition of the game.
        rounds: Rounds of the game.
        decisions: Decisions with beliefs.
    """
    chosen = {
        (each.round, name, player): option
        for each in rounds
        for stage, (name, choices) in enumerate(zip(begun.stages, each.choices, strict=False))
        for player, option in choices.items()
        if player not in (each.absent[stage] if each.absent else ())
    }
    told = {(each.round, each.stage, each.player): each.beliefs for each in decisions}
    partners = dict(permutations(begun.options, 2)) if len(begun.options) == 2 else {}
    for (number, stage, player), beliefs in told.items():
        key = (number, stage, partners.get(player, ""))
        expected = told.get(key, {}).get("partner_will")
        yield BeliefCase(player, beliefs, chosen.get((number, stage, player)), chosen.get(key), expected)
