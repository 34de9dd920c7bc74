"""What holds of every registered scenario, so that a new one needs no test of its own for it; played on mock."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from dilemmas.conditions import resolve
from dilemmas.measures import accounts, gini, welfare
from dilemmas.record import read_events
from dilemmas.registry import SCENARIOS, load_scenario, spec_path
from dilemmas.results import SCHEMA
from dilemmas.study import StudySettings, run_study
from tests.fakes.json_schema import faults
from voyager_agents import PLAYERS

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
NAMES = sorted(SCENARIOS)
SECONDS = 40.0
"""Game time of an episode here: all that is built and judged is, and hands are laid on everything."""


@pytest.mark.parametrize("name", NAMES)
def test_the_abstract_says_what_it_is_and_why_it_is_a_dilemma(name: str) -> None:
    abstract = importlib.import_module(SCENARIOS[name].partition(":")[0]).__doc__ or ""
    sections = [line for line in abstract.splitlines() if line and not line.startswith(" ")]
    order = [section.split(" (")[0] for section in sections[1:]]
    assert order == ["Rules", "Payoffs", "Why it is a dilemma", "Source", "Version history"]


@pytest.mark.parametrize("name", NAMES)
def test_every_role_has_players_and_everybody_can_earn(name: str) -> None:
    spec = load_scenario(name).spec
    assert len(spec.players) >= 2
    assert spec.observer.name not in spec.players
    for player in spec.players.values():
        assert any(price > 0 for price in player.prices.values())
    assert {spec.dilemma.cooperate, spec.dilemma.defect} <= set(PLAYERS)
    assert spec.dilemma.cooperate != spec.dilemma.defect


@pytest.mark.parametrize("name", NAMES)
def test_every_condition_has_the_contract_that_it_names(name: str) -> None:
    scenario = load_scenario(name)
    given = any(each.contract == "given" for each in scenario.spec.conditions.values())
    assert ({"none", "negotiate"} if given else {"none"}) <= set(scenario.spec.conditions)
    assert len(scenario.spec.conditions) >= 2
    for condition, about in scenario.spec.conditions.items():
        found = resolve(scenario, condition)
        assert (found.contract is not None) is (about.contract == "given")
        assert about.about
        assert found.contract is None or set(found.contract.parties) == set(scenario.spec.players)


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_overrides_in_a_few_lines(name: str, tmp_path: Path) -> None:
    path = tmp_path / "variant.yaml"
    path.write_text(f"extends: {spec_path(name)}\nname: short\nversion: 2\nend: {{time_limit_s: 7}}\n")
    spec = load_scenario(str(path)).spec
    assert (spec.scenario, spec.name, spec.version, spec.end.time_limit_s) == (name, "short", 2, 7)


@pytest.mark.parametrize("name", NAMES)
async def test_every_condition_runs_and_the_log_alone_gives_its_result(name: str, tmp_path: Path) -> None:
    conditions = tuple(load_scenario(name).spec.conditions)
    found = await run_study(StudySettings(name, conditions, world="mock", out=tmp_path, time_limit_s=SECONDS))
    assert [result["condition"] for result in found.results] == list(conditions)
    assert faults(json.loads((found.directory / "result.json").read_text()), RULES) == []
    for result in found.results:
        assert result["status"] == "complete", result["reason"]
        directory = found.directory / result["condition"]
        assert faults(json.loads((directory / "result.json").read_text()), RULES) == []
        recomputed = accounts(read_events(directory / "events.jsonl"))
        assert {player: (each.reward, each.payoff) for player, each in recomputed.items()} == {
            player: (each["reward"], each["payoff"]) for player, each in result["players"].items()
        }
        payoffs = [each.payoff for each in recomputed.values()]
        assert (welfare(payoffs), gini(payoffs)) == (result["welfare"], result["gini"])
        assert result["welfare"] > 0
