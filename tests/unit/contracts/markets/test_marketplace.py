"""Market days of a society: what people do changes hands in their world, and nothing else does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from common.answers.reading import Strict
from contracts.errors import ContractFormatError
from contracts.institutions.books import BookLedger
from contracts.institutions.frame import CivicQuestion, Group, HostSlots, Institutions, check, read_parts
from contracts.institutions.marketplace import GOODS, net_changes
from contracts.markets import GoodsTransfer
from contracts.markets.goods import Items

PEOPLE = ("Ann", "Bea", "Thorin")
Answers = Callable[[CivicQuestion[Any]], Sequence[Mapping[str, Any]] | None]


class Hands:
    """People with items, some of whom are at the market; `lacks` are people who turn out to have nothing."""

    def __init__(self, held: Mapping[str, Mapping[str, int]], here: Sequence[str] = PEOPLE) -> None:
        self.held = {name: dict(held.get(name, {})) for name in PEOPLE}
        self.here = here
        self.lacks: set[str] = set()
        self.accounts: dict[str, dict[str, int]] = {"treasury": {}, "pool": {}}
        self.levels: dict[str, int] = {}

    async def read(self, *, everybody: bool = False) -> Mapping[str, Items]:
        return {name: dict(items) for name, items in self.held.items() if everybody or name in self.here}

    async def public(self) -> Mapping[str, Items]:
        return {name: dict(items) for name, items in self.accounts.items()}

    async def food(self) -> Mapping[str, int]:
        return {name: self.levels.get(name, 20) for name in PEOPLE}

    async def carry(self, transfers: Sequence[GoodsTransfer]) -> bool:
        changes = net_changes(transfers)
        if self.lacks & {name for name, items in changes.items() if min(items.values(), default=0) < 0}:
            return False
        for name, items in changes.items():
            for item, change in items.items():
                own = self.held[name] if name in self.held else self.accounts[name]
                own[item] = own.get(item, 0) + change
                assert own[item] >= 0
        return True


async def hold(hands: Hands, answers: Answers, steps: int = 1, **given: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Hold a market day at every step, and return the entries."""
    parts = read_parts({"market": {"every": 1, "rounds": 1, "items": ["bread"], **given}})
    group = Group(PEOPLE, 3)
    held = Institutions(parts, HostSlots((GOODS,), ()), group, BookLedger(PEOPLE))

    async def ask(questions: Sequence[CivicQuestion[Any]]) -> Sequence[Strict | None]:
        found = []
        for each in questions:
            acts = answers(each)
            text = json.dumps({"reasoning": "", "acts": acts})
            found.append(None if acts is None else each.form.parse(text))
        return found

    entries = []
    for step in range(steps + 1):
        entries += await held.step(step, {GOODS: hands}, ask)
    return entries


def by_name(**acts: Sequence[Mapping[str, Any]]) -> Answers:
    return lambda question: acts.get(question.to, ())


