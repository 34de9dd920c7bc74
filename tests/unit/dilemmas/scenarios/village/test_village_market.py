"""A village with a market on the mock world: conservation, the record, and the same bytes twice."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.errors import UsageError
from dilemmas.records.events import EndStateRead, InstitutionActed, LetterSent
from dilemmas.records.record import read_events
from dilemmas.scenarios.institutions import institutions_of
from dilemmas.scenarios.registry import load_scenario

PEOPLE, MONEY = 10, 10
GOODS = ({"bread": 16}, {"oak_log": 16}, {"coal": 8, "raw_iron": 6}, {"cobblestone": 40}, {})


def hamlet(folder: Path) -> Path:
    """Write a hamlet whose people have goods from the start and live on the square."""
    people = [
        {
            "name": f"Ada{number}",
            "spawn_location": {"x": number % 5 + 0.5, "y": -60, "z": 2.5 + number // 5},
            "inventory": GOODS[number % 5],
        }
        for number in range(PEOPLE)
    ]
    spec = {
        "extends": "village-market",
        "name": "hamlet-market",
        "population": {"personas": people},
        "institutions": {"market": {"every": 1, "rounds": 2, "endowment": MONEY, "tax": 20}},
        "end": {"time_limit_s": 36},
    }
    path = folder / "hamlet.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[StudyResult]:
    """Play the hamlet twice with one seed."""
    folder = tmp_path_factory.mktemp("market")
    path = str(hamlet(folder))

    async def play() -> list[StudyResult]:
        return [
            await run_study(StudySettings(path, world="mock", contracts=("auction",), out=folder / str(number), seed=1))
            for number in range(2)
        ]

    return asyncio.run(play())


def told(found: StudyResult, *kinds: type[Any]) -> list[Any]:
    return [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, kinds)]


def test_a_market_day_gives_the_same_bytes_twice(played: list[StudyResult]) -> None:
    one, other = ((each.directory / "events.jsonl").read_bytes() for each in played)
    assert one == other


def test_people_trade_by_needs_and_the_world_holds_what_the_record_says(played: list[StudyResult]) -> None:
    entries = told(played[0], InstitutionActed)
    trades = [each.data for each in entries if each.what == "trade"]
    assert len(trades) >= 5
    assert {each["form"] for each in trades} == {"auction"}
    [end] = told(played[0], EndStateRead)
    held = {name: Counter(dict(each.items)) for name, each in end.players.items()}
    paid = {name: MONEY for name in held}
    for each in trades:
        total = each["price"] * each["count"]
        paid[each["buyer"]] -= total
        paid[each["seller"]] += total - each["tax"]
    assert {name: items["emerald"] for name, items in held.items()} == paid
    taxes = sum(each["tax"] for each in trades)
    assert sum(items["emerald"] for items in held.values()) == PEOPLE * MONEY - taxes
    # Nobody works with coal within this time, so that all coal is in the world and in some hands.
    assert sum(items["coal"] for items in held.values()) == 16
    assert any(held[buyer]["coal"] for buyer in {each["buyer"] for each in trades if each["item"] == "coal"})


def test_the_result_tells_prices_partners_flows_and_the_gini_of_wealth(played: list[StudyResult]) -> None:
    found = played[0].results[0]["village"]["market"]
    trades = [each.data for each in told(played[0], InstitutionActed) if each.what == "trade"]
    assert found["trades"] == {"auction": len(trades)}
    assert found["taxes"] == sum(each["tax"] for each in trades)
    bread = [each for each in trades if each["item"] == "bread"]
    assert found["prices"]["bread"]["volume"] == sum(each["count"] for each in bread)
    assert sum(count for _, _, count in found["partners"]) == len(trades)
    assert 0 < found["gini"] < 1
    assert found["silent"] == 0


def test_questions_are_letters_and_every_step_says_who(played: list[StudyResult]) -> None:
    letters = told(played[0], LetterSent)
    assert Counter(each.what for each in letters)["question"] == 2 * PEOPLE
    assert all(len(each.to) == 1 and each.until_s for each in letters if each.what == "question")
    assert all(each.who for each in told(played[0], InstitutionActed) if each.what in ("trade", "order", "refused"))


def test_conditions_choose_the_market_and_its_money() -> None:
    scenario = load_scenario("village-market")
    assert institutions_of(scenario, "no-market", {}) == {}
    assert institutions_of(scenario, "barter", {})["market"].model_dump()["money"] is None
    taxed = institutions_of(scenario, "auction", {"institution.market.tax": "25"})
    assert taxed["market"].model_dump()["tax"] == 25
    with pytest.raises(UsageError, match="guards reads"):
        institutions_of(scenario, "auction", {"institution.guards": "on"})
    with pytest.raises(UsageError, match="issuer: 'Nobody' is no member"):
        institutions_of(scenario, "auction", {"institution.market.issuer": "Nobody"})
