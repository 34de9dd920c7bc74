"""Cleanup: short concurrent episodes with real bots on embedded servers, and results of conditions on mock."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.measures import accounts
from accord.analysis.statistics import LEVEL
from accord.studies.schelling import SchellingPlan, schelling
from accord.studies.study import StudyResult, StudySettings, run_study
from accord.studies.sweeps.kept_worlds import KeptWorlds
from bridge.worlds import World, open_world
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from dilemmas.records.states import WholeStates
from tests.fakes.json_schema import faults

pytestmark = pytest.mark.live

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
SHORT_S = 60.0
"""Game time on the embedded server, in seconds: one turn of each turn-taker."""
LONG_S = 60.0
"""Game time on mock, in seconds, by which both outcomes show."""
CONDITIONS = ("none", "contract-1", "contract-2")


@pytest.fixture
async def worlds(tmp_path: Path) -> AsyncIterator[KeptWorlds]:
    """One mock world for all episodes of a test: other processes would cost more than half of the episodes."""
    kept = KeptWorlds(tmp_path / "logs")
    yield kept
    await kept.close()


async def play(
    tmp_path: Path,
    *contracts: str,
    worlds: Callable[..., World] = open_world,
    **settings: Any,  # noqa: ANN401 - any setting
) -> StudyResult:
    found = await run_study(StudySettings("cleanup", contracts, out=tmp_path, **settings), worlds=worlds)
    assert found.status == "complete", [result.get("reason") for result in found.results]
    assert faults(json.loads((found.directory / "result.json").read_text()), RULES) == []
    return found


@dataclass(frozen=True)
class Embedded:
    """Studies on the embedded server: one of both contracts, one without a contract."""

    contracts: StudyResult
    cleaned: StudyResult


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Embedded:
    """Run three episodes concurrently on separate servers, in the real time of one."""
    folder = tmp_path_factory.mktemp("cleanup")

    async def both() -> Embedded:
        cleaner = {"Gizmo": "harvester", "Glitch": "cleaner"}
        return Embedded(
            *await asyncio.gather(
                play(folder / "contracts", "contract-1", "contract-2", time_limit_s=SHORT_S, jobs=2),
                play(folder / "cleaned", "none", players=cleaner, time_limit_s=SHORT_S),
            )
        )

    return asyncio.run(both())


def test_the_papers_contracts_give_the_papers_gini_on_the_embedded_server(embedded: Embedded) -> None:
    one, two = embedded.contracts.results
    assert (one["gini"], two["gini"]) == (0.1, 0.0)
    for result in (one, two):
        assert result["end"] == "time_limit"
        assert result["game_s"] >= SHORT_S - 1
        assert result["welfare"] > 0
        assert {policy["outcome"] for policy in result["policies"].values()} == {"cancelled"}
        assert [finding for finding in result["verdict"]["findings"] if not finding["ok"]] == []
    lines = list(read_events(embedded.contracts.directory / "contract-1" / "events.jsonl"))
    assert {name: each.payoff for name, each in accounts(lines).items()} == {
        name: player["payoff"] for name, player in one["players"].items()
    }


def test_the_river_and_the_mushrooms_are_as_the_record_says_on_the_embedded_server(embedded: Embedded) -> None:
    lines = read_events(embedded.cleaned.directory / "events.jsonl")
    states = WholeStates()
    counts = [state.world for line in lines if (state := states.full_state_of(line.event)) and line.kind == "state"]
    assert counts[0] == {"slime_block": 24, "red_mushroom_block": 27}
    assert min(count["slime_block"] for count in counts) <= 7
    mushrooms = [count["red_mushroom_block"] for count in counts]
    assert any(later > earlier for earlier, later in pairwise(mushrooms)), "they grow again"


async def test_welfare_and_inequality_are_ordered_as_in_the_paper_over_six_seeds_on_mock(
    tmp_path: Path, worlds: KeptWorlds
) -> None:
    found = await play(tmp_path, *CONDITIONS, world="mock", runs=6, time_limit_s=LONG_S, worlds=worlds)
    none, one, two = found.results
    means = [result["summary"]["welfare"]["mean"] for result in (one, two, none)]
    assert means == sorted(means, reverse=True)
    compared = json.loads((found.directory / "result.json").read_text(encoding="utf-8"))["comparisons"]
    for measure, sign in (("welfare", -1), ("gini", 1)):
        tested = [each for each in compared if each["measure"] == measure and each["of"][0] == "none"]
        assert [each["of"][1] for each in tested] == ["contract-1", "contract-2"]
        assert all(sign * each["difference"] > 0 and each["p_holm"] < LEVEL for each in tested)
    assert [run["gini"] for run in one["runs"]] == [0.1] * 6
    assert [run["gini"] for run in two["runs"]] == [0.0] * 6
    # The study's own players are even less equal without a contract (0.66); see docs/results.md.
    assert none["summary"]["gini"]["mean"] > 0.1


async def test_cleaning_alone_pays_less_than_harvesting_and_two_harvesters_less_than_one_cleaner_on_mock(
    tmp_path: Path, worlds: KeptWorlds
) -> None:
    plan = SchellingPlan("cleanup", seeds=2, cooperate="cleaner", defect="harvester", out=tmp_path, time_limit_s=LONG_S)
    both_harvest, one_cleans, both_clean = (await schelling(plan, worlds=worlds)).points
    assert max(one_cleans.cooperator) < min(one_cleans.defector)
    assert max(both_harvest.welfare) < min(one_cleans.welfare)
    assert both_clean.welfare == (0, 0)
