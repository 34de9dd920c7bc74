"""Solutions of one round beside its Nash equilibria, as JSON-compatible data for the log and the report.

correlated   correlated equilibria with the highest and the lowest total payoff
security     maximin and minimax of each player; of interchangeable players only the first is solved
degenerate   of a table, whether it is degenerate; then also its extreme equilibria of supports of unequal size
evolution    of a symmetric table, the rest points of replicator dynamics, and which of them are evolutionarily stable
skipped      solution -> reason why it was not computed
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from voyager_agents.stage_games.correlated import CorrelatedEquilibrium, ProgramTooLargeError, best_and_worst
from voyager_agents.stage_games.equilibria import Mixture, PayoffTable, expected, mixed, table_of
from voyager_agents.stage_games.evolution import evolution
from voyager_agents.stage_games.extreme import extreme_equilibria
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.normal_form import NoNormalFormError, NormalForm, normal_form
from voyager_agents.stage_games.security import Security, security
from voyager_agents.stage_games.simplex import UnboundedError
from voyager_agents.stage_games.tables import Matrix


@cache
def form_of(law: StageLaw) -> NormalForm | str:
    """Return the normal form of a round, computed once for each law; a sentence with the reason if it has none."""
    try:
        return normal_form(law)
    except NoNormalFormError as error:
        return str(error)


@cache
def security_of(law: StageLaw) -> tuple[Security, ...] | str:
    """Return the security levels of the players with a choice, computed once for each law; a reason if too hard."""
    game = form_of(law)
    assert isinstance(game, NormalForm), "a game with a normal form"
    try:
        if game.interchangeable:
            return (security(game, 0),) * len(game.players)
        return tuple(security(game, player) for player in range(len(game.players)))
    except UnboundedError as error:
        return str(error)


@cache
def _correlated(law: StageLaw) -> tuple[CorrelatedEquilibrium, CorrelatedEquilibrium] | str:
    game = form_of(law)
    assert isinstance(game, NormalForm), "a game with a normal form"
    try:
        return best_and_worst(game)
    except (ProgramTooLargeError, UnboundedError) as error:
        return str(error)


def solutions(law: StageLaw) -> dict[str, Any]:
    """Return the solutions of one round."""
    game = form_of(law)
    if isinstance(game, str):
        return {"skipped": {"normal form": game}}
    found: dict[str, Any] = {}
    skipped: dict[str, str] = {}
    ends = _correlated(law)
    if isinstance(ends, str):
        skipped["correlated equilibria"] = ends
    else:
        found["correlated"] = {
            name: _equilibrium(game, each) for name, each in zip(("best", "worst"), ends, strict=True)
        }
    levels = security_of(law)
    if isinstance(levels, str):
        skipped["maximin"] = levels
    else:
        found["security"] = {
            player: _security(game, place, each)
            for place, (player, each) in enumerate(zip(game.players, levels, strict=True))
        }
    if isinstance(law, Matrix):
        found |= _of_table(law)
    return found | ({"skipped": skipped} if skipped else {})


@cache
def _of_table(law: Matrix) -> dict[str, Any]:
    """Return the solutions that only tables have."""
    table = table_of(law)
    extreme = extreme_equilibria(table)
    found: dict[str, Any] = {}
    if extreme is not None:
        found["degenerate"] = extreme.degenerate
        known = set(mixed(table))
        further = [pair for pair in extreme.pairs if pair not in known]
        if further:
            found["further_equilibria"] = [_pair(table, pair) for pair in further]
    return found | evolution(law)


def _pair(table: PayoffTable, pair: tuple[Mixture, Mixture]) -> dict[str, Any]:
    """Return a pair of mixed strategies, as `theory` tells mixed equilibria."""
    return {
        "weights": [
            {option: float(weight) for option, weight in zip(options, own, strict=True) if weight}
            for options, own in zip((table.rows, table.columns), pair, strict=True)
        ],
        "payoffs": [float(amount) for amount in expected(table, pair)],
    }


def _equilibrium(game: NormalForm, found: CorrelatedEquilibrium) -> dict[str, Any]:
    return {
        "weights": [
            {"options": list(game.names(profile)), "weight": float(weight)} for profile, weight in found.weights.items()
        ],
        "any_order": game.interchangeable,
        "payoffs": {player: float(each) for player, each in zip(game.players, found.payoffs, strict=True)},
        "total": float(found.total),
    }


def _security(game: NormalForm, player: int, found: Security) -> Mapping[str, Any]:
    strategy = zip(game.options[player], found.strategy, strict=True)
    return {
        "maximin": float(found.value),
        "strategy": {option: float(weight) for option, weight in strategy if weight},
        "pure_maximin": float(found.pure),
        "pure_minimax": float(found.minimax),
    }
