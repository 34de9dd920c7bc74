"""Views of agents: the window on the torus, the whole map through shared views, and no tools of others."""

from __future__ import annotations

import numpy as np

from grid_games import Batch, load, observe
from grid_games.core.tables import LAYERS
from tests.unit.grid_games.play import act, empty, event, give, place, put


def test_the_window_is_centred_and_wraps() -> None:
    batch = empty(2, size=(9, 9))
    place(batch, 0, 80)
    put(batch, 8 * 9 + 1, wood=4)
    grid = batch.windows()["grid"][0, 0].reshape(5, 5, -1)
    assert grid[2, 2, 0] == 1
    assert grid[1, 1, 0] == 2
    assert grid[1, 3, LAYERS + 15] == 4
    assert np.count_nonzero(grid) == 3


def test_the_whole_map_is_centred_and_empty_where_nobody_looks() -> None:
    batch = empty(2, size=(9, 9))
    place(batch, 0, 40)
    put(batch, 40, wood=4)
    grid = batch.grid()["grid"][0, 0]
    assert grid.shape == (32, 9, 9)
    assert grid[0, 4, 4] == 1
    assert np.count_nonzero(grid) == 1


def test_a_shared_view_shows_what_the_sharer_sees_with_its_own_tools_and_flows_one_way() -> None:
    batch = empty(2, size=(9, 9))
    place(batch, 0, 40)
    put(batch, 40, coal=4)
    event(batch, 41, "torch_craft")
    give(batch, 1, hammer=1, coal=1)
    coal = LAYERS + 15 + batch.game.resource("coal")
    assert batch.grid()["grid"][0, 0, coal].sum() == 0
    act(batch, "stay", "share 0")
    here, there = batch.grid()["grid"][0]
    # Seen from (0, 0) in the centre, (4, 4) is in the corner.
    assert here[coal, 8, 8] == 4
    assert here[0, 8, 8] == 2
    assert here[LAYERS + batch.game.resource("torch"), 8, 0] == 1
    assert np.count_nonzero(there[0]) == 1
    act(batch, "stay", "share 0")
    assert batch.grid()["grid"][0, 0, coal].sum() == 0


def test_tools_of_two_sharers_do_not_add_up() -> None:
    batch = empty(3, size=(9, 9))
    place(batch, 0, 40, 41)
    event(batch, 42, "gem_cutting")
    give(batch, 1, cutter=1)
    give(batch, 2, gem_mine=1)
    gem = LAYERS + batch.game.resource("gem")
    act(batch, "stay", "share 0", "share 0")
    assert batch.grid()["grid"][0, 0, gem].sum() == 0
    give(batch, 2, cutter=1)
    assert batch.grid()["grid"][0, 0, gem].sum() == 1


def test_whole_map_and_window_agree_where_nothing_is_shared() -> None:
    batch = Batch(load("ada-social-structure", settings={"structure": "isolation"}), [3])
    grid = batch.grid()["grid"][0]
    window = np.moveaxis(batch.windows()["grid"][0].reshape(8, 5, 5, -1), -1, 1)
    assert np.array_equal(grid[:, :, 5:10, 5:10], window)
    grid = grid.copy()
    grid[:, :, 5:10, 5:10] = 0
    assert not grid.any()


def test_an_observation_has_the_parts_and_shapes_of_the_specification() -> None:
    shapes = {
        name: {part: array.shape[2:] for part, array in observe(Batch(load(name), [0])).items()}
        for name in ("ada-contract", "ada-negotiation", "ada-social-structure", "ada-exploration")
    }
    common = {"inventory": (3,), "time": (1,)}
    assert shapes["ada-contract"] == {
        **common, "grid": (8, 7, 7), "social_state": (8, 8), "player_id": (8,), "action_mask": (16,)
    }  # fmt: skip
    talk = dict.fromkeys(("communication", "proposal", "final_split", "available_player"), (4,))
    assert shapes["ada-negotiation"] == {
        **common, **talk, "grid": (8, 7, 7), "social_state": (4, 4), "player_id": (4,), "action_mask": (27,)
    }  # fmt: skip
    assert shapes["ada-social-structure"]["grid"] == (14, 15, 15)
    assert shapes["ada-exploration"]["grid"] == (32, 20, 20)
    assert shapes["ada-exploration"]["communication"] == (8, 3)


def test_observations_are_copies() -> None:
    batch = Batch(load("ada-exploration"), [0])
    parts = observe(batch)
    before = {name: array.tobytes() for name, array in parts.items()}
    for array in parts.values():
        array[...] = 1
    assert {name: array.tobytes() for name, array in observe(batch).items()} == before
