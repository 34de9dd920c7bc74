"""Social graph: pooling over any number of layers, views along edges, and the adjacency that agents observe."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grid_games import GameError
from grid_games.core.graph import SocialGraph
from tests.unit.grid_games.play import CALM


def graph(*sizes: int, slots: int = 1) -> SocialGraph:
    return SocialGraph(1, sizes, slots)


def enrol(made: SocialGraph, layer: int, node: int, slot: int, group: int, weight: float = 1.0) -> None:
    made.member[layer][0, node, slot] = group
    made.weight[layer][0, node, slot] = weight


def test_no_group_no_pooling() -> None:
    rewards = np.array([[1.0, -2.0]])
    assert graph(2, 2).pool(rewards).tolist() == [[1, -2]]


def test_a_group_pays_by_weight_gains_and_losses() -> None:
    made = graph(3, 2)
    enrol(made, 0, 0, 0, 1, 3.0)
    enrol(made, 0, 1, 0, 1, 1.0)
    assert made.pool(np.array([[8.0, 0.0, 5.0]])).tolist() == [[6, 2, 5]]
    assert made.pool(np.array([[0.0, -4.0, 5.0]])).tolist() == [[-3, -1, 5]]


def test_who_is_in_two_groups_puts_half_into_each() -> None:
    made = graph(3, 2, slots=2)
    enrol(made, 0, 0, 0, 0)
    enrol(made, 0, 0, 1, 1)
    enrol(made, 0, 1, 0, 0)
    enrol(made, 0, 2, 0, 1)
    assert made.pool(np.array([[8.0, 0.0, 0.0]])).tolist() == [[4, 2, 2]]
    assert made.pool(np.array([[0.0, 8.0, 0.0]])).tolist() == [[4, 4, 0]]


def test_groups_of_groups_pass_on_and_pay_back() -> None:
    made = graph(4, 3, 2)
    for agent, group in enumerate([0, 0, 1, 2]):
        enrol(made, 0, agent, 0, group)
    enrol(made, 1, 0, 0, 1, 3.0)
    enrol(made, 1, 1, 0, 1, 1.0)
    assert made.pool(np.array([[8.0, 0.0, 0.0, 1.0]])).tolist() == [[3, 3, 2, 1]]


def test_a_group_without_members_is_paid_nothing() -> None:
    made = graph(1, 2, 1)
    enrol(made, 0, 0, 0, 0)
    enrol(made, 1, 0, 0, 0)
    enrol(made, 1, 1, 0, 0, 9.0)
    assert made.pool(np.array([[8.0]])).tolist() == [[8]]


@CALM
@given(st.integers(0, 2**31), st.integers(1, 4), st.integers(1, 3))
def test_pooling_keeps_the_total_of_each_environment(seed: int, layers: int, slots: int) -> None:
    dice = np.random.default_rng(seed)
    made = SocialGraph(3, tuple(int(each) for each in dice.integers(1, 7, layers)), slots)
    for layer, groups in enumerate(made.member):
        groups[:] = _distinct(dice, groups.shape, made.sizes[layer + 1])
        made.weight[layer][:] = dice.uniform(0.1, 2, groups.shape)
    rewards = dice.integers(-9, 9, (3, made.sizes[0])).astype(float)
    assert np.allclose(made.pool(rewards).sum(axis=1), rewards.sum(axis=1))


def _distinct(dice: np.random.Generator, shape: tuple[int, ...], groups: int) -> np.ndarray:
    """Return memberships in which no node has the same group twice; -1 stands for no group."""
    picks = np.full(shape, -1)
    for environment, node in np.ndindex(shape[:2]):
        count = int(dice.integers(0, min(shape[2], groups) + 1))
        picks[environment, node, :count] = dice.permutation(groups)[:count]
    return picks


def test_views_go_along_edges_and_between_groups_to_all_beneath() -> None:
    made = graph(4, 2)
    made.toggle(np.array([0]), np.array([0]), np.array([3]))
    for agent, group in enumerate([0, 0, 1, -1]):
        enrol(made, 0, agent, 0, group)
    assert np.argwhere(made.views()[0]).tolist() == [[0, 3]]
    made.shares[1][0, 0, 1] = True
    assert np.argwhere(made.views()[0]).tolist() == [[0, 2], [0, 3], [1, 2]]


def test_the_adjacency_shows_who_gives_and_who_receives() -> None:
    made = graph(3, 1)
    made.toggle(np.array([0]), np.array([0]), np.array([2]))
    enrol(made, 0, 0, 0, 0, 3.0)
    enrol(made, 0, 1, 0, 0, 1.0)
    assert made.adjacency()[0].tolist() == [[0, 0, 0, 0.75], [0, 0, 0, 0.25], [1, 0, 0, 0], [1, 1, 0, 0]]


def test_joining_another_group_leaves_the_first_and_minus_one_leaves() -> None:
    made, at = graph(2, 2), (np.array([0]), np.array([0]))
    made.join(*at, np.array([1]))
    made.join(*at, np.array([0]))
    assert made.belongs()[0].tolist() == [[True, False], [False, False]]
    made.join(*at, np.array([-1]))
    assert not made.belongs().any()


def test_edges_and_memberships_of_groups_are_made_and_broken_like_those_of_agents() -> None:
    made, at = graph(2, 2, 1), np.array([0])
    for agent in (0, 1):
        made.join(at, np.array([agent]), np.array([agent]))
        made.join(at, np.array([agent]), np.array([0]), layer=1)
    made.toggle(at, np.array([0]), np.array([1]), layer=1)
    rewards = np.array([[6.0, 0.0]])
    assert made.pool(rewards).tolist() == [[3, 3]]
    assert np.argwhere(made.views()[0]).tolist() == [[0, 1]]
    made.toggle(at, np.array([0]), np.array([1]), layer=1)
    made.join(at, np.array([1]), np.array([-1]), layer=1)
    assert made.pool(rewards).tolist() == [[6, 0]]
    assert not made.views().any()


def test_a_template_of_other_layers_does_not_fit() -> None:
    with pytest.raises(GameError, match=r"layers \(2, 2\) does not fit a graph of layers \(3, 1\)"):
        graph(3, 1).copy_from(graph(2, 2), np.array([0]))
