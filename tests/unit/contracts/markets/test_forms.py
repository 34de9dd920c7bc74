"""Schema of acts on a market: what it offers is read, and what is never legal for a person is not offered."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from contracts.institutions.marketplace import market_question
from contracts.markets import Market, MarketSettings, open_market
from contracts.markets.acts import ACTS, read_act
from contracts.markets.forms import acts_schema
from contracts.markets.pools import PoolSettings
from tests.fakes.json_schema import draw_value

ITEMS = ("bread", "coal")
PEOPLE = ("Ann", "Bob", "Cid")


def opened(held: Mapping[str, Mapping[str, int]] | None = None, **settings: Any) -> Market:  # noqa: ANN401
    given = {"Ann": {"bread": 9, "emerald": 10}, "Bob": {"coal": 9, "emerald": 10}, "Cid": {}}
    return open_market(PEOPLE, MarketSettings(ITEMS, **settings), held if held is not None else given)


def offered(market: Market, person: str, **facts: object) -> dict[str, dict[str, Any]]:
    """Return act -> properties of its schema."""
    shown = {**market_question(market, person, PEOPLE)[1], **facts}
    found = acts_schema(shown, person, 4)
    return {each["properties"]["act"]["enum"][0]: each["properties"] for each in found["items"]["anyOf"]}


def test_each_person_is_offered_what_it_can_do() -> None:
    market = opened()
    assert {*offered(market, "Ann")} == {"post", "bid", "ask", "swap"}
    assert offered(market, "Ann")["ask"]["item"]["enum"] == ["bread"]
    # Whoever has nothing can sell, buy and give nothing.
    assert {*offered(market, "Cid")} == {"withdraw"}
    market.hear(0.0, "Ann", '{"act": "post", "item": "bread", "price": 2, "count": 3}')
    market.hear(0.0, "Ann", '{"act": "swap", "give": {"bread": 1}, "want": {"coal": 1}, "to": "Bob"}')
    assert offered(market, "Bob")["buy"]["seller"]["enum"] == ["Ann"]
    assert "withdraw" in offered(market, "Ann")
    assert offered(market, "Bob")["take"]["offer"]["enum"] == [1]
    assert "take" not in offered(market, "Ann")
    assert "take" not in offered(market, "Cid")


def test_only_the_office_issues_and_only_members_who_can_pay_are_insured() -> None:
    market = opened(issuer="Cid", pool=PoolSettings(premium=2, cover=6))
    pool = {"premium": 2, "cover": 6, "days": 2, "hungry_at": 10}
    assert "issue" in offered(market, "Cid")
    assert "issue" not in offered(market, "Ann")
    assert "insure" in offered(market, "Ann", pool=pool)
    assert "insure" not in offered(market, "Cid", pool=pool)
    assert "insure" not in offered(market, "Ann", pool=pool, you_are_insured=True)


def test_barter_alone_offers_no_prices() -> None:
    assert {*offered(opened(money=None, forms=("barter",)), "Ann")} == {"swap"}


def test_random_acts_of_the_schema_are_read_and_conserve_every_item() -> None:
    """Acts may be refused for what has changed since the question, never for their form."""
    made = 0
    for seed in range(40):
        draw, market, refused = random.Random(seed), opened(), list[str]()
        for _ in range(60):
            person = draw.choice(PEOPLE)
            schema = acts_schema(market_question(market, person, PEOPLE)[1], person, 4)
            for act in draw_value(schema, draw):
                read = read_act(json.dumps(act))
                assert type(read) is ACTS[act["act"]]
                entries = market.hear(0.0, person, json.dumps(act))
                made += any(each["what"] == "trade" for each in entries)
                refused += [str(each["why"]) for each in entries if each["what"] == "refused"]
        total = Counter[str]()
        for name in PEOPLE:
            total.update(market.goods.items(name))
        assert +total == Counter({"bread": 9, "coal": 9, "emerald": 20})
        assert not any("is not legal" in why for why in refused)
    assert made
