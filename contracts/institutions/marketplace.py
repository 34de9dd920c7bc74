"""Market of a society: market days at a place, where people trade by typed acts and items change hands in the world.

On a market day everybody at the market is asked, in several rounds, for acts: prices, orders, offers, purchases. Acts
count in an order drawn by lot. Each trade is carried out in the world at once; if the world shows that somebody no
longer has what the trade needs, nothing moves and the trade is undone. Nothing else moves anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from contracts.errors import ContractFormatError
from contracts.institutions.elections import MAX_REASONING
from contracts.institutions.frame import CivicQuestion, Desk, Group, InstitutionPart, PartSettings, Slot
from contracts.institutions.norms import Entry
from contracts.markets.goods import Goods, Items
from contracts.markets.market import POOL, TREASURY, GoodsTransfer, Market, MarketSettings
from contracts.markets.measures import MarketTally, gini
from contracts.markets.pools import PoolSettings

MAX_ACTS = 4
"""Maximum number of acts in one answer; further ones are refused."""


class GoodsHost(Protocol):
    """The items of people in the world."""

    async def read(self, *, everybody: bool = False) -> Mapping[str, Items]:
        """Return person -> items, of the people at the market now, or of everybody."""

    async def public(self) -> Mapping[str, Items]:
        """Return public account (treasury, pool) -> its items."""

    async def food(self) -> Mapping[str, int]:
        """Return person -> food level in the world, 0 to 20."""

    async def carry(self, transfers: Sequence[GoodsTransfer]) -> bool:
        """Carry out transfers in the world, all or none; return False if somebody lacks an item."""


GOODS: Slot[GoodsHost | None] = Slot("goods", "items of people in the world, which can change hands", None)


class FoodPool(PartSettings):
    """Settings of an insurance pool: it pays those of its members who come to the market hungry."""

    premium: int = Field(default=2, ge=1, le=640)
    cover: int = Field(default=6, ge=1, le=640)
    """Money for a loss; less if the pool has less."""
    days: int = Field(default=2, ge=1, le=1000)
    """Number of market days for which a premium insures, the day of its payment excluded."""
    hungry_at: int = Field(default=10, ge=0, le=19)
    """Food level at or below which the world shows a loss; at most one is paid for each premium."""


class MarketPartSettings(PartSettings):
    """Settings of a market in a society."""

    items: tuple[str, ...] = Field(
        default=("bread", "carrot", "potato", "oak_log", "cobblestone", "coal", "raw_iron", "white_wool"), min_length=1
    )
    """Items that are traded."""
    money: str | None = "emerald"
    """Item in which prices are; null for barter alone."""
    forms: tuple[str, ...] | None = None
    """Some of stalls, auction and barter; None for all that the money allows."""
    endowment: int = Field(default=10, ge=0, le=640)
    """Money that each person gets before the first market day."""
    issuer: str | None = None
    """Person whose office issues money; None for money that nobody issues."""
    tax: int = Field(default=0, ge=0, le=100)
    """Tax on sales, in percent."""
    pool: FoodPool | None = None
    every: int = Field(default=4, ge=1, le=1000)
    """Steps from one market day to the next."""
    rounds: int = Field(default=3, ge=1, le=10)
    """Rounds of acts on a market day."""

    def rules(self) -> MarketSettings:
        """Return the settings of the market itself. Raises ContractFormatError."""
        usual = ("barter",) if self.money is None else ("stalls", "auction", "barter")
        own = self.pool
        pool = None if own is None else PoolSettings(own.premium, own.cover, own.days * self.every + 1)
        return MarketSettings(self.items, self.money, self.forms or usual, self.issuer, self.tax, pool)


class TradeActs(Strict):
    """A person's answer on a market day: acts in their order; an empty list for none."""

    reasoning: str = Field(max_length=MAX_REASONING)
    acts: list[dict[str, Any]] = Field(max_length=20)


