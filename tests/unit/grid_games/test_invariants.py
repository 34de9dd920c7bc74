"""Invariants of every game at every step of random play, and exactness of masks."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grid_games import Batch, load, names
from grid_games.core.tables import STAY
from grid_games.policies.random import RandomPolicy
from tests.unit.grid_games.play import CALM

GAMES = names()
MORE = [(name, ()) for name in GAMES] + [
    ("ada-exploration", ("consume-cutter",)),
    ("ada-contract-hard", ("code-miner",)),
    ("ada-negotiation", ("code-stage",)),
    ("ada-social-structure", ("code-map", "equal-edges")),
]
STRUCTURES = ("isolation", "connection", "independent", "overlapping", "inequality", "dynamic", "federation")
CROWDED: dict[str, dict[str, Any]] = {
    # Small dense maps, so that random play trades, crafts and collides.
    "ada-exploration": {
        "size": [6, 6],
        "blocks": 3,
        "piles": {"wood": [6, 9], "stone": [6, 9], "coal": [5, 9], "iron": [5, 9], "gem_mine": [4, 9], "clay": [4, 9]},
        "events": {
            "hammer_craft": 8,
            "torch_craft": 5,
            "steelmaking": 5,
            "potting": 3,
            "shovel_craft": 3,
            "pickaxe_craft": 3,
            "cutter_craft": 3,
            "gem_cutting": 2,
            "totem_making": 1,
        },
    },
}


def games() -> list[Any]:
    return [*_games()]


def _games() -> Iterator[Any]:
    for name, chosen in MORE:
        yield pytest.param(name, chosen, {}, id="+".join((name, *chosen)))
    for structure in STRUCTURES:
        yield pytest.param("ada-social-structure", (), {"settings": {"structure": structure}}, id=structure)
    yield pytest.param("ada-exploration", (), CROWDED["ada-exploration"], id="crowded")


def play(batch: Batch, seed: int, steps: int) -> Iterator[tuple[Batch, Any]]:
    policy = RandomPolicy(seed)
    for _ in range(steps):
        yield batch, batch.step(policy.act(batch))


def riches(batch: Batch, seed: int) -> None:
    """Give agents random belongings within capacity, which lets random play reach deep recipes."""
    dice, world = np.random.default_rng(seed), batch.world
    world.inventory[:] = np.minimum(dice.integers(0, 5, world.inventory.shape), world.capacity)
    batch._refresh()


def units(batch: Batch) -> np.ndarray[Any, Any]:
    """Return all units on the ground and in inventories, shape (B, R)."""
    piles = batch.world.piles.reshape(batch.size, batch.game.cells, -1).sum(axis=1)
    return np.asarray(piles + batch.inventory.sum(axis=1))


@pytest.mark.parametrize(("name", "chosen", "changes"), games())
@settings(CALM, max_examples=4)
@given(seed=st.integers(0, 2**31), rich=st.booleans())
def test_random_play_keeps_every_invariant(
    name: str, chosen: tuple[str, ...], changes: dict[str, Any], seed: int, rich: bool
) -> None:
    batch = Batch(load(name, *chosen, **changes), [seed, seed + 1])
    if rich:
        riches(batch, seed)
    tables, start, began = batch.tables, units(batch), batch.values.copy()
    steps = min(batch.game.steps, 75)
    for _, step in play(batch, seed, steps):
        made = batch.executions.sum(axis=1)
        assert (units(batch) == start + made @ tables.net[1 + 2 * tables.resources :]).all()
        assert (batch.inventory >= 0).all()
        assert (batch.inventory <= tables.capacity).all()
        assert (batch.world.piles >= 0).all()
        assert np.array_equal(batch.world.cells[:, 0, tables.resources + 2 :], batch.world.piles)
        assert np.allclose(step.rewards.sum(axis=1), step.own.sum(axis=1), atol=1e-9)
        assert np.allclose(batch.own, batch.values - began, atol=1e-9)
        places = batch.places
        assert all(len(set(row)) == batch.agents for row in places.tolist())
        assert (batch.world.cells[batch.world.at, 0, 1] == 0).all()
        assert batch.mask.any(axis=2).all() or step.ended.all()
    assert (batch.refused == 0).all()
    assert np.allclose(batch.rewards.sum(axis=1), (batch.values - began).sum(axis=1), atol=1e-6)


def state(batch: Batch) -> list[bytes]:
    """Return the state that actions may change, without time and random generators."""
    world, rules = batch.world, batch.rules
    own = [getattr(rules, name) for name in ("sent_to", "said", "partner", "claim", "asked") if hasattr(rules, name)]
    graph = [*rules.graph.shares, *rules.graph.member, *rules.graph.weight]
    return [each.tobytes() for each in (world.cells, world.at, world.inventory, *graph, *own)]


def outcome(batch: Batch, actions: dict[int, int]) -> list[bytes]:
    """Return the state after one step on a copy, with all other agents idle."""
    trial = copy.deepcopy(batch)
    chosen = np.full((1, batch.agents), STAY)
    for agent, action in actions.items():
        chosen[0, agent] = action
    trial.step(chosen)
    return state(trial)


def trials(batch: Batch, agent: int) -> list[tuple[int, bool, bool]]:
    """Return (number, allowed, has an effect) for each action that is not a null action.

    A step onto an occupied cell has an effect if the occupant steps the other way.
    """
    idle, mask, world = outcome(batch, {}), batch.mask[0, agent], batch.world
    found = []
    for action in range(len(batch.actions)):
        if action == STAY or _chooses_its_own(batch, agent, action):
            continue
        others = {}
        if action < STAY:
            target = batch.tables.neighbours[world.at[agent], action]
            occupant = int(world.cells[target, 0, 0]) - 1
            if occupant >= 0 and occupant != agent:
                others = {occupant: action ^ 1}
        found.append((action, bool(mask[action]), outcome(batch, {agent: action, **others}) != idle))
    return found


def _chooses_its_own(batch: Batch, agent: int, action: int) -> bool:
    """Return True for joining the own group, the way to change nothing in Contract, where one must choose."""
    own = int(batch.rules.graph.member[0][0, agent, 0])
    return batch.game.rules == "contract" and str(batch.actions[action]) == f"join {own}"


@pytest.mark.parametrize(("name", "chosen", "changes"), games())
@settings(CALM, max_examples=2)
@given(seed=st.integers(0, 2**31), steps=st.integers(0, 60), rich=st.booleans())
def test_the_mask_is_exactly_what_has_an_effect(
    name: str, chosen: tuple[str, ...], changes: dict[str, Any], seed: int, steps: int, rich: bool
) -> None:
    batch = Batch(load(name, *chosen, **changes), [seed])
    if rich:
        riches(batch, seed)
    for _ in play(batch, seed, steps):
        pass
    dice = np.random.default_rng(seed)
    for agent in dice.permutation(batch.agents)[:2]:
        wrong = [
            (str(batch.actions[each]), allowed) for each, allowed, works in trials(batch, agent) if allowed != works
        ]
        assert wrong == []


def by_the_book(batch: Batch, agent: int) -> list[bool]:
    """Return an agent's physical actions by the paper's rules, in the first environment and without lookup tables."""
    game, world = batch.game, batch.world
    role, cell = game.role_of(agent), int(world.at[agent])
    held = {each.name: int(n) for each, n in zip(game.resources, world.inventory[agent], strict=True)}
    ground = {each.name: int(n) for each, n in zip(game.resources, world.piles[cell], strict=True)}
    row, column = divmod(cell, game.width)

    def room(name: str, units: int) -> bool:
        return name not in role.capacity or held[name] + units <= role.capacity[name]

    def has(amounts: Mapping[str, int]) -> bool:
        return all(held[name] >= count for name, count in amounts.items())

    def passable(down: int, right: int) -> bool:
        target = (row + down) % game.height * game.width + (column + right) % game.width
        return not world.cells[target, 0, 1]

    moves = [passable(*way) for way in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    recipe = game.recipes[world.kind[cell] - 1] if world.kind[cell] else None
    makes = (
        recipe is not None and has(recipe.consumes) and has(recipe.requires) and room(*next(iter(recipe.makes.items())))
    )
    picks = [ground[each.name] > 0 and has(each.requires) and room(each.name, 1) for each in game.resources]
    return [*moves, True, makes, *picks, *(held[each.name] > 0 for each in game.resources)]


@pytest.mark.parametrize(("name", "chosen", "changes"), games())
@settings(CALM, max_examples=4)
@given(seed=st.integers(0, 2**31), steps=st.integers(0, 70), rich=st.booleans())
def test_the_mask_is_what_the_rules_say(
    name: str, chosen: tuple[str, ...], changes: dict[str, Any], seed: int, steps: int, rich: bool
) -> None:
    batch = Batch(load(name, *chosen, **changes), [seed])
    if rich:
        riches(batch, seed)
    for _ in play(batch, seed, steps):
        pass
    talking = batch.game.rules in ("contract", "negotiation") and int(batch.time[0]) < batch.rules.stage  # type: ignore[attr-defined]
    physical = batch.mask[0, :, : batch.tables.social].tolist()
    if talking:
        assert not any(any(row[:STAY]) or any(row[STAY + 1 :]) for row in physical)
    else:
        assert physical == [by_the_book(batch, agent) for agent in range(batch.agents)]


def cell_by_the_book(batch: Batch, sharers: list[int], cell: int) -> list[int]:
    """Return the content of a cell as an agent sees it through all its windows, with the tools of each."""
    game, world = batch.game, batch.world
    holdings = [
        dict(zip((each.name for each in game.resources), world.inventory[each], strict=True)) for each in sharers
    ]

    def met(requires: Mapping[str, int]) -> bool:
        return any(all(held[name] >= count for name, count in requires.items()) for held in holdings)

    occupant = [each + 1 for each in range(batch.agents) if world.at[each] == cell]
    recipe = game.recipes[world.kind[cell] - 1] if world.kind[cell] else None
    seen = recipe if recipe is not None and met(recipe.requires) else None
    change = {} if seen is None else {**{name: -n for name, n in seen.consumes.items()}, **seen.makes}
    piles = [int(world.piles[cell, kind]) * met(each.requires) for kind, each in enumerate(game.resources)]
    blocked = int(world.cells[cell, 1, 1])
    return [*(occupant or [0]), blocked, *(change.get(each.name, 0) for each in game.resources), *piles]


def map_by_the_book(batch: Batch, agent: int) -> np.ndarray[Any, Any]:
    """Return all that an agent of the first environment knows, cell by cell and not centred, shape (C, 2+2R)."""
    game, views = batch.game, batch.rules.graph.views()[0]
    known = np.zeros((game.cells, batch.tables.layers), np.int64)
    eyes = [agent, *np.flatnonzero(views[:, agent]).tolist()] if game.full_map else [agent]
    for cell in range(game.cells):
        near = [each for each in eyes if _in_view(batch, each, cell)]
        if near:
            known[cell] = cell_by_the_book(batch, near, cell)
    return known


def _in_view(batch: Batch, agent: int, cell: int) -> bool:
    """Return True if the cell is within the view radius of an agent on the torus."""
    game = batch.game
    here, there = divmod(int(batch.world.at[agent]), game.width), divmod(cell, game.width)
    apart = [(one - other) % size for one, other, size in zip(here, there, (game.height, game.width), strict=True)]
    return all(min(gap, size - gap) <= game.view for gap, size in zip(apart, (game.height, game.width), strict=True))


@pytest.mark.parametrize(("name", "chosen", "changes"), games())
@settings(CALM, max_examples=2)
@given(seed=st.integers(0, 2**31), steps=st.integers(0, 70))
def test_views_are_what_the_rules_say(
    name: str, chosen: tuple[str, ...], changes: dict[str, Any], seed: int, steps: int
) -> None:
    batch = Batch(load(name, *chosen, **changes), [seed])
    riches(batch, seed)
    for _ in play(batch, seed, steps):
        pass
    grid, windows = batch.grid()["grid"][0], batch.windows()["grid"][0]
    for agent in np.random.default_rng(seed).permutation(batch.agents)[:3]:
        known, at = map_by_the_book(batch, agent), int(batch.world.at[agent])
        table = batch.tables.centred if batch.game.full_map else batch.tables.window
        assert np.array_equal(np.moveaxis(grid[agent], 0, -1).reshape(-1, batch.tables.layers), known[table[at]])
        alone = np.array([cell_by_the_book(batch, [agent], cell) for cell in batch.tables.window[at]])
        assert np.array_equal(windows[agent], alone)


@pytest.mark.parametrize("name", GAMES)
def test_an_action_without_effect_is_counted_and_changes_nothing(name: str) -> None:
    batch = Batch(load(name), [5])
    for _ in play(batch, 5, 10):
        pass
    idle, masked = outcome(batch, {}), np.flatnonzero(~batch.mask[0, 0])
    for action in masked:
        trial = copy.deepcopy(batch)
        before = trial.refused.sum()
        chosen = np.full((1, batch.agents), STAY)
        others = int((~batch.mask[0, 1:, STAY]).sum())
        chosen[0, 0] = action
        trial.step(chosen)
        assert state(trial) == idle
        assert trial.refused.sum() == before + 1 + others
