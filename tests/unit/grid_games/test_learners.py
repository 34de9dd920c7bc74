"""Smoke test of the curriculum, MAPPO and the benchmark over seeds; skipped if torch is not installed."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.policy_file import Saved
from grid_games import GridError
from grid_games.curriculum import PAPER
from grid_games.learning_curves import CurvePoint, curve_file, read_curves

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'accord-mc[learn]' to run this")
ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "benchmarks")]
import curriculum as benchmark  # noqa: E402
import mappo  # noqa: E402
import ppo  # noqa: E402

SMALL = ppo.Settings(social="learned", environments=3, hidden=(8,), minibatch=200, passes=1)


def test_the_stages_follow_one_another_with_the_same_networks() -> None:
    made = ppo.Trainer(replace(SMALL, curriculum=PAPER, steps=1200))
    seen: list[tuple[int, bool]] = []
    nets = list(made.nets)
    made.train(lambda steps, reached: bool(seen.append((made.game.steps, made.batch.mask[..., -4:].any()))))
    # Two rounds of work in one group, one in drawn groups, two of the whole game, which begins with a choice.
    assert seen == [(100, False), (100, False), (100, False), (120, True)]
    assert made.nets == nets
    assert list(made.reached) == ["one-group", "drawn-groups", "free"]
    assert made.curve().learner == "CL"
    with pytest.raises(GridError, match="--social alone leaves its talk out"):
        ppo.Trainer(replace(SMALL, social="alone", curriculum=PAPER))


@pytest.mark.parametrize("memory", [0, 5])
def test_mappos_critic_sees_all_agents_and_its_actor_only_its_own(memory: int) -> None:
    made = mappo.Trainer(replace(SMALL, memory=memory))
    rows = made.rows()
    own = rows.shape[2] // 5
    assert np.array_equal(rows[0, 1, own : 2 * own], rows[0, 0, :own])
    seen, mask, chances, value, _ = made._look(0, rows)
    other = seen.clone()
    other[:, -own:] += 1  # what the last agent sees
    again, worth, _ = made.nets[0](other[None], mask[None], made.states[0])
    assert torch.equal(again[0], chances)
    assert not torch.allclose(worth[0], value)


def test_mappo_learns_saves_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mappo.npz"
    wanted = ["--social", "learned", "--steps", "240", "--environments", "2", "--save", str(file)]
    mappo.main(["ada-contract", *wanted])
    (curve,) = read_curves(curve_file(file))
    assert (curve.learner, curve.social) == ("MAPPO", "learned")
    network = Saved.read(file).networks[0]
    assert network.inputs == mappo.Trainer(SMALL).nets[0].own
    mappo.main(["--play", str(file)])
    assert "of the oracle's" in capsys.readouterr().out


def test_the_benchmark_trains_plays_and_tells_the_orders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--seeds", "1", "--steps", "240", "--environments", "1", "--out", str(tmp_path)]
    with suppress(SystemExit):  # So short a training need not bring the orders out.
        benchmark.main(given)
    found = json.loads((tmp_path / "figures.json").read_text())
    assert [row["learner"] for row in found["rows"]] == ["CL", "PPO"]
    assert set(found["rows"][0]["stages"]) == {"one-group", "drawn-groups", "free"}
    assert len(found["orders"]) == 2
    assert "CL: score" in capsys.readouterr().out
    (curve,) = read_curves(tmp_path / "ada-contract-CL-0.curve.csv")
    assert curve.learner == "CL"


def test_orders_and_intervals_are_as_by_hand() -> None:
    stages = {"one-group": 0.9, "drawn-groups": 0.3, "free": 0.8}
    rows = [{"learner": "CL", "score": 0.8, "stages": stages}, {"learner": "PPO", "score": 0.9, "stages": {}}]
    assert list(benchmark.orders(rows).values()) == [True, False]
    mean, half = benchmark.interval([1.0, 2.0, 3.0])
    assert (mean, half) == (2.0, pytest.approx(4.303 / 3**0.5))
    points = [CurvePoint(step, 0.0, value) for step, value in enumerate([0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1])]
    assert benchmark.converged(points) == 7
