"""Exact game theory of a law: whether it is a social dilemma, equilibria, and its coopetition.

Names
    R  what a cooperator gets when all cooperate          T  what the only defector gets among cooperators
    P  what a defector gets when all defect               S  what the only cooperator gets among defectors
    greed is T - R, fear is P - S; a social dilemma has R > P, R > S, all together most when all cooperate, and greed
    or fear (Macy and Flache 2002; with more than two players as in `accord.analysis.schelling`).
    All is of one round, with the most cooperative and the most selfish options, averaged over roles.

Coopetition of a table (after Pant and Yu, arXiv 2510.18802, and Brandenburger and Nalebuff 1996)
    interdependence   how much of the range of a player's payoffs hangs on the other's choice, 0 to 1. The paper
                      weighs dependencies that somebody has modelled; here they are read off the table.
    value             what all can create, V(N), and what each can be sure of alone, V(i), its maximin payoff
    added_value       V(N) - V(the other): what a player brings
    synergy           V(N) - the sum of V(i): how far the whole is more than its parts
    coopetitive       pure equilibria when each counts, beside its own payoff, the other's times its interdependence
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import mean
from typing import Any

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
from voyager_agents.stage_games.laws import Choices, Roles, StageLaw
from voyager_agents.stage_games.tables import Matrix


def poles(law: StageLaw, roles: Roles, cooperators: Sequence[str]) -> Choices:
    """Return the choices when these players are most cooperative and all others most selfish."""
    return tuple(
        {
            player: (law.kind if player in cooperators else law.selfish)(stage, player, roles)
            for player in law.players
            if law.options(stage, player, roles)
        }
        for stage in range(len(law.stages))
    )


def curve(law: StageLaw) -> list[tuple[Fraction | None, Fraction | None]]:
    """For each number of cooperators: what a cooperator and what a defector gets on average; None where there is no
    such player."""
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
    """Return the sum of payoffs of a round in which everybody is most selfish, averaged over roles."""
    return mean(sum(law.payoffs(roles, poles(law, roles, ())).values(), Fraction(0)) for roles in law.situations())


def dilemma(law: StageLaw) -> dict[str, Any]:
    """R, S, T, P, greed, fear, and whether it is a social dilemma."""
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
    """Return an amount of a kind of player that is there."""
    assert amount is not None, "with two players and more both kinds are there between the ends"
    return amount


def theory(law: StageLaw) -> dict[str, Any]:
    """Return all of it, as plain data."""
    found: dict[str, Any] = {"social_dilemma": dilemma(law)}
    if isinstance(law, Matrix):
        found |= _of_table(table_of(law)) | {"coopetition": coopetition(law)}
    return found


def coopetition(law: Matrix) -> dict[str, Any]:
    """Interdependence, value and coopetitive equilibria of a table."""
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
    """Return for each player the mean range of its payoff over the other's options, as a share of its whole range."""
    found = []
    for own in _own(table):
        amounts = [amount for row in own for amount in row]
        span = max(amounts) - min(amounts)
        found.append(mean(max(row) - min(row) for row in own) / span if span else Fraction(0))
    return found


def leaning(table: PayoffTable, leans: Sequence[Fraction]) -> PayoffTable:
    """Return the table when each counts the other's payoff, too, by its own interdependence."""
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
    """Return each player's payoffs: a row for each option of its own."""
    rows = [[cell[0] for cell in row] for row in table.cells]
    columns = [[row[place][1] for row in table.cells] for place in range(len(table.columns))]
    return [rows, columns]


def _security(own: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the payoff that one option guarantees (maximin)."""
    return max(min(row) for row in own)


def _weights(names: Sequence[str], mixture: Mixture) -> Mapping[str, float]:
    return {name: float(weight) for name, weight in zip(names, mixture, strict=True) if weight}


def _by(names: Sequence[str], numbers: Sequence[Fraction]) -> dict[str, float]:
    return {name: float(number) for name, number in zip(names, numbers, strict=True)}
