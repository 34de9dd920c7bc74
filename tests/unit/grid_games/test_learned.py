"""Learned policies: files, inputs, and play by their outputs, without a learning library."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.errors import PolicyFileError
from common.policy_file import MANNERS, Network, Saved
from grid_games import Batch, GridPolicyError, load, names
from grid_games.arrays import Array, Inputs
from grid_games.policies import Learned, open_policy
from grid_games.policies.inputs import PARTS, inputs
from tests.unit.grid_games.play import empty, give, place, put

ROOT = Path(__file__).resolve().parents[3]


def network(fed: int, actions: int, memory: int = 0, seed: int = 0) -> Network:
    """Return random weights of a network."""
    dice = np.random.default_rng(seed)

    def array(*shape: int) -> Inputs:
        return dice.normal(0, 0.5, shape).astype(np.float32)

    gru = (array(3 * memory, 6), array(3 * memory, memory), array(3 * memory), array(3 * memory)) if memory else None
    return Network(((array(6, fed), array(6)),), (array(actions, memory or 6), array(actions)), gru)


def saved(name: str = "ada-contract", manner: str = "learned", memory: int = 0, **changes: object) -> Saved:
    """Save a policy for a game, with a network for each role, and return it."""
    batch = Batch(load(name), [0])
    actions = len(batch.actions) if manner == "learned" else batch.tables.social
    fed = inputs(batch, tuple(PARTS)).shape[2]
    nets = tuple(network(fed, actions, memory, seed) for seed in range(len(batch.game.roles)))
    made = Saved(name, tuple(PARTS), batch.game.players, nets, manner, {"steps": 1})
    return replace(made, **changes)  # type: ignore[arg-type]


def played(policy: Learned, name: str, steps: int = 40) -> list[bytes]:
    """Return the policy's actions in two environments and check that each is legal."""
    batch, acts = Batch(load(name), [3, 4]), []
    for _ in range(steps):
        acts.append(policy.act(batch))
        batch.step(acts[-1])
    assert not batch.refused.any()
    return [each.tobytes() for each in acts]


@pytest.mark.parametrize("name", names())
def test_a_learned_policy_plays_every_game_by_its_seed(name: str) -> None:
    policy = saved(name)
    assert played(Learned(policy, 1), name) == played(Learned(policy, 1), name)
    assert played(Learned(policy, 1), name) != played(Learned(policy, 2), name)


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("memory", [0, 5])
def test_a_file_plays_as_what_was_saved(manner: str, memory: int, tmp_path: Path) -> None:
    policy = saved(manner=manner, memory=memory)
    policy.write(tmp_path / "policy")
    again = open_policy(f"policy:{tmp_path / 'policy'}", 1)
    assert isinstance(again, Learned)
    assert played(again, "ada-contract") == played(Learned(policy, 1), "ada-contract")
    assert again.saved.notes == {"steps": 1}


@pytest.mark.parametrize(("manner", "groups"), [("alone", 4), ("together", 1)])
def test_the_manner_holds_the_talk(manner: str, groups: int) -> None:
    batch, policy = Batch(load("ada-contract"), [0]), Learned(saved(manner=manner))
    for _ in range(20):
        batch.step(policy.act(batch))
    assert len(set(batch.rules.graph.member[0][0, :, 0].tolist())) == groups


def test_memory_lasts_an_episode_and_no_longer() -> None:
    policy = Learned(saved(memory=5), best=True)
    batch = Batch(load("ada-contract", steps=30), [0])

    def scores() -> list[bytes]:
        found = []
        for _ in range(30):
            batch.step(policy.act(batch))
            found.append(policy._states[0].tobytes())
        batch.reset(seeds=[0], environments=[0])
        return found

    first = scores()
    assert len(set(first)) == 30
    assert scores() == first


def test_the_best_action_has_the_highest_score() -> None:
    batch = Batch(load("ada-contract", settings={"rounds": 0}), [0])
    policy = Learned(saved(), best=True)
    net, rows = policy.saved.networks[0], inputs(batch, tuple(PARTS))
    scores, _ = net.score(rows[:, 0], np.zeros((1, 0), np.float32))
    allowed = np.where(batch.mask[0, 0], scores[0], -np.inf)
    assert policy.act(batch)[0, 0] == allowed.argmax()


def test_what_is_drawn_follows_the_scores() -> None:
    policy = Learned(saved(), seed=1)
    chances = np.array([0.5, 0.3, 0.2, 0.0])
    scores = np.tile(np.log(chances + 1e-30), (4000, 1)).astype(np.float32)
    mask = np.tile([True, False, True, True], (4000, 1))
    shares = np.bincount(policy._drawn(scores, mask), minlength=4) / 4000
    assert shares == pytest.approx([5 / 7, 0, 2 / 7, 0], abs=0.03)


def test_inputs_tell_the_state_of_play() -> None:
    batch = empty(2)
    place(batch, 12, 13)
    put(batch, 12, wood=5)
    give(batch, 0, stone=3)
    window = inputs(batch, ("window",))[0].reshape(2, 5, 5, -1)
    resources = len(batch.game.resources)
    wood = 2 + resources + batch.game.resource("wood")
    assert window[0, 2, 2, [0, wood]].tolist() == [1, 1]
    assert window[0, 2, 3, 0] == 1
    assert window[1, 2, 1, wood] == 1
    assert np.count_nonzero(window[0]) == 3
    carried = inputs(batch, ("inventory",))[0]
    assert carried[0, batch.game.resource("stone")] == pytest.approx(np.log(4))
    assert np.count_nonzero(carried) == 1
    assert inputs(batch, ("number",))[0].tolist() == [[1, 0], [0, 1]]
    assert inputs(batch, ("left",))[0].tolist() == [[5], [5]]


