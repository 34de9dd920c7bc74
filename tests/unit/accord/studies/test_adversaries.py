"""Adversaries as conditions: who plays them, what they cost, what is refused, and that a null one changes nothing."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report import read_comparison, write_report
from accord.analysis.report.attacks.findings import AttackedCondition, find_attacks
from accord.studies.adversaries import persona_of, with_secret_parts
from accord.studies.players import seating
from accord.studies.settings import StudySettings
from accord.studies.study import StudyResult, run_study
from accord.studies.variants import variants
from dilemmas.errors import UsageError
from dilemmas.records.events import GroundChanged, Speech
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.mock_models import programs, skilled
from tests.fakes.taxed import small_taxation
from voyager_agents.adversaries.kinds import adversaries
from voyager_agents.models.fake_server import FakeServer


def study(scenario: str, **given: Any) -> StudySettings:  # noqa: ANN401 - settings of any type
    return StudySettings(scenario, given.pop("contracts", ("none",)), world=given.pop("world", "mock"), **given)


@pytest.fixture(scope="module")
def taxed(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Return a society without influencers, in which one constituent agitates or not, and words are heard or not."""
    folder = tmp_path_factory.mktemp("agitated")
    path = small_taxation(folder)
    varied = {"adversary": ("none", "Ann:agitator"), "words": ("open", "quarantined")}
    return asyncio.run(run_study(study(str(path), contracts=("no-influencers",), vary=varied, out=folder / "runs")))


def attacks(found: StudyResult) -> dict[str, AttackedCondition]:
    """Return the attacks of a study by the level of `words`."""
    findings = find_attacks(read_comparison([found.directory]))
    assert findings is not None
    return {each.condition.rpartition("words=")[2]: each for each in findings.attacks}


def test_an_agitator_moves_the_votes_of_all_that_hear_it_and_of_nobody_in_quarantine(taxed: StudyResult) -> None:
    found = attacks(taxed)
    values = {words: attack.pairs[0].values for words, attack in found.items()}
    assert values == {"open": {"votes_swayed": 3}, "quarantined": {"votes_swayed": 0}}
    attacked = found["open"].pairs[0].attacked.taxes
    assert attacked is not None
    assert {name: attacked.lean(name) for name in ("Bob", "Cid", "Dot")} == {"Bob": -1, "Cid": -1, "Dot": -1}
    assert found["open"].sentence().startswith("Ann:agitator sways 3 voters (")


def test_an_agitator_argues_every_ten_seconds_while_somebody_is_near(taxed: StudyResult) -> None:
    folder = taxed.directory / "no-influencers+adversary=Ann-agitator+words=open"
    said = [
        each.event
        for each in read_events(folder / "events.jsonl")
        if isinstance(each.event, Speech) and each.event.speaker == "Ann" and "0 to 5 percent" in each.event.text
    ]
    assert [each.t_s for each in said if each.t_s <= 30] == [10, 20, 30]
    assert {each.t_s % 10 for each in said} == {0}


def test_the_report_tells_what_an_attack_cost(taxed: StudyResult) -> None:
    written = write_report([taxed.directory], taxed.directory)
    page = (taxed.directory / "report.html").read_text()
    assert "Ann:agitator sways 3 voters" in page
    assert "attacks.csv" in {path.name for path in written.files}


async def test_a_null_adversary_leaves_the_log_as_it_is_to_the_byte(tmp_path: Path) -> None:
    logs = []
    for name, given in (("plain", {}), ("null", {"Glitch": "none"})):
        found = await run_study(study("prisoners-dilemma", repeat=2, adversaries=given, out=tmp_path / name))
        logs.append((found.directory / "events.jsonl").read_bytes())
    assert logs[0] == logs[1]


async def test_a_free_rider_costs_the_others_what_the_payoffs_say(tmp_path: Path) -> None:
    cooperative = {"Gizmo": "always-cooperate", "Glitch": "always-cooperate"}
    varied = {"adversary": ("none", "Glitch:free-rider", "Glitch:saboteur")}
    found = await run_study(study("prisoners-dilemma", repeat=3, players=cooperative, vary=varied, out=tmp_path))
    findings = find_attacks(read_comparison([found.directory]))
    assert findings is not None
    # Three rounds of 3 and 3, against 0 and 5.
    assert [dict(each.pairs[0].values) for each in findings.attacks] == [
        {"welfare_lost": 3, "others_lost": 9, "adversary_gained": 6, "victims": 1}
    ] * 2


