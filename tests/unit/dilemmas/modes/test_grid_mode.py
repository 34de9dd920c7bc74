"""AdaSociety's games as scenarios: runs, records, conditions, several episodes, contracts, interruptions."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord.analysis.measures import accounts
from accord.cli import main
from accord.studies.runner import usual_world
from accord.studies.study import StudySettings, read_settings, resume_study, run_study
from accord.studies.sweeps.spec import read_sweep
from accord.studies.sweeps.tasks import expand_sweep
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.modes.registry import MODES
from dilemmas.records.events import RunResumed, WorldReady
from dilemmas.records.record import read_events
from dilemmas.records.trajectories import read_trajectory
from dilemmas.scenarios.registry import SCENARIOS, VARIANTS, load_scenario
from grid_games import Batch, load
from tests.fakes.json_schema import faults
from tests.unit.dilemmas.scenarios.ada.scene import RULES, lines, of_kind, played, settings

GAMES = sorted(name for name in (*SCENARIOS, *VARIANTS) if name.startswith("ada-"))


@pytest.mark.parametrize("name", GAMES)
async def test_every_game_runs_and_its_log_alone_gives_its_result(name: str, tmp_path: Path) -> None:
    conditions = load_scenario(name).spec.conditions
    played_by_policies = [each for each, spec in conditions.items() if spec.contract != "negotiated"]
    found = await played(name, tmp_path, contracts=tuple(played_by_policies[:2]), time_limit_s=60)
    for result in found.results:
        directory = found.directory / result["condition"]
        assert result["status"] == "complete", result["reason"]
        assert faults(result, RULES) == []
        told = {player: (each["reward"], each["payoff"]) for player, each in result["players"].items()}
        held = accounts(read_events(directory / "events.jsonl"))
        assert {player: (each.reward, each.payoff) for player, each in held.items()} == told
        ended = of_kind(directory, "grid_ended")[-1]
        assert ended.rewards == {player: reward for player, (reward, _) in told.items()}
        assert math.isclose(sum(ended.rewards.values()), sum(ended.own.values()), abs_tol=1e-6)
        assert result["measures"] == load_scenario(name).measures(lines(directory))  # type: ignore[attr-defined]
        assert {"score", "refused"} <= set(result["measures"])


async def test_the_trajectory_is_the_whole_game(tmp_path: Path) -> None:
    found = await played("ada-negotiation", tmp_path, agents="oracle-plan", seed=3)
    ended = of_kind(found.directory, "grid_ended")[0]
    kept = read_trajectory(found.directory / ended.trajectory)
    batch = Batch(load("ada-negotiation"), [3])
    assert (batch.world.piles == kept["piles"]).all()
    for number, actions in enumerate(kept["actions"]):
        allowed = batch.mask[0, np.arange(batch.agents), actions]
        assert (allowed == kept["effective"][number]).all()
        step = batch.step(actions[None].astype(np.intp))
        assert (step.rewards[0] == kept["rewards"][number]).all()
        assert (batch.places[0] == kept["places"][number + 1]).all()
        assert (batch.rules.graph.member[0][0] == kept["groups"][number + 1]).all()
    assert (batch.inventory[0] == kept["inventory"][-1]).all()
    assert number == 119
    assert np.allclose(kept["rewards"].sum(axis=0), list(ended.rewards.values()))


async def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"agents": "greedy", "runs": 2, "time_limit_s": 60}
    one, two = [await played("ada-contract", tmp_path / each, **chosen) for each in "ab"]
    for seed in (0, 1):
        for name in ("events.jsonl", "episodes/1/trajectory.npz"):
            a, b = ((each.directory / f"seed-{seed}" / name).read_bytes() for each in (one, two))
            assert a == b
    texts = [(one.directory / f"seed-{seed}" / "events.jsonl").read_text() for seed in (0, 1)]
    assert texts[0] != texts[1]


async def test_each_episode_has_a_layout_of_its_own(tmp_path: Path) -> None:
    found = await played("ada-contract", tmp_path, episodes=2, time_limit_s=30)
    kept = [read_trajectory(found.directory / f"episodes/{number}/trajectory.npz") for number in (1, 2)]
    assert (kept[0]["piles"] != kept[1]["piles"]).any()
    batch = Batch(load("ada-contract"), [0])
    batch.reset()
    assert (batch.world.piles == kept[1]["piles"]).all()
    assert found.results[0]["episodes"] == 2


async def test_a_condition_changes_the_game(tmp_path: Path) -> None:
    names = ("isolation", "inequality", "dynamic")
    found = await played("ada-social-structure", tmp_path, contracts=names, time_limit_s=40)
    changed = {name: [each.step for each in of_kind(found.directory / name, "society")] for name in names}
    assert changed == {"isolation": [], "inequality": [0], "dynamic": [0, 30]}
    begun = of_kind(found.directory / "inequality", "society")[0]
    assert begun.groups["carpenter_0"] == {0: 0.85}
    assert len(begun.shows) == 24
    assert found.results[1]["measures"]["group_max_in"][""] == 4


async def test_miners_pay_for_hammers_by_the_contract(tmp_path: Path) -> None:
    found = await played("ada-contract", tmp_path, agents="oracle-plan", contracts=("contract-1",))
    run = found.results[0]
    assert run["verdict"]["judge"] == "formal"
    ended = of_kind(found.directory, "end_state")[0]
    hammers = {player: held.items.get("hammer", 0) for player, held in ended.players.items()}
    paid = {name: 2 * min(2.5 * hammers[name], ended.players[name].reward / 4) for name in ("miner_2", "miner_3")}
    for name, amount in paid.items():
        assert amount > 0
        assert run["players"][name]["transfer"] == pytest.approx(-amount, abs=0.02)
    assert sum(each["transfer"] for each in run["players"].values()) == pytest.approx(0)
    assert run["welfare"] == pytest.approx(sum(held.reward for held in ended.players.values()))


@pytest.mark.parametrize("keep", [9, -3, -2, -1])
async def test_an_interrupted_run_comes_to_the_same_end(keep: int, tmp_path: Path) -> None:
    whole = await played("ada-negotiation", tmp_path / "whole", episodes=2, time_limit_s=30)
    cut = tmp_path / "cut"
    shutil.copytree(whole.directory, cut)
    log = (cut / "events.jsonl").read_text().splitlines(keepends=True)
    ends = [place for place, line in enumerate(log) if '"kind": "end_state"' in line]
    where = keep if keep > 0 else {-3: ends[0], -2: ends[0] + 1, -1: ends[1]}[keep]
    (cut / "events.jsonl").write_text("".join(log[:where]))
    (cut / "result.json").unlink()
    found = await resume_study(cut, read_settings(cut))
    drop = ("wall_s", "episode_wall_s")
    before, after = ({k: v for k, v in each.results[0].items() if k not in drop} for each in (whole, found))
    assert before == after
    # A resumed process reports its own world.
    told, usual = (
        [line.event for line in lines(run) if not isinstance(line.event, RunResumed | WorldReady)][:-1]
        for run in (cut, whole.directory)
    )
    assert told == usual
    for number in (1, 2):
        name = f"episodes/{number}/trajectory.npz"
        assert (cut / name).read_bytes() == (whole.directory / name).read_bytes()


async def test_some_players_may_have_another_policy(tmp_path: Path) -> None:
    found = await played("ada-contract", tmp_path, agents="random", players={"miner_3": "greedy"}, time_limit_s=30)
    assert list(of_kind(found.directory, "grid_begun")[0].players.values()) == ["random"] * 3 + ["greedy"]


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"world": "mock"}, "ada-contract is played on arrays and needs no Minecraft world: leave out --world"),
        ({"embodied": "mirror"}, "there is no world to show ada-contract in; choose one with --world"),
        ({"embodied": "ghost"}, "embodied: 'ghost' is not legal; choose one of off, mirror"),
        ({"agents": "reference"}, "agents 'reference' do not play ada-contract"),
        ({"agents": "policy:nowhere.npz"}, "policy:nowhere.npz: there is no such file"),
        ({"agents": "policy"}, "no file is named: say which policy plays with --agents policy:FILE"),
        ({"agents": "text"}, "agents of the family 'text' need a model"),
        ({"agents_options": {"history": "3"}}, "'history' is no option of 'random' agents"),
        ({"contracts": ("negotiate",)}, "agents of the family 'random' follow a policy that does not talk"),
    ],
)
async def test_unsuitable_settings_are_refused_in_one_line(chosen: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        await run_study(settings("ada-contract", tmp_path, **chosen))
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert os.listdir(tmp_path) == []


async def test_other_scenarios_need_a_world(tmp_path: Path) -> None:
    for chosen, told in (
        ({"world": "none"}, "needs a world"),
        ({"embodied": "mirror", "world": "mock"}, "in the world itself"),
    ):
        with pytest.raises(UsageError, match=told):
            await run_study(StudySettings("double-vein", out=tmp_path, **chosen))
    assert usual_world(load_scenario("double-vein"), "off") == "embedded"
    assert usual_world(load_scenario("ada-contract"), "off") == "none"
    assert usual_world(load_scenario("ada-contract"), "mirror") == "embedded"


def test_a_variant_may_change_any_key_of_the_game_and_not_its_players_by_condition(tmp_path: Path) -> None:
    base = Path(load_scenario("ada-contract").path)
    path = tmp_path / "small.yaml"
    path.write_text(f"extends: {base}\nname: small\ngame: {{changes: {{steps: 40, piles: {{wood: [2, 3]}}}}}}\n")
    spec: Any = load_scenario(str(path)).spec
    assert (spec.game_of("none").steps, spec.end.time_limit_s) == (40, 40)
    assert [(pile.resource, pile.count) for pile in spec.game_of("none").piles] == [("wood", 2)]
    path.write_text(
        f"extends: {base}\nname: small\n"
        "conditions: {more: {about: x, game: {changes: {players: {carpenter: 3}}}}}\n"
    )
    with pytest.raises(UsageError, match=r"conditions\.more\.game: is played by carpenter_0, carpenter_1, carpenter_2"):
        load_scenario(str(path))
    path.write_text(f"extends: {base}\nname: small\ngame: {{name: chess}}\n")
    with pytest.raises(UsageError, match="there is no game 'chess'"):
        load_scenario(str(path))


def test_a_sweep_plays_games_on_arrays_in_no_world(tmp_path: Path) -> None:
    both = read_sweep({"scenarios": ["ada-contract", "double-vein"]}, tmp_path / "s.yaml")
    tasks = expand_sweep(both, tmp_path)
    assert [(task.scenario, task.world) for task in tasks] == [("ada-contract", "none"), ("double-vein", "mock")]
    shown = read_sweep({"scenarios": ["ada-contract"], "settings": {"embodied": "mirror"}}, tmp_path / "s.yaml")
    assert [task.world for task in expand_sweep(shown, tmp_path)] == ["mock"]
    named = read_sweep({"scenarios": ["ada-contract"], "worlds": ["embedded"]}, tmp_path / "s.yaml")
    assert [task.world for task in expand_sweep(named, tmp_path)] == ["embedded"]


def test_the_command_line_takes_the_usual_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--time-limit", "21", "--out", str(tmp_path), "--no-report"]
    assert main(["run", "ada-contract", "--json", *chosen]) == 0
    assert json.loads(capsys.readouterr().out)["world"] == "none"
    assert main(["run", "ada-contract", "--world", "mock", *chosen]) == 2
    assert "needs no Minecraft world" in capsys.readouterr().err


async def test_a_game_without_a_stored_plan_needs_the_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = Path(load_scenario("ada-contract").path)
    path = tmp_path / "rich.yaml"
    path.write_text(f"extends: {base}\nname: rich\ngame: {{changes: {{piles: {{wood: [9, 5], stone: [4, 5]}}}}}}\n")
    # Simulates an installation without the extra.
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(PrerequisiteError, match="plan is not stored, and the oracle needs scipy: install the extra"):
        await played(str(path), tmp_path / "out", time_limit_s=21)


def test_grid_is_for_grid_games_alone() -> None:
    with pytest.raises(UsageError, match="is no grid game"):
        MODES["grid"].check(load_scenario("double-vein"))
