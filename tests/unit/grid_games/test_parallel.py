"""PettingZoo interface: PettingZoo's own test suites, and the effect of seeds, which they do not cover."""

from __future__ import annotations

import numpy as np
import pytest

from grid_games import load, names, parallel_env

GAMES = names()


def played(seed: int | None, built_with: int = 0, game: str = "ada-contract", steps: int = 30) -> list[bytes]:
    """Return every agent's observation in each step of play with random allowed actions from a separate generator."""
    env, dice, seen = parallel_env(game, seed=built_with), np.random.default_rng(7), []
    observations, _ = env.reset(seed=seed)
    for _ in range(steps):
        actions = {agent: int(dice.choice(np.flatnonzero(each["action_mask"]))) for agent, each in observations.items()}
        observations, *_ = env.step(actions)
        seen += [part.tobytes() for each in observations.values() for part in each["observation"].values()]
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_api_test_passes(game: str) -> None:
    from pettingzoo.test import parallel_api_test

    parallel_api_test(parallel_env(game, steps=30), num_cycles=100)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_seed_test_passes(game: str) -> None:
    from pettingzoo.test import parallel_seed_test

    parallel_seed_test(lambda: parallel_env(game), num_cycles=20)


@pytest.mark.parametrize("game", GAMES)
def test_seeds_matter(game: str) -> None:
    assert played(1, game=game) == played(1, built_with=5, game=game)
    assert played(1, game=game) != played(2, game=game)
    assert played(None, built_with=3, game=game) == played(3, game=game)


def test_a_reset_without_a_seed_is_another_episode_and_repeats_with_the_seed() -> None:
    env = parallel_env("ada-contract")
    first = [env.reset(seed=4 if number == 0 else None)[0]["carpenter_0"] for number in range(2)]
    again = [env.reset(seed=4 if number == 0 else None)[0]["carpenter_0"] for number in range(2)]
    grids = [each["observation"]["grid"] for each in (*first, *again)]
    assert not np.array_equal(grids[0], grids[1])
    assert np.array_equal(grids[0], grids[2])
    assert np.array_equal(grids[1], grids[3])


@pytest.mark.parametrize("game", GAMES)
def test_observations_are_in_the_spaces_and_spaces_are_the_same_objects(game: str) -> None:
    env = parallel_env(game)
    observations, _ = env.reset(seed=0)
    for agent, observation in observations.items():
        assert env.observation_space(agent).contains(observation)
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)


def test_an_episode_ends_by_truncation_for_all_and_then_nobody_is_left() -> None:
    env = parallel_env("ada-contract", steps=2)
    env.reset(seed=0)
    *_, early, _ = env.step(dict.fromkeys(env.agents, 4))
    assert not any(early.values())
    _, _, terminations, truncations, _ = env.step(dict.fromkeys(env.agents, 4))
    assert not any(terminations.values())
    assert list(truncations.values()) == [True] * 4
    assert env.agents == []


def test_infos_tell_the_own_reward_and_what_was_refused() -> None:
    env = parallel_env("ada-social-structure", "equal-edges")
    assert env.game.name == "ada-social-structure+equal-edges"
    env.reset(seed=2)
    *_, infos = env.step(dict.fromkeys(env.agents, 5))
    assert all(info == {"own": 0.0, "refused": True} for info in infos.values())


def test_a_game_ready_made_is_taken_as_it_is() -> None:
    game = load("ada-exploration", players={"explorer": 3})
    assert parallel_env(game).possible_agents == ["explorer_0", "explorer_1", "explorer_2"]