class Marketplace(InstitutionPart):
    """Market days of a society."""

    name = "market"
    Settings = MarketPartSettings
    reads = (GOODS,)
    settings: MarketPartSettings

    def __init__(self, settings: MarketPartSettings, group: Group) -> None:
        super().__init__(settings, group)
        accounts: dict[str, Items] = {name: {} for name in (*group.members, TREASURY, POOL)}
        self._market = Market(group.members, settings.rules(), Goods(accounts))
        if settings.money is None and settings.endowment and "endowment" in settings.model_fields_set:
            raise ContractFormatError("market.endowment: there is no money; leave it out")
        self._form: AnswerForm[TradeActs] = AnswerForm(
            "market", TradeActs, {"reasoning": "...", "acts": [{"act": "..."}]}, reasoning="reasoning"
        )

        self._tally = MarketTally()
        self._days = 0

    @classmethod
    def max_questions(cls, settings: MarketPartSettings, people: int, steps: int) -> int:
        """Return the rounds of all market days.

        Args:
            settings: The market's settings.
            people: Number of people.
            steps: Number of steps after step 0.
        """
        return steps // settings.every * settings.rounds

    async def step(self, desk: Desk) -> None:
        """Hand out the endowment before the first round; hold a market day when it is due."""
        host = desk.read(GOODS)
        assert host is not None, "the scenario writes the slot"
        settings = self.settings
        if desk.step == 0:
            desk.tell("market_days", why=self._market.instructions(), every=settings.every, money=settings.money)
            if settings.money is not None and settings.endowment:
                await self._endow(desk, host, settings.money)
        elif desk.step % settings.every == 0:
            await self._day(desk, host)
            await self._sum_up(desk, host)

    async def _sum_up(self, desk: Desk, host: GoodsHost) -> None:
        """Tell what the market was worth, at the prices of its record and by what people have in the world."""
        held = await host.read(everybody=True)
        wealth = self._tally.wealth(held, self.settings.money)
        data: dict[str, Any] = {"prices": self._tally.prices(), "wealth": wealth, "gini": gini(list(wealth.values()))}
        desk.tell("market_closed", why="at the last prices; items without a price count as nothing", **data)

    async def _endow(self, desk: Desk, host: GoodsHost, money: str) -> None:
        given = {money: self.settings.endowment}
        for name in self.group.members:
            if await host.carry([GoodsTransfer("", name, given)]):
                desk.tell("endowed", name, "every person begins with the same", item=money, count=given[money])

    async def _day(self, desk: Desk, host: GoodsHost) -> None:
        self._days += 1
        for number in range(1, self.settings.rounds + 1):
            held = await self._look(host)
            people = [name for name in self.group.members if name in held]
            if number == 1:
                desk.tell("market_opened", why=f"every {self.settings.every} steps", people=people)
            if number == 1 and self.settings.pool is not None:
                await self._insure(desk, host, self.settings.pool, people)
            if len(people) < 2:
                return
            answers = await desk.ask([self._question(desk, name, held[name], number, people) for name in people])
            await self._look(host)
            given = dict(zip(people, answers, strict=True))
            for name in desk.dice(f"order:{number}").sample(people, len(people)):
                answer = given[name]
                if not isinstance(answer, TradeActs):
                    desk.tell("no_answer", name, "unreadable or too late")
                    continue
                for act in answer.acts[:MAX_ACTS]:
                    await self._act(desk, host, name, act)
                if len(answer.acts) > MAX_ACTS:
                    desk.tell("refused", name, f"{len(answer.acts)} acts: {MAX_ACTS} count in one answer", act="")

    async def _insure(self, desk: Desk, host: GoodsHost, pool: FoodPool, people: Sequence[str]) -> None:
        """Pay out, by rule, to insured people at the market whom the world shows to be hungry."""
        food = await host.food()
        hungry = [name for name in people if food.get(name, 20) <= pool.hungry_at]
        entries = self._market.settle_losses(float(desk.step), hungry)
        if await host.carry(self._market.take_transfers()):
            for entry in entries:
                why = f"food level {food[str(entry['member'])]}, a loss from {pool.hungry_at} down"
                self._tell(desk, entry, str(entry["member"]), str(entry.get("why", "")) or why)

    def _question(
        self, desk: Desk, name: str, items: Items, number: int, people: Sequence[str]
    ) -> CivicQuestion[TradeActs]:
        text, facts = market_question(self._market, name, people)
        facts |= {
            "you_have": dict(items),
            "pool": self.settings.pool.model_dump() if self.settings.pool else None,
            "you_are_insured": self._market.insured(name, float(desk.step)),
            "day": self._days,
            "round": number,
            "rounds": self.settings.rounds,
        }
        return CivicQuestion(name, self.name, "trade", text, facts, self._form)

    async def _look(self, host: GoodsHost) -> Mapping[str, Items]:
        """Set the market's goods to what people at the market and the public have; who is away has nothing there."""
        held = await host.read()
        for name in self.group.members:
            self._market.goods.set_items(name, held.get(name, {}))
        for account, items in (await host.public()).items():
            self._market.goods.set_items(account, items)
        return held

    async def _act(self, desk: Desk, host: GoodsHost, name: str, act: Mapping[str, Any]) -> None:
        """Take an act, and carry out what follows from it in the world."""
        try:
            text = json.dumps(act)
        except (TypeError, ValueError, RecursionError):
            text = ""
        entries = self._market.hear(float(desk.step), name, text)
        transfers = self._market.take_transfers()
        done = not transfers or await host.carry(transfers)
        for entry in entries:
            self._tell(desk, entry, name)
        if not done:
            for entry in entries:
                if entry["what"] in ("trade", "issued", "premium"):
                    self._tell(desk, {**entry, "what": "undone"}, name, "somebody no longer has the items")
                if entry["what"] == "premium":
                    self._market.lapse(name)
            await self._look(host)

    def _tell(self, desk: Desk, entry: Entry, name: str, why: str = "") -> None:
        """Tell an entry of the market, and count it."""
        self._tally.add(entry)
        data = {key: value for key, value in entry.items() if key not in ("what", "member", "why", "text")}
        desk.tell(str(entry["what"]), name, why or str(entry.get("why", "")), **data)


def market_question(market: Market, person: str, people: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Return the question to a person on a market day, in words, and the facts that it may know.

    Args:
        market: The market.
        person: Name of the person.
        people: Names of the people at the market.
    """
    facts = {
        "you_have": dict(market.goods.items(person)),
        "market": market.board(),
        "money": market.settings.money,
        "you_issue_it": person == market.settings.issuer,
        "pool": None,
        "you_are_insured": False,
        "people": list(people),
        "items": list(market.settings.items),
        "forms": list(market.settings.forms),
        "day": 1,
        "round": 1,
        "rounds": 1,
    }
    ask = "You are at the market. Answer with up to four acts, each an object; an empty list for none."
    return f"{ask}\n{market.instructions()}", facts


def net_changes(transfers: Sequence[GoodsTransfer]) -> dict[str, dict[str, int]]:
    """Return holder -> item -> net change by transfers, without zeros; an empty giver issues items."""
    found: dict[str, dict[str, int]] = {}
    for each in transfers:
        for item, count in each.items.items():
            for holder, change in ((each.giver, -count), (each.taker, count)):
                if holder:
                    own = found.setdefault(holder, {})
                    own[item] = own.get(item, 0) + change
    return {holder: {item: count for item, count in own.items() if count} for holder, own in found.items()}
