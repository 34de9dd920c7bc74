"""Beliefs about a round: what the partner will do, and what the partner thinks that the player will do.

    partner_will      option that the player expects of its partner (first order)
    partner_expects   option that, as the player thinks, its partner expects of the player (second order)

Models are asked for them (`voyager_agents.stage_games.ways`). Strategies have the beliefs that their rule computes
with: `best-reply` expects the partner's last choice again, and `mixed-equilibrium` the likelier option of each player
in the equilibrium that it draws from. All others follow rules without beliefs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from voyager_agents.stage_games.equilibria import Mixture
from voyager_agents.stage_games.strategies import drawn_equilibrium
from voyager_agents.stage_games.tables import Matrix
from voyager_agents.stage_games.turns import StageTurn

PARTNER_WILL = "partner_will"
PARTNER_EXPECTS = "partner_expects"
Beliefs = Mapping[str, str]
"""Name of a belief -> option."""


def beliefs_of(strategy: str, turn: StageTurn) -> Beliefs:
    """Return the beliefs with which a strategy chooses in this turn; empty if it has none."""
    return STRATEGY_BELIEFS[strategy](turn) if strategy in STRATEGY_BELIEFS else {}


def _same_again(turn: StageTurn) -> Beliefs:
    partner = turn.role.partner
    if not partner or not turn.history or turn.history[-1].roles != turn.roles:
        return {}
    last = turn.history[-1].choices[turn.stage].get(partner)
    return {} if last is None else {PARTNER_WILL: last}


def _equilibrium(turn: StageTurn) -> Beliefs:
    if not isinstance(turn.law, Matrix):
        return {}
    mine = turn.law.players.index(turn.player)
    weights, options = drawn_equilibrium(turn.law), (turn.law.rows, turn.law.columns)
    likely = [_likelier(each, weight) for each, weight in zip(options, weights, strict=True)]
    told = {PARTNER_WILL: likely[1 - mine], PARTNER_EXPECTS: likely[mine]}
    return {name: option for name, option in told.items() if option}


def _likelier(options: Sequence[str], weights: Mixture) -> str:
    """Return the option with the highest weight; empty if several have it."""
    best = [option for option, weight in zip(options, weights, strict=True) if weight == max(weights)]
    return best[0] if len(best) == 1 else ""


STRATEGY_BELIEFS: Mapping[str, Callable[[StageTurn], Beliefs]] = {
    "best-reply": _same_again,
    "mixed-equilibrium": _equilibrium,
}
"""Strategy -> beliefs in a turn."""
