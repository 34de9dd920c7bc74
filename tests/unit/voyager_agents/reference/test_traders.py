"""Reference traders: worth by need and hunger, and trades that leave nobody worse off."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contracts.markets import Market, MarketSettings, open_market
from voyager_agents.reference.traders import ISSUE, NEED, trade, worth

ITEMS = ("bread", "oak_log", "coal", "raw_iron")
HELD = {
    "Ann": {"bread": 20, "emerald": 10},
    "Bea": {"oak_log": 30, "emerald": 10},
    "Cem": {"coal": 12, "raw_iron": 9, "emerald": 10},
}


def facts(found: Market, name: str, number: int, rounds: int) -> dict[str, Any]:
    return {
        "you_have": found.goods.items(name),
        "market": found.board(),
        "money": found.settings.money,
        "you_issue_it": name == found.settings.issuer,
        "pool": None,
        "you_are_insured": False,
        "people": list(found.members),
        "items": list(found.settings.items),
        "forms": list(found.settings.forms),
        "day": 1,
        "round": number,
        "rounds": rounds,
    }


def hold(found: Market, rounds: int = 3, food: float = 20) -> list[dict[str, Any]]:
    entries = []
    for number in range(1, rounds + 1):
        given = {name: facts(found, name, number, rounds) for name in found.members}
        for name in found.members:
            for act in trade(given[name], person=name, seed=0, food=food):
                entries += found.hear(0, name, json.dumps(act))
    return entries


def use(name: str, items: dict[str, int]) -> float:
    """Return the worth of items to a person, unit by unit."""
    total = float(items.get("emerald", 0))
    return total + sum(worth(item, held, person=name, seed=0) for item in ITEMS for held in range(items.get(item, 0)))


def test_food_is_worth_more_to_the_hungry_and_things_beyond_need_little() -> None:
    def of(item: str, held: int, food: float = 20) -> float:
        return worth(item, held, person="Ann", seed=0, food=food)

    assert of("bread", 0, food=4) > of("bread", 0, food=12) > of("bread", 0) > of("bread", NEED["bread"]) > 0
    assert of("coal", 0, food=4) == of("coal", 0)
    assert worth("bread", 0, person="Bea", seed=0) != of("bread", 0)


@pytest.mark.parametrize("forms", [("auction",), ("stalls",)])
def test_trades_for_money_leave_nobody_worse_off(forms: tuple[str, ...]) -> None:
    found = open_market(tuple(HELD), MarketSettings(ITEMS, forms=forms), HELD)
    entries = hold(found)
    assert sum(each["what"] == "trade" for each in entries) >= 3
    assert {each["form"] for each in entries if each["what"] == "trade"} == {forms[0].rstrip("s")}
    for name, before in HELD.items():
        assert use(name, found.goods.items(name)) >= use(name, before)


def test_barter_leaves_nobody_worse_off() -> None:
    found = open_market(tuple(HELD), MarketSettings(ITEMS, money=None, forms=("barter",)), HELD)
    entries = hold(found)
    assert any(each["what"] == "trade" for each in entries)
    for name, before in HELD.items():
        assert use(name, found.goods.items(name)) >= use(name, before)


def test_people_without_food_insure_themselves_in_the_last_round() -> None:
    found = open_market(tuple(HELD), MarketSettings(ITEMS, forms=("auction",)), HELD)
    pool = {"pool": {"premium": 2, "cover": 6}}
    for name, number, insured, expected in [
        ("Cem", 3, False, 1),
        ("Cem", 1, False, 0),
        ("Ann", 3, False, 0),
        ("Cem", 3, True, 0),
    ]:
        told = facts(found, name, number, 3) | pool | {"you_are_insured": insured}
        acts = trade(told, person=name, seed=0)
        assert (acts.count({"act": "insure"}), len(acts) <= 4) == (expected, True)


def test_an_office_issues_money_once_a_day_and_never_acts_more_than_four_times() -> None:
    found = open_market(tuple(HELD), MarketSettings(ITEMS, forms=("auction",), issuer="Bea"), HELD)
    first = trade(facts(found, "Bea", 1, 3), person="Bea", seed=0)
    assert first[0] == {"act": "issue", "to": "Cem", "count": ISSUE}
    assert all(act["act"] != "issue" for act in trade(facts(found, "Bea", 2, 3), person="Bea", seed=0))
    assert all(act["act"] != "issue" for act in trade(facts(found, "Ann", 1, 3), person="Ann", seed=0))
    for name in HELD:
        for number in (1, 2, 3):
            assert len(trade(facts(found, name, number, 3), person=name, seed=0)) <= 4
