"""Smoke test of the learners in `examples/`: their computations, learning, saving and playing.

The quality of learning is measured by benchmarks/learning.py. The tests are skipped if torch is not installed: its
wheels weigh as much as all other development dependencies together.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.policy_file import Saved
from grid_games import Batch, GridError, load
from grid_games.learning_curves import curve_file, read_curves
from grid_games.oracle import plan_of
from grid_games.policies import Learned

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'accord-mc[learn]' to run this")
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples"))
import ppo  # noqa: E402

SMALL = ppo.Settings(environments=6, hidden=(16,), minibatch=120, passes=2)


def trainer(**changes: object) -> ppo.Trainer:
    return ppo.Trainer(replace(SMALL, **changes))


def test_advantages_are_as_by_hand() -> None:
    rollout = ppo.Rollout(
        reward=[torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([4.0])],
        value=[torch.tensor([0.5]), torch.tensor([1.0]), torch.tensor([3.0]), torch.tensor([8.0])],
        ended=[torch.tensor([False]), torch.tensor([True]), torch.tensor([False])],
    )
    settings = ppo.Settings(discount=0.5, trace=0.5)
    # 4 + 0.5 * 8 - 3 = 5; an end: 2 - 1 = 1; 1 + 0.5 * 1 - 0.5 + 0.25 * 1 = 1.25.
    assert ppo.advantages(rollout, settings)[:, 0].tolist() == [1.25, 1.0, 5.0]


def test_minibatches_are_all_of_them_each_pass() -> None:
    found = torch.cat(list(ppo.minibatches(10, 4, 3))).sort().values
    assert found.tolist() == sorted([*range(10)] * 3)


@pytest.mark.parametrize("memory", [0, 7])
def test_what_is_saved_plays_as_it_was_trained(memory: int, tmp_path: Path) -> None:
    made = trainer(memory=memory)
    made.collect(1)
    rows, mask, chances, _, state = made._look(1, made.rows())
    made.saved().write(tmp_path / "policy.npz")
    network = Saved.read(tmp_path / "policy.npz").networks[1]
    scores, after = network.score(rows.numpy(), made.states[1].numpy())
    scores = np.where(mask.numpy(), scores, -1e9)
    expected = (
        scores - np.log(np.exp(scores - scores.max(1, keepdims=True)).sum(1, keepdims=True)) - scores.max(1)[:, None]
    )
    assert np.allclose(expected, chances.numpy(), atol=1e-4)
    assert np.allclose(after, state.numpy(), atol=1e-5)


@pytest.mark.parametrize("memory", [0, 7])
def test_looking_again_through_chunks_gives_the_same_chances(memory: int) -> None:
    made = trainer(memory=memory)
    (rollout, _), _ = made.collect(2 * made.game.steps)
    assert not any(state.any() for state in made.states)  # The recurrent memory is reset for a new episode.
    rows, mask, acts, before = (
        made._chunked(torch.stack(each)) for each in (rollout.rows, rollout.mask, rollout.acts, rollout.chance)
    )
    states = torch.stack(rollout.state[:: made.chunk]).flatten(0, 1)
    with torch.no_grad():
        chances, _, _ = made.nets[0](rows, mask, states)
    again = chances.gather(-1, acts[..., None])[..., 0]
    assert made.chunk == (25 if memory else 1)
    assert torch.allclose(again, before, atol=1e-4)


def test_nothing_forbidden_is_done_and_groups_are_as_asked() -> None:
    alone, together = trainer(social="alone"), trainer(social="together")
    for made in (alone, together):
        rollouts, episodes = made.collect(made.game.steps)
        assert len(episodes) == 6
        assert not any(episode.refused.any() for episode in episodes)
        assert all(
            bool(mask.gather(1, acts[:, None]).all())
            for r in rollouts
            for mask, acts in zip(r.mask, r.acts, strict=True)
        )
    assert all(np.ptp(episode.rewards) < 1e-9 for episode in episodes)
    together.collect(20)
    assert np.ptp(together.batch.rewards, axis=1).max() < 1e-9
    assert (together.batch.rules.graph.member[0] == 0).all()
    assert (alone.batch.rules.graph.member[0] == -1).all()


@pytest.mark.parametrize("memory", [0, 8])
def test_it_learns_what_pays(memory: int) -> None:
    """Much wood on a small map: constant picking is learned quickly. Equal seeds learn the same policy."""

    def learned(rounds: int) -> list[float]:
        made = trainer(memory=memory, rate=3e-3, hidden=(32,))
        made.game = load(
            "ada-contract",
            size=[3, 3],
            settings={"rounds": 0},
            steps=20,
            piles={"wood": [9, 9]},
            events={"hammer_craft": 1},
        )
        made.batch = Batch(made.game, range(12), autoreset=True)
        made.nets = [
            ppo.Net(ppo.inputs(made.batch, made.settings.parts).shape[2], made.actions, made.settings)
            for _ in made.nets
        ]
        made.optimisers = [torch.optim.Adam(net.parameters(), 3e-3) for net in made.nets]
        made.states = [torch.zeros(24, memory) for _ in made.nets]
        means = []
        for _ in range(rounds):
            rollouts, episodes = made.collect(made.game.steps)
            made.learn(0, rollouts[0])
            means.append(float(np.mean([episode.rewards[:2].sum() for episode in episodes])))
        return means

    means = learned(14)
    assert means[-1] > 2 * means[0]
    assert learned(2) == means[:2]


def test_the_command_line_trains_saves_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "policy.npz"
    ppo.main(["ada-contract", "--steps", "100", "--environments", "1", "--save", str(file)])
    assert "100 steps  score" in capsys.readouterr().out
    (curve,) = read_curves(curve_file(file))
    assert (curve.learner, curve.game, curve.social, curve.seed) == ("PPO", "ada-contract", "alone", 0)
    (point,) = curve.points
    game = load("ada-contract")
    assert point.steps == 100
    assert point.score == pytest.approx(point.mean_return / (plan_of(game).total / game.agents))
    ppo.main(["--play", str(file)])
    assert "of the oracle's, mean of 20 episodes" in capsys.readouterr().out
    batch = Batch(load("ada-contract"), [0])
    Learned(file).act(batch)


def test_a_social_structure_is_trained_and_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "policy.npz"
    wanted = ["--social", "learned", "--structure", "isolation", "--steps", "400", "--environments", "1"]
    ppo.main(["ada-social-structure", *wanted, "--save", str(file)])
    (curve,) = read_curves(curve_file(file))
    assert (curve.structure, [point.steps for point in curve.points]) == ("isolation", [200, 400])
    saved = Saved.read(file)
    assert ppo.whole_game(saved.game, (), saved.notes["structure"]).settings["structure"] == "isolation"
    ppo.main(["--play", str(file)])
    assert "of the oracle's" in capsys.readouterr().out


def test_a_game_without_talk_is_trained_whole() -> None:
    with pytest.raises(GridError, match="has no talk to leave out; choose --social learned"):
        ppo.game_of(ppo.Settings(game="ada-exploration"))
    assert ppo.game_of(ppo.Settings(game="ada-exploration", social="learned")).steps == 500
    assert ppo.game_of(ppo.Settings(game="ada-negotiation-hard", social="together")).steps == 200
    assert ppo.game_of(ppo.Settings(game="ada-contract-hard")).steps == 200


def test_stable_baselines_learns_on_the_pettingzoo_face() -> None:
    pytest.importorskip("sb3_contrib", reason="stable-baselines3 is not installed: pip install 'accord-mc[learn]'")
    import ppo_sb3

    world = ppo_sb3.AgentsVec(load("ada-contract", settings={"rounds": 0}, steps=10), [0, 1])
    model, curve = ppo_sb3.learner(world, 0), ppo_sb3.Curve(world)
    model.learn(80, callback=curve)
    assert [point.steps for point in curve.points] == [20]
    assert curve.curve(0).social == "alone"
    assert len(world.finished) == 2
    refused = [env.batch.refused.sum() for env in world.games]
    assert 0 <= ppo_sb3.play(model, world, 2) <= 1
    assert refused == [0, 0]
    with pytest.raises(AttributeError):
        world.env_method("render")
