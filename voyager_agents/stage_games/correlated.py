"""Correlated equilibria: distributions over profiles at which no player gains by disobeying its recommendation.

They form a polytope, which contains all Nash equilibria (Aumann 1974): for each player and each pair of its options,
the expected gain from the second one when the first one is recommended is at most 0. Linear programs give the
equilibria with the highest and with the lowest total payoff, exactly.

Among interchangeable players the mean over all exchanges of players of a correlated equilibrium is one with the same
total. So distributions over counts of options are enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from voyager_agents.stage_games.normal_form import NormalForm, Place
from voyager_agents.stage_games.simplex import maximum

MAX_ENTRIES = 20_000
"""Maximum number of entries of a program: profiles times incentive constraints."""
Incentive = tuple[int, int, int]
"""Player, recommended option, other option. The player is 0 if all are interchangeable."""
Distribution = Mapping[Place, Fraction]


class ProgramTooLargeError(Exception):
    """A game whose program is too large; the message is the reason."""


@dataclass(frozen=True)
class CorrelatedEquilibrium:
    """Distribution over profiles with its expected payoffs."""

    weights: Distribution
    """Profile -> probability. With interchangeable players all exchanges of a profile are equally likely."""
    payoffs: tuple[Fraction, ...]

    @property
    def total(self) -> Fraction:
        """Sum of the expected payoffs."""
        return sum(self.payoffs, Fraction(0))


def incentives(game: NormalForm, profile: Place) -> dict[Incentive, Fraction]:
    """Return the gains from disobedience that a profile adds to each incentive constraint."""
    found: dict[Incentive, Fraction] = {}
    for player, own in enumerate(profile):
        for other in range(len(game.options[player])):
            if other != own:
                key = (0 if game.interchangeable else player, own, other)
                changed = game.with_option(profile, player, other)
                gain = game.payoff(player, changed) - game.payoff(player, profile)
                found[key] = found.get(key, Fraction(0)) + gain
    return found


def gains(game: NormalForm, weights: Distribution) -> dict[Incentive, Fraction]:
    """Return the expected gain from each disobedience; a correlated equilibrium has none above 0."""
    found: dict[Incentive, Fraction] = {}
    for profile, weight in weights.items():
        for key, gain in incentives(game, profile).items():
            found[key] = found.get(key, Fraction(0)) + weight * gain
    return found


def best_and_worst(game: NormalForm) -> tuple[CorrelatedEquilibrium, CorrelatedEquilibrium]:
    """Return the correlated equilibria with the highest and the lowest total payoff.

    Raises:
        ProgramTooLargeError: The program has too many entries.
    """
    count = sum(len(each) * (len(each) - 1) for each in (game.options[:1] if game.interchangeable else game.options))
    if count * len(game.profiles) > MAX_ENTRIES:
        raise ProgramTooLargeError(f"{count} constraints on {len(game.profiles)} profiles are too many")
    columns = [incentives(game, profile) for profile in game.profiles]
    keys = sorted({key for column in columns for key in column})
    limits = [[column.get(key, Fraction(0)) for column in columns] for key in keys]
    totals = [sum(game.payoffs(profile), Fraction(0)) for profile in game.profiles]
    ones = [Fraction(1)] * len(totals)
    # Shifted objectives are positive, so that the optimum uses the whole probability.
    high = maximum([each - min(totals) + 1 for each in totals], limits, ones)
    low = maximum([max(totals) - each + 1 for each in totals], limits, ones)
    return _found(game, high.amounts), _found(game, low.amounts)


def _found(game: NormalForm, amounts: tuple[Fraction, ...]) -> CorrelatedEquilibrium:
    weights = {profile: weight for profile, weight in zip(game.profiles, amounts, strict=True) if weight}
    sums = [
        sum((weight * game.payoff(player, profile) for profile, weight in weights.items()), Fraction(0))
        for player in range(len(game.players))
    ]
    if game.interchangeable:
        sums = [sum(sums, Fraction(0)) / len(sums)] * len(sums)
    return CorrelatedEquilibrium(weights, tuple(sums))
