"""Invariants of every registered scenario, so that a new one needs no test of its own for them; played on mock."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.measures import accounts, gini, welfare
from accord.compliance import check
from accord.compliance.plays import check_ended, check_same_bytes, play
from accord.compliance.scenarios import SECONDS, check_clean, check_payoffs
from accord.studies.schelling import SchellingPlan, schelling
from accord.studies.sweeps.kept_worlds import KeptWorlds
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from dilemmas.scenarios.registry import SCENARIOS, VARIANTS, load_scenario, spec_path
from tests.fakes.json_schema import faults
from voyager_agents.registry import BUILT_IN

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
NAMES = sorted(SCENARIOS)
ALL = sorted([*SCENARIOS, *VARIANTS])
DILEMMAS = [name for name in NAMES if load_scenario(name).spec.PRICED]
"""Scenarios with payoffs; scenarios in which agents live have tests of their own (`societies/`)."""
ALL_DILEMMAS = [name for name in ALL if load_scenario(name).spec.PRICED]
SEEDS = {"cleanup": 5}
"""Episodes of each line-up, if one does not show the order: a mushroom's yield is mostly chance."""
LIMITS = {"cleanup": 45.0, "commons-harvest": 60.0}
"""Game time of those episodes, if a part of the whole shows the same order of payoffs."""
SMALL = {"religion": "religion-small"}
"""Scenario -> its smaller variant, which is built with the same commands."""
FEW = {"progression": 5}
"""Number of players, if one for each kind of land to start in is enough: everybody's land has to be made."""
LIFE_S = 8.0
"""Game time of lives: a few seconds suffice to check play and log, and each costs as much as its players."""
PLAYED = [SMALL.get(name, name) for name in NAMES if load_scenario(name).build()]


@pytest.mark.parametrize("name", ALL)
async def test_a_scenario_passes_all_checks_that_need_no_play(name: str, tmp_path: Path) -> None:
    assert await failed("scenarios", name, tmp_path) == []
    assert load_scenario(name).spec.name == name


@pytest.mark.parametrize("name", list(BUILT_IN))
async def test_every_family_of_agents_complies(name: str, tmp_path: Path) -> None:
    assert await failed("agents", name, tmp_path) == []


async def test_the_formal_judge_complies(tmp_path: Path) -> None:
    assert await failed("judges", "formal", tmp_path) == []


async def failed(group: str, name: str, out: Path) -> list[str]:
    """Return the findings of `accord check` against one of Accord's own scenarios, without playing."""
    found = [each async for each in check(group, name, out, played=False)]
    assert found
    return [f"{each.check}: {each.told}" for each in found if not each.ok]


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


@pytest.mark.parametrize("name", PLAYED)
async def test_every_condition_is_played_by_vanilla_commands_and_the_log_alone_gives_its_result(
    name: str, tmp_path: Path
) -> None:
    if name in FEW:
        (tmp_path / "few.yaml").write_text(f"extends: {spec_path(name)}\npopulation: {{count: {FEW[name]}}}\n")
        name = str(tmp_path / "few.yaml")
    scenario = load_scenario(name)
    # Lives cost more than their first condition shows.
    conditions = tuple(scenario.spec.conditions)[: None if scenario.spec.PRICED else 1]
    plays = await play(name, SECONDS if scenario.spec.PRICED else LIFE_S, tmp_path, conditions)
    check_ended(plays)
    plays.commands.check()
    assert len(plays.commands.issued) > 25
    check_same_bytes(plays)
    check_payoffs(scenario, plays)
    assert faults(json.loads((plays.directory / "result.json").read_text()), RULES) == []
    for result in plays.results:
        directory = plays.run(result["condition"])
        assert faults(json.loads((directory / "result.json").read_text()), RULES) == []
        if scenario.spec.PRICED:
            told = {player: (each["reward"], each["payoff"]) for player, each in result["players"].items()}
            held = accounts(read_events(directory / "events.jsonl"))
            assert {player: (each.reward, each.payoff) for player, each in held.items()} == told
            payoffs = [payoff for _, payoff in told.values()]
            assert (welfare(payoffs), gini(payoffs)) == (result["welfare"], result["gini"])
            assert result["welfare"] > 0


@pytest.mark.parametrize("name", DILEMMAS)
async def test_a_world_that_is_built_anew_is_as_before(name: str, tmp_path: Path) -> None:
    await check_clean(load_scenario(name), tmp_path)


@pytest.mark.parametrize("name", DILEMMAS)
async def test_it_is_a_social_dilemma_between_its_reference_players(name: str, tmp_path: Path) -> None:
    plan = SchellingPlan(name, seeds=SEEDS.get(name, 1), out=tmp_path, time_limit_s=LIMITS.get(name))
    # One process and one world for all line-ups: starting others costs more than most of these episodes.
    worlds = KeptWorlds(tmp_path / "logs")
    try:
        found = await schelling(plan, worlds=worlds)
    finally:
        await worlds.close()
    assert found.players == len(load_scenario(name).spec.players)
    # So few seeds decide it for none of them; that all of it holds by the means is what is played here.
    assert found.by_the_means, (found.sentence(), found.to_dict()["margins"])
    assert found.dilemma is not False, found.sentence()
    assert name not in SEEDS or found.margins["greed: T > R"].shown, found.sentence()
