"""What holds of every registered scenario, so that a new one needs no test of its own for it; played on mock."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from dilemmas.analysis.measures import accounts, gini, welfare
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from dilemmas.running.conditions import resolve
from dilemmas.running.schelling import Plan, schelling
from dilemmas.running.study import StudySettings, run_study
from dilemmas.running.sweeps.kept_worlds import KeptWorlds
from dilemmas.scenarios.registry import SCENARIOS, VARIANTS, load_scenario, spec_path
from tests.fakes.json_schema import faults
from voyager_agents import PLAYERS

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
NAMES = sorted(SCENARIOS)
ALL = sorted([*SCENARIOS, *VARIANTS])
DILEMMAS = [name for name in NAMES if load_scenario(name).spec.PRICED]
"""Those with payoffs; in the others agents live, and their own tests play them (tests/unit/societies)."""
ALL_DILEMMAS = [name for name in ALL if load_scenario(name).spec.PRICED]
SEEDS = {"cleanup": 4}
"""Episodes for each line-up, where one does not show what a scenario is: what a mushroom gives is mostly chance."""
LIMITS = {"cleanup": 100.0}
"""Game time of those episodes, where a part of the whole shows the same order of payoffs."""
SECONDS = 24.0
"""Game time of an episode here: all that is built and judged is, and hands are laid on everything."""


@pytest.mark.parametrize("name", DILEMMAS)
def test_the_abstract_says_what_it_is_and_why_it_is_a_dilemma(name: str) -> None:
    abstract = importlib.import_module(SCENARIOS[name].partition(":")[0]).__doc__ or ""
    parts: dict[str, list[str]] = {}
    for line in abstract.splitlines()[1:]:
        if line and not line.startswith(" "):
            parts[line.split(" (")[0]] = []
        elif line:
            parts[list(parts)[-1]].append(line)
    assert list(parts) == ["Rules", "Payoffs", "Why it is a dilemma", "Source", "Version history"]
    assert all(parts.values()), "a heading stands alone"
    assert len(" ".join(parts["Why it is a dilemma"]).split()) >= 30
    assert f"    {load_scenario(name).spec.version}   " in "\n".join(parts["Version history"])


@pytest.mark.parametrize("name", ALL_DILEMMAS)
def test_every_role_has_players_and_everybody_can_earn(name: str) -> None:
    spec = load_scenario(name).spec
    assert spec.name == name
    assert spec.about
    assert spec.text
    assert len(spec.players) >= 2
    assert spec.observer.name not in spec.players
    for player in spec.players.values():
        assert any(price > 0 for price in player.prices.values())
    assert spec.dilemma is not None
    assert {spec.dilemma.cooperate, spec.dilemma.defect} <= set(PLAYERS)
    assert spec.dilemma.cooperate != spec.dilemma.defect


@pytest.mark.parametrize("name", ALL_DILEMMAS)
def test_every_condition_has_the_contract_that_it_names(name: str) -> None:
    scenario = load_scenario(name)
    assert "none" in scenario.spec.conditions
    for condition, about in scenario.spec.conditions.items():
        found = resolve(scenario, condition)
        assert (found.contract is not None) is (about.contract == "given")
        assert about.about
        assert found.contract is None or set(found.contract.parties) == set(scenario.spec.players)


@pytest.mark.parametrize("name", ALL)
def test_a_variant_overrides_in_a_few_lines(name: str, tmp_path: Path) -> None:
    path = tmp_path / "variant.yaml"
    path.write_text(f"extends: {spec_path(name)}\nname: short\nversion: 2\nend: {{time_limit_s: 7}}\n")
    spec = load_scenario(str(path)).spec
    assert (spec.scenario, spec.name, spec.version) == (load_scenario(name).spec.scenario, "short", 2)
    assert spec.end.time_limit_s == 7


def test_every_file_of_a_scenario_is_registered() -> None:
    files = {path.name for path in spec_path("double-vein").parent.parent.glob("*/*.yaml")}
    assert files == {spec_path(name).name for name in ALL}


@pytest.mark.parametrize("name", DILEMMAS)
async def test_every_condition_runs_and_the_log_alone_gives_its_result(name: str, tmp_path: Path) -> None:
    conditions = tuple(load_scenario(name).spec.conditions)
    found = await run_study(StudySettings(name, conditions, world="mock", out=tmp_path, time_limit_s=SECONDS))
    assert [result["condition"] for result in found.results] == list(conditions)
    assert faults(json.loads((found.directory / "result.json").read_text()), RULES) == []
    for result in found.results:
        assert result["status"] == "complete", result["reason"]
        directory = found.directory / result["condition"]
        assert faults(json.loads((directory / "result.json").read_text()), RULES) == []
        lines = [json.loads(line) for line in (directory / "events.jsonl").read_text().splitlines()]
        told = {player: (each["reward"], each["payoff"]) for player, each in result["players"].items()}
        assert recomputed(lines) == told
        assert_monotonic(lines)
        held = accounts(read_events(directory / "events.jsonl"))
        assert {player: (each.reward, each.payoff) for player, each in held.items()} == told
        payoffs = [payoff for _, payoff in told.values()]
        assert (welfare(payoffs), gini(payoffs)) == (result["welfare"], result["gini"])
        assert result["welfare"] > 0


def recomputed(lines: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Player -> reward and payoff, from the log's JSON alone: what was held at the end, at the prices told first."""
    prices = {player: terms["prices"] for player, terms in lines[0]["data"]["players"].items()}
    last = max(place for place, line in enumerate(lines) if line["kind"] == "end_state")
    held = {player: each["items"] for player, each in lines[last]["data"]["players"].items()}
    rewards = {
        player: sum(count * prices[player].get(item, 0) for item, count in items.items())
        for player, items in held.items()
    }
    moved = dict.fromkeys(rewards, 0.0)
    for line in lines[last:]:
        if line["kind"] == "transfer":
            moved[line["data"]["payer"]] -= line["data"]["amount"]
            moved[line["data"]["payee"]] += line["data"]["amount"]
    return {player: (rewards[player], pytest.approx(rewards[player] + moved[player])) for player in rewards}


def assert_monotonic(lines: list[dict[str, Any]]) -> None:
    """Numbers without a gap, time and ticks that never run back, and the right first and last lines."""
    assert [line["seq"] for line in lines] == list(range(len(lines)))
    assert (lines[0]["kind"], lines[-1]["kind"]) == ("run_started", "run_ended")
    for key in ("time", "episode"):
        values = [line[key] for line in lines if line[key] is not None]
        assert values == sorted(values), key
    seen = [line["data"]["t_s"] for line in lines if line["kind"] == "state"]
    assert seen == sorted(seen)


@pytest.mark.parametrize("name", DILEMMAS)
async def test_it_is_a_social_dilemma_between_its_reference_players(name: str, tmp_path: Path) -> None:
    plan = Plan(name, seeds=SEEDS.get(name, 1), out=tmp_path, time_limit_s=LIMITS.get(name))
    # One process and one world for all line-ups: starting others costs more than most of these episodes.
    worlds = KeptWorlds(tmp_path / "logs")
    try:
        found = await schelling(plan, worlds=worlds)
    finally:
        await worlds.close()
    assert found.players == len(load_scenario(name).spec.players)
    # So few seeds decide it for none of them; that all of it holds by the means is what is played here.
    assert found.by_the_means, (found.sentence(), found.plain()["margins"])
    assert found.dilemma is not False, found.sentence()
    assert name not in SEEDS or found.margins["R > P"].certain
