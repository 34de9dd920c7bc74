"""Moves: the torus, blocks, swaps, chains, rings, contested cells, and the consequences of a loser that stays."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grid_games.core.dice import draws
from tests.unit.grid_games.play import CALM, DOWN, LEFT, RIGHT, STAY, UP, act, empty, place, places

# On 5 x 5 the cell below c is c + 5, and the one to the right c + 1.


@pytest.mark.parametrize(
    ("before", "moves", "after"),
    [
        ([12, 0], [UP, STAY], [7, 0]),
        ([12, 0], [DOWN, STAY], [17, 0]),
        ([12, 0], [LEFT, STAY], [11, 0]),
        ([12, 0], [RIGHT, STAY], [13, 0]),
        ([2, 10], [UP, LEFT], [22, 14]),
        ([12, 13], [RIGHT, LEFT], [13, 12]),
        ([12, 13], [RIGHT, STAY], [12, 13]),
        ([12, 13, 14], [RIGHT, RIGHT, UP], [13, 14, 9]),
        ([12, 13, 14], [RIGHT, RIGHT, STAY], [12, 13, 14]),
        ([6, 7, 12, 11], [RIGHT, DOWN, LEFT, UP], [7, 12, 11, 6]),
        ([0, 1, 2, 3, 4], [RIGHT] * 5, [1, 2, 3, 4, 0]),
        ([0, 1, 2, 3, 4], [RIGHT] * 4 + [STAY], [0, 1, 2, 3, 4]),
    ],
    ids=[
        *("up", "down", "left", "right", "around the edge", "swap", "into one that stays"),
        *("chain", "blocked chain", "ring", "ring around the torus", "broken ring"),
    ],
)
def test_moves(before: list[int], moves: list[int], after: list[int]) -> None:
    batch = empty(len(before))
    place(batch, *before)
    act(batch, *moves)
    assert places(batch) == after


def test_a_block_stops() -> None:
    batch = empty(1, blocks=24)
    assert not batch.mask[0, 0, :4].any()
    start = places(batch)
    act(batch, RIGHT)
    assert places(batch) == start
    assert batch.refused[0].tolist() == [1]


def test_a_contested_cell_goes_to_one_at_random_and_alike() -> None:
    won = Counter[int]()
    for seed in range(300):
        batch = empty(3)
        batch.reset(seeds=[seed, 1])
        place(batch, 11, 13, 7)
        act(batch, RIGHT, LEFT, DOWN)
        winners = [agent for agent, cell in enumerate(places(batch)) if cell == 12]
        assert len(winners) == 1
        assert sorted(places(batch))[0] in (7, 11)
        won[winners[0]] += 1
    assert all(70 <= count <= 130 for count in won.values()), won


def test_a_loser_closes_its_cell_for_who_follows() -> None:
    outcomes = set()
    for seed in range(20):
        batch = empty(3)
        batch.reset(seeds=[seed, 1])
        place(batch, 11, 13, 10)
        act(batch, RIGHT, LEFT, RIGHT)
        outcomes.add(tuple(places(batch)))
    assert outcomes == {(12, 13, 11), (11, 12, 10)}


def test_the_winner_of_a_cell_whose_occupant_is_stopped_is_stopped_too_and_nobody_follows() -> None:
    batch = empty(4)
    place(batch, 11, 17, 12, 13)
    act(batch, RIGHT, UP, RIGHT, STAY)
    assert places(batch) == [11, 17, 12, 13]


@CALM
@given(st.integers(0, 2**32), st.integers(2, 24), st.data())
def test_nobody_shares_a_cell_and_movers_only_go_next_door(seed: int, agents: int, data: st.DataObject) -> None:
    batch = empty(agents)
    batch.reset(seeds=[seed, 1])
    before = np.array(places(batch))
    moves = data.draw(st.lists(st.integers(UP, STAY), min_size=agents, max_size=agents))
    act(batch, *moves)
    after = np.array(places(batch))
    assert len(set(after)) == agents
    aimed = np.where(np.array(moves) == STAY, before, batch.tables.neighbours[before, np.minimum(moves, 3)])
    assert ((after == aimed) | (after == before)).all()
    # No move is refused without a reason: an agent that did not arrive finds its target cell occupied.
    assert all(after[agent] == aimed[agent] or aimed[agent] in after for agent in range(agents))
    layer = batch.world.cells[: batch.game.cells, :, 0]
    assert layer[after].T.tolist() == [list(range(1, agents + 1))] * 2
    assert np.count_nonzero(layer) == 2 * agents


def test_lots_differ_and_are_even() -> None:
    numbers = draws(np.full(4000, 17, np.uint64), np.arange(4000))
    assert len(set(numbers.tolist())) == 4000
    assert 1900 < np.count_nonzero(numbers >> np.uint64(63)) < 2100
