"""Equal bytes for equal seeds: in another process, at another position of a batch, and after a reset."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from grid_games import Batch, load, names, observe
from grid_games.policies.random import RandomPolicy, draw

GAMES = names()
ROOT = Path(__file__).resolve().parents[3]


def choices(batch: Batch, dice: dict[int, np.random.Generator]) -> np.ndarray:
    """Return random allowed actions, drawn from a separate generator for each environment."""
    rows = [draw(batch.mask[each], dice[seed]) for each, seed in enumerate(batch.seeds)]
    return np.array(rows)


def histories(name: str, seeds: Sequence[int], steps: int, autoreset: bool = False, length: int = 1000) -> list[str]:
    """Return a digest of all observations and rewards of each environment."""
    changes = {"steps": length} if autoreset else {}
    batch = Batch(load(name, **changes), seeds, autoreset=autoreset)
    dice = {seed: np.random.default_rng(seed) for seed in seeds}
    digests = [hashlib.sha256() for _ in seeds]
    for _ in range(steps):
        step = batch.step(choices(batch, dice))
        parts = observe(batch)
        for index, digest in enumerate(digests):
            digest.update(step.rewards[index].tobytes() + step.own[index].tobytes())
            for part in sorted(parts):
                digest.update(parts[part][index].tobytes())
    return [digest.hexdigest() for digest in digests]


@pytest.mark.parametrize("name", GAMES)
def test_an_environment_plays_in_a_batch_as_it_does_alone(name: str) -> None:
    seeds = [5, 2, 9, 0]
    together = histories(name, seeds, 50)
    assert together == [histories(name, [seed], 50)[0] for seed in seeds]
    assert len(set(together)) == len(seeds)


@pytest.mark.parametrize("name", ["ada-contract", "ada-exploration"])
def test_so_it_does_over_several_episodes(name: str) -> None:
    together = histories(name, [5, 2], 50, autoreset=True, length=15)
    assert together == [histories(name, [seed], 50, autoreset=True, length=15)[0] for seed in (5, 2)]


def test_two_processes_with_different_hash_seeds_play_alike() -> None:
    program = (
        "from tests.unit.grid_games.test_determinism import GAMES, histories\n"
        "print([histories(name, [3], 25) for name in GAMES])"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hashed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashed in ("1", "2")
    }
    assert printed == {f"{[histories(name, [3], 25) for name in GAMES]}\n"}


def test_a_reset_of_some_leaves_the_others_and_a_seed_begins_again() -> None:
    batch = Batch(load("ada-contract"), [1, 2])
    start = batch.world.cells.copy().reshape(2, -1)
    batch.reset([0])
    again = batch.world.cells.reshape(2, -1)
    assert not np.array_equal(again[0], start[0])
    assert np.array_equal(again[1], start[1])
    assert batch.episode.tolist() == [1, 0]
    batch.reset([0], seeds=[2])
    assert np.array_equal(batch.world.cells.reshape(2, -1)[0], start[1])
    assert batch.episode.tolist() == [0, 0]


def test_autoreset_starts_the_next_episode_and_tells_of_the_last() -> None:
    batch = Batch(load("ada-contract", steps=25), [7, 8], autoreset=True)
    for number in range(51):
        step = batch.step(np.full((2, 4), 4))
        assert step.ended.tolist() == [number in (24, 49)] * 2
        assert [each.seed for each in step.episodes] == ([7, 8] if step.ended.all() else [])
    assert batch.time.tolist() == [1, 1]
    assert batch.episode.tolist() == [2, 2]
    assert batch.refused.sum() == 2


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_plays_on_by_itself_and_alike(name: str, duplicate: Callable[[Batch], Batch]) -> None:
    batch = Batch(load(name), [1, 2])
    for _ in range(25):
        batch.step(RandomPolicy(int(batch.time[0])).act(batch))
    other, before = duplicate(batch), batch.world.cells.tobytes()
    seen = [run_on(other, 25)]
    assert batch.world.cells.tobytes() == before
    assert int(batch.time[0]) == 25
    seen.append(run_on(batch, 25))
    assert seen[0] == seen[1]


def run_on(batch: Batch, steps: int) -> list[bytes]:
    """Return all observations of a number of steps of random play."""
    seen = []
    for _ in range(steps):
        batch.step(RandomPolicy(int(batch.time[0])).act(batch))
        seen += [part.tobytes() for part in (*observe(batch).values(), batch.executions)]
    return seen


def test_arrays_handed_out_cannot_be_written() -> None:
    batch = Batch(load("ada-contract"), [0])
    for array in (batch.mask, batch.inventory, batch.executions):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0, 0] = 1
