"""The scripted planner: a perfect model above the controller comes near the oracle."""

from __future__ import annotations

import pytest

from tests.unit.grid_games.planning.planned import play_scripted


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_perfect_planner_reaches_the_oracle_in_contract_easy(seed: int) -> None:
    found = play_scripted("ada-contract", seed)
    assert found.score >= 0.9
    assert found.refused == 0
    # One answer a step would be 420.
    assert sum(found.plans.values()) <= 120


def test_a_perfect_planner_negotiates_and_reaches_the_oracle() -> None:
    found = play_scripted("ada-negotiation", 0)
    assert found.score >= 0.9
    assert found.refused == 0


def test_plans_that_are_reviewed_more_often_are_no_worse() -> None:
    often, seldom = (play_scripted("ada-contract", 1, review) for review in (2, 60))
    assert min(often.score, seldom.score) >= 0.9
    assert sum(often.plans.values()) > 2 * sum(seldom.plans.values())
