"""A repeated game between strategies alone, without a world: for tournaments and for checks against the world."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

from voyager_agents.stage_games.match import RepeatedMatch
from voyager_agents.stage_games.strategies import STRATEGIES
from voyager_agents.stage_games.turns import turn_of


def play(match: RepeatedMatch, strategies: Mapping[str, str], seed: int = 0) -> dict[str, Fraction]:
    """Play the match to its end; player -> what it got. Chance is that of `StrategyPlayer` with this seed."""
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