@pytest.mark.parametrize(
    ("scenario", "player", "kinds"),
    [
        ("double-vein", "Glitch", ("greedy", "saboteur")),
        ("cleanup", "Glitch", ("harvester", "saboteur")),
        ("commons-harvest", "Pedro", ("greedy-harvester", "saboteur")),
        ("conquest", "Ada", ("greedy", "saboteur")),
        ("public-goods", "Rivet", ("always-defect", "saboteur")),
        ("ada-contract", "miner_2", ("", None)),
        ("village", "Amos", (None, "saboteur")),
        ("taxation", "Ada", (None, "saboteur")),
    ],
)
def test_adversaries_that_act_take_the_seat_of_their_player(
    scenario: str, player: str, kinds: tuple[str | None, str | None]
) -> None:
    loaded = load_scenario(scenario)
    world = "none" if scenario.startswith("ada") else "mock"
    for name, kind in zip(("free-rider", "saboteur"), kinds, strict=True):
        settings = study(scenario, world=world, adversaries={player: name})
        if kind is None:
            with pytest.raises(UsageError, match=f"adversary: {scenario} has no {name} without a model; "):
                seating(settings, loaded)
        else:
            assert seating(settings, loaded)[player].kind == kind


def test_a_model_is_told_its_part_and_nobody_else_is() -> None:
    settings = study("double-vein", model="openai/m", adversaries={"Glitch": "liar"})
    plain = load_scenario("double-vein")
    told = with_secret_parts(settings, plain, seating(settings, plain))
    text = adversaries()["liar"].told
    assert text in told.spec.character("Glitch", "none")
    assert text not in told.spec.character("Gizmo", "none")
    assert seating(settings, plain) == seating(study("double-vein", model="openai/m"), plain)
    reference = study("double-vein", adversaries={"Glitch": "liar"})
    assert with_secret_parts(reference, plain, seating(reference, plain)) is plain


async def test_in_a_run_the_part_of_an_adversary_is_in_its_own_prompts_alone(tmp_path: Path) -> None:
    async with FakeServer(skilled(await programs())) as server:
        given = {"model": "openai/good", "base_url": server.base_url, "adversaries": {"Glitch": "liar"}}
        found = await run_study(study("double-vein", time_limit_s=30, out=tmp_path, **given))
    calls = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text().splitlines()]
    text = adversaries()["liar"].told
    assert {(each["player"], text in json.dumps(each)) for each in calls} == {("Gizmo", False), ("Glitch", True)}


def test_a_model_that_lives_is_told_its_part_as_a_trait() -> None:
    settings = study("village", agents="piano", model="openai/m", adversaries={"Amos": "agitator"})
    village = load_scenario("village")
    seating(settings, village)
    own, other = (persona_of(settings, village, name, "none")["traits"] for name in ("Amos", "Eino"))
    text = adversaries()["agitator"].told
    assert own == [*village.spec.persona("Amos", "none")["traits"], text]
    assert text not in other


