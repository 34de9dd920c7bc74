"""Mediators and commitments as institutions of a repeated game, and as conditions of one study."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.errors import SpecError, UsageError
from dilemmas.records.events import GameBegun, InstitutionActed, RoundPlayed
from dilemmas.records.record import read_events
from dilemmas.scenarios.institutions import governed
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.scenario import RepeatedGame


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, StudyResult]:
    """Play four rounds with and without a mediator, and with commitments."""
    folder = tmp_path_factory.mktemp("devices")

    def settings(name: str, factor: str, value: str) -> StudySettings:
        vary = {f"institution.{factor}": (value,)}
        return StudySettings("prisoners-dilemma", world="mock", repeat=4, vary=vary, out=folder / name)

    async def play() -> dict[str, StudyResult]:
        return {
            "alone": await run_study(settings("alone", "mediator", "off")),
            "mediator": await run_study(settings("mediator", "mediator", "on")),
            "commitments": await run_study(settings("commitments", "commitments", "on")),
        }

    return asyncio.run(play())


def test_cooperation_returns_with_either_device_and_only_then(played: dict[str, StudyResult]) -> None:
    assert {name: each.results[0]["welfare"] for name, each in played.items()} == {
        "alone": 8,
        "mediator": 24,
        "commitments": 24,
    }


def test_the_record_has_what_was_chosen_and_what_was_carried_out(played: dict[str, StudyResult]) -> None:
    lines = [line.event for line in read_events(played["mediator"].directory / "events.jsonl")]
    rounds = [each for each in lines if isinstance(each, RoundPlayed)]
    assert [each.choices for each in rounds] == [[{"Gizmo": "delegate", "Glitch": "delegate"}]] * 4
    assert all(each.carried == {"Gizmo": "cooperate", "Glitch": "cooperate"} for each in rounds)
    assert all(each.cooperation == {"Gizmo": 1, "Glitch": 1} for each in rounds)
    steps = [each for each in lines if isinstance(each, InstitutionActed)]
    assert len(steps) == 8
    assert {(each.part, each.what, each.why) for each in steps} == {("mediator", "carried_out", "it chose delegate")}
    [begun] = [each for each in lines if isinstance(each, GameBegun)]
    assert begun.theory["pure_equilibria"] == [["defect", "defect"], ["delegate", "delegate"]]


def test_players_read_the_game_that_they_are_paid_for() -> None:
    scenario = load_scenario("prisoners-dilemma")
    assert governed(scenario, "none", {"institution.mediator": "off"}) is scenario
    mediated = governed(scenario, "none", {"institution.mediator": "on"})
    assert "a mediator chooses for it" in mediated.spec.text
    assert "3 delegate" in mediated.spec.text
    assert "mediator" not in scenario.spec.text
    assert isinstance(mediated, RepeatedGame)
    assert mediated.spec.repetition == scenario.spec.repetition  # type: ignore[attr-defined]
    named = load_scenario("prisoners-dilemma-mediated")
    assert isinstance(named, RepeatedGame)
    assert named.spec.text == mediated.spec.text
    assert governed(named, "none", {"institution.mediator": "off"}).spec.text == scenario.spec.text


def test_own_rules_and_programs_come_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(
        "extends: prisoners-dilemma\nname: own\n"
        "institutions:\n  commitments:\n    programs: {mirror: cooperate if same(others) else defect}\n",
        encoding="utf-8",
    )
    found = load_scenario(str(path))
    assert isinstance(found, RepeatedGame)
    assert found.spec.law.names() == ("cooperate", "defect", "mirror")


@pytest.mark.parametrize(
    ("institutions", "message"),
    [
        ("{mediator: on, commitments: on}", "turn one of them off"),
        ("{mediator: {together: steal}}", "'steal' is no option of Gizmo"),
        ("{commitments: {programs: {evil: __import__('os')}}}", "is not legal here"),
    ],
)
def test_a_device_that_does_not_suit_is_refused_in_one_line(tmp_path: Path, institutions: str, message: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(f"extends: prisoners-dilemma\nname: own\ninstitutions: {institutions}\n", encoding="utf-8")
    with pytest.raises(SpecError, match=message) as told:
        load_scenario(str(path))
    assert "\n" not in str(told.value)


def test_institutions_that_need_another_world_are_refused() -> None:
    for name, factor, message in [
        ("prisoners-dilemma", "guards", "guards reads"),
        ("prisoners-dilemma", "market", "market reads goods"),
        ("commons-harvest", "mediator", "mediator reads choices"),
        ("trust-game", "mediator", "a mediator or commitments need choices made once and together"),
    ]:
        scenario = load_scenario(name)
        with pytest.raises(UsageError, match=message):
            governed(scenario, "none", {f"institution.{factor}": "on"})
