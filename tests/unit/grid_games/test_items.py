"""Picking, dumping and producing: requirements, capacities, and rewards."""

from __future__ import annotations

import numpy as np
import pytest

from grid_games import Batch, load
from tests.unit.grid_games.play import PRODUCE, act, empty, event, give, number, place, put


def carried(batch: Batch, agent: int, name: str) -> int:
    return int(batch.inventory[0, agent, batch.game.resource(name)])


def on_ground(batch: Batch, cell: int, name: str) -> int:
    return int(batch.world.piles[cell, batch.game.resource(name)])


def test_a_pick_takes_one_unit_and_pays_its_value() -> None:
    batch = empty(1)
    place(batch, 12)
    put(batch, 12, wood=3)
    step = act(batch, "pick wood")
    assert (carried(batch, 0, "wood"), on_ground(batch, 12, "wood")) == (1, 2)
    assert step.rewards[0].tolist() == [1.0]


def test_a_dump_lays_one_unit_on_top_of_what_is_there_and_costs_its_value() -> None:
    batch = empty(1)
    place(batch, 12)
    put(batch, 12, wood=3)
    give(batch, 0, totem=2)
    step = act(batch, "dump totem")
    assert (carried(batch, 0, "totem"), on_ground(batch, 12, "totem"), on_ground(batch, 12, "wood")) == (1, 1, 3)
    assert step.rewards[0].tolist() == [-1000.0]


@pytest.mark.parametrize(
    ("kind", "tool"), [("coal", "hammer"), ("iron", "torch"), ("gem_mine", "pickaxe"), ("clay", "shovel")]
)
def test_what_needs_a_tool_is_hidden_and_out_of_reach_without_it(kind: str, tool: str) -> None:
    batch = empty(1)
    place(batch, 12)
    put(batch, 12, **{kind: 1})
    layer = 2 + len(batch.game.resources) + batch.game.resource(kind)
    assert not batch.mask[0, 0, number(batch, f"pick {kind}")]
    assert batch.windows()["grid"][0, 0, 12, layer] == 0
    act(batch, f"pick {kind}")
    assert (carried(batch, 0, kind), int(batch.refused[0, 0])) == (0, 1)
    give(batch, 0, **{tool: 1})
    assert batch.windows()["grid"][0, 0, 12, layer] == 1
    act(batch, f"pick {kind}")
    assert (carried(batch, 0, kind), carried(batch, 0, tool)) == (1, 1)


@pytest.mark.parametrize(
    ("name", "inputs", "tools", "makes"),
    [
        ("hammer_craft", {"wood": 1, "stone": 1}, {}, "hammer"),
        ("torch_craft", {"wood": 1, "coal": 1}, {}, "torch"),
        ("steelmaking", {"iron": 1, "coal": 1}, {}, "steel"),
        ("potting", {"clay": 2, "coal": 1}, {}, "pottery"),
        ("shovel_craft", {"steel": 2, "wood": 2}, {}, "shovel"),
        ("pickaxe_craft", {"steel": 3, "wood": 2}, {}, "pickaxe"),
        ("cutter_craft", {"steel": 2, "stone": 3}, {}, "cutter"),
        ("gem_cutting", {"gem_mine": 1}, {"cutter": 1}, "gem"),
        ("totem_making", {"gem": 2, "pottery": 1, "steel": 1}, {}, "totem"),
    ],
)
def test_table_5(name: str, inputs: dict[str, int], tools: dict[str, int], makes: str) -> None:
    batch = empty(1)
    place(batch, 12)
    event(batch, 12, name)
    give(batch, 0, **inputs, **tools)
    for missing in [*inputs, *tools]:
        give(batch, 0, **{missing: {**inputs, **tools}[missing] - 1})
        assert not batch.mask[0, 0, PRODUCE]
        give(batch, 0, **{missing: {**inputs, **tools}[missing]})
    act(batch, "produce")
    assert [carried(batch, 0, each) for each in inputs] == [0] * len(inputs)
    assert [carried(batch, 0, each) for each in tools] == list(tools.values())
    assert carried(batch, 0, makes) == 1
    assert batch.executions[0, 0].sum() == 1


