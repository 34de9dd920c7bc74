"""A small society of towns, played on the mock world under three conditions: one short study for all tests."""

from __future__ import annotations

import asyncio
import csv
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from accord.analysis.report import write_report
from accord.studies.study import StudySettings, run_study
from dilemmas.errors import SpecError
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from dilemmas.records.results import read_result
from dilemmas.scenarios.registry import load_scenario, spec_path
from dilemmas.scenarios.religion.measures import spreading
from dilemmas.scenarios.religion.scenario import Religion
from tests.fakes.towns import crowded
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.rule_based.religion import FILE


@dataclass
class Study:
    directory: Path
    again: Path

    def log(self, condition: str) -> Path:
        return self.directory / condition / "events.jsonl"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("towns")
    path = str(crowded(folder))

    def play(*conditions: str) -> Path:
        settings = StudySettings(path, world="mock", contracts=conditions, out=folder / "runs")
        return asyncio.run(run_study(settings)).directory

    return Study(play("spread", "deaf"), play("spread"))


def kinds(path: Path, kind: type[Any]) -> list[Any]:
    return [line.event for line in read_events(path) if isinstance(line.event, kind)]


def told(study: Study, condition: str) -> dict[str, Any]:
    found: dict[str, Any] = read_result(study.log(condition).with_name("result.json"))["religion"]
    return found


def test_people_convert_by_words_alone_and_with_deaf_ears_nobody_does(study: Study) -> None:
    preached, deaf = told(study, "spread"), told(study, "deaf")
    assert sum(preached["converts"].values()) >= 3
    assert deaf["converts"] == {"indirect": 0, "direct": 0}
    assert deaf["speeches"] > 10
    assert deaf["hearers"] == 0
    for condition in ("spread", "deaf"):
        found = spreading(read_events(study.log(condition)))
        assert found.wrong() == []
        # Of nobody nothing is claimed.
        assert told(study, condition)["words_alone_convert"] is (True if found.exposures.converts else None)
        assert all(each.critical is not None for each in found.exposures.converts.values())


def test_each_convert_had_heard_a_word_of_the_faith_before_by_a_count_of_its_own(study: Study) -> None:
    reached: set[str] = set()
    preachers = {name for name, each in kinds(study.log("spread"), log.PeopleSettled)[0].people.items() if each.role}
    converted = 0
    for each in kinds(study.log("spread"), log.Speech):
        if any(word in each.text.lower() for word in ("pasta", "spaghetti")):
            assert each.speaker in preachers | reached, f"{each.speaker} says {each.text!r} and had heard nothing"
            converted += each.speaker not in preachers
            reached |= set(each.hearers)
    assert converted


def test_the_same_seed_gives_the_same_bytes(study: Study) -> None:
    sums = {
        hashlib.sha256(each.read_bytes()).hexdigest() for each in (study.log("spread"), study.again / "events.jsonl")
    }
    assert len(sums) == 1


def test_the_report_draws_the_papers_figures_and_its_graph_can_be_read(study: Study, tmp_path: Path) -> None:
    report = write_report([study.directory], tmp_path)
    plots = {file.stem for file in (tmp_path / "plots").glob("*.svg")}
    assert {"levels", "converts", "area", "conversions", "meme-map", "memes-by-place", "memes-over-time"} <= plots
    page = report.html.read_text("utf-8")
    assert "converts had heard of it before." in page
    assert "<script" not in page
    rows = list(csv.DictReader((tmp_path / "critical.csv").read_text("utf-8").splitlines()))
    assert len(rows) == sum(told(study, "spread")["converts"].values())
    graph = nx.read_graphml(tmp_path / "conversions" / "spread-seed-0.graphml")
    critical = {(one, other) for one, other, data in graph.edges(data=True) if data["critical"]}
    assert critical == {(row["speaker"], row["player"]) for row in rows}
    converts = {row["player"] for row in rows}
    assert {name for name, group in graph.nodes(data="group") if group in ("direct", "indirect")} == converts
    lives = sorted((tmp_path / "lives" / "spread-seed-0").glob("*.html"))
    assert len(lives) == 30
    counts = list(csv.DictReader((tmp_path / "converts.csv").read_text("utf-8").splitlines()))
    deaf = [row for row in counts if row["condition"] == "deaf"]
    assert deaf
    assert all((row["indirect"], row["direct"]) == ("0", "0") for row in deaf)


def test_people_live_where_the_paper_has_them() -> None:
    scenario = load_scenario("religion")
    assert isinstance(scenario, Religion)
    spec = scenario.spec
    homes = [spec.town_of(name) for name in spec.players]
    assert len(homes) == 500
    assert {town: homes.count(town) for town in spec.towns} == dict.fromkeys(spec.towns, 33)
    assert homes.count("") == 302
    assert len({player.spawn for player in spec.players.values()}) == 500
    x0, z0, x1, z1 = spec.field.bounds
    assert all(x0 <= each.spawn[0] <= x1 and z0 <= each.spawn[2] <= z1 for each in spec.players.values())
    assert any(each.items for each in spec.players.values())


@pytest.mark.parametrize(
    ("condition", "towns"),
    [("priests", {"Meadowbrook": 20}), ("no-priests", {}), ("deaf", {"Meadowbrook": 20}),
     ("spread", {"Meadowbrook": 4, "Woodhaven": 4, "Clearwater": 3, "Hilltop": 3, "Riverbend": 3, "Sunny Glade": 3})],
)  # fmt: skip
def test_twenty_preach_where_the_condition_says(condition: str, towns: dict[str, int]) -> None:
    scenario = load_scenario("religion")
    assert isinstance(scenario, Religion)
    spec = scenario.spec
    where = [spec.town_of(name) for name in spec.preachers(condition)]
    assert {town: where.count(town) for town in dict.fromkeys(where)} == towns
    people = [spec.persona(name, condition) for name in spec.players]
    assert sum(each["role"] == "priest" for each in people) == sum(towns.values())
    assert all(("Flying Spaghetti Monster" in " ".join(each["traits"])) == bool(each["role"]) for each in people)
    assert all("Riverbend" in " ".join(each["location_memories"]) for each in people)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("assumptions: {adoption: {magic: 1}}", "assumptions.adoption.magic: is not there; legal are adoption.direct"),
        ("towns: {Farville: {at: [900, 0], radius: 12}}", "towns.Farville: is not whole within the field"),
        ("priests: {town: Rome}", "priests.town: 'Rome' is no town; choose from Meadowbrook"),
        ("population: {count: 4}", "in_town 0.066: 6 towns of 1 have more than the 4 people"),
    ],
)
def test_a_wrong_society_is_refused_in_one_line(more: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(f"extends: {spec_path('religion-small')}\nname: wrong\n{more}\n")
    with pytest.raises(SpecError, match=r"^[^\n]+$") as caught:
        load_scenario(str(path))
    assert said in str(caught.value)


def test_small_talk_shows_no_faith() -> None:
    """Otherwise a person who never heard of the faith would be counted as a convert."""
    table = rules(FILE)
    texts = [*table["everyday"]["says"], *(text for each in table["topics"].values() for text in each["says"])]
    level: Callable[[str], int] = spreading([]).memes.lexicon.level
    assert not any(level(text) for text in texts)
    assert not any(word in text.lower() for text in texts for word in ("pasta", "spaghetti"))
