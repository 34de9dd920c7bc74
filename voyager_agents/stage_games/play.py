"""Repeated games between strategies without a world, for tournaments and for comparison with play in a world."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction

from voyager_agents.stage_games.match import RepeatedMatch
from voyager_agents.stage_games.strategies import STRATEGIES
from voyager_agents.stage_games.turns import StageTurn, turn_of


def play(
    match: RepeatedMatch,
    strategies: Mapping[str, str],
    seed: int = 0,
    watch: Callable[[StageTurn, str], object] = lambda _turn, _strategy: None,
) -> dict[str, Fraction]:
    """Play a match to its end, and return the total payoff of each player.

    Random draws equal those of `StrategyPlayer` with the same seed.

    Args:
        match: The match.
        strategies: Player -> name of its strategy.
        seed: Seed of the random draws.
        watch: Called with each turn and the name of the strategy that chooses in it.
    """
    draws = {player: random.Random(f"strategy:{seed}:{player}") for player in match.law.players}
    while not match.over:
        turns = {player: turn_of(match, player) for player in strategies if match.options(player)}
        for player, turn in turns.items():
            watch(turn, strategies[player])
        match.choose({player: STRATEGIES[strategies[player]](turn, draws[player]) for player, turn in turns.items()})
    return {
        player: sum((played.payoffs[player] for played in match.history), Fraction(0)) for player in match.law.players
    }
