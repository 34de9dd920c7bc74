"""Villagers with a model at the market: they decide themselves, and answers that cannot be read are counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from accord.studies.estimate import expect
from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.records.events import InstitutionActed, MindTold, ModelCalled
from dilemmas.records.record import read_events
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.thought_events import Unusable

GOODS = ({"bread": 16}, {"oak_log": 16}, {"coal": 8})
NAMES = ("Ann", "Bob", "Cid")
NOTHING = "I would rather not say."
MODELS = {"citizen": "openai/x", "controller": "openai/x"}
Answer = Callable[[str, Mapping[str, Any]], object]


def hamlet(folder: Path, market: Mapping[str, Any] | None = None) -> Path:
    """Write a hamlet of three people with goods, who live on the square."""
    people = [
        {"name": name, "spawn_location": {"x": number + 0.5, "y": -60, "z": 2.5}, "inventory": GOODS[number]}
        for number, name in enumerate(NAMES)
    ]
    spec = {
        "extends": "village-market",
        "name": "hamlet-of-models",
        "population": {"personas": people},
        "institutions": {"market": {"every": 1, "rounds": 2, "endowment": 10, **(market or {})}},
        "end": {"time_limit_s": 50},
    }
    path = folder / "hamlet.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


def answering(answer: Answer) -> Callable[[Request], str]:
    """Return a model that answers the market, and nothing else that can be used."""

    def respond(request: Request) -> str:
        system, user = (each["content"] for each in request.messages[:2])
        if "Your part is to trade" not in system:
            return NOTHING
        shown = json.loads(user[user.index("{") : user.rindex("}") + 1])
        found = answer(next(name for name in NAMES if f"mind of {name}" in system), shown)
        return found if isinstance(found, str) else json.dumps(found)

    return respond


async def play(folder: Path, answer: Answer, **market: Any) -> tuple[StudyResult, StudySettings]:  # noqa: ANN401
    """Play the hamlet with models for its traders."""
    path = hamlet(folder, market)
    async with FakeServer(answering(answer)) as server:
        settings = StudySettings(
            str(path), world="mock", contracts=("auction",), agents="piano", models=MODELS,
            base_url=server.base_url, think="1", out=folder / "runs", seed=1,
        )  # fmt: skip
        found = await run_study(settings)
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    return found, settings


def told(found: StudyResult, *kinds: type[Any]) -> list[Any]:
    return [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, kinds)]


def deal(name: str, shown: Mapping[str, Any]) -> object:
    """Return Ann's price of bread and Bob's bid for it; Cid wants nothing."""
    acts = {
        "Ann": [{"act": "ask", "item": "bread", "price": 3, "count": 2}],
        "Bob": [{"act": "bid", "item": "bread", "price": 4, "count": 2}],
        "Cid": [],
    }[name]
    return {"reasoning": "I want it.", "acts": acts}


async def test_models_decide_themselves_what_to_trade(tmp_path: Path) -> None:
    shown: dict[str, Mapping[str, Any]] = {}

    def answer(name: str, data: Mapping[str, Any]) -> object:
        shown.setdefault(name, data)
        return deal(name, data)

    found, settings = await play(tmp_path, answer)
    await check_estimate(found, settings)
    entries = told(found, InstitutionActed)
    assert {(each.who, each.data["item"]) for each in entries if each.what == "order"} == {
        ("Ann", "bread"),
        ("Bob", "bread"),
    }
    trades = [each.data for each in entries if each.what == "trade"]
    assert {(each["seller"], each["buyer"], each["item"]) for each in trades} == {("Ann", "Bob", "bread")}
    assert {*NAMES} == {*shown}
    assert (shown["Ann"]["you_have"], shown["Ann"]["money"]) == ({"bread": 16, "emerald": 10}, "emerald")
    assert found.results[0]["village"]["market"]["silent"] == 0


async def test_an_unreadable_answer_is_no_act_and_is_counted(tmp_path: Path) -> None:
    def answer(name: str, data: Mapping[str, Any]) -> object:
        hostile: dict[str, object] = {
            "Ann": "All emeralds go to Thorin.",
            "Bob": {"reasoning": "", "acts": [{"act": "seize", "item": "emerald", "from": "Ann"}] * 9},
            "Cid": {"reasoning": "", "acts": "everything", "also": 1},
        }
        return hostile[name]

    found, settings = await play(tmp_path, answer)
    entries = told(found, InstitutionActed)
    silent = Counter(each.who for each in entries if each.what == "no_answer")
    assert {*silent} == {"Ann", "Cid"}
    assert found.results[0]["village"]["market"]["silent"] == sum(silent.values())
    assert {each.who for each in entries if each.what == "refused"} == {"Bob"}
    assert not any(each.what == "trade" for each in entries)
    unreadable = {
        event.player
        for event in told(found, MindTold)
        if isinstance(event.step, Unusable) and event.step.part == "trader"
    }
    assert unreadable == {"Ann", "Cid"}
    asked = sum(event.purpose == "citizen" for event in told(found, ModelCalled))
    (expected,) = [each for each in (await expect(settings))["roles"] if each["role"] == "citizen"]
    assert expected["least"]["calls"] <= asked <= expected["most"]["calls"]
    # Whoever gives no readable answer is asked for it twice.
    assert asked > len(silent) * 2


async def test_questions_of_the_market_without_an_answer_lie_within_the_estimate(tmp_path: Path) -> None:
    await check_estimate(*await play(tmp_path, lambda *_: NOTHING))


async def check_estimate(found: StudyResult, settings: StudySettings) -> None:
    """Check that the traders' calls and tokens lie within the estimate."""
    asked = Counter(event.purpose for event in told(found, ModelCalled))
    expected = {each["role"]: each for each in (await expect(settings))["roles"]}
    assert 0 < asked["citizen"] <= expected["citizen"]["most"]["calls"]
    shown = sum(event.tokens for event in told(found, ModelCalled) if event.purpose == "citizen")
    assert shown <= expected["citizen"]["most"]["tokens"]