def test_others_are_shown_by_role() -> None:
    batch = Batch(load("ada-contract"), [0])
    numbers = batch.windows()["grid"][0, :, :, 0]
    seen = inputs(batch, ("window",))[0].reshape(4, 49, -1)[..., 0]
    roles = np.array([0, 0, 0, 1, 1])
    for agent in range(4):
        expected = np.where(numbers[agent] == 0, 0, np.where(roles[numbers[agent]] == agent // 2, 1, -1))
        assert seen[agent].tolist() == expected.tolist()


def test_a_policy_for_another_game_is_named() -> None:
    with pytest.raises(GridPolicyError, match="plays 4 agents, ada-contract-hard has 8"):
        Learned(saved()).act(Batch(load("ada-contract-hard"), [0]))
    with pytest.raises(GridPolicyError, match=r"trained on ada-contract.* ada-negotiation has"):
        Learned(saved()).act(Batch(load("ada-negotiation"), [0]))
    with pytest.raises(GridPolicyError, match=r"is fed 'smell'; parts are window, inventory"):
        Learned(saved(parts=("window", "smell"))).act(Batch(load("ada-contract"), [0]))


def test_there_is_no_such_policy() -> None:
    with pytest.raises(
        GridPolicyError, match=r"no policy 'gready'; policies are random, greedy, oracle-plan, idle and policy:FIL"
    ):
        open_policy("gready", 0)
    with pytest.raises(GridPolicyError, match=r"policy file 'nowhere.npz' is not there"):
        open_policy("policy:nowhere.npz", 0)


def told(path: Path, **changes: object) -> Path:
    """Change the description in a policy file and return its path."""
    with np.load(path) as file:
        arrays = dict(file)
    arrays["told"] = np.array(json.dumps({**json.loads(str(arrays["told"])), **changes}))
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": 2}, "no policy of format 1"),
        ({"extra": 2}, "no policy of format 1"),
        ({"seats": [0, 0, 1, 7]}, r"seats are \[0, 0, 1, 7\], its networks are numbered 0 to 1"),
        ({"seats": []}, "seats are"),
        ({"manner": "rude"}, "manner is 'rude'; manners are alone, together, learned"),
        ({"parts": 3}, "parts and seats are lists"),
    ],
)
def test_a_file_that_says_something_else_is_refused(changes: dict[str, object], said: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    saved().write(path)
    with pytest.raises(PolicyFileError, match=said):
        Saved.read(told(path, **changes))


@pytest.mark.parametrize("content", [b"", b"words", b"PK\x03\x04 cut off", b"\x93NUMPY\x01\x00v\x00{}"])
def test_what_is_no_saved_policy_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    path.write_bytes(content)
    with pytest.raises(PolicyFileError, match=r"policy file .* is no saved policy \(\w+\); save one with --save"):
        Saved.read(path)


def test_nothing_in_a_file_can_run(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    np.savez(path, told=np.array([{"a": print}], dtype=object))
    with pytest.raises(PolicyFileError, match="is no saved policy"):
        Saved.read(path)
    np.save(tmp_path / "one.npy", np.zeros(3))
    with pytest.raises(PolicyFileError, match="is no saved policy"):
        Saved.read(tmp_path / "one.npy")


@pytest.mark.parametrize(
    ("array", "value", "said"),
    [
        ("0/last/0", np.zeros((16, 5)), r"layer 1 is \(16, 5\) with \(16,\) for 6 inputs"),
        ("0/last/1", np.full(16, np.nan), "layer 0/last is missing, or is not made of numbers"),
        ("0/dense0/1", np.zeros(7), r"layer 0 is"),
    ],
)
def test_layers_must_fit(array: str, value: Array, said: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    saved().write(path)
    with np.load(path) as file:
        arrays = {**file, array: value}
    np.savez(path, **arrays)
    with pytest.raises(PolicyFileError, match=said):
        Saved.read(path)


def test_a_recurrent_layer_must_fit(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    saved(memory=5).write(path)
    with np.load(path) as file:
        arrays = {**file, "1/gru/3": np.zeros(14)}
    np.savez(path, **arrays)
    with pytest.raises(PolicyFileError, match="the recurrent layer has rows for no state of 5"):
        Saved.read(path)


def test_to_play_takes_no_library_for_learning(tmp_path: Path) -> None:
    saved(memory=5).write(tmp_path / "policy.npz")
    program = (
        "import sys; from grid_games import Batch, load; from grid_games.policies import open_policy\n"
        "b = Batch(load('ada-contract'), [0]); b.step(open_policy('policy:' + sys.argv[1], 0).act(b))\n"
        "print(sorted({'torch', 'scipy', 'pettingzoo', 'gymnasium'} & set(sys.modules)))"
    )
    line = [sys.executable, "-c", program, str(tmp_path / "policy.npz")]
    assert subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True).stdout == "[]\n"
