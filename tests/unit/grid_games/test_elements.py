"""A game's own elements: table 6 of AdaSociety, and food and hostiles of its section 7."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grid_games import Batch, GameError, load, observe
from grid_games.core.elements import HOSTILE
from grid_games.core.tables import PRODUCE, STAY
from grid_games.oracle import solve
from grid_games.picture import draw_view, legend
from grid_games.text import describe, rules_of_play

QUIET: dict[str, Any] = {"settings": {"rounds": 0}, "size": [5, 5], "piles": {}, "steps": 40}


def game(**changes: object) -> Batch:
    return Batch(load("ada-contract", **{**QUIET, "events": {"hammer_craft": 1}, **changes}), [3, 4])


def rest(batch: Batch, steps: int = 1) -> np.ndarray:
    """Let all stay, and return the rewards of each step, shape (T, B, N)."""
    return np.array([batch.step(np.full((batch.size, batch.agents), STAY)).rewards for _ in range(steps)])


def test_resources_and_events_of_ones_own_are_picked_and_crafted() -> None:
    batch = game(
        own_resources={"reed": {"value": 2}, "rope": {"value": 9, "made": True, "requires": {"reed": 0 + 1}}},
        recipes={"twining": {"consumes": {"reed": 2}, "makes": {"rope": 1}}},
        events={"twining": 1},
        roles={"carpenter": {"inventory": {"reed": 3}}},
        places={"events": {"twining": [[2, 2]]}, "players": {"carpenter": [[2, 2], [0, 0]]}},
    )
    assert [each.name for each in batch.game.resources] == ["wood", "stone", "hammer", "reed", "rope"]
    assert batch.inventory[0, 0].tolist() == [0, 0, 0, 3, 0]
    assert batch.places[:, :2].tolist() == [[12, 0], [12, 0]]
    acts = np.full((2, 4), STAY)
    acts[:, 0] = PRODUCE
    assert batch.step(acts).rewards[:, 0].tolist() == [5.0, 5.0]
    assert batch.inventory[1, 0].tolist() == [0, 0, 0, 1, 1]
    # Both carpenters have 3 reeds, 6 in all: three ropes of 9, less what they began with.
    pytest.importorskip("scipy")
    assert solve(batch.game).total == 27 - 12


def test_what_is_fixed_is_there_and_the_rest_is_drawn() -> None:
    places = {"blocks": [[0, 1]], "piles": {"wood": [[1, 1], [2, 1]]}, "players": {"miner": [[4, 4]]}}
    batch = game(blocks=3, piles={"wood": [3, 7]}, places=places)
    for _ in range(5):
        grid = batch.world.cells[:25, 1]
        assert grid[1, 1] == 1
        assert grid[:, 1].sum() == 3
        assert batch.world.piles[[6, 11], 0].tolist() == [7, 7]
        assert batch.world.piles[:25].sum() == 21
        assert batch.places[0, 2] == 24
        batch.reset()


def test_temporary_things_come_and_go() -> None:
    batch = game(piles={"wood": [2, 5], "stone": [1, 4]}, temporary={"wood": [3, 6], "hammer_craft": [0, 2]})
    ground = batch.world.piles.reshape(2, 25, -1)
    seen = [(ground[..., 0].sum(), (batch.world.kind > 0).sum())]
    for _ in range(7):
        rest(batch)
        seen.append((ground[..., 0].sum(), (batch.world.kind > 0).sum()))
    assert seen == [(0, 2), (0, 2), (0, 0), (20, 0), (20, 0), (20, 0), (0, 0), (0, 0)]
    assert ground[..., 1].sum() == 8
    batch.reset()
    assert (batch.world.kind > 0).sum() == 2
    assert not ground[..., 0].any()


def test_the_hungry_eat_or_lose() -> None:
    food = {"berry": {"value": 0}}
    roles = {"miner": {"inventory": {"berry": 1}}}
    batch = game(own_resources=food, roles=roles, hunger={"food": ["berry", "wood"], "every": 3, "loss": 2})
    paid = rest(batch, 6)[:, 0]
    assert paid.tolist() == [[0] * 4, [0] * 4, [-2, -2, 0, 0], [0] * 4, [0] * 4, [-2] * 4]
    assert not batch.inventory.any()
    assert batch.own[0].tolist() == [-4, -4, -2, -2]


def test_hostiles_chase_and_hurt_who_carries_nothing_that_they_fear() -> None:
    roles = {"miner": {"inventory": {"hammer": 1}}}
    hostiles = {"count": 1, "sight": 9, "every": 1, "loss": 3, "feared": {"hammer": 1}}
    batch = game(roles=roles, hostiles=hostiles, places={"players": {"carpenter": [[2, 2], [2, 3]]}})
    for _ in range(12):
        paid = rest(batch)[0]
        assert (batch.world.cells[:25, 1, 1] == HOSTILE).sum() == 1
    assert paid[:, :2].sum(axis=1).max() <= -3
    assert not paid[:, 2:].any()
    again = game(roles=roles, hostiles=hostiles, places={"players": {"carpenter": [[2, 2], [2, 3]]}})
    rest(again, 12)
    assert np.array_equal(again.elements.hostiles, batch.elements.hostiles)
    parts = {name: each[0, 0] for name, each in observe(batch).items()}
    assert "a red square a hostile creature" in legend(batch.game)
    assert draw_view(batch.game, parts["grid"], (70, 70)) != draw_view(
        batch.game, np.minimum(parts["grid"], 1), (70, 70)
    )
    assert "a hostile" in describe(batch.game, batch.actions, parts)
    assert "1 hostile creatures chase players within 9 steps" in rules_of_play(batch.game, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"own_resources": {"wood": {"value": 1}}}, "name 'wood', which there is; choose another name"),
        ({"own_resources": {"Gold!": {"value": 1}}}, "name 'Gold!'; a name has 1 to 24 lower-case letters"),
        ({"own_resources": {"gold": {"value": "x"}}}, "gold: value is 'x'; give a whole number"),
        ({"own_resources": {"gold": {}}}, "'gold' lacks 'value'; its keys are made, requires, value"),
        ({"own_resources": {"gold": {"value": 1, "requires": {"iron": 1}}}}, "resource gold of .* names 'iron'"),
        ({"own_resources": 4}, "own_resources of game ada-contract are 4; give"),
        ({"recipes": {"hammer_craft": {"speed": 1}}}, "recipe hammer_craft of game ada-contract has no key 'speed'"),
        ({"recipes": {"hammer_craft": {"consumes": {"wood": -1}}}}, "has -1 wood; give a whole number from 1"),
        ({"places": {"blocks": [[9, 9]]}, "blocks": 1}, r"name \[9, 9\]; the map has 5 by 5 cells"),
        ({"places": {"blocks": [[1, 1]]}}, "fix 1 blocks; the game has 0"),
        ({"places": {"players": {"miner": [[1, 1], [1, 1]]}}}, r"put two things on \[1, 1\]; players need free cells"),
        ({"places": {"players": {"miner": 3}}}, r"places of game ada-contract: miner are 3; give a list of \[ROW"),
        ({"places": {"pets": {}}}, "has no key 'pets'; keys are blocks, events, piles, players"),
        ({"temporary": {"rain": [0, 4]}}, "temporary of game ada-contract names 'rain'; this game has wood"),
        ({"temporary": {"wood": [4, 4]}}, r"wood is \[4, 4\]; give \[FIRST, LAST\]"),
        ({"temporary": {"wood": [400, 500]}}, "wood comes in step 400 of 40"),
        ({"hunger": {"food": ["bread"], "every": 2, "loss": 1}}, "hunger of game ada-contract names 'bread'"),
        ({"hunger": {"food": ["wood"], "every": 0, "loss": 1}}, "every is 0; give a whole number from 1"),
        ({"hunger": {"food": ["wood"], "every": 2, "loss": -1}}, "loss is -1; give a number from 0"),
        ({"hostiles": {"count": 40, "loss": 1}}, "has 40 hostiles; use fewer, or a larger size"),
        ({"hostiles": {"count": 1}}, "hostiles of game ada-contract lacks 'loss'"),
        ({"roles": {"miner": {"inventory": {"wood": 2}}}}, "starts with 2 wood; it can carry 0"),
        ({"roles": {"miner": {"inventory": {"gold": 2}}}}, "inventory of role miner of game ada-contract names 'gold'"),
    ],
)
def test_bad_values_get_one_line(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message) as caught:
        game(**changes)
    assert "\n" not in str(caught.value)
