"""Smoke test of the curriculum, MAPPO, Rainbow and the benchmark over seeds; skipped if torch is not installed."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from accord.analysis.intervals import mean_interval
from common.errors import PolicyFileError
from common.policy_file import Network, Saved
from grid_games import GridError
from grid_games.curriculum import PAPER
from grid_games.learning_curves import CurvePoint, curve_file, read_curves

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'accord-mc[learn]' to run this")
ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "benchmarks")]
import curriculum as benchmark  # noqa: E402
import mappo  # noqa: E402
import ppo  # noqa: E402
import rainbow  # noqa: E402

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


def test_the_benchmark_trains_plays_and_tells_the_orders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
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
    monkeypatch.setattr(benchmark, "train", None)  # What is there is not trained again.
    with suppress(SystemExit):
        benchmark.main(given)
    assert json.loads((tmp_path / "figures.json").read_text()) == found


def test_the_studies_of_the_benchmark_can_be_trained() -> None:
    for name in benchmark.KNOWN["studies"]:
        study = benchmark.study_of(name)
        assert set(study.learners) <= set(benchmark.LEARNERS)
        assert len(study.seeds) >= 1
        assert ppo.game_of(study.settings).name == study.settings.game
    trainer = benchmark.trainer_of("CL", replace(benchmark.study_of("dynamic").settings, environments=1, steps=600))
    trainer.train(lambda steps, reached: False)
    assert list(trainer.reached) == ["one-group", "drawn-groups", "free"]


def test_orders_and_intervals_are_as_by_hand() -> None:
    stages = {"one-group": 0.9, "drawn-groups": 0.3, "free": 0.8}
    rows = [{"learner": "CL", "score": 0.8, "stages": stages}, {"learner": "PPO", "score": 0.9, "stages": {}}]
    rows = [{**row, "game": "ada-contract"} for row in rows]
    assert list(benchmark.orders(rows).values()) == [True, False]
    assert benchmark.told([0.5]) == "0.5000 (1 seed)"
    assert benchmark.told([1.0, 2.0, 3.0]) == "2.0000 (1.0000, 2.0000, 3.0000)", "three seeds are too few"
    low, high = mean_interval([1.0, 2.0, 3.0, 4.0, 6.0]) or (0.0, 0.0)
    assert benchmark.told([1.0, 2.0, 3.0, 4.0, 6.0]) == f"3.2000 [{low:.4f}, {high:.4f}] (5 seeds)"
    points = [CurvePoint(step, 0.0, value) for step, value in enumerate([0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1])]
    assert benchmark.converged(points) == 7


def test_returns_of_several_steps_stop_at_an_end() -> None:
    replay = rainbow.Replay(1, 2, 3, steps=3)
    for number in range(6):
        replay.see(np.full((1, 2), number), np.ones((1, 3), bool))
        replay.act(np.array([number % 3]), np.array([1.0]), np.array([number == 3]))
    assert np.flatnonzero(replay.priority).tolist() == [0, 1, 2]  # the next states of the others are to come
    gain, factor = replay.returns(np.array([0, 1, 2]), np.zeros(3, int), 0.5)
    assert gain.tolist() == [1.75, 1.75, 1.5]
    assert factor.tolist() == [0.125, 0.0, 0.0]
    replay.rate(np.array([1]), np.array([0]), np.array([10.0**9]))
    steps, _, chances = replay.draw(50, np.random.default_rng(0), by_priority=True)
    assert (steps == 1).all()
    assert np.allclose(chances, 1, atol=1e-3)
    assert set(replay.draw(50, np.random.default_rng(0), by_priority=False)[0]) == {0, 1, 2}


def test_a_distribution_is_projected_as_by_hand() -> None:
    support = torch.tensor([0.0, 1.0, 2.0])
    following = torch.tensor([[0.0, 0.0, 1.0], [0.5, 0.0, 0.5]])
    found = rainbow.project(following, torch.tensor([0.25, 5.0]), torch.tensor([0.5, 0.5]), support)
    assert found.tolist() == [[0.0, 0.75, 0.25], [0.0, 0.0, 1.0]]


@pytest.mark.parametrize("off", [(), ("distributional",), ("noisy", "dueling"), rainbow.PARTS])
def test_every_choice_of_parts_learns_and_plays_as_saved(off: tuple[str, ...], tmp_path: Path) -> None:
    made = rainbow.Trainer(replace(SMALL, environments=1, steps=200), frozenset(off))
    for _ in range(30):
        made.advance()
    before = [each.detach().clone() for each in made.nets[0].parameters()]
    made.improve(0)
    assert any(not torch.equal(one, other) for one, other in zip(before, made.nets[0].parameters(), strict=True))
    made.saved().write(tmp_path / "policy.npz")
    network = Saved.read(tmp_path / "policy.npz").networks[1]
    net, rows = made.nets[1], made.rows()[:, made.agents[1]].reshape(2, -1)
    for layer in (net.advantage, net.value):
        if isinstance(layer, rainbow.Noisy):  # a file has no noise
            torch.nn.init.zeros_(layer.spread)
            torch.nn.init.zeros_(layer.spread_bias)
    with torch.no_grad():
        values = net.values(net(torch.from_numpy(rows))).numpy() * rainbow.SHARP
    assert np.allclose(network.score(rows, np.zeros((2, 0), np.float32))[0], values, rtol=1e-3, atol=0.05)
    assert made.curve().learner.startswith("DQN" if off == rainbow.PARTS else "Rainbow")


def test_rainbow_refuses_what_it_has_not(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rainbow, "COLD", 98)
    with pytest.raises(GridError, match="--memory 8: Rainbow has no recurrent layer here"):
        rainbow.main(["--memory", "8"])
    with pytest.raises(GridError, match="--without luck: there is no such part; parts are double, dueling"):
        rainbow.main(["--without", "luck"])
    rainbow.main(["ada-contract", "--steps", "100", "--environments", "1", "--without", "noisy"])
    assert "100 steps  score" in capsys.readouterr().out


def test_atoms_that_do_not_fit_the_last_layer_are_refused(tmp_path: Path) -> None:
    last = np.zeros((6, 2), np.float32), np.zeros(6, np.float32)
    Saved("g", ("left",), (0,), (Network((), last, atoms=np.ones(4, np.float32)),)).write(tmp_path / "policy.npz")
    with pytest.raises(PolicyFileError, match=r"\(4,\) atoms do not fit a last layer of 6 rows; save it anew"):
        Saved.read(tmp_path / "policy.npz")
