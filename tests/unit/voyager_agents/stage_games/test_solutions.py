"""Correlated equilibria, security levels and distance from equilibrium, against known values and scipy's solver."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from tests.unit.voyager_agents.stage_games.scene import PLAYERS, drawn_table, table
from tests.unit.voyager_agents.stage_games.scene import game as scenario
from voyager_agents.stage_games.atlas import games
from voyager_agents.stage_games.atlas_table import atlas_table
from voyager_agents.stage_games.correlated import best_and_worst, gains
from voyager_agents.stage_games.equilibria import expected, mixed, table_of
from voyager_agents.stage_games.normal_form import NoNormalFormError, NormalForm, normal_form
from voyager_agents.stage_games.played import play_measures
from voyager_agents.stage_games.security import own_payoffs, security
from voyager_agents.stage_games.solutions import solutions
from voyager_agents.stage_games.tables import Matrix


def form(name: str) -> NormalForm:
    return normal_form(scenario(name).spec.law)


def polytope(game: NormalForm) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the incentive constraints over all profiles and their totals, written down independently."""
    profiles = list(product(*(range(len(each)) for each in game.options)))
    rows = []
    for player, options in enumerate(game.options):
        for own, other in product(range(len(options)), repeat=2):
            row = []
            for profile in profiles:
                changed = list(profile)
                changed[player] = other
                gain = game.payoffs(tuple(changed))[player] - game.payoffs(profile)[player]
                row.append(float(gain) if profile[player] == own else 0.0)
            rows.append(row)
    return np.array(rows), np.array([float(sum(game.payoffs(profile))) for profile in profiles])


def total_by_scipy(game: NormalForm, sign: int) -> float:
    limits, totals = polytope(game)
    found = linprog(-sign * totals, A_ub=limits, b_ub=np.zeros(len(limits)), A_eq=np.ones((1, len(totals))), b_eq=[1.0])
    assert found.success
    return float(-sign * found.fun)


def check_against_scipy(game: NormalForm) -> None:
    best, worst = best_and_worst(game)
    for found, sign in ((best, 1), (worst, -1)):
        assert sum(found.weights.values()) == 1
        assert all(gain <= 0 for gain in gains(game, found.weights).values())
        assert float(found.total) == pytest.approx(total_by_scipy(game, sign), abs=1e-7)


def test_the_best_correlated_equilibrium_of_chicken_beats_every_nash_equilibrium() -> None:
    best, worst = best_and_worst(form("chicken"))
    # With payoffs 6, 2, 7, 0 (Aumann's example): half the time both swerve, a quarter of the time one of them.
    assert best.weights == {(0, 0): F(1, 2), (0, 1): F(1, 4), (1, 0): F(1, 4)}
    assert best.payoffs == (F(21, 4), F(21, 4))
    law = scenario("chicken").spec.law
    assert isinstance(law, Matrix)
    totals = [sum(expected(table_of(law), pair)) for pair in mixed(table_of(law))]
    assert best.total == F(21, 2) > max(totals)
    assert worst.total == F(36, 5) < min(totals)


def test_dominated_options_have_no_part_in_a_correlated_equilibrium() -> None:
    for name, profile in (("prisoners-dilemma", (1, 1)), ("n-player-prisoners-dilemma", (1, 1, 1, 1))):
        best, worst = best_and_worst(form(name))
        assert best.weights == worst.weights == {profile: 1}


def test_rock_paper_scissors_has_one_correlated_equilibrium() -> None:
    best, worst = best_and_worst(form("rock-paper-scissors"))
    assert set(best.weights.values()) == {F(1, 9)}
    assert len(best.weights) == 9
    assert best.weights == worst.weights


@pytest.mark.parametrize("name", ["volunteers-dilemma", "simultaneous-public-goods", "cost-sharing", "stag-hunt"])
def test_counts_of_options_are_enough_for_interchangeable_players(name: str) -> None:
    check_against_scipy(form(name))


@pytest.mark.parametrize(
    ("seed", "rows", "columns"), [(1, 2, 3), (2, 3, 3), (3, 4, 3), (4, 3, 4), (5, 4, 4), (6, 5, 2)]
)
def test_drawn_tables_have_the_optima_of_another_solver(seed: int, rows: int, columns: int) -> None:
    check_against_scipy(normal_form(drawn_table(seed, rows, columns)))


def test_every_nash_equilibrium_of_the_atlas_is_a_correlated_one() -> None:
    counted = 0
    for each in games():
        law = atlas_table(each, PLAYERS)
        found = normal_form(law)
        best, worst = best_and_worst(found)
        for one, two in mixed(table_of(law)):
            weights = {(row, column): one[row] * two[column] for row, column in product((0, 1), repeat=2)}
            assert all(gain <= 0 for gain in gains(found, weights).values())
            total = sum(expected(table_of(law), (one, two)))
            assert worst.total <= total <= best.total
            counted += 1
        assert float(best.total) == pytest.approx(total_by_scipy(found, 1))
    # 108 games with one pure equilibrium, 18 with two and a mixed one, 18 with a mixed one alone.
    assert counted == 108 + 18 * 3 + 18


def test_maximin_of_the_prisoners_dilemma_is_the_punishment() -> None:
    found = security(form("prisoners-dilemma"), 0)
    assert (found.value, found.strategy, found.pure, found.minimax) == (1, (0, 1), 1, 1)


def test_mixing_guarantees_more_than_single_options() -> None:
    pennies = security(normal_form(table([[(1, -1), (-1, 1)], [(-1, 1), (1, -1)]])), 0)
    assert (pennies.value, pennies.strategy, pennies.pure, pennies.minimax) == (0, (F(1, 2), F(1, 2)), -1, 1)
    # Battle of the sexes, 3 and 2: the favourite with 2/5 guarantees 6/5, although single options guarantee nothing.
    sexes = security(form("battle-of-the-sexes"), 0)
    assert (sexes.value, sexes.pure, sexes.minimax) == (F(6, 5), 0, 2)


