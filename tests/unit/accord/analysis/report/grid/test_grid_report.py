"""Report of a grid game, with the paper's measures beside its tables, derived from the record alone."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import pytest

from accord.analysis.report import read_comparison, write_report
from accord.analysis.report.grid import published
from accord.analysis.report.grid.findings import game_of, measure_rows
from accord.analysis.report.standard import figures, population
from accord.analysis.transcript import StepFilter, read_steps
from dilemmas.records.events import GridEnded
from dilemmas.scenarios.ada.measures import game_measures
from grid_games.oracle import plan_of
from tests.unit.dilemmas.scenarios.ada.scene import first_plan, of_kind, played
from voyager_agents.models.fake_server import FakeServer


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study")
    chosen = {"agents": "oracle-plan", "contracts": ("isolation", "dynamic"), "runs": 2, "time_limit_s": 80}
    return asyncio.run(played("ada-social-structure", out, **chosen)).directory


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_report_has_the_papers_measures_and_printed_results(study: Path, tmp_path: Path) -> None:
    written = write_report([study], tmp_path)
    page = written.html.read_text()
    assert "As the paper measures it" in page
    assert "0.7894 ± 0.0444" in " ".join(page.replace('<span class="range">', " ").replace("</span>", "").split())
    assert "0.8356 ± 0.0496" in page
    assert "40 hammer craft, 20 torch craft" in page
    fairness = {(row["condition"], row["seed"]): float(row["value"]) for row in table(tmp_path, "grid_fairness.csv")}
    for condition in ("isolation", "dynamic"):
        for seed in (0, 1):
            ended = of_kind(study / condition / f"seed-{seed}", "grid_ended")[0]
            assert fairness[condition, str(seed)] == pytest.approx(game_measures(ended)["fairness"][""])
            shown = {
                row["player"]: float(row["reward"])
                for row in table(tmp_path, "grid_reward.csv")
                if (row["condition"], row["seed"]) == (condition, str(seed))
            }
            assert shown == ended.rewards
    exchanged = table(tmp_path, "grid_exchanges.csv")
    assert {row["resource"] for row in exchanged} >= {"hammer"}
    assert all(row["giver"] != row["taker"] for row in exchanged)
    edges = [
        (row["step"], row["edges"]) for row in table(tmp_path, "grid_society.csv") if row["condition"] == "dynamic"
    ]
    assert edges[:3] == [("0", "24"), ("30", "56"), ("60", "40")]
    printed = {
        (row["table"], row["game"], row["who"], row["measure"]): row["mean"]
        for row in table(tmp_path, "grid_published.csv")
    }
    assert printed["2", "ada-contract", "PPO", "score"] == "0.2286"
    assert printed["11", "ada-exploration", "1000 players", "steps_a_second"] == "2.6"
    assert {key[0] for key in printed} == {"2", "3", "8", "9", "10", "11", "12"}
    for name in ("grid-scores", "grid-completion", "grid-degrees", "grid-society", "grid-exchanges"):
        assert (tmp_path / "plots" / f"{name}.svg").is_file()
    assert not (tmp_path / "plots" / "measures.svg").exists()


def test_measures_are_in_the_papers_order_beside_its_results_of_a_language_model(study: Path) -> None:
    comparison = read_comparison([study])
    assert game_of(comparison) == "ada-social-structure"
    found = measure_rows(comparison)
    assert [each.measure for each in found][:4] == [
        "score",
        "fairness",
        "completion_hammer_craft",
        "completion_torch_craft",
    ]
    llm = {each.measure: each.llm for each in found if each.llm}
    assert llm == published.llm_results("ada-social-structure")
    plots = {**figures.FIGURES, **population.FIGURES}
    assert not any(plots[name].applies(comparison) for name in ("measures", "world"))


def test_a_transcript_tells_what_players_did_to_each_other(study: Path) -> None:
    steps = list(read_steps(study / "dynamic" / "seed-0", StepFilter()))
    texts = [step.title for step in steps if step.kind == "did"]
    assert any(text.startswith("picks up hammer of carpenter_") for text in texts)
    assert "is paid 0.85 of group 0" in texts


def test_the_measures_are_the_papers_own() -> None:
    ended = GridEnded(
        game="ada-contract", steps=120, trajectory="", oracle=200.0, plan={"hammer_craft": 20},
        rewards={"a": 0.0, "b": 10.0, "c": 10.0, "d": 20.0}, own={"a": 0.0, "b": 10.0, "c": 10.0, "d": 20.0},
        executions={"a": {"hammer_craft": 3}, "b": {"hammer_craft": 2}, "c": {}, "d": {}},
        refused=dict.fromkeys("abcd", 0), degrees={}, over_time={},
    )  # fmt: skip
    found = game_measures(ended)
    assert found["score"][""] == pytest.approx(10 / 50)
    assert found["fairness"][""] == pytest.approx(1 - (4 * 10 * 2 + 2 * 20) / (2 * 4 * 40))
    assert found["completion_hammer_craft"][""] == 0.25
    assert "split" not in found
    assert "fairness" not in game_measures(ended.model_copy(update={"rewards": {"a": -1.0, "b": 0.0}}))


def test_published_tables_are_those_of_the_games() -> None:
    from grid_games import load, names

    assert set(published.SCORES) == set(names())
    for game, measures in published.LLM.items():
        events = set(plan_of(load(game)).executions)
        assert {name.removeprefix("completion_") for name in measures if name.startswith("completion_")} <= events


async def test_planners_stand_beside_the_printed_language_model(tmp_path: Path) -> None:
    async with FakeServer(first_plan) as server:
        chosen = {"agents": "planner", "model": "openai/test", "base_url": server.base_url, "time_limit_s": 24}
        found = await played("ada-contract", tmp_path / "run", **chosen)
    page = write_report([found.directory], tmp_path / "report").html.read_text()
    rows = {row.measure: row for row in measure_rows(read_comparison([found.directory]))}
    asked = of_kind(found.directory, "grid_ended")[0].questions
    assert rows["questions_in_all"].title in page
    assert found.results[0]["measures"]["questions_in_all"][""] == sum(asked.values()) > 0
    # Tables 3 and 9.
    assert rows["score"].llm == (0.8433, 0.1312)
    assert rows["completion_hammer_craft"].llm == (0.9333, 0.0236)
    assert rows["questions_in_all"].llm is None
    assert "plans to gather" in page


def test_every_game_of_the_printed_language_model_has_its_score() -> None:
    for game in published.LLM:
        assert published.llm_results(game)["score"] == published.SCORES[game]["LLM-C"]
    assert published.llm_results("ada-exploration") == published.llm_results("") == {}


async def test_a_game_without_a_scored_run_has_a_report(tmp_path: Path) -> None:
    async with FakeServer(lambda _: "no") as server:
        chosen = {"model": "openai/test", "base_url": server.base_url, "time_limit_s": 1}
        found = await played("ada-contract", tmp_path, agents="text", **chosen)
    assert found.results[0]["invalid"] == "answers"
    assert write_report([found.directory], tmp_path / "report").html.is_file()
