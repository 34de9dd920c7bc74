"""Facts and goals that a scenario tells one player alone: in its prompts, in nobody else's, and in the measures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.analysis.report import write_report
from accord.analysis.transcript.reading import read_steps
from accord.studies.player_checks import check_secrets
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from dilemmas.errors import SpecError, UsageError
from dilemmas.records.digest import digest
from dilemmas.records.events import EpisodeEnded, LogLine
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.json_schema import faults
from tests.fakes.killing import events, kill_after, killed_at, log_of
from tests.fakes.model_players import respond
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

SECRETS = """
extends: double-vein
players:
  Gizmo:
    knows: [The MARKED-KNOWN vein is poor.]
    goal: {text: Hold three MARKED-IRON., holds: Gizmo.items.raw_iron >= 3}
  Glitch:
    goal: {text: Hold a thousand MARKED-GEMS., holds: Glitch.items.diamond >= 1000 and chest.iron_pickaxe / 0 == 1}
"""
OWN = {"Gizmo": ("MARKED-KNOWN", "MARKED-IRON"), "Glitch": ("MARKED-GEMS",)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "secrets.yaml"
    path.write_text(SECRETS)
    return path


async def play(file: Path, *conditions: str, **chosen: Any) -> StudyResult:  # noqa: ANN401
    found = await run_study(StudySettings(str(file), conditions, world="mock", out=file.parent / "out", **chosen))
    assert faults(json.loads((found.directory / "result.json").read_text()), json.loads(SCHEMA.read_text())) == []
    return found


async def test_a_secret_is_in_its_own_players_prompts_and_in_nobody_elses(file: Path) -> None:
    def answer(request: Request) -> str | FakeReply:
        said = json.dumps(request.body)
        prompts.append({player for player, words in OWN.items() if any(word in said for word in words)})
        return respond(request)

    prompts: list[set[str]] = []
    async with FakeServer(answer) as server:
        found = await play(
            file, "negotiate", model="openai/test", base_url=server.base_url, episodes=1, time_limit_s=5.0
        )
    assert {frozenset(each) for each in prompts} >= {frozenset({"Gizmo"}), frozenset({"Glitch"})}
    assert all(len(each) <= 1 for each in prompts)
    for step in read_steps(found.directory):
        seen_by = {step.player, *step.others}
        for player, words in OWN.items():
            assert player in seen_by or not any(word in str(step) for word in words), step


async def test_measures_tell_who_reached_its_goal_in_the_last_episode(file: Path) -> None:
    found = await play(file, "none", seed=1, episodes=2)
    [result] = found.results
    ended = [each.goals for each in events(found, EpisodeEnded)]
    iron = result["players"]["Gizmo"]["items"].get("raw_iron", 0)
    assert ended[-1] == {"Gizmo": iron >= 3, "Glitch": False}
    assert result["measures"] == {"goal_reached": {"Gizmo": float(iron >= 3), "Glitch": 0.0}}
    assert result["gathered"] == {"goal_reached": "mean"}
    assert bounds_of(found, "none") == {"reward": [0, None], "payoff": [0, None], "goal_reached": [0, 1]}


def bounds_of(study: StudyResult, condition: str) -> dict[str, Any]:
    """Return the bounds in the study's config.yaml."""
    config = yaml.safe_load((study.directory / "config.yaml").read_text(encoding="utf-8"))
    return dict(config["bounds"][condition])


async def test_payoffs_have_no_bounds_where_contracts_may_leave_debts(file: Path) -> None:
    found = await play(file, "contract-1")
    assert bounds_of(found, "contract-1") == {"reward": [0, None], "goal_reached": [0, 1]}


async def test_reports_show_the_share_of_goals_that_were_reached(file: Path) -> None:
    found = await play(file, "none", "contract-1", runs=2)
    write_report([found.directory], file.parent / "report")
    assert "goal reached" in (file.parent / "report" / "report.html").read_text()


@pytest.mark.parametrize("count", [4, 8, 12, 16])
async def test_a_killed_run_goes_on_to_the_same_goals(file: Path, count: int) -> None:
    def study(out: Path, listen: Callable[[LogLine], None] | None = None) -> Any:  # noqa: ANN401
        settings = StudySettings(str(file), ("contract-1",), world="mock", out=out, seed=1, episodes=2)
        return run_study(settings, listen=listen)

    whole = await study(file.parent / "whole")
    killed_at(study(file.parent / "killed", kill_after(count)))
    [directory] = [each for each in (file.parent / "killed").glob("*") if not each.name.startswith(".")]
    resumed = await resume_study(directory, read_settings(directory))
    assert digest(read_events(log_of(resumed))) == digest(read_events(log_of(whole)))
    assert resumed.results[0]["measures"] == whole.results[0]["measures"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("Gizmo.items.raw_iron", "is no condition over observables"),
        ("Gizmo.items.gold >= 1", "'Gizmo.items.gold' is not known; legal are Gizmo.items."),
        ("Gizmo.items.raw_iron >=", "players.Gizmo.goal.holds"),
        ('met("x")', "players.Gizmo.goal.holds"),
    ],
)
def test_a_goal_that_cannot_be_evaluated_is_refused(file: Path, change: str, told: str) -> None:
    goal = {"text": "Hold it.", "holds": change}
    with pytest.raises(SpecError) as refused:
        load_scenario(str(file), {"players": {"Gizmo": {"goal": goal}}})
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_agents_that_would_not_read_a_secret_are_refused() -> None:
    scenario = load_scenario("village")
    name, *_ = scenario.spec.players
    told = scenario.spec.players[name].model_copy(update={"knows": ("The well is dry.",)})
    scenario.spec = scenario.spec.model_copy(update={"players": {**scenario.spec.players, name: told}})
    settings = StudySettings("village", agents="piano", model="openai/test")
    with pytest.raises(UsageError, match=f"{name}: agents of the family 'piano' do not read the facts and the goal"):
        check_secrets(settings, scenario)


def test_scenarios_without_secrets_keep_their_data() -> None:
    players = load_scenario("double-vein").spec.resolved()["players"]
    assert all({"knows", "goal"}.isdisjoint(player) for player in players.values())