@pytest.mark.parametrize("seed", range(8))
def test_maximin_equals_minimax_by_another_solver(seed: int) -> None:
    found = normal_form(drawn_table(seed, 3, 4))
    for player in (0, 1):
        rows = np.array([[float(each) for each in row] for row in own_payoffs(found, player)])
        held = linprog(  # The other player's side of the same game.
            [0.0] * rows.shape[1] + [1.0],
            A_ub=np.hstack([rows, -np.ones((rows.shape[0], 1))]),
            b_ub=np.zeros(rows.shape[0]),
            A_eq=[[1.0] * rows.shape[1] + [0.0]],
            b_eq=[1.0],
            bounds=[(0, None)] * rows.shape[1] + [(None, None)],
        )
        own = security(found, player)
        assert float(own.value) == pytest.approx(held.fun)
        assert own.pure <= own.value <= own.minimax


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("fishery", "a stock is carried from round to round"),
        ("volunteers-dilemma-private", "players have private types"),
        ("ultimatum-game", "later movers see earlier choices"),
        ("donor-game", "players change their positions"),
    ],
)
def test_games_without_a_normal_form_say_why(name: str, reason: str) -> None:
    law = scenario(name).spec.law
    with pytest.raises(NoNormalFormError, match=reason):
        normal_form(law)
    assert solutions(law) == {"skipped": {"normal form": reason}}
    assert play_measures(law, [{}]) == {}


def test_what_is_too_hard_is_left_out_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    law = drawn_table(11, 4, 4)
    monkeypatch.setattr("voyager_agents.stage_games.simplex.MAX_WORK", 10)
    found = solutions(law)
    too_hard = "the linear program is too hard"
    assert found["skipped"] == {"correlated equilibria": too_hard, "maximin": too_hard}
    assert "degenerate" in found
    rows = [{"Ada": "a", "Bob": "v"}]
    assert "exploitability" not in play_measures(law, rows)
    assert "best_response_gap" in play_measures(law, rows)


def test_options_that_the_game_does_not_have_are_no_choices() -> None:
    law = scenario("chicken").spec.law
    assert play_measures(law, [dict.fromkeys(law.players, "fly")]) == {}


def test_cooperators_in_the_prisoners_dilemma_are_exploitable() -> None:
    law = scenario("prisoners-dilemma").spec.law
    one, two = law.players
    found = play_measures(law, [{one: "cooperate", two: "defect"}] * 4)
    # Defection takes 5 from a cooperator, and is sure of 1; a defector leaves the other 1.
    assert found["exploitability"] == {one: 4.0, two: 0.0}
    assert found["best_response_gap"] == {one: 1.0, two: 0.0}
    assert found["nash_gap"] == {"": 1.0}
    assert found["correlated_gap"] == {one: 1.0, two: 0.0}
    assert found["equilibrium_distance"] == {"": 0.5}


def test_exploitability_in_a_zero_sum_game_is_the_loss_to_a_best_response() -> None:
    law = table([[(1, -1), (-1, 1)], [(-1, 1), (1, -1)]])
    found = play_measures(
        law, [{"Ada": "a", "Bob": "v"}, {"Ada": "a", "Bob": "w"}, {"Ada": "a", "Bob": "v"}, {"Ada": "b"}]
    )
    # Ada plays a with 3/4: the best response takes 3/4 - 1/4. Bob plays v with 2/3.
    assert found["exploitability"] == {"Ada": 0.5, "Bob": pytest.approx(1 / 3)}
    assert found["equilibrium_distance"] == {"": pytest.approx((1 / 4 + 1 / 6) / 2)}


def test_alternation_in_chicken_is_a_correlated_equilibrium_far_from_nash() -> None:
    law = scenario("chicken").spec.law
    one, two = law.players
    turns = [{one: "swerve", two: "straight"}, {one: "straight", two: "swerve"}] * 3
    found = play_measures(law, turns)
    assert set(found["correlated_gap"].values()) == {0.0}
    # Against a half the values are 4 (swerve) and 3.5 (straight); the mixture brings 3.75.
    assert found["best_response_gap"] == {one: 0.25, two: 0.25}
    assert found["equilibrium_distance"] == {"": pytest.approx(2 / 3 - 1 / 2)}


def test_distance_among_interchangeable_players_ignores_their_order() -> None:
    law = scenario("volunteers-dilemma").spec.law
    chosen = dict.fromkeys(law.players, "wait") | {law.players[2]: "volunteer"}
    found = play_measures(law, [chosen])
    assert found["nash_gap"] == {"": 0.0}
    assert found["equilibrium_distance"] == {"": 0.0}
    assert "exploitability" not in found
    # If nobody volunteers each player would gain by it, and one of four is not where an equilibrium has it.
    alone = play_measures(law, [dict.fromkeys(law.players, "wait")])
    assert alone["nash_gap"][""] == 4 * alone["best_response_gap"][law.players[0]] > 0
    assert alone["equilibrium_distance"] == {"": 0.25}


def test_joint_play_of_a_best_correlated_equilibrium_has_no_gap() -> None:
    law = scenario("chicken").spec.law
    rounds = [("swerve", "swerve")] * 2 + [("swerve", "straight"), ("straight", "swerve")]
    found = play_measures(law, [dict(zip(law.players, each, strict=True)) for each in rounds])
    assert set(found["correlated_gap"].values()) == {0.0}
    assert found["nash_gap"][""] > 0
