"""Maximin and minimax: what a player can be sure of, and what the others can hold it down to.

value       payoff that a mixed strategy guarantees against everything that the others can do
strategy    a mixed strategy that guarantees it
pure        payoff that a single option guarantees (pure maximin)
minimax     payoff to which the others can hold the player if they choose single options, which it then knows

If the others could draw their options together, they could hold the player to exactly `value`: by the minimax theorem
maximin and minimax are equal in mixed strategies. With two players the others are one player, and need not coordinate.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product

from voyager_agents.stage_games.normal_form import NormalForm
from voyager_agents.stage_games.simplex import maximum


@dataclass(frozen=True)
class Security:
    """Security levels of one player."""

    value: Fraction
    strategy: tuple[Fraction, ...]
    """Probability of each option."""
    pure: Fraction
    minimax: Fraction


def own_payoffs(game: NormalForm, player: int) -> list[list[Fraction]]:
    """Return the player's payoffs: for each of its options one for each combination of the others' options."""
    others = [range(len(each)) for place, each in enumerate(game.options) if place != player]
    if game.interchangeable:
        combined = list(combinations_with_replacement(others[0], len(others)))
    else:
        combined = list(product(*others))
    return [
        [game.payoff(player, (*rest[:player], own, *rest[player:])) for rest in combined]
        for own in range(len(game.options[player]))
    ]


def security(game: NormalForm, player: int) -> Security:
    """Return the security levels of a player."""
    rows = own_payoffs(game, player)
    shift = 1 - min(amount for row in rows for amount in row)
    columns = list(dict.fromkeys(zip(*rows, strict=True)))
    # The guaranteed amount is the last variable; no column of shifted payoffs may lie below it.
    limits = [[-(amount + shift) for amount in column] + [Fraction(1)] for column in columns]
    goal = [Fraction(0)] * len(rows) + [Fraction(1)]
    found = maximum(goal, limits, [Fraction(1)] * len(rows) + [Fraction(0)])
    return Security(
        value=found.value - shift,
        strategy=found.amounts[:-1],
        pure=max(min(row) for row in rows),
        minimax=min(max(column) for column in columns),
    )
