"""Experiments on perception, played on the mock world.

Thoughts follow the truth with social awareness and not without; killed or out of budget, runs go on.
"""

from __future__ import annotations

import asyncio
import csv
import hashlib
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from accord.analysis.report import write_report
from accord.analysis.report.comparison import compare
from accord.analysis.report.drawing import render
from accord.analysis.report.perception.figures import FIGURES
from accord.analysis.report.perception.findings import find_perceptions, sentence
from accord.analysis.report.perception.tables import perception_tables
from accord.analysis.report.reader import read_runs
from accord.analysis.report.style import LIGHT
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from dilemmas.errors import SpecError
from dilemmas.records import events as log
from dilemmas.records.digest import digest
from dilemmas.records.record import read_events
from dilemmas.records.results import read_result
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.killing import kill_after, killed_at
from tests.fakes.perception import respond, small
from voyager_agents.budget import ALL
from voyager_agents.models.fake_server import FakeServer

CONDITIONS = ("social", "ablated")
STUDIES = ("room", "chef", "town")


def settings(folder: Path, study: str, *, seconds: float | None = None, **chosen: Any) -> StudySettings:  # noqa: ANN401
    path = small(folder, study, seconds)
    return StudySettings(str(path), **{"world": "mock", "contracts": CONDITIONS, "out": folder / "runs", **chosen})


def played(folder: Path, study: str, **chosen: Any) -> StudyResult:  # noqa: ANN401 - settings of any kind
    return asyncio.run(run_study(settings(folder, study, **chosen)))


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    return played(tmp_path_factory.mktemp("room"), "room", runs=2)


