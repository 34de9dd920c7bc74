"""Smoke test of `examples/rllib.py`: one iteration of RLlib's PPO; skipped if RLlib cannot be imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from common.policy_file import Saved
from grid_games import Batch, GridError, load
from grid_games.policies import Learned
from grid_games.policies.inputs import inputs

REASON = "RLlib is not installed, so that its example is not tested: pip install 'accord-mc[rllib]' to run this"
pytest.importorskip("torch", reason=REASON)
# Those of Ray's own import and threads are Ray's.
pytestmark = pytest.mark.filterwarnings("ignore")
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples"))


@pytest.fixture(scope="module")
def rllib() -> Iterator[ModuleType]:
    for needed in ("ray", "ray.rllib.algorithms.ppo"):
        pytest.importorskip(needed, reason=REASON, exc_type=ImportError)
    import rllib

    yield rllib
    rllib.ray.shutdown()


def test_rows_are_what_a_saved_policy_sees(rllib: ModuleType) -> None:
    game = load("ada-contract", settings={"rounds": 0}, steps=2)
    rows, batch = rllib.Rows(game, 0), Batch(game, [7])
    seen, _ = rows.reset(seed=7)
    assert list(seen) == ["carpenter_0", "carpenter_1", "miner_2", "miner_3"]
    assert np.array_equal([each["observation"] for each in seen.values()], inputs(batch, rllib.ppo.PARTS)[0])
    assert np.array_equal([each["action_mask"] for each in seen.values()], batch.mask[0])
    assert all(rows.observation_space(agent).contains(each) for agent, each in seen.items())
    stay = dict.fromkeys(seen, 4)
    assert not any(rows.step(stay)[2].values())
    _, _, terminated, truncated, _ = rows.step(stay)
    assert all(terminated.values())
    assert not any(truncated.values())


def test_a_policy_is_trained_and_saved_as_ours(rllib: ModuleType, tmp_path: Path) -> None:
    settings = rllib.ppo.Settings(environments=1, steps=100, hidden=(8,), minibatch=50, passes=1)
    made = rllib.Trainer(settings)
    try:
        before = made.algorithm.get_module("miner").get_state()
        told: list[int] = []
        made.train(lambda steps, reached: bool(told.append(steps)))
        after = made.algorithm.get_module("miner").get_state()
        made.saved().write(tmp_path / "policy.npz")
        curve, module = made.curve(), made.algorithm.get_module("miner")
    finally:
        made.close()
    assert any(not np.array_equal(before[name], after[name]) for name in before)
    assert told == [100]
    assert (curve.learner, curve.social, curve.points[0].steps) == ("RLlib PPO", "alone", 100)
    assert curve.points[0].score == pytest.approx(curve.points[0].mean_return / (made.total / 4))
    saved = Saved.read(tmp_path / "policy.npz")
    assert saved.seats == (0, 0, 1, 1)
    batch = Batch(load("ada-contract", settings={"rounds": 0}), [0])
    rows = inputs(batch, saved.parts)[0, 2:]
    seen = {"observation": rllib.torch.from_numpy(rows), "action_mask": rllib.torch.ones(2, saved.networks[1].actions)}
    with rllib.torch.no_grad():
        chances = module.forward_inference({"obs": seen})["action_dist_inputs"].numpy()
    scores, _ = saved.networks[1].score(rows, np.zeros((2, 0), np.float32))
    assert np.allclose(scores - scores.max(1, keepdims=True), chances - chances.max(1, keepdims=True), atol=1e-4)
    Learned(saved, 0).act(Batch(load("ada-contract"), [0]))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--environments", "0"], "--environments 0: give a number of at least 1"),
        (["ada-exploration"], "has no talk to leave out; choose --social learned"),
    ],
)
def test_wrong_input_is_one_line(rllib: ModuleType, given: list[str], told: str) -> None:
    with pytest.raises(GridError, match=told):
        rllib.main(given)