def test_the_variant_uses_the_cutter_up() -> None:
    batch = Batch(load("ada-exploration", "consume-cutter"), [0, 1])
    cell = int(batch.world.at[0])
    event(batch, cell, "gem_cutting")
    give(batch, 0, gem_mine=1, cutter=1)
    act(batch, "produce", *["stay"] * 7)
    assert (carried(batch, 0, "gem"), carried(batch, 0, "cutter")) == (1, 0)


def test_an_event_is_shown_only_to_who_meets_its_requirement() -> None:
    batch = empty(2)
    place(batch, 12, 13)
    event(batch, 12, "gem_cutting")
    give(batch, 0, cutter=1)
    give(batch, 1, cutter=1, gem_mine=1)
    gem, mine = batch.game.resource("gem"), batch.game.resource("gem_mine")
    grid = batch.windows()["grid"][0]
    assert not grid[0, :, 2:17].any()
    assert (grid[1, 11, 2 + gem], grid[1, 11, 2 + mine]) == (1, -1)
    assert np.count_nonzero(grid[1, :, 2:17]) == 2


def test_capacity_stops_picks_and_products() -> None:
    batch = Batch(load("ada-contract"), [0, 1])
    batch.time[:] = 20
    carpenter, miner = 0, 2
    cell = int(batch.world.at[carpenter])
    event(batch, cell, "hammer_craft")
    put(batch, cell, hammer=1)
    give(batch, carpenter, wood=2, stone=2)
    act(batch, "produce", "stay", "stay", "stay")
    assert carried(batch, carpenter, "hammer") == 1
    assert not batch.mask[0, carpenter, PRODUCE]
    assert not batch.mask[0, carpenter, number(batch, "pick hammer")]
    place(batch, 0, 1, 2, 3)
    put(batch, 2, wood=1, hammer=9)
    give(batch, miner, hammer=50)
    assert not batch.mask[0, miner, number(batch, "pick wood")]
    assert batch.mask[0, miner, number(batch, "pick hammer")]


def test_table_7_values_and_capacities() -> None:
    hard, easy = Batch(load("ada-contract-hard"), [0]), Batch(load("ada-contract"), [0])
    assert easy.tables.value.tolist() == [[1, 1, 5]] * 2 + [[1, 1, 10]] * 2
    assert hard.tables.value.tolist() == [[1, 1, 5, 10, 30, 20]] * 8
    assert (easy.tables.capacity < 2**30).tolist() == [[False, False, True]] * 2 + [[True, True, False]] * 2
    caps = np.where(hard.tables.capacity < 2**30, hard.tables.capacity, -1)
    assert caps[[0, 3]].tolist() == [[-1, -1, 1, 0, -1, -1]] * 2
    assert caps[[4, 7]].tolist() == [[-1, 0, -1, -1, 1, 0]] * 2


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("ada-social-structure", 18),
        ("ada-contract", 16),
        ("ada-contract-hard", 26),
        ("ada-negotiation", 27),
        ("ada-negotiation-hard", 37),
        ("ada-exploration", 60),
    ],
)
def test_the_number_of_actions(name: str, count: int) -> None:
    batch = Batch(load(name), [0])
    assert len(batch.actions) == count
    assert [str(each) for each in batch.actions[:8]] == [
        *("up", "down", "left", "right", "stay", "produce", "pick wood", "pick stone")
    ]


@pytest.mark.parametrize("name", ["ada-contract", "ada-contract-hard", "ada-social-structure", "ada-exploration"])
def test_an_episode_is_laid_out_as_the_tables_say(name: str) -> None:
    game = load(name)
    batch = Batch(game, range(3))
    kinds = batch.world.kind.reshape(3, -1)
    for environment in range(3):
        counts = np.bincount(kinds[environment], minlength=len(game.recipes) + 1)[1:]
        assert counts.tolist() == list(game.events)
    piles = batch.world.piles.reshape(3, game.cells, -1)
    for pile in game.piles:
        heaps = piles[..., game.resource(pile.resource)]
        assert ((heaps > 0).sum(axis=1) == pile.count).all()
        assert set(heaps[heaps > 0].tolist()) == {pile.amount}
    assert ((piles > 0).sum(axis=2) <= 1).all()
    blocks = batch.world.cells[:, 0, 1].reshape(3, -1)
    assert (blocks.sum(axis=1) == game.blocks).all()
    taken = (piles.sum(axis=2) > 0) | (kinds > 0)
    assert not (taken & (blocks > 0)).any()
