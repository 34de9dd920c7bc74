"""Repeated games between strategies without a world, for tournaments and for comparison with play in a world."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

from voyager_agents.stage_games.match import RepeatedMatch
from voyager_agents.stage_games.strategies import STRATEGIES
from voyager_agents.stage_games.turns import turn_of


def play(match: RepeatedMatch, strategies: Mapping[str, str], seed: int = 0) -> dict[str, Fraction]:
    """Play a match to its end, and return the total payoff of each player.

    Random draws equal those of `StrategyPlayer` with the same seed.
    """
    draws = {player: random.Random(f"strategy:{seed}:{player}") for player in match.law.players}
    while not match.over:
        match.choose(
            {
                player: STRATEGIES[name](turn_of(match, player), draws[player])
                for player, name in strategies.items()
                if match.options(player)
            }
        )
    return {
        player: sum((played.payoffs[player] for played in match.history), Fraction(0)) for player in match.law.players
    }
