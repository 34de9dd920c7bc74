"""Games by name, their variants, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grid_games import Batch, GameError, StepError, current_name, load, names, recorded_name, variants
from grid_games.spec import EventRecipe, GridGame


@pytest.mark.parametrize(
    ("name", "size", "blocks", "players", "steps", "events"),
    [
        ("ada-contract", (7, 7), 0, 4, 120, [41]),
        ("ada-contract-hard", (15, 15), 0, 8, 240, [98, 98]),
        ("ada-negotiation", (7, 7), 0, 4, 120, [41]),
        ("ada-negotiation-hard", (15, 15), 0, 8, 240, [98, 98]),
        ("ada-social-structure", (15, 15), 0, 8, 200, [98, 98]),
        ("ada-exploration", (20, 20), 25, 8, 500, [40, 40, 30, 30, 20, 20, 20, 10, 10]),
    ],
)
def test_games_have_the_parameters_of_table_7(
    name: str, size: tuple[int, int], blocks: int, players: int, steps: int, events: list[int]
) -> None:
    game = load(name)
    assert (game.height, game.width) == size
    assert (game.blocks, game.agents, game.steps, list(game.events)) == (blocks, players, steps, events)


@pytest.mark.parametrize("name", names())
def test_every_game_and_variant_begins(name: str) -> None:
    for chosen in [(), *((each,) for each in variants(name)), variants(name)]:
        game = load(name, *chosen)
        assert isinstance(game, GridGame)
        assert Batch(game, [0]).mask.any(axis=2).all()


def test_the_variants_are_what_their_names_say() -> None:
    assert load("ada-negotiation-hard", "code-stage").settings["stage"] == 41
    plain, changed = load("ada-exploration"), load("ada-exploration", "consume-cutter")
    assert dict(plain.recipes[7].consumes) == {"gem_mine": 1}
    assert dict(changed.recipes[7].consumes) == {"gem_mine": 1, "cutter": 1}
    miner = load("ada-contract-hard", "code-miner").role_of(7)
    assert dict(miner.capacity) == {"stone": 0, "torch": 1, "iron": 0, "wood": 0}
    mapped = load("ada-social-structure", "code-map")
    assert (mapped.height, mapped.width, mapped.events) == (13, 13, (96, 8))


@pytest.mark.parametrize(
    ("name", "chosen", "changes", "message"),
    [
        ("chess", (), {}, "there is no game 'chess'; games are ada-contract, ada-contract-hard, ada-exploration"),
        ("ada-exploration", ("fast",), {}, r"game ada-exploration has no variant 'fast'; it has \['consume-cutter'\]"),
        ("ada-contract", (), {"speed": 2}, "game ada-contract has no key 'speed'; keys are"),
        ("ada-contract", (), {"players": {"smith": 2}}, "name the role 'smith'; roles are"),
        ("ada-contract", (), {"events": {"rain": 2}}, "names the event 'rain'; events are hammer_craft,"),
        ("ada-contract", (), {"resources": ["gold"]}, "names the resource 'gold'; resources are wood,"),
        ("ada-contract", (), {"events": {"torch_craft": 2}}, "recipe torch_craft of game ada-contract names 'coal'"),
        ("ada-contract", (), {"events": {"hammer_craft": 50}}, "has 50 events for 49 free cells; use a larger size"),
        ("ada-contract", (), {"players": {"miner": 50}}, "has 50 players for 49 free cells"),
        ("ada-contract", (), {"steps": 0}, "must be at least 1"),
        (
            "ada-contract",
            (),
            {"settings": {"round": 3}},
            "game ada-contract has the unknown setting 'round'; settings of",
        ),
        (
            "ada-contract",
            (),
            {"rules": "exploration"},
            "has the unknown setting 'rounds'; settings of exploration are",
        ),
        ("ada-exploration", (), {"rules": "contract", "settings": {}}, "lacks the setting 'rounds'"),
        ("ada-contract", (), {"rules": "war"}, "there are no rules 'war'; rules are contract, exploration"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    name: str, chosen: tuple[str, ...], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(GameError, match=message):
        Batch(load(name, *chosen, **changes), [0])


def test_recipes_make_one_thing_and_not_of_itself() -> None:
    with pytest.raises(GameError, match="recipe both makes"):
        EventRecipe("both", {}, {"wood": 1, "stone": 1})
    with pytest.raises(GameError, match="recipe more consumes what it makes"):
        EventRecipe("more", {"wood": 1}, {"wood": 2})


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros((1, 3), int), r"actions are int64 \(1, 3\); give whole numbers \(1, 4\)"),
        (np.zeros((1, 4)), r"actions are float64 \(1, 4\)"),
        (np.full((1, 4), 16), "there is no action 16; actions are 0 to 15"),
        (np.full((1, 4), -1), "there is no action -1"),
    ],
)
def test_actions_of_a_wrong_shape_or_number_are_refused(actions: np.ndarray, message: str) -> None:
    with pytest.raises(StepError, match=message):
        Batch(load("ada-contract"), [0]).step(actions)


def test_words_are_for_games_with_messages() -> None:
    with pytest.raises(StepError, match="game ada-contract has no messages; give no words"):
        Batch(load("ada-contract"), [0]).step(np.full((1, 4), 4), np.zeros((1, 4, 1), int))


@pytest.mark.parametrize("seeds", [[], [-1]])
def test_seeds_are_whole_numbers_from_0_up(seeds: list[int]) -> None:
    with pytest.raises(StepError, match="give at least one whole number from 0 up"):
        Batch(load("ada-contract"), seeds)
    with pytest.raises(StepError, match="give one whole number from 0 up for each of 1"):
        Batch(load("ada-contract"), [0]).reset(seeds=seeds)


def test_names_of_earlier_versions_are_accepted_with_a_warning() -> None:
    with pytest.warns(FutureWarning, match="game 'contract-easy' is called 'ada-contract' now"):
        assert load("contract-easy") == load("ada-contract")
    assert recorded_name("ada-social-structure+equal-edges") == "social-structure+equal-edges"
    assert current_name("social-structure+equal-edges") == "ada-social-structure+equal-edges"
    assert all(current_name(recorded_name(name)) == name for name in names())
