"""Conquest in the mock world: garrisons in chests, talks between rounds, secret goals, measures."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.transcript.reading import read_steps
from accord.studies.estimate import expect
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from contracts.bargaining.deals import DealBook, DealEntry
from dilemmas.errors import SpecError
from dilemmas.records import events as log
from dilemmas.records.digest import digest
from dilemmas.records.record import read_events
from dilemmas.scenarios.conquest.measures import measures
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.killing import kill_after, killed_at
from voyager_agents.models.fake_server import FakeServer, Request

MIXED = "truthful,tit-for-tat,betrayer,greedy"


async def play(out: Path, condition: str = "none", **chosen: Any) -> StudyResult:  # noqa: ANN401
    settings = StudySettings(chosen.pop("scenario", "conquest"), (condition,), world="mock", out=out, **chosen)
    return await run_study(settings)


def events(directory: Path, *kinds: type) -> list[Any]:
    return [line.event for line in read_events(directory / "events.jsonl") if isinstance(line.event, kinds)]


def sums(directory: Path) -> str:
    return digest(read_events(directory / "events.jsonl"))


async def test_peace_pays_every_territory_to_the_end(tmp_path: Path) -> None:
    result = (await play(tmp_path, agents="peaceful", time_limit_s=5.0)).results[0]
    assert {name: each["payoff"] for name, each in result["players"].items()} == dict.fromkeys(result["players"], 15)


async def test_the_world_decides_battles_as_the_map_says(tmp_path: Path) -> None:
    found = await play(tmp_path, agents="greedy", time_limit_s=8.0)
    battles = events(found.directory, log.BattleFought)
    assert battles
    whole: dict[str, log.TerritoryMarked] = {}
    for event in events(found.directory, log.MapDrawn):
        whole |= event.territories
    ended = events(found.directory, log.EndStateRead)[0]
    for player in ("Ada", "Ben", "Cleo", "Dan"):
        held = sum(state.owner == player for state in whole.values())
        assert ended.players[player].items.get("territories", 0) == held
        attacked = sum(player in battle.attackers for battle in battles)
        assert ended.players[player].items.get("attacks", 0) == attacked
    assert found.results[0]["measures"]["captures"] == {
        name: float(sum(each.owner == name != each.defender for each in battles)) for name in ended.players
    }


@pytest.mark.parametrize("scenario", ["conquest-three", "conquest-six"])
async def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, scenario: str) -> None:
    first, second = [
        await play(tmp_path / name, "cheap-talk", scenario=scenario, time_limit_s=6.0) for name in ("a", "b")
    ]
    assert sums(first.directory) == sums(second.directory)


async def test_betrayers_break_pacts_and_the_truthful_keep_them(tmp_path: Path) -> None:
    found = await play(tmp_path, "reputation", agents=MIXED, runs=2)
    broken = {
        breach.party
        for seed in range(2)
        for each in events(found.directory / f"seed-{seed}", log.AgreementEnforced)
        for breach in each.breaches
    }
    assert "Cleo" in broken
    assert not {"Ada", "Dan"} & broken


async def test_deals_recomputed_from_the_log_equal_the_records(tmp_path: Path) -> None:
    found = await play(tmp_path, "cheap-talk", agents=MIXED)
    entries = [DealEntry.from_dict(each.entry) for each in events(found.directory, log.DealChanged)]
    book = DealBook.restore(("Ada", "Ben", "Cleo", "Dan"), entries)
    told = [(each["number"], each["state"], each["age"]) for each in found.results[0]["deals"]]
    assert [(deal.number, deal.state, deal.age) for deal in book.deals.values()] == told
    assert found.results[0]["measures"]["goal_reached"].keys() == {"Ada", "Ben", "Cleo", "Dan"}


@pytest.fixture(scope="module", name="whole")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Play a game with deposits without an interruption."""
    return asyncio.run(play(tmp_path_factory.mktemp("whole"), "escrow", agents=MIXED, time_limit_s=9.0))


@pytest.mark.parametrize("kind", ["talk_ended", "battle", "period_settled"])
async def test_a_killed_game_resumes_to_the_same_end(whole: StudyResult, tmp_path: Path, kind: str) -> None:
    kinds = [line.kind for line in read_events(whole.directory / "events.jsonl")]
    settings = StudySettings(
        "conquest", ("escrow",), world="mock", out=tmp_path / "killed", agents=MIXED, time_limit_s=9.0
    )
    killed_at(run_study(settings, listen=kill_after(len(kinds) - kinds[::-1].index(kind))))
    [directory] = [each for each in (tmp_path / "killed").glob("*") if not each.name.startswith(".")]
    resumed = await resume_study(directory, read_settings(directory))
    assert sums(resumed.directory) == sums(whole.directory)


