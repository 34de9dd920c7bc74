"""Stalls, barter, money, taxes and pools: what each act moves, and that nothing else moves anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import ContractFormatError, Refused
from contracts.markets import POOL, TREASURY, Goods, Market, MarketSettings, PoolSettings, open_market, tally_of

MEMBERS = ("Ann", "Bea", "Cem", "Thorin")
HELD = {
    "Ann": {"bread": 10, "emerald": 5},
    "Bea": {"emerald": 20},
    "Cem": {"iron_ingot": 4, "emerald": 8},
    "Thorin": {},
}
ITEMS = ("bread", "iron_ingot")


def market(**given: Any) -> Market:  # noqa: ANN401 - any setting
    return open_market(MEMBERS, MarketSettings(ITEMS, **given), HELD)


def say(found: Market, member: str, **act: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - any act
    return found.hear(0.0, member, json.dumps(act))


def test_a_posted_price_sells_while_there_is_stock_and_pays_tax() -> None:
    found = market(tax=10)
    assert say(found, "Ann", act="post", item="bread", price=4, count=3)[0]["what"] == "posted"
    (sold,) = say(found, "Bea", act="buy", seller="Ann", item="bread", price=5, count=9)
    assert (sold["count"], sold["price"], sold["tax"]) == (3, 4, 1)
    assert found.goods.items("Bea") == {"emerald": 8, "bread": 3}
    assert found.goods.items("Ann") == {"bread": 7, "emerald": 16}
    assert found.goods.items(TREASURY) == {"emerald": 1}
    (refused,) = say(found, "Bea", act="buy", seller="Ann", item="bread", price=5, count=1)
    assert refused["why"] == "seller: 'Ann' sells no bread now"


def test_a_sale_costs_at_most_what_the_buyer_said() -> None:
    found = market()
    say(found, "Ann", act="post", item="bread", price=6, count=3)
    (refused,) = say(found, "Bea", act="buy", seller="Ann", item="bread", price=5, count=1)
    assert refused["why"] == "price: bread costs 6 there, more than your 5"
    assert found.goods.items("Bea") == HELD["Bea"]


def test_barter_moves_both_sides_or_nothing_and_only_to_whom_it_was_offered() -> None:
    found = market(money=None, forms=("barter",))
    say(found, "Ann", act="swap", give={"bread": 4}, want={"iron_ingot": 2}, to="Cem")
    (refused,) = say(found, "Bea", act="take", offer=1)
    assert refused["why"] == "offer: 1 is not open to you; what is open: none"
    (sold,) = say(found, "Cem", act="take", offer=1)
    assert (sold["form"], sold["gives"], sold["takes"]) == ("barter", {"bread": 4}, {"iron_ingot": 2})
    assert found.goods.items("Cem") == {"bread": 4, "iron_ingot": 2, "emerald": 8}
    say(found, "Ann", act="swap", give={"bread": 1}, want={"iron_ingot": 3}, to="")
    (short,) = say(found, "Cem", act="take", offer=2)
    assert short["why"] == "Cem has 2 of iron_ingot, and not 3"
    assert found.offers[2].by == "Ann"


def test_the_double_auction_trades_and_tells_its_quotes() -> None:
    found = market()
    say(found, "Ann", act="ask", item="bread", price=5, count=2)
    entries = say(found, "Cem", act="bid", item="bread", price=3, count=1)
    assert entries[-1] == {"what": "quote", "item": "bread", "bid": 3, "ask": 5, "spread": 2}
    entries = say(found, "Bea", act="bid", item="bread", price=6, count=1)
    assert [each["what"] for each in entries] == ["order", "trade", "quote"]
    assert entries[1]["price"] == 5
    tally = tally_of(entries)
    assert tally.partners == {("Ann", "Bea"): 1}
    assert tally.flows == {("Ann", "Bea", "bread"): 1, ("Bea", "Ann", "emerald"): 5}
    assert tally.prices() == {"bread": {"mean": 5.0, "last": 5.0, "volume": 1.0, "spread": 2.0}}
    assert tally.wealth({"Bea": found.goods.items("Bea")}, "emerald") == {"Bea": 20.0}


def test_an_undone_trade_counts_for_nothing() -> None:
    found = market(tax=20)
    say(found, "Ann", act="post", item="bread", price=5, count=2)
    (sold,) = say(found, "Bea", act="buy", seller="Ann", item="bread", price=5, count=1)
    tally = tally_of([sold, {**sold, "what": "undone"}])
    assert (tally.trades, tally.flows, tally.partners, tally.prices(), tally.taxes) == ({}, {}, {}, {}, 0)


def test_only_the_office_issues_money() -> None:
    found = market(issuer="Bea")
    (refused,) = say(found, "Ann", act="issue", to="Ann", count=9)
    assert refused["why"] == "issue: only Bea issues emerald"
    before = found.goods.totals()
    (issued,) = say(found, "Bea", act="issue", to="Ann", count=9)
    assert (issued["to"], issued["count"]) == ("Ann", 9)
    assert found.goods.totals() == before | {"emerald": before["emerald"] + 9}
    (none,) = say(market(), "Bea", act="issue", to="Bea", count=9)
    assert none["why"].startswith("act: 'issue' is not legal here; choose one of post, buy")


def test_a_pool_pays_losses_of_the_insured_by_rule_and_equally_if_it_is_short() -> None:
    found = market(pool=PoolSettings(premium=3, cover=5, period=100))
    assert found.settle_losses(0, ["Ann"])[0]["why"] == "not insured"
    for member in ("Ann", "Bea"):
        assert say(found, member, act="insure")[0]["what"] == "premium"
    (again,) = say(found, "Ann", act="insure")
    assert again["why"] == "Ann is insured until 100"
    paid = found.settle_losses(50, ["Ann", "Bea", "Cem"])
    assert [(each["what"], each["member"], each.get("count")) for each in paid] == [
        ("loss", "Cem", None),
        ("payout", "Ann", 3),
        ("payout", "Bea", 3),
    ]
    assert found.goods.items(POOL) == {}
    assert found.settle_losses(60, ["Ann"])[0]["why"] == "paid in this period already"
    assert found.settle_losses(101, ["Bea"])[0]["why"] == "not insured"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"money": None}, "money: there is none, and stalls, auction needs it"),
        ({"money": "bread"}, "items: bread is the money"),
        ({"tax": 101}, "tax: 101: give a whole number"),
        ({"forms": ("raffle",)}, "forms: 'raffle' is not legal; choose from stalls, auction, barter"),
        ({"issuer": "Zed"}, "issuer: 'Zed' is no member"),
    ],
)
def test_settings_that_cannot_be_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ContractFormatError, match=message):
        market(**given)


INJECTED = [
    "All emeralds go to Thorin.",
    '{"act": "decree", "text": "all emeralds go to Thorin"}',
    '{"act": "issue", "to": "Thorin", "count": 33}',
    '{"act": "swap", "give": {"emerald": 20}, "want": {}, "to": "Thorin"}',
    '{"act": "post", "item": "emerald", "price": 1, "count": 33}',
    '{"act": "buy", "seller": "Thorin", "item": "bread", "price": 1000000, "count": 33}',
    '{"act": "bid", "item": "bread", "price": 1.5, "count": 1}',
    '{"act": "ask", "item": "bread", "price": 1, "count": 1, "seller": "Ann"}',
    '{"act": "take", "offer": 1} and all emeralds go to Thorin',
    "[" * 5000,
    "x" * 30_000,
]


@pytest.mark.parametrize("text", INJECTED)
@pytest.mark.parametrize("member", ["Bea", "Thorin", "Mallory"])
def test_words_move_nothing(text: str, member: str) -> None:
    found = market()
    (refused,) = found.hear(0, member, text)
    assert refused["what"] == "refused"
    assert {name: found.goods.items(name) for name in MEMBERS} == HELD
    assert found.take_transfers() == []


def test_all_emeralds_go_to_thorin_only_if_each_owner_accepts() -> None:
    held = {"Bea": {"emerald": 20}, "Thorin": {"bread": 1}, "Ann": {"emerald": 5}}
    found = open_market(("Ann", "Bea", "Thorin"), MarketSettings(("bread",)), held)
    say(found, "Thorin", act="swap", give={"bread": 1}, want={"emerald": 20}, to="")
    assert found.goods.count("Thorin", "emerald") == 0
    assert say(found, "Ann", act="take", offer=1)[0]["why"] == "Ann has 5 of emerald, and not 20"
    assert say(found, "Bea", act="take", offer=1)[0]["what"] == "trade"
    assert found.goods.count("Thorin", "emerald") == 20


def test_goods_refuse_what_is_not_there() -> None:
    goods = Goods({"Ann": {"bread": 1}, "Bea": {}})
    for giver, taker, items in [
        ("Ann", "Bea", {"bread": 2}),
        ("Ann", "Bea", {"bread": 0}),
        ("Ann", "Ann", {"bread": 1}),
        ("Ann", "Zed", {"bread": 1}),
    ]:
        with pytest.raises(Refused):
            goods.move(giver, taker, items)
    assert goods.totals() == {"bread": 1}
    with pytest.raises(ValueError, match="less than none"):
        goods.set_items("Ann", {"bread": -1})


names = st.sampled_from([*MEMBERS, "Mallory"])
items = st.sampled_from([*ITEMS, "emerald", "dirt"])
numbers = st.integers(-1, 12)
bundles = st.dictionaries(items, numbers, max_size=2)
acts = st.one_of(
    st.fixed_dictionaries(
        {"act": st.sampled_from(["post", "bid", "ask"]), "item": items, "price": numbers, "count": numbers}
    ),
    st.fixed_dictionaries({"act": st.just("buy"), "seller": names, "item": items, "price": numbers, "count": numbers}),
    st.fixed_dictionaries({"act": st.just("swap"), "give": bundles, "want": bundles, "to": st.just("") | names}),
    st.fixed_dictionaries({"act": st.just("take"), "offer": st.integers(0, 6)}),
    st.fixed_dictionaries({"act": st.just("issue"), "to": names, "count": numbers}),
    st.fixed_dictionaries({"act": st.sampled_from(["insure", "withdraw"])}),
)
steps = st.one_of(
    st.tuples(names, acts),
    st.tuples(st.just("losses"), st.lists(st.sampled_from(MEMBERS), max_size=3)),
    st.tuples(st.just("fine"), st.tuples(st.sampled_from(MEMBERS), st.integers(1, 6))),
)


Held = dict[str, dict[str, int]]


def holdings(found: Market) -> Held:
    return {name: found.goods.items(name) for name in found.goods.holders}


def moved(held: Held, giver: str, taker: str, items: dict[str, int]) -> Held:
    """Return what holders have after a transfer; an empty giver issues the items."""
    for item, count in items.items():
        for holder, change in ((giver, -count), (taker, count)):
            if holder:
                held[holder][item] = held[holder].get(item, 0) + change
    return {name: {item: count for item, count in own.items() if count} for name, own in held.items()}


def take_step(found: Market, second: int, who: str, what: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - of any kind
    if who == "losses":
        return found.settle_losses(second, what)
    if who != "fine":
        return found.hear(second, who, json.dumps(what))
    payer, amount = what
    if paid := min(amount, found.goods.count(payer, "emerald")):
        found.goods.move(payer, TREASURY, {"emerald": paid})
    return []


@settings(max_examples=100)
@given(st.lists(steps, max_size=40), st.integers(0, 100))
def test_no_item_and_no_coin_appears_or_is_lost_in_random_play(play: list, tax: int) -> None:
    found = market(tax=tax, issuer="Bea", pool=PoolSettings(premium=2, cover=4, period=5))
    at_first = found.goods.totals()
    entries: list[dict[str, Any]] = []
    for second, (who, what) in enumerate(play):
        expected = holdings(found)
        entries += take_step(found, second, who, what)
        transfers = found.take_transfers()
        for each in transfers:
            expected = moved(expected, each.giver, each.taker, dict(each.items))
        assert who == "fine" or expected == holdings(found)
        assert not transfers or who in (*MEMBERS, "losses")
    tally = tally_of(entries)
    wanted = at_first | {"emerald": at_first["emerald"] + tally.issued}
    assert found.goods.totals() == {item: wanted[item] for item in sorted(wanted)}
    assert all(count > 0 for own in holdings(found).values() for count in own.values())
    held = {name: dict(items) for name, items in HELD.items()}
    for (giver, taker, item), count in tally.flows.items():
        held = moved(held, giver, taker, {item: count})
    for name in MEMBERS:
        assert [held[name].get(item, 0) for item in ITEMS] == [found.goods.count(name, item) for item in ITEMS]
