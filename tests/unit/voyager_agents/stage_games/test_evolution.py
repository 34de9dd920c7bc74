"""Evolutionary stability, replicator dynamics and extreme equilibria, against known games and independent searches."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest

from tests.unit.voyager_agents.stage_games.scene import drawn_table, game, table
from voyager_agents.stage_games.atlas import games
from voyager_agents.stage_games.atlas_table import atlas_table
from voyager_agents.stage_games.equilibria import expected, mixed, table_of
from voyager_agents.stage_games.evolution import (
    NEUTRAL,
    STABLE,
    UNSTABLE,
    evolution,
    replicated,
    rest_points,
    strictly_copositive,
)
from voyager_agents.stage_games.extreme import extreme_equilibria
from voyager_agents.stage_games.solutions import solutions
from voyager_agents.stage_games.tables import Matrix


def rows(*payoffs: list[int]) -> list[list[F]]:
    return [[F(each) for each in row] for row in payoffs]


def stable_states(payoffs: list[list[F]]) -> list[tuple[F, ...]]:
    return [each.state for each in rest_points(payoffs) if each.stable]


@pytest.mark.parametrize(("value", "cost"), [(2, 3), (1, 4), (3, 2)])
def test_hawks_settle_at_value_over_cost(value: int, cost: int) -> None:
    payoffs = [[F(value - cost, 2), F(value)], [F(0), F(value, 2)]]
    hawks = min(F(1), F(value, cost))
    assert stable_states(payoffs) == [(hawks, 1 - hawks)]
    assert replicated(payoffs) == pytest.approx([float(hawks), float(1 - hawks)], abs=1e-5)
    pure = {each.state: each.dynamics for each in rest_points(payoffs)}
    assert pure[F(0), F(1)] == UNSTABLE


def test_stability_of_known_games() -> None:
    assert stable_states(rows([3, 0], [5, 1])) == [(0, 1)]
    # Stag hunt: both conventions are stable, the mixture between them is not.
    hunt = rest_points(rows([4, 0], [3, 3]))
    assert [(each.state, each.stable, each.dynamics) for each in hunt] == [
        ((1, 0), True, STABLE),
        ((0, 1), True, STABLE),
        ((F(3, 4), F(1, 4)), False, UNSTABLE),
    ]
    assert replicated(rows([4, 0], [3, 3]), [0.8, 0.2]) == [1.0, 0.0]
    assert replicated(rows([4, 0], [3, 3]), [0.7, 0.3]) == [0.0, 1.0]


def test_rock_paper_scissors_has_a_center_unless_wins_count_more() -> None:
    def center(win: int) -> tuple[bool, str]:
        points = rest_points(rows([0, -1, win], [win, 0, -1], [-1, win, 0]))
        found = next(each for each in points if each.state == (F(1, 3),) * 3)
        return found.stable, found.dynamics

    assert center(1) == (False, NEUTRAL)
    assert center(2) == (True, STABLE)  # wins weigh more than losses: paths spiral inwards
    payoffs = rows([0, -2, 1], [1, 0, -2], [-2, 1, 0])
    assert next(each for each in rest_points(payoffs) if all(each.state)).dynamics == UNSTABLE


def test_an_ess_is_also_tested_against_best_replies_outside_its_support() -> None:
    # The second option replies as well to the first one as the first itself: only the second condition tells.
    assert stable_states(rows([1, 1], [1, 0])) == [(1, 0)]
    assert stable_states(rows([1, 1], [1, 2])) == [(0, 1)]
    assert stable_states(rows([1, 1], [1, 1])) == []


def test_copositive_forms_need_not_be_positive_definite() -> None:
    assert strictly_copositive(rows([1, 5], [5, 1]))
    assert not strictly_copositive(rows([1, -1], [-1, 1]))
    assert not strictly_copositive(rows([1, -2], [-2, 3]))
    assert strictly_copositive([])


@pytest.mark.parametrize("seed", range(12))
def test_stability_equals_a_search_over_a_grid_of_mutants(seed: int) -> None:
    payoffs = [[cell[0] for cell in row] for row in drawn_table(seed, 3, 3).cells]
    pairs = [(one, two) for one, two in product(range(25), repeat=2) if one + two <= 24]
    grid = [(F(one, 24), F(two, 24), F(24 - one - two, 24)) for one, two in pairs]

    def paid(mine: tuple[F, ...], theirs: tuple[F, ...]) -> F:
        return sum((mine[i] * theirs[j] * payoffs[i][j] for i, j in product(range(3), repeat=2)), F(0))

    for point in rest_points(payoffs):
        mutants = [each for each in grid if each != point.state]
        stable = all(
            (paid(point.state, point.state), paid(point.state, each)) > (paid(each, point.state), paid(each, each))
            for each in mutants
        )
        # The grid contains the pure options, so that it finds every invader of these small numbers.
        assert point.stable == stable, (payoffs, point)


def test_only_symmetric_tables_have_populations() -> None:
    law = game("battle-of-the-sexes").spec.law
    assert isinstance(law, Matrix)
    assert evolution(law) == {}
    found = solutions(game("prisoners-dilemma").spec.law)["evolution"]
    assert found["from_equal_shares"] == {"defect": 1.0}


def by_closed_formula(law: Matrix) -> set[Any]:
    """Return the equilibria of a strictly ordinal 2x2 table: stable cells, and the one mixture if there is one."""
    (a, b), (c, d) = law.cells
    found = set()
    for row, column in product((0, 1), repeat=2):
        own, other, beside = law.cells[row][column], law.cells[1 - row][column], law.cells[row][1 - column]
        if own[0] > other[0] and own[1] > beside[1]:
            found.add((tuple(F(row == each) for each in (0, 1)), tuple(F(column == each) for each in (0, 1))))
    upper = (d[1] - c[1], a[1] - b[1])  # weights of both rows that leave the column player indifferent
    left = (d[0] - b[0], a[0] - c[0])
    if upper[0] * upper[1] > 0 and left[0] * left[1] > 0:
        one, two = (F(each[0], sum(each)) for each in (upper, left))
        found.add(((one, 1 - one), (two, 1 - two)))
    return found


def test_extreme_equilibria_of_the_atlas_are_those_of_closed_formulas() -> None:
    for each in games():
        law = atlas_table(each, ("Ada", "Bob"))
        found = extreme_equilibria(table_of(law))
        assert found is not None
        assert not found.degenerate
        assert set(found.pairs) == by_closed_formula(law)


@pytest.mark.parametrize("seed", range(10))
def test_extreme_equilibria_are_equilibria(seed: int) -> None:
    law = drawn_table(seed, 3, 4)
    found = extreme_equilibria(table_of(law))
    assert found is not None
    assert set(mixed(table_of(law))) <= set(found.pairs)
    assert found.degenerate or set(mixed(table_of(law))) == set(found.pairs)
    for one, two in found.pairs:
        value = expected(table_of(law), (one, two))
        for place in range(3):
            assert expected(table_of(law), (tuple(F(place == each) for each in range(3)), two))[0] <= value[0]
        for place in range(4):
            assert expected(table_of(law), (one, tuple(F(place == each) for each in range(4))))[1] <= value[1]


def test_a_degenerate_table_has_equilibria_of_unequal_supports() -> None:
    # Rows are indifferent between their options at v; columns prefer v as long as a has at least a half.
    law = table([[(1, 1), (0, 0)], [(1, 0), (2, 1)]])
    found = solutions(law)
    assert found["degenerate"] is True
    assert found["further_equilibria"] == [{"weights": [{"a": 0.5, "b": 0.5}, {"v": 1.0}], "payoffs": [1.0, 0.5]}]
    assert "further_equilibria" not in solutions(game("chicken").spec.law)