def kinds(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    return [each["what"] for each in entries]


ASK = {"act": "ask", "item": "bread", "price": 3, "count": 2}
BID = {"act": "bid", "item": "bread", "price": 4, "count": 1}


async def test_a_trade_changes_hands_in_the_world_and_is_told_with_prices_and_wealth() -> None:
    hands = Hands({"Ann": {"bread": 5}})
    entries = await hold(hands, by_name(Ann=[ASK], Bea=[BID]), endowment=6, tax=50)
    assert kinds(entries)[:4] == ["market_days", "endowed", "endowed", "endowed"]
    [sold] = [each for each in entries if each["what"] == "trade"]
    price = sold["data"]["price"]
    assert (sold["data"]["buyer"], sold["data"]["seller"], price in (3, 4)) == ("Bea", "Ann", True)
    assert hands.held["Bea"] == {"emerald": 6 - price, "bread": 1}
    assert hands.held["Ann"] == {"bread": 4, "emerald": 6 + price - price // 2}
    assert hands.accounts["treasury"] == {"emerald": price // 2}
    closed = entries[-1]["data"]
    assert closed["wealth"]["Thorin"] == 6
    assert closed["wealth"]["Ann"] == 4 * price + hands.held["Ann"]["emerald"]
    assert 0 < closed["gini"] < 1


async def test_a_trade_that_the_world_does_not_carry_out_is_undone() -> None:
    hands = Hands({"Ann": {"bread": 5}})
    hands.lacks = {"Bea"}
    entries = await hold(hands, by_name(Ann=[ASK], Bea=[BID]))
    assert kinds(entries).count("trade") == kinds(entries).count("undone") == 1
    assert hands.held == {"Ann": {"bread": 5, "emerald": 10}, "Bea": {"emerald": 10}, "Thorin": {"emerald": 10}}
    assert entries[-1]["data"]["prices"] == {}


async def test_only_people_at_the_market_are_asked_and_can_trade() -> None:
    hands = Hands({"Ann": {"bread": 5}}, here=("Bea", "Thorin"))
    asked: list[str] = []

    def answers(question: CivicQuestion[Any]) -> Sequence[Mapping[str, Any]]:
        asked.append(question.to)
        return [BID] if question.to == "Bea" else []

    entries = await hold(hands, answers)
    assert asked == ["Bea", "Thorin"]
    assert "trade" not in kinds(entries)


@pytest.mark.parametrize(
    "act",
    [
        {"act": "decree", "text": "all emeralds go to Thorin"},
        {"act": "issue", "to": "Thorin", "count": 30},
        {"act": "swap", "give": {"emerald": 0}, "want": {"emerald": 30}, "to": "Bea"},
        {"act": "buy", "seller": "Bea", "item": "emerald", "price": 1, "count": 30},
        {"act": ["all", "emeralds"]},
        {},
    ],
)
async def test_an_injected_act_moves_nothing(act: Mapping[str, Any]) -> None:
    hands = Hands({"Ann": {"bread": 5}})
    entries = await hold(hands, by_name(Thorin=[act]))
    assert [each["who"] for each in entries if each["what"] == "refused"] == ["Thorin"]
    assert {name: items["emerald"] for name, items in hands.held.items()} == dict.fromkeys(PEOPLE, 10)


async def test_the_office_alone_issues_money_and_it_is_counted() -> None:
    hands = Hands({})
    act = {"act": "issue", "to": "Thorin", "count": 7}
    entries = await hold(hands, by_name(Bea=[act], Ann=[act]), issuer="Bea")
    assert [(each["what"], each["who"]) for each in entries if each["what"] in ("issued", "refused")].count(
        ("issued", "Bea")
    ) == 1
    assert hands.held["Thorin"]["emerald"] == 17
    assert sum(items["emerald"] for items in hands.held.values()) == 37


async def test_the_pool_pays_insured_people_whom_the_world_shows_to_be_hungry() -> None:
    hands = Hands({})
    hands.levels = {"Ann": 3, "Bea": 3}
    pool = {"premium": 2, "cover": 6, "days": 2, "hungry_at": 10}
    insured = by_name(Ann=[{"act": "insure"}], Thorin=[{"act": "insure"}])
    entries = await hold(hands, insured, steps=2, pool=pool)
    steps = [(each["what"], each["who"], each["data"].get("count")) for each in entries]
    assert steps.count(("premium", "Ann", 2)) == steps.count(("premium", "Thorin", 2)) == 1
    assert [each for each in steps if each[0] == "payout"] == [("payout", "Ann", 4)]
    assert ("loss", "Bea", None) in steps
    assert hands.held == {"Ann": {"emerald": 12}, "Bea": {"emerald": 10}, "Thorin": {"emerald": 8}}
    [paid] = [each for each in entries if each["what"] == "payout"]
    assert paid["why"] == "food level 3, a loss from 10 down"


async def test_an_unreadable_answer_is_no_act_and_more_than_four_are_refused() -> None:
    hands = Hands({"Ann": {"bread": 5}})
    asked: list[CivicQuestion[Any]] = []

    def answers(question: CivicQuestion[Any]) -> Sequence[Mapping[str, Any]] | None:
        asked.append(question)
        return None if question.to == "Ann" else [BID] * 5

    entries = await hold(hands, answers)
    assert [each["who"] for each in entries if each["what"] == "no_answer"] == ["Ann"]
    assert [each["who"] for each in entries if each["why"].startswith("5 acts")].count("Bea") == 1
    with pytest.raises(ValueError, match="acts"):
        asked[0].form.parse('{"acts": "all emeralds go to Thorin"}')


def test_a_market_without_goods_or_with_illegal_settings_is_refused_before_the_start() -> None:
    with pytest.raises(ContractFormatError, match=r"market reads goods .* turn off market"):
        check(["market"], HostSlots((), ()))
    for given, message in [
        ({"money": None, "forms": ["auction"]}, "there is none, and auction needs it"),
        ({"issuer": "Zed"}, "issuer: 'Zed' is no member"),
        ({"money": None, "endowment": 5}, "market.endowment: there is no money"),
    ]:
        parts = read_parts({"market": given})
        with pytest.raises(ContractFormatError, match=message):
            Institutions(parts, HostSlots((GOODS,), ()), Group(PEOPLE, 0), BookLedger(PEOPLE))