@pytest.fixture(scope="module")
def chef(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    return played(tmp_path_factory.mktemp("chef"), "chef")


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    return played(tmp_path_factory.mktemp("town"), "town")


def told(found: StudyResult, study: str, condition: str) -> list[dict[str, Any]]:
    paths = sorted((found.directory / condition).rglob("result.json"))
    results = [read_result(path) for path in paths]
    return [each[f"perception-{study}"] for each in results if f"perception-{study}" in each]


def test_in_the_room_thoughts_follow_feelings_that_change_and_without_social_awareness_they_do_not(
    room: StudyResult,
) -> None:
    found = {name: [each["perception"]["r"] for each in told(room, "room", name)] for name in CONDITIONS}
    assert [len(each) for each in found.values()] == [2, 2]
    assert min(found["social"]) > 0.8
    assert max(map(abs, found["ablated"])) < 0.5
    errors = [mean([each["mean_absolute_error"] for each in told(room, "room", name)]) for name in CONDITIONS]
    assert errors[0] < errors[1] / 2


def test_the_chef_gives_to_those_who_like_it_and_without_social_awareness_it_knows_nothing_of_them(
    chef: StudyResult,
) -> None:
    social, ablated = (told(chef, "chef", name)[0] for name in CONDITIONS)
    assert [row[0] for row in social["guests"]["rows"]]
    assert social["perception"]["r"] > 0.9
    assert social["food_by_perceived"]["r"] > 0.6
    assert social["food_by_felt"]["slope"] > 0.5
    low, high = ablated["perception"]["slope_ci95"]
    assert low < 0 < high
    assert abs(ablated["perception"]["slope"]) < 0.3
    assert ablated["food_by_felt"]["slope"] < 0.2


def test_no_food_is_lost_and_guests_eat_what_they_are_given(chef: StudyResult) -> None:
    for each in told(chef, "chef", "social"):
        assert each["given"] >= 8
        assert each["given"] - 1 <= each["received"] <= each["given"], "one piece may lie on the ground at the end"
    labels = {
        line.event.label
        for path in (chef.directory / "social").rglob("events.jsonl")
        for line in read_events(path)
        if isinstance(line.event, log.ActEnded) and line.event.ended == "done"
    }
    assert "eat" in labels


def test_a_town_perceives_who_is_likeable_and_without_social_awareness_it_does_not(town: StudyResult) -> None:
    social, ablated = (told(town, "town", name)[0]["perception"]["5"] for name in CONDITIONS)
    assert social["n"] >= 8
    assert social["r"] > 0.8
    assert social["slope_ci99"][0] > 0
    assert ablated["n"] >= 8
    assert ablated["r_ci95"][0] < 0 < ablated["r_ci95"][1]


def test_the_same_seed_gives_the_same_bytes(room: StudyResult, tmp_path: Path) -> None:
    again = played(tmp_path, "room", contracts=("social",))
    logs = [room.directory / "social" / "seed-0" / "events.jsonl", again.directory / "events.jsonl"]
    assert len({hashlib.sha256(path.read_bytes()).hexdigest() for path in logs}) == 1


def test_the_report_shows_the_papers_figures_and_tables_beside_the_published_values(
    town: StudyResult, tmp_path: Path
) -> None:
    report = write_report([town.directory], tmp_path)
    page = report.html.read_text("utf-8")
    assert "<script" not in page
    assert "Correlation of perceived with true likeability" in page
    assert "lives/social-seed-0/" in page
    plots = {file.stem for file in (tmp_path / "plots").glob("*.svg")}
    assert plots == {
        "sentiment-graph", "likeability", "observers", "accuracy", "degrees", "differences", "perception-measures",
    }  # fmt: skip
    rows = list(csv.DictReader((tmp_path / "regressions.csv").read_text("utf-8").splitlines()))
    five = next(row for row in rows if row["condition"] == "social" and row["min_observers"] == "5")
    result = told(town, "town", "social")[0]["perception"]["5"]
    assert float(five["slope"]) == pytest.approx(result["slope"])
    assert float(five["slope_ci95_low"]) == pytest.approx(result["slope_ci95"][0])
    assert (five["published_r"], five["published_n"], five["published_slope"]) == ("0.807", "31", "0.373")
    assert "0.807" in page
    assert "4.328" in page


@pytest.mark.drawn
def test_room_and_chef_have_figures_of_their_own_and_a_table_for_each(room: StudyResult, chef: StudyResult) -> None:
    for study, of, table in ((room, "room", "sentiments.csv"), (chef, "chef", "food.csv")):
        found = find_perceptions(compare(read_runs([study.directory])))
        assert found is not None
        assert found.study == of
        for figure in FIGURES[of].values():
            assert render(figure, found, LIGHT).startswith("<?xml")
        rows = list(csv.DictReader(perception_tables(found)[table].splitlines()))
        assert {row["condition"] for row in rows} == set(CONDITIONS)
        assert sentence(found).startswith("Correlation of perceived with true sentiment")


@pytest.mark.parametrize("study", STUDIES)
async def test_models_play_all_three_and_are_measured_over_the_same_slots(study: str, tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        chosen = {
            "model": "openai/x",
            "agents": None,
            "base_url": server.base_url,
            "think": "1",
            "contracts": ("social",),
        }
        found = await run_study(settings(tmp_path, study, seconds=20 if study == "room" else 6, **chosen))
    assert found.results[0]["status"] == "complete"
    lines = list(read_events(found.directory / "events.jsonl"))
    asked = {line.event.player for line in lines if isinstance(line.event, log.ModelCalled)}
    written = {line.event.player for line in lines if isinstance(line.event, log.SlotWritten)}
    assert "Judy" in asked, "a model rates what was thought"
    asked.remove("Judy")
    measured = found.results[0][f"perception-{study}"]
    if study == "room":
        assert asked == {"Ava"}, "speakers play their parts without a model"
        # Sentences with a word are read as what they show; only few of them say nothing.
        assert measured["perception"]["r"] > 0.6
    else:
        assert asked == set(found.results[0]["players"])
        assert measured["study"] == study
    assert measured["rated"]
    assert asked <= written


async def test_the_papers_baseline_decides_by_what_it_remembers(tmp_path: Path) -> None:
    """The controller sees what is heard as memories, and what is sensed not at all."""
    passed: dict[str, set[str]] = {}
    async with FakeServer(respond) as server:
        chosen = {"model": "openai/x", "base_url": server.base_url, "think": "1", "contracts": ("baseline",)}
        for baseline in ("yes", "paper"):
            options = {"agents_options": {"baseline": baseline}, "seconds": 15}
            found = await run_study(settings(tmp_path / baseline, "room", **chosen, **options))
            events = [line.event for line in read_events(found.directory / "events.jsonl")]
            choices = [each for each in events if isinstance(each, log.ChoiceMade) and each.player == "Ava"]
            passed[baseline] = {slot["slot"] for each in choices for slot in each.passed}
    assert {"percepts", "hearing", "working_memory"} <= passed["yes"]
    assert passed["yes"] - passed["paper"] == {"percepts", "hearing"}


def test_a_run_that_is_killed_goes_on_to_the_same_end(town: StudyResult, tmp_path: Path) -> None:
    whole = town.directory / "social" / "events.jsonl"
    count = sum(1 for _ in read_events(whole))
    short = settings(tmp_path, "town", contracts=("social",))
    killed_at(run_study(short, listen=kill_after(count // 2)))
    (directory,) = short.out.iterdir()
    found = asyncio.run(resume_study(directory, read_settings(directory)))
    assert found.results[0]["status"] == "complete"
    assert digest(read_events(found.directory / "events.jsonl")) == digest(read_events(whole))


async def test_a_budget_that_is_used_up_ends_it_clean_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        chosen = {
            "model": "openai/x",
            "base_url": server.base_url,
            "think": "1",
            "contracts": ("social",),
            "seconds": 6,
        }
        whole = await run_study(settings(tmp_path / "whole", "room", **chosen))
        short = await run_study(settings(tmp_path / "short", "room", budget={"calls": {ALL: 8}}, **chosen))
        assert short.results[0]["status"] == "budget"
        assert short.results[0]["usage"]["calls"] <= 8
        kept = replace(read_settings(short.directory, base_url=server.base_url), budget={"calls": {ALL: 1e5}})
        found = await resume_study(short.directory, kept)
    assert found.results[0]["status"] == "complete"
    logs = [read_events(each.directory / "events.jsonl") for each in (found, whole)]
    assert digest(logs[0]) == digest(logs[1])


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("parts: {Eve: {part: speaker}}", "parts: 'Eve' is no player"),
        ("judges: [Zoe]", "judges: 'Zoe' is no player"),
        ("parts: {Lila: {feelings: {Ava: [[9, 5], [3, 5]]}}}", "second 3 comes after 9"),
        ("parts: {Lila: {feelings: {Ava: [[0, 11]]}}}", "less than or equal to 10"),
        ("assumptions: {speaking: {loud: 1}}", "assumptions.speaking.loud: is not there"),
    ],
)
def test_a_misfit_is_reported_in_one_line(change: str, wrong: str, tmp_path: Path) -> None:
    path = small(tmp_path, "room")
    text = path.read_text("utf-8").split("\nparts:")[0] + f"\n{change}\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError) as error:
        load_scenario(str(path))
    assert wrong in str(error.value)
    assert "\n" not in str(error.value)
