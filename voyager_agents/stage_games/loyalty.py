"""Loyalty to a team: the weight that a player gives to the payoffs of all others.

A loyal player maximizes its own payoff plus a weight times the sum of the others' payoffs: 0 is selfish, 1 wants the
highest total. Pant and Yu (arXiv 2601.16237) let loyalty add the teammates' welfare to a member's utility, and lower
its cost of effort; only the first is here, with the sum instead of the mean, and the inference from choices is ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from voyager_agents.stage_games.normal_form import NormalForm, Place

LOYALTY = Fraction(4, 5)
"""Weight of the strategy `loyal`."""


def valued(payoffs: Mapping[str, Fraction], player: str, weight: Fraction = LOYALTY) -> Fraction:
    """Return a player's own payoff plus the weighted sum of the others' payoffs."""
    others = sum((amount for name, amount in payoffs.items() if name != player), Fraction(0))
    return payoffs[player] + weight * others


def revealed_weight(game: NormalForm, profile: Place, player: int) -> Fraction | None:
    """Return the least weight from 0 to 1 with which a player's choice is a best reply; None if there is none."""
    low, high = Fraction(0), Fraction(1)
    before = game.payoffs(profile)
    for option in range(len(game.options[player])):
        after = game.payoffs(game.with_option(profile, player, option))
        gain = after[player] - before[player]
        spread = sum(after, Fraction(0)) - sum(before, Fraction(0)) - gain
        if spread < 0:
            low = max(low, gain / -spread)
        elif spread > 0:
            high = min(high, -gain / spread)
        elif gain > 0:
            return None
    return low if low <= high else None


def mean_weight(game: NormalForm, profiles: Sequence[Place], player: int) -> Fraction | None:
    """Return the mean of the revealed weights of several rounds; None if no choice reveals one."""
    total, rounds = Fraction(0), 0
    for profile, count in Counter(profiles).items():
        weight = revealed_weight(game, profile, player)
        if weight is not None:
            total += count * weight
            rounds += count
    return total / rounds if rounds else None
