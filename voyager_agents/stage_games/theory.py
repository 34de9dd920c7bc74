"""Exact game theory of a law: social dilemma test, equilibria, and coopetition.

Payoffs
    R  reward: a cooperator's payoff if all cooperate     T  temptation: the only defector's payoff
    P  punishment: a defector's payoff if all defect      S  sucker's payoff: the only cooperator's payoff
    Greed is T - R, fear is P - S. A social dilemma has R > P, R > S, the highest total if all cooperate, and positive
    greed or fear (Macy and Flache 2002; with more than two players as in `accord.analysis.schelling`).
    All payoffs are those of one round, with the most cooperative and the most selfish options, averaged over roles.

Coopetition of a table (after Pant and Yu, arXiv 2510.18802, and Brandenburger and Nalebuff 1996)
    interdependence   share of the range of a player's payoffs that depends on the other's choice, 0 to 1. The paper
                      weighs dependencies given by a modeller; here they are computed from the table.
    value             V(N), the highest total payoff, and V(i), the maximin payoff of player i
    added_value       V(N) - V(j), the contribution of player i, where j is the other player
    synergy           V(N) - the sum of V(i)
    coopetitive       pure equilibria if each player adds the other's payoff, weighted by its own interdependence
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import mean
from typing import Any

from voyager_agents.stage_games.derived import DerivedLaw
from voyager_agents.stage_games.equilibria import (
    Mixture,
    PayoffTable,
    dominant,
    efficient,
    expected,
    mixed,
    pure,
    table_of,
)
from voyager_agents.stage_games.formula_law import FormulaLaw
from voyager_agents.stage_games.group_theory import formula_theory
from voyager_agents.stage_games.laws import Choices, Roles, StageLaw
from voyager_agents.stage_games.normal_form import NormalForm
from voyager_agents.stage_games.solutions import form_of, solutions
from voyager_agents.stage_games.tables import Matrix


def poles(law: StageLaw, roles: Roles, cooperators: Sequence[str]) -> Choices:
    """Return the choices if `cooperators` are most cooperative and all other players most selfish."""
    return tuple(
        {
            player: (law.kind if player in cooperators else law.selfish)(stage, player, roles)
            for player in law.players
            if law.options(stage, player, roles)
        }
        for stage in range(len(law.stages))
    )


def curve(law: StageLaw) -> list[tuple[Fraction | None, Fraction | None]]:
    """Return the mean payoffs of a cooperator and of a defector for each number of cooperators, from 0.

    A payoff is None if there is no such player.
    """
    found = []
    names = law.players
    for count in range(len(names) + 1):
        kind: list[Fraction] = []
        selfish: list[Fraction] = []
        for roles in law.situations():
            for first in range(len(names)):
                cooperators = [names[(first + place) % len(names)] for place in range(count)]
                paid = law.payoffs(roles, poles(law, roles, cooperators))
                kind += [paid[name] for name in cooperators]
                selfish += [paid[name] for name in names if name not in cooperators]
        found.append((mean(kind) if kind else None, mean(selfish) if selfish else None))
    return found


def selfish_total(law: StageLaw) -> Fraction:
    """Return the total payoff of a round in which all players are most selfish, averaged over roles."""
    return mean(sum(law.payoffs(roles, poles(law, roles, ())).values(), Fraction(0)) for roles in law.situations())


def dilemma(law: StageLaw) -> dict[str, Any]:
    """Return R, S, T, P, greed, fear, and the key `dilemma`: True for a social dilemma."""
    ends = curve(law)
    count = len(law.players)
    r, t, s, p = (_there(each) for each in (ends[-1][0], ends[-2][1], ends[1][0], ends[0][1]))
    beside = _there(ends[-2][0])
    greed, fear = t - r, p - s
    together = count * r > t + (count - 1) * beside
    verdict = r > p and r > s and together and (greed > 0 or fear > 0)
    numbers = {"R": r, "S": s, "T": t, "P": p, "greed": greed, "fear": fear}
    return {**{name: float(number) for name, number in numbers.items()}, "dilemma": verdict}


def _there(amount: Fraction | None) -> Fraction:
    """Return the amount, and assert that it is not None."""
    assert amount is not None, "with two players and more both kinds are there between the ends"
    return amount


def theory(law: StageLaw) -> dict[str, Any]:
    """Return what is known of one round of a game, as JSON-compatible data.

    The social dilemma, if all players have a choice; for a table its equilibria and coopetition; for a game by formula
    the equilibria of `group_theory`; for a round with a normal form the solutions of `solutions`.
    """
    if isinstance(law, FormulaLaw):
        # One round says nothing of a dilemma with players who have no choice, or with a stock that lasts for rounds.
        whole = len(law.parts) == 1 and not law.state()
        return ({"social_dilemma": dilemma(law)} if whole else {}) | formula_theory(law) | solutions(law)
    found: dict[str, Any] = {"social_dilemma": dilemma(law)}
    if isinstance(law, Matrix):
        found |= _of_table(table_of(law)) | {"coopetition": coopetition(law)}
    elif isinstance(law, DerivedLaw) and isinstance(game := form_of(law), NormalForm):
        found["pure_equilibria"] = [list(game.names(each)) for each in game.profiles if game.is_equilibrium(each)]
    return found | solutions(law)


def coopetition(law: Matrix) -> dict[str, Any]:
    """Return interdependence, values and coopetitive equilibria of a table."""
    table, names = table_of(law), law.players
    leans = interdependence(table)
    alone = [_security(own) for own in _own(table)]
    whole = law.best()
    return {
        "interdependence": _by(names, leans),
        "value": float(whole),
        "value_alone": _by(names, alone),
        "added_value": _by(names, [whole - alone[1], whole - alone[0]]),
        "synergy": float(whole - sum(alone)),
        "coopetitive": [list(table.names(each)) for each in pure(leaning(table, leans))],
    }


def interdependence(table: PayoffTable) -> list[Fraction]:
    """Return each player's mean payoff range over the other's options, as a share of its total payoff range."""
    found = []
    for own in _own(table):
        amounts = [amount for row in own for amount in row]
        span = max(amounts) - min(amounts)
        found.append(mean(max(row) - min(row) for row in own) / span if span else Fraction(0))
    return found


def leaning(table: PayoffTable, leans: Sequence[Fraction]) -> PayoffTable:
    """Return the table with each player's payoff increased by the other's, weighted by its own interdependence."""
    cells = tuple(tuple((one + leans[0] * two, two + leans[1] * one) for one, two in row) for row in table.cells)
    return PayoffTable(table.rows, table.columns, cells)


def _of_table(table: PayoffTable) -> dict[str, Any]:
    pairs = [pair for pair in mixed(table) if any(sum(weight > 0 for weight in each) > 1 for each in pair)]
    one, two = dominant(table)
    return {
        "pure_equilibria": [list(table.names(each)) for each in pure(table)],
        "mixed_equilibria": [
            {
                "weights": [_weights(table.rows, pair[0]), _weights(table.columns, pair[1])],
                "payoffs": [float(amount) for amount in expected(table, pair)],
            }
            for pair in pairs
        ],
        "efficient": [list(table.names(each)) for each in efficient(table)],
        "dominant": [one, two],
    }


def _own(table: PayoffTable) -> list[list[list[Fraction]]]:
    """Return each player's payoff matrix, with one row for each of its own options."""
    rows = [[cell[0] for cell in row] for row in table.cells]
    columns = [[row[place][1] for row in table.cells] for place in range(len(table.columns))]
    return [rows, columns]


def _security(own: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the maximin payoff over pure strategies."""
    return max(min(row) for row in own)


def _weights(names: Sequence[str], mixture: Mixture) -> Mapping[str, float]:
    return {name: float(weight) for name, weight in zip(names, mixture, strict=True) if weight}


def _by(names: Sequence[str], numbers: Sequence[Fraction]) -> dict[str, float]:
    return {name: float(number) for name, number in zip(names, numbers, strict=True)}
