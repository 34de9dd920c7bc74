"""Totals and plans of the oracle, points reachable without trade, and measures derived from them."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grid_games import Batch, load
from grid_games.core.graph import SocialGraph
from grid_games.measures import completion, degrees, fairness, score, split_ratio
from grid_games.oracle import no_trade, plan_of, solve
from tests.unit.grid_games.play import CALM

KNOWN = [
    ("ada-contract", (), 200),
    ("ada-negotiation", (), 200),
    ("ada-contract-hard", (), 940),
    ("ada-negotiation-hard", (), 940),
    ("ada-social-structure", (), 1000),
    ("ada-exploration", (), 14878),
    ("ada-exploration", ("consume-cutter",), 12785),
]


@pytest.mark.parametrize(("name", "chosen", "total"), KNOWN)
def test_the_solver_finds_the_totals_and_the_stored_plans_are_worth_them(
    name: str, chosen: tuple[str, ...], total: int
) -> None:
    game = load(name, *chosen)
    assert solve(game).total == total
    plan = plan_of(game)
    assert plan.total == total
    tables = Batch(game, [0]).tables
    stock = np.zeros(tables.resources)
    for pile in game.piles:
        stock[game.resource(pile.resource)] += pile.count * pile.amount
    runs = np.array([plan.executions[recipe.name] for recipe in game.recipes])
    left = stock + runs @ tables.net[1 + 2 * tables.resources :]
    assert left.tolist() == [plan.left[each.name] for each in game.resources]
    assert left @ tables.value.max(axis=0) == total


def test_the_plans_of_the_specification() -> None:
    assert dict(plan_of(load("ada-contract-hard")).executions) == {"hammer_craft": 20, "torch_craft": 20}
    assert dict(plan_of(load("ada-social-structure")).executions) == {"hammer_craft": 40, "torch_craft": 20}
    assert list(plan_of(load("ada-exploration")).executions.values()) == [165, 1, 80, 19, 1, 16, 10, 20, 10]
    assert list(plan_of(load("ada-exploration", "consume-cutter")).executions.values()) == [
        140,
        1,
        80,
        19,
        3,
        8,
        20,
        20,
        10,
    ]


@pytest.mark.parametrize(("name", "total", "hammers"), [("ada-contract", 46, 2), ("ada-contract-hard", 112, 4)])
def test_without_trade_each_carpenter_makes_one_hammer(name: str, total: int, hammers: int) -> None:
    plan = no_trade(load(name))
    assert (plan.total, plan.executions["hammer_craft"]) == (total, hammers)


def test_another_stock_is_solved_anew() -> None:
    game = load("ada-contract", piles={"wood": [4, 5], "stone": [1, 5]})
    assert plan_of(game).total == 5 * 10 + 15


def test_what_is_hidden_needs_its_tool_made() -> None:
    # Without stone no hammer can be made: the coal stays in the ground, and no torch is made.
    game = load("ada-contract-hard", piles={"wood": [4, 5], "coal": [4, 5], "iron": [1, 5]})
    assert solve(game).total == 20


def test_without_scipy_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert plan_of(load("ada-contract")).total == 200
    with pytest.raises(ImportError, match=r"install the extra with pip install 'accord-mc\[rl\]'"):
        solve(load("ada-contract"))


@pytest.mark.parametrize(
    ("rewards", "expected"),
    [
        ([5, 5, 5, 5], 1),
        ([20, 0, 0, 0], 0.25),
        ([3, 1], 0.75),
        ([0, 0], 1),
        ([-3, 1], None),
        ([1, -1], None),
        ([1 / 3, 1 / 3, -2 / 3 + 1e-16], None),
    ],
)
def test_fairness(rewards: list[float], expected: float | None) -> None:
    assert fairness(np.array(rewards, float)) == pytest.approx(expected)


@CALM
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=9))
def test_fairness_lies_between_1_over_n_and_1(rewards: list[int]) -> None:
    found = fairness(np.array(rewards, float))
    assert found is not None
    assert 1 / len(rewards) - 1e-9 <= found <= 1


def test_completion_is_over_the_plan() -> None:
    game = load("ada-contract-hard")
    executions = np.zeros((8, 2), np.int32)
    executions[:5, 0] = 3
    assert completion(game, executions, plan_of(game).executions) == {"hammer_craft": 0.75, "torch_craft": 0}
    assert completion(game, executions, {"hammer_craft": 15}) == {"hammer_craft": 1, "torch_craft": None}


def test_the_score_is_the_mean_over_an_agents_part_of_the_total() -> None:
    assert score(np.array([46.0, 0, 0, 0]), 200) == pytest.approx(0.23)


def test_the_split_ratio_is_carpenters_over_miners() -> None:
    assert split_ratio(load("ada-negotiation"), np.array([0.3, 0.3, 0.2, 0.2])) == pytest.approx(1.5)
    assert split_ratio(load("ada-exploration"), np.ones(8)) is None


def test_degrees_count_edges_and_memberships_in_and_out() -> None:
    graph = SocialGraph(1, (4, 3))
    graph.toggle(np.array([0, 0, 0]), np.array([0, 0, 1]), np.array([1, 2, 2]))
    graph.join(np.array([0, 0]), np.array([2, 3]), np.array([1, 1]))
    found = degrees(graph, 0)
    assert (found["agent"].max_in, found["agent"].max_out) == (3, 2)
    assert (found["agent"].mean_in, found["agent"].mean_out, found["agent"].nodes) == (1.25, 1.25, 4)
    assert (found["group"].max_in, found["group"].mean_in, found["group"].nodes) == (2, 2, 1)
    assert degrees(SocialGraph(1, (2, 2)), 0)["group"].nodes == 0
