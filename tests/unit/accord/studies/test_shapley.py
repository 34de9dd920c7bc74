"""Studies of contributions: coalitions in real games, stand-ins of every scenario, resuming, refusals, files."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accord.analysis.shapley import Shapley
from accord.cli.app import app
from accord.studies import shapley as module
from accord.studies.absent_players import replaceable, stand_ins
from accord.studies.kept_tournaments import claim, read_plan
from accord.studies.shapley import ShapleyPlan, shapley
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import load_scenario, scenario_names
from tests.fakes.sweep_engine import Here

GAME = "prisoners-dilemma"
PAIR = {"players": {"Gizmo": "always-cooperate", "Glitch": "tit-for-tat"}}


async def play(plan: ShapleyPlan, directory: Path) -> Shapley:
    return await shapley(plan, directory, engine=lambda _jobs: Here())


async def test_values_in_a_repeated_game_are_those_of_its_payoffs(tmp_path: Path) -> None:
    plan = ShapleyPlan(GAME, absent="greedy", repeat=2, seeds=1, settings=PAIR)
    found = await play(plan, tmp_path)
    # Two rounds: both cooperate 6 + 6; cooperation against defection 0 + 10; the others defect against tit for tat
    # with 5 + 0 in the first round and 1 + 1 in the second; two defectors get 4.
    by_name = {"+".join(sorted(each)): float(found.value(each)) for each in found.played}
    assert by_name == {"Gizmo+Glitch": 12, "Gizmo": 10, "Glitch": 7, "": 4}
    assert found.values == {"Gizmo": Fraction(11, 2), "Glitch": Fraction(5, 2)}
    assert sum(found.values.values()) == found.whole - found.nobody
    assert {player: account.means for player, account in found.accounts.items()} == {
        "Gizmo": (6, 0, 6), "Glitch": (6, 0, 6),
    }  # fmt: skip
    assert found.kinds == {"Gizmo": ("always-cooperate", "always-defect"), "Glitch": ("tit-for-tat", "always-defect")}
    again = Here()
    assert await shapley(plan, tmp_path, engine=lambda _jobs: again) == found
    assert again.played == []


async def test_equal_players_of_a_symmetric_game_add_the_same_exactly(tmp_path: Path) -> None:
    same = {"players": dict.fromkeys(PAIR["players"], "always-cooperate")}
    found = await play(ShapleyPlan(GAME, absent="greedy", repeat=1, seeds=1, settings=same), tmp_path)
    assert found.values["Gizmo"] == found.values["Glitch"] == Fraction(2)


async def test_a_player_that_plays_like_its_stand_in_adds_nothing_exactly(tmp_path: Path) -> None:
    settings = {"players": {"Gizmo": "always-defect", "Glitch": "always-cooperate"}}
    found = await play(ShapleyPlan(GAME, absent="greedy", repeat=1, seeds=1, settings=settings), tmp_path)
    assert found.values == {"Gizmo": 0, "Glitch": 3}


async def test_a_sample_of_a_game_on_arrays_holds_its_exact_values(tmp_path: Path) -> None:
    plan = ShapleyPlan("ada-contract", absent="idle", seeds=1, settings={"agents": "greedy", "time_limit_s": 20.0})
    exact = await play(plan, tmp_path / "exact")
    assert (exact.method, exact.world, len(exact.played), exact.runs) == ("exact", "none", 16, 16)
    assert sum(exact.values.values()) == exact.whole - exact.nobody
    drawn = await play(replace(plan, method="antithetic", orders=8), tmp_path / "drawn")
    assert drawn.orders == 8
    assert {drawn.played[each] == exact.played[each] for each in drawn.played} == {True}
    for player, summary in drawn.summaries.items():
        assert summary.ci95 is not None
        assert summary.ci95[0] <= exact.values[player] <= summary.ci95[1]


async def test_in_cleanup_the_cleaner_adds_more_than_its_reward(tmp_path: Path) -> None:
    settings = {"players": {"Gizmo": "cleaner", "Glitch": "harvester"}, "time_limit_s": 60.0}
    found = await play(ShapleyPlan("cleanup", seeds=1, settings=settings), tmp_path)
    assert found.absent == "idle"
    assert found.accounts["Gizmo"].means[0] == 0 < found.values["Gizmo"]
    assert found.gaps["Gizmo"].mean < 0 < found.gaps["Glitch"].mean
    assert "Gizmo is paid" not in found.sentence(), "one seed is no evidence"


@pytest.mark.parametrize("name", scenario_names())
def test_every_scenario_has_stand_ins_or_says_so(name: str) -> None:
    scenario = load_scenario(name)
    found = {plays: set(stand_ins(scenario, plays)) for plays in scenario.spec.plays}
    assert replaceable(scenario)
    least = {
        "episodes": {"idle", "random", "greedy", "reference"},
        "rounds": {"random", "reference"},
        "grid": {"idle", "random", "greedy", "reference"},
        "life": {"idle", "random", "reference"},
        "iterations": {"reference"},
    }
    assert all(least[plays] <= names for plays, names in found.items()), found
    if scenario.spec.TURNS == "choices":
        assert "idle" not in found["rounds"], "in repeated games every player chooses"


def test_a_plan_is_kept_and_read_as_it_was(tmp_path: Path) -> None:
    plan = ShapleyPlan(GAME, absent="greedy", settings=PAIR, orders=8, method="stratified", jobs=2)
    directory = claim(plan, tmp_path)
    assert directory.name.endswith("-prisoners-dilemma-shapley")
    assert read_plan(directory) == plan
    assert read_plan(directory, jobs=3) == replace(plan, jobs=3)


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ({"scenario": GAME, "absent": "idle"}, "absent: prisoners-dilemma has no idle players; choose one of random,"),
        ({"scenario": "cleanup", "absent": "idel"}, "absent: 'idel' is not legal (did you mean 'idle'?)"),
        ({"scenario": "cleanup", "method": "some"}, "method: 'some' is not legal; choose one of exact, antithetic,"),
        ({"scenario": "cleanup", "world": "none"}, "world none: cleanup needs a world"),
        ({"scenario": "cleanup", "orders": 3}, "orders: 3 is not legal"),
        ({"scenario": "cleanup", "repeat": 3}, "cleanup is no repeated game"),
        ({"scenario": "voyager-progress"}, "voyager-progress has too few players that others can replace (1)"),
        ({"scenario": "village", "method": "exact"}, "method: 30 players have more than 4096 coalitions"),
    ],
)
async def test_what_cannot_be_played_is_refused_in_one_line(plan: dict[str, object], told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        await play(ShapleyPlan(**plan), tmp_path)  # type: ignore[arg-type] # values of a test
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


async def test_an_unknown_measure_is_refused_after_one_run(tmp_path: Path) -> None:
    engine = Here()
    plan = ShapleyPlan(GAME, absent="greedy", repeat=1, seeds=3, measure="happiness")
    with pytest.raises(
        UsageError, match=r"measure: 'happiness' is no measure of the runs; choose one of welfare, gini"
    ):
        await shapley(plan, tmp_path, engine=lambda _jobs: engine)
    assert engine.played == [0]


def test_the_command_prints_a_table_and_writes_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "open_engine", lambda _name, jobs: Here())
    command = ["shapley", GAME, "--player", "Gizmo=always-cooperate", "--player", "Glitch=tit-for-tat"]
    command += ["--absent", "greedy", "--repeat", "2", "--seeds", "1", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "absent players: greedy" in result.output
    (directory,) = tmp_path.iterdir()
    rows = list(csv.DictReader((directory / "contributions.csv").read_text().splitlines()))
    assert [(row["player"], row["mean"], row["payoff"]) for row in rows] == [
        ("Gizmo", "5.5", "6.0"), ("Glitch", "2.5", "6.0"),
    ]  # fmt: skip
    assert json.loads((directory / "shapley.json").read_text())["players"][0]["contribution_exact"] == "11/2"
    page = (directory / "report.html").read_text()
    assert "Who adds what in prisoners-dilemma" in page
    resumed = CliRunner().invoke(app, ["resume", str(directory), "--json"])
    assert resumed.exit_code == 0, resumed.output
    assert json.loads(resumed.stdout) == json.loads((directory / "shapley.json").read_text())