def answering(order: Callable[[str], dict[str, Any]]) -> Callable[[Request], str]:
    """Return a model that gives `order` of the last message as its orders, and passes in talks."""

    def respond(request: Request) -> str:
        said = request.messages[-1]["content"]
        if "Open offers to you" in said:
            blank = {"thinking": "", "to": [], "message": "", "act": "pass", "deal": 0, "contract": "", "lasts": 0}
            return json.dumps(blank)
        return json.dumps(order(said))

    return respond


HOLD = {"why": "wait", "act": "hold", "origin": "", "target": "", "troops": 0, "place": ""}


async def test_models_give_orders_and_know_their_own_objective_alone(tmp_path: Path) -> None:
    shown: list[str] = []

    def respond(request: Request) -> str:
        whole = "\n".join(str(each["content"]) for each in request.messages)
        shown.append(whole)
        return answering(lambda said: HOLD)(request)

    async with FakeServer(respond) as server:
        found = await play(
            tmp_path, "cheap-talk", agents="marshal", model="openai/test", base_url=server.base_url, time_limit_s=5.0
        )
        limits = await expect(replace(read_settings(found.directory), base_url=server.base_url))
    assert limits["least"]["calls"] <= found.results[0]["usage"]["calls"] <= limits["most"]["calls"]
    orders = events(found.directory, log.OrderGiven)
    assert len(orders) == 20
    assert not any(each.fault for each in orders)
    of_ada = [text for text in shown if "Your name is Ada" in text or "You bargain for Ada" in text]
    assert of_ada
    assert all("hold all territories of north and east" in text for text in of_ada)
    assert not any("territories of east and south" in text for text in of_ada)
    # The second talk tells nobody what others earned, which would lift the fog.
    assert any("4 rounds of the game are played." in text for text in shown)
    assert not any(" earned " in text for text in shown)
    decided = [step for step in read_steps(found.directory) if step.kind == "decided"]
    assert decided
    assert all(not step.others for step in decided)


async def test_an_unreadable_or_illegal_order_is_told_and_moves_nothing(tmp_path: Path) -> None:
    def order(said: str) -> dict[str, Any]:
        return {**HOLD, "act": "attack", "origin": "north-1", "target": "north-2", "troops": 1}

    async with FakeServer(answering(order)) as server:
        found = await play(tmp_path, agents="marshal", model="openai/test", base_url=server.base_url, time_limit_s=2.0)
    orders = events(found.directory, log.OrderGiven)
    assert all(each.fault and each.stood_in == "idle" for each in orders)
    assert not events(found.directory, log.BattleFought)
    assert found.results[0]["measures"]["faults"]["Ada"] == 2


def test_measures_count_the_last_attempt(tmp_path: Path) -> None:
    fought = log.BattleFought(
        round=1, at="east-1", defender="Ben", attackers={"Ada": 3}, garrison=1, owner="Ada", troops=2
    )
    drawn = log.MapDrawn(round=1, territories={"east-1": log.TerritoryMarked(owner="Ada", troops=2)})
    lines = [
        log.LogLine(seq=number, tick=None, time=0.0, episode=1, event=event)
        for number, event in enumerate((fought, log.EpisodeStarted(attempt=2), fought, drawn))
    ]
    found = measures(lines, ["Ada", "Ben"])
    assert (found["attacks"], found["captures"]["Ada"], found["lost"]["Ben"]) == ({"Ada": 1, "Ben": 0}, 1, 1)
    assert found["territories"] == {"Ada": 1, "Ben": 0}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": {"Ada": {"objective": ["moon"]}}}, "region 'moon' is not there"),
        ({"players": {"Ada": {"colour": "blue"}}}, "two players have the same colour"),
        ({"world": {"homes": [{"north-1": 2}]}}, "1 homes for 4 players"),
        ({"world": {"territories": {"north-1": {"borders": ["moon"]}}}}, "'moon' is no neighbour"),
    ],
)
def test_bad_maps_are_refused_by_name(change: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        load_scenario("conquest", change)


async def test_the_first_to_hold_its_objective_gets_the_prize_and_ends_the_game(tmp_path: Path) -> None:
    found = await play(tmp_path, agents="greedy,peaceful,peaceful,peaceful", seed=1)
    [reached] = events(found.directory, log.ObjectiveReached)
    ended = events(found.directory, log.EndStateRead)[0]
    assert reached.players == ["Ada"]
    assert (ended.t_s, ended.reason) == (reached.round, "all_collected")
    assert found.results[0]["measures"]["won"] == {"Ada": 1, "Ben": 0, "Cleo": 0, "Dan": 0}
    assert found.results[0]["measures"]["goal_reached"]["Ada"] == 1
    assert found.results[0]["players"]["Ada"]["payoff"] > 20