@pytest.mark.parametrize(
    ("scenario", "given", "told"),
    [
        ("cleanup", {"Gizmo": "thief"}, "adversary: 'thief' is not legal; choose one of free-rider, saboteur, liar,"),
        ("cleanup", {"Gizom": "liar"}, "adversary: unknown player 'Gizom' (did you mean 'Gizmo'?); choose from Gizmo,"),
        ("stag-hunt", {"Gizmo": "liar"}, "have no channel for the words of a liar; choose one of free-rider, saboteur"),
        ("stag-hunt", {"Gizmo": "liar"}, "or let players talk, with --contract negotiate"),
        ("ada-contract", {"miner_2": "liar"}, "have no channel for the words of a liar; choose one of free-rider"),
        (
            "taxation",
            {"Ada": "free-rider"},
            "has no free-rider without a model; choose one of saboteur, liar, agitator,",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(scenario: str, given: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError) as raised:
        seating(study(scenario, adversaries=given), load_scenario(scenario))
    assert told in str(raised.value)


def test_adversaries_and_defences_are_factors() -> None:
    levels = ("none", "Gizmo:liar+Glitch:free-rider")
    varied = {"adversary": levels, "words": ("open", "quarantined"), "hosts": ("per-player",)}
    found = variants(study("cleanup", world="embedded", vary=varied))
    assert [(dict(each.settings.adversaries), each.settings.words, each.settings.hosts) for each in found] == [
        ({}, "open", "per-player"),
        ({}, "quarantined", "per-player"),
        ({"Gizmo": "liar", "Glitch": "free-rider"}, "open", "per-player"),
        ({"Gizmo": "liar", "Glitch": "free-rider"}, "quarantined", "per-player"),
    ]
    with pytest.raises(UsageError, match="vary: adversary=liar: write none, or NAME:KIND"):
        variants(study("cleanup", vary={"adversary": ("liar",)}))


async def test_the_log_tells_a_planted_liar_and_accuses_nobody_else(tmp_path: Path) -> None:
    """A claim of 64 diamonds and an accusation of a broken promise are wrong in every run that can decide them."""
    varied = {"adversary": ("none", "Glitch:liar")}
    found = await run_study(study("double-vein", runs=8, seed=10, vary=varied, out=tmp_path))
    marks: dict[str, Counter[tuple[str, str]]] = {}
    for condition in read_comparison([found.directory]).conditions:
        judged = [each for run in condition.scored if run.words for each in run.words.by_rules.statements]
        level = condition.name.rpartition("adversary=")[2]
        marks[level] = Counter((each.utterance.speaker, each.mark) for each in judged)
    assert marks == {
        "none": Counter(),
        "Glitch:liar": Counter({("Glitch", "lie"): 1, ("Glitch", "false accusation"): 1, ("Glitch", "open"): 1}),
    }


@pytest.mark.parametrize(
    ("scenario", "contract", "player"),
    [
        ("conquest-three", "cheap-talk", "Ada"),
        ("conquest-three", "negotiate", "Ada"),
        ("prisoners-dilemma", "negotiate+cheap-talk", "Gizmo"),
        ("public-goods", "negotiate+private+cheap-talk", "Rivet"),
    ],
)
async def test_in_games_with_talks_an_adversary_speaks_there_and_acts_as_its_player_does(
    scenario: str, contract: str, player: str, tmp_path: Path
) -> None:
    said: dict[str, list[str]] = {}
    for kind in ("none", "agitator"):
        given: dict[str, Any] = {"time_limit_s": 3.0} if scenario.startswith("conquest") else {"repeat": 2}
        settings = study(scenario, contracts=(contract,), adversaries={player: kind}, out=tmp_path / kind, **given)
        await run_study(settings)
        [run] = read_comparison([tmp_path / kind]).conditions[0].scored
        assert run.words is not None
        said[kind] = [each.utterance.text for each in run.words.calls if each.kind == "agitation"]
        speakers = {each.utterance.speaker for each in run.words.calls}
        assert speakers == (set() if kind == "none" else {player})
        assert run.words.planted == ({} if kind == "none" else {player: "agitator"})
    assert said["none"] == []
    assert said["agitator"]


async def test_saboteurs_and_random_players_live_and_break_what_others_work_with(tmp_path: Path) -> None:
    small = tmp_path / "small.yaml"
    small.write_text("extends: village\nname: small\npopulation: {count: 3}\n")
    broken = {}
    for kind in ("saboteur", "random", "idle"):
        settings = study(str(small), players={"Amos": kind}, time_limit_s=60.0, out=tmp_path / kind)
        found = await run_study(settings)
        changes = [
            block
            for each in read_events(found.directory / "events.jsonl")
            if isinstance(each.event, GroundChanged)
            for block in each.event.changed.get("Amos", ())
        ]
        broken[kind] = len(changes)
    assert broken["idle"] == 0 < broken["random"]
    assert broken["saboteur"] >= 5
