"""Normal form of one round: each player's options and all profiles with their payoffs.

A round has a normal form here if each player chooses once, without having seen another's choice, in the same position
in every round. Games with private types, with a stock between rounds, or of moves that others see have none; their
solutions are subgame-perfect or Bayesian ones (`voyager_agents.stage_games.group_theory`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb, prod

from voyager_agents.stage_games.formula_law import FormulaLaw
from voyager_agents.stage_games.groups import PublicGoods
from voyager_agents.stage_games.laws import Options, StageLaw

MAX_PROFILES = 256
"""Maximum number of profiles whose payoffs are computed; among interchangeable players only counts of options count."""
Place = tuple[int, ...]
"""Index of each player's option."""


class NoNormalFormError(Exception):
    """A round without a normal form, or with too many profiles; the message is the reason."""


@dataclass(frozen=True)
class NormalForm:
    """Normal form of one round."""

    players: tuple[str, ...]
    """Players that have a choice."""
    options: tuple[Options, ...]
    """Options of each player."""
    interchangeable: bool
    """True if all players have the same options and payoffs depend on numbers of options alone."""
    paid: dict[Place, tuple[Fraction, ...]]
    """Profile -> payoff of each player. With interchangeable players only profiles in ascending order."""

    @cached_property
    def profiles(self) -> list[Place]:
        """The profiles in `paid`."""
        return list(self.paid)

    def payoffs(self, profile: Place) -> tuple[Fraction, ...]:
        """Return the payoffs of any profile."""
        if not self.interchangeable:
            return self.paid[profile]
        order = sorted(range(len(profile)), key=lambda place: profile[place])
        found = [Fraction(0)] * len(profile)
        for place, amount in zip(order, self.paid[tuple(sorted(profile))], strict=True):
            found[place] = amount
        return tuple(found)

    def payoff(self, player: int, profile: Place) -> Fraction:
        """Return the payoff of one player in any profile."""
        return self.payoffs(profile)[player]

    def with_option(self, profile: Place, player: int, option: int) -> Place:
        """Return the profile in which one player has another option."""
        return (*profile[:player], option, *profile[player + 1 :])

    def best_replies(self, profile: Place, player: int) -> list[int]:
        """Return the player's options with the highest payoff against the others' choices in a profile."""
        amounts = [
            self.payoff(player, self.with_option(profile, player, each)) for each in range(len(self.options[player]))
        ]
        return [each for each, amount in enumerate(amounts) if amount == max(amounts)]

    def is_equilibrium(self, profile: Place) -> bool:
        """Return True for a pure Nash equilibrium."""
        return all(own in self.best_replies(profile, player) for player, own in enumerate(profile))

    def names(self, profile: Place) -> tuple[str, ...]:
        """Return the names of a profile's options."""
        return tuple(each[place] for each, place in zip(self.options, profile, strict=True))


def normal_form(law: StageLaw) -> NormalForm:
    """Return the normal form of one round. Raises NoNormalFormError."""
    _check(law)
    roles = law.situations()[0]
    moves = {
        player: (stage, legal)
        for stage in range(len(law.stages))
        for player in law.players
        if (legal := law.options(stage, player, roles))
    }
    players = tuple(player for player in law.players if player in moves)
    options = tuple(moves[player][1] for player in players)
    alike = _interchangeable(law)
    sizes = [len(each) for each in options]
    count = comb(len(players) + sizes[0] - 1, len(players)) if alike else prod(sizes)
    if count > MAX_PROFILES:
        raise NoNormalFormError(f"{count} profiles are more than {MAX_PROFILES}")
    found = combinations_with_replacement(range(sizes[0]), len(players)) if alike else product(*map(range, sizes))
    paid = {}
    for profile in found:
        chosen: list[dict[str, str]] = [{} for _ in law.stages]
        for player, own in zip(players, profile, strict=True):
            chosen[moves[player][0]][player] = moves[player][1][own]
        amounts = law.payoffs(roles, tuple(chosen))
        paid[profile] = tuple(amounts[player] for player in players)
    return NormalForm(players, options, alike, paid)


def _check(law: StageLaw) -> None:
    """Raise NoNormalFormError with the reason why a round has none."""
    if law.has_types:
        raise NoNormalFormError("players have private types")
    if law.state():
        raise NoNormalFormError("a stock is carried from round to round")
    if len(law.stages) > 1 and not (isinstance(law, FormulaLaw) and law.sees == "nothing"):
        raise NoNormalFormError("later movers see earlier choices")
    situations = law.situations()
    positions = [[role.name for role in roles.values()] for roles in situations]
    if any(list(roles) != list(situations[0]) for roles in situations) or any(
        each != positions[0] for each in positions
    ):
        raise NoNormalFormError("players change their positions")


def _interchangeable(law: StageLaw) -> bool:
    return (isinstance(law, FormulaLaw) and law.alike) or isinstance(law, PublicGoods)
