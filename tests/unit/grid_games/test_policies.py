"""Reference policies reach the specification's figures, take only allowed actions, and repeat by seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grid_games import Batch, FinishedEpisode, load, names
from grid_games.measures import completion, fairness, score
from grid_games.oracle import plan_of
from grid_games.policies import POLICIES, Greedy, GridPolicy, OraclePlan, RandomPolicy
from grid_games.policies.random import draw
from tests.unit.grid_games.play import CALM


def episodes(name: str, policy: GridPolicy, seeds: range, **changes: int) -> tuple[FinishedEpisode, ...]:
    """Return one episode for each seed and check that every action is allowed."""
    batch = Batch(load(name, **changes), seeds)
    while True:
        step = batch.step(policy.act(batch))
        if step.episodes:
            assert not batch.refused.any()
            return step.episodes


def digest(episode: FinishedEpisode) -> list[bytes]:
    return [each.tobytes() for each in (episode.rewards, episode.inventory, episode.executions)]


def scores(name: str, policy: GridPolicy, seeds: range) -> list[float]:
    total = plan_of(load(name)).total
    return [score(each.rewards, total) for each in episodes(name, policy, seeds)]


@pytest.mark.parametrize(
    ("name", "published", "within"),
    [
        ("ada-contract", 0.0046, 0.002),
        ("ada-contract-hard", 0.0021, 0.0008),
        ("ada-negotiation", 0.0040, 0.002),
        ("ada-negotiation-hard", 0.0020, 0.0008),
    ],
)
def test_random_masked_play_scores_as_published(name: str, published: float, within: float) -> None:
    assert np.mean(scores(name, RandomPolicy(1), range(200))) == pytest.approx(published, abs=within)


@pytest.mark.parametrize(("name", "point"), [("ada-contract", 46 / 200), ("ada-contract-hard", 112 / 940)])
@pytest.mark.parametrize("social", ["contract", "negotiation"])
def test_loners_come_to_the_point_without_trade(name: str, point: float, social: str) -> None:
    mean = np.mean(scores(name.replace("contract", social), Greedy(1), range(12)))
    assert 0.93 * point < mean <= point


@pytest.mark.parametrize("social", ["contract", "negotiation"])
def test_traders_reach_above_nine_tenths(social: str) -> None:
    for name in (f"ada-{social}", f"ada-{social}-hard"):
        played = episodes(name, OraclePlan(1), range(6))
        plan = plan_of(load(name))
        assert np.mean([score(each.rewards, plan.total) for each in played]) > 0.9
        assert [fairness(each.rewards) for each in played] == pytest.approx([1.0] * 6)
        assert completion(load(name), played[0].executions, plan.executions)["hammer_craft"] == pytest.approx(
            1, abs=0.1
        )


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_plays_every_game_by_its_seed(name: str, policy: str) -> None:
    first, again = ([*map(digest, episodes(name, POLICIES[policy](1), range(2), steps=70))] for _ in range(2))
    assert first == again


@CALM
@given(st.integers(0, 2**31), st.integers(1, 40), st.sampled_from([3, 60, 200]))
def test_draws_are_allowed(seed: int, rows: int, columns: int) -> None:
    dice = np.random.default_rng(seed)
    mask = dice.random((rows, columns)) < 0.05
    mask[np.arange(rows), dice.integers(columns, size=rows)] = True
    drawn = draw(mask, dice)
    assert mask[np.arange(rows), drawn].all()


@pytest.mark.parametrize("columns", [10, 300])
def test_draws_are_even(columns: int) -> None:
    mask = np.zeros((6000, columns), np.bool_)
    mask[:, [1, 4, 7]] = True
    counts = np.bincount(draw(mask, np.random.default_rng(0)), minlength=columns)
    assert counts[[1, 4, 7]].sum() == 6000
    assert (abs(counts[[1, 4, 7]] - 2000) < 200).all()
