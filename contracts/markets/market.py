"""Market of a group: stalls with posted prices, a double auction for each item, barter, money and a tax.

Nothing moves without the act of the member that gives it: a price, an order, an offer or its acceptance, and never more
than that act says. Words have no effect. The market knows no world: `goods` holds what the world shows, and whoever
runs the market carries the `transfers` out there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from contracts.errors import ContractFormatError, Refused
from contracts.institutions.norms import Entry
from contracts.markets.acts import (
    ACTS,
    FORMS,
    SUMMARIES,
    AskOrder,
    BidOrder,
    Buy,
    Insure,
    Issue,
    MarketAct,
    Post,
    Swap,
    Take,
    Withdraw,
    read_act,
)
from contracts.markets.goods import Goods, Items
from contracts.markets.orders import Match, OrderBook, Side
from contracts.markets.pools import InsurancePool, PoolSettings

TREASURY, POOL = "treasury", "pool"
"""Holders beside the members: of taxes, and of premiums."""
MAX_OFFERS = 5
"""Maximum number of a member's open offers to barter, and of its posted prices."""


@dataclass(frozen=True)
class MarketSettings:
    """Settings of a market. Raises ContractFormatError for an illegal combination."""

    items: tuple[str, ...]
    """Items that may be traded."""
    money: str | None = "emerald"
    """Item in which prices are; None if there is no money, and barter alone."""
    forms: tuple[str, ...] = ("stalls", "auction", "barter")
    issuer: str | None = None
    """Member that issues money; None for money by convention, which nobody issues."""
    tax: int = 0
    """Tax on a sale, in percent of its price, paid by the seller and rounded down."""
    pool: PoolSettings | None = None

    def __post_init__(self) -> None:
        for form in self.forms:
            if form not in FORMS:
                raise ContractFormatError(f"forms: {form!r} is not legal; choose from {', '.join(FORMS)}")
        if self.money is None:
            needs = [
                name
                for name, given in (
                    *((form, form in self.forms) for form in ("stalls", "auction")),
                    ("issuer", self.issuer is not None),
                    ("tax", self.tax > 0),
                    ("pool", self.pool is not None),
                )
                if given
            ]
            if needs:
                raise ContractFormatError(f"money: there is none, and {', '.join(needs)} needs it; name an item")
        elif self.money in self.items:
            raise ContractFormatError(f"items: {self.money} is the money; leave it out, or set another money")
        if not 0 <= self.tax <= 100:
            raise ContractFormatError(f"tax: {self.tax}: give a whole number from 0 to 100")
        if not self.forms:
            raise ContractFormatError(f"forms: none is given; choose from {', '.join(FORMS)}")

    @property
    def acts(self) -> tuple[str, ...]:
        """Names of the acts that are legal on the market."""
        found = [act for form in self.forms for act in FORMS[form]]
        found += ["issue"] if self.issuer else []
        return (*found, *(["insure"] if self.pool else []), "withdraw")


@dataclass(frozen=True)
class GoodsTransfer:
    """Items that change hands, to be carried out in the world. An empty giver issues them."""

    giver: str
    taker: str
    items: Items


@dataclass
class Stall:
    """A posted price."""

    keeper: str
    item: str
    price: int
    count: int


@dataclass(frozen=True)
class SwapOffer:
    """An open offer to barter."""

    number: int
    by: str
    give: Items
    want: Items
    to: str = ""


@dataclass
class Market:
    """A market and its state."""

    members: tuple[str, ...]
    settings: MarketSettings
    goods: Goods
    stalls: dict[tuple[str, str], Stall] = field(default_factory=dict)
    """(keeper, item) -> posted price."""
    offers: dict[int, SwapOffer] = field(default_factory=dict)
    books: dict[str, OrderBook] = field(default_factory=dict)
    """Item -> order book."""
    pool: InsurancePool | None = None
    _transfers: list[GoodsTransfer] = field(default_factory=list)
    _trades: int = 0
    _made: int = 0

    def __post_init__(self) -> None:
        settings = self.settings
        if settings.issuer is not None and settings.issuer not in self.members:
            raise ContractFormatError(f"issuer: {settings.issuer!r} is no member; choose {', '.join(self.members)}")
        self.books = {item: OrderBook(self._able(item), self._deliver(item)) for item in settings.items}
        if settings.pool is not None and settings.money is not None:
            self.pool = InsurancePool(settings.pool, self.goods, settings.money, POOL)
        self._entries: list[Entry] = []
        self._handlers: dict[type[MarketAct], Callable[[float, str, Any], list[Entry]]] = {
            Post: self._post,
            Buy: self._buy,
            BidOrder: self._order,
            AskOrder: self._order,
            Swap: self._swap,
            Take: self._take,
            Withdraw: self._withdraw,
            Issue: self._issue,
            Insure: self._insure,
        }

    def hear(self, t_s: float, member: str, text: str) -> list[Entry]:
        """Take a member's answer and return the entries that follow; an illegal one is refused and changes nothing."""
        try:
            act = read_act(text)
        except Refused as error:
            return [{"what": "refused", "member": member, "act": "", "why": str(error), "text": text[:300]}]
        return self.do(t_s, member, act)

    def do(self, t_s: float, member: str, act: MarketAct) -> list[Entry]:
        """Take a member's act and return the entries that follow; an illegal one is refused and changes nothing."""
        head: Entry = {"member": member, "act": act.act}
        if member not in self.members:
            return [{"what": "refused", **head, "why": f"{member!r} is no member of the market"}]
        if act.act not in self.settings.acts or ACTS[act.act] is not type(act):
            legal = ", ".join(self.settings.acts)
            return [{"what": "refused", **head, "why": f"act: {act.act!r} is not legal here; choose one of {legal}"}]
        try:
            return self._handlers[type(act)](t_s, member, act)
        except Refused as error:
            return [{"what": "refused", **head, "why": str(error)}]

    def settle_losses(self, t_s: float, losses: Sequence[str]) -> list[Entry]:
        """Pay out the losses that the record shows, by the pool's rule, and return the entries."""
        if self.pool is None or not losses:
            return []
        entries = self.pool.settle(t_s, losses)
        money = self._money()
        self._transfers += [
            GoodsTransfer(POOL, str(each["member"]), {money: int(str(each["count"]))})
            for each in entries
            if each["what"] == "payout"
        ]
        return entries

    def insured(self, member: str, t_s: float) -> bool:
        """Return True if the pool insures a member now."""
        return self.pool is not None and self.pool.insured(member, t_s)

    def lapse(self, member: str) -> None:
        """End the insurance of a member whose premium the world did not move."""
        if self.pool is not None:
            self.pool.lapse(member)

    def take_transfers(self) -> list[GoodsTransfer]:
        """Return the transfers since the last call, which the caller carries out."""
        found, self._transfers = self._transfers, []
        return found

    def instructions(self) -> str:
        """Return the legal acts as the lines of a prompt."""
        money = self.settings.money or ""
        lines = [SUMMARIES[act].replace("MONEY", money) for act in self.settings.acts]
        items = ", ".join(self.settings.items)
        return "\n".join([f"Items that are traded: {items}.", *(f"- {line}" for line in lines)])

    def board(self) -> dict[str, Any]:
        """Return prices, best orders and open offers as plain data: what everybody reads."""
        quotes = {
            item: {"bid": book.bids[0].price if book.bids else None, "ask": book.asks[0].price if book.asks else None}
            for item, book in self.books.items()
            if book.bids or book.asks
        }
        stalls = [
            {"seller": each.keeper, "item": each.item, "price": each.price, "count": self._in_stock(each)}
            for each in self.stalls.values()
            if self._in_stock(each)
        ]
        offers = [
            {"offer": each.number, "by": each.by, "give": dict(each.give), "want": dict(each.want), "to": each.to}
            for each in self.offers.values()
        ]
        return {"prices": stalls, "orders": quotes, "offers": offers}

    def _money(self) -> str:
        assert self.settings.money is not None, "a market with prices has money"
        return self.settings.money

    def _check_item(self, item: str) -> None:
        if item not in self.settings.items:
            raise Refused(
                "item", f"item: {item[:40]!r} is not traded here; choose from {', '.join(self.settings.items)}"
            )

    def _in_stock(self, stall: Stall) -> int:
        return min(stall.count, self.goods.count(stall.keeper, stall.item))

    def _post(self, t_s: float, member: str, act: Post) -> list[Entry]:
        self._check_item(act.item)
        own = [key for key in self.stalls if key[0] == member]
        if (member, act.item) not in self.stalls and len(own) >= MAX_OFFERS:
            raise Refused("many", f"{len(own)} prices of yours are posted: withdraw them before you post others")
        if not self.goods.count(member, act.item):
            raise Refused("short", f"item: you have no {act.item}")
        self.stalls[member, act.item] = Stall(member, act.item, act.price, act.count)
        return [{"what": "posted", "member": member, "item": act.item, "price": act.price, "count": act.count}]

    def _buy(self, t_s: float, member: str, act: Buy) -> list[Entry]:
        self._check_item(act.item)
        stall = self.stalls.get((act.seller, act.item))
        if stall is None or not self._in_stock(stall):
            raise Refused("seller", f"seller: {act.seller!r} sells no {act.item} now")
        if stall.keeper == member:
            raise Refused("self", "seller: you cannot buy from yourself")
        if stall.price > act.price:
            raise Refused("price", f"price: {act.item} costs {stall.price} there, more than your {act.price}")
        count = min(act.count, self._in_stock(stall), self.goods.count(member, self._money()) // stall.price)
        if not count:
            raise Refused("short", f"price: you have less than {stall.price} {self._money()}")
        self._sell("stall", act.item, Match(member, stall.keeper, stall.price, count, 0))
        stall.count -= count
        if not stall.count:
            del self.stalls[stall.keeper, stall.item]
        return self._drain()

    def _order(self, t_s: float, member: str, act: BidOrder | AskOrder) -> list[Entry]:
        self._check_item(act.item)
        side: Side = "buy" if isinstance(act, BidOrder) else "sell"
        if not self._able(act.item)(member, side, act.price):
            short = f"{act.price} {self._money()}" if side == "buy" else act.item
            raise Refused("short", f"{act.act}: you do not have {short}")
        book = self.books[act.item]
        made = book.place(member, side, act.price, act.count)
        head = {"what": "order", "member": member, "side": side, "item": act.item}
        placed: Entry = {**head, "price": act.price, "count": act.count, "filled": sum(each.count for each in made)}
        return [placed, *self._drain(), self._quote(act.item)]

    def _quote(self, item: str) -> Entry:
        book = self.books[item]
        best = {name: orders[0].price if orders else None for name, orders in (("bid", book.bids), ("ask", book.asks))}
        return {"what": "quote", "item": item, **best, "spread": book.spread}

    def _swap(self, t_s: float, member: str, act: Swap) -> list[Entry]:
        money = [self.settings.money] if self.settings.money else []
        for item in (*act.give, *act.want):
            if item not in money:
                self._check_item(item)
        if not act.give or not act.want or set(act.give) & set(act.want):
            raise Refused("terms", "give, want: name different items on both sides")
        if act.to and (act.to not in self.members or act.to == member):
            raise Refused("to", f"to: {act.to!r} is no other member; leave it empty to offer it to everybody")
        if sum(each.by == member for each in self.offers.values()) >= MAX_OFFERS:
            raise Refused("many", f"{MAX_OFFERS} offers of yours are open: withdraw them before you make others")
        for item, count in act.give.items():
            if self.goods.count(member, item) < count:
                raise Refused("short", f"give: you have {self.goods.count(member, item)} of {item}, and not {count}")
        self._made += 1
        made = SwapOffer(self._made, member, dict(act.give), dict(act.want), act.to)
        self.offers[made.number] = made
        told = {"offer": made.number, "give": dict(made.give), "want": dict(made.want), "to": made.to}
        return [{"what": "offered", "member": member, **told}]

    def _take(self, t_s: float, member: str, act: Take) -> list[Entry]:
        offer = self.offers.get(act.offer)
        if offer is None or offer.to not in ("", member) or offer.by == member:
            legal = [str(each.number) for each in self.offers.values() if each.to in ("", member) and each.by != member]
            raise Refused("offer", f"offer: {act.offer} is not open to you; what is open: {', '.join(legal) or 'none'}")
        self.goods.swap(offer.by, offer.give, member, offer.want)
        del self.offers[offer.number]
        self._transfers += [GoodsTransfer(offer.by, member, offer.give), GoodsTransfer(member, offer.by, offer.want)]
        self._trades += 1
        sides = {"one": offer.by, "gives": dict(offer.give), "other": member, "takes": dict(offer.want)}
        return [{"what": "trade", "number": self._trades, "form": "barter", **sides}]

    def _withdraw(self, t_s: float, member: str, act: Withdraw) -> list[Entry]:
        prices = [key for key in self.stalls if key[0] == member]
        offers = [number for number, each in self.offers.items() if each.by == member]
        for key in prices:
            del self.stalls[key]
        for number in offers:
            del self.offers[number]
        orders = {item: len(book.cancel(member)) for item, book in self.books.items()}
        gone = {"prices": len(prices), "orders": sum(orders.values()), "offers": len(offers)}
        quotes = [self._quote(item) for item, count in orders.items() if count]
        return [{"what": "withdrawn", "member": member, **gone}, *quotes]

    def _issue(self, t_s: float, member: str, act: Issue) -> list[Entry]:
        if member != self.settings.issuer:
            raise Refused("office", f"issue: only {self.settings.issuer} issues {self.settings.money}")
        if act.to not in self.members:
            raise Refused("to", f"to: {act.to[:40]!r} is no member")
        self.goods.issue(act.to, self._money(), act.count)
        self._transfers.append(GoodsTransfer("", act.to, {self._money(): act.count}))
        return [{"what": "issued", "member": member, "to": act.to, "item": self._money(), "count": act.count}]

    def _insure(self, t_s: float, member: str, act: Insure) -> list[Entry]:
        assert self.pool is not None, "the act is legal with a pool alone"
        entries = self.pool.insure(t_s, member)
        self._transfers.append(GoodsTransfer(member, POOL, {self._money(): self.pool.settings.premium}))
        return entries

    def _able(self, item: str) -> Callable[[str, Side, int], int]:
        def able(trader: str, side: Side, price: int) -> int:
            if side == "sell":
                return self.goods.count(trader, item)
            return self.goods.count(trader, self._money()) // price

        return able

    def _deliver(self, item: str) -> Callable[[Match], int]:
        def deliver(match: Match) -> int:
            self._sell("auction", item, match)
            return match.count

        return deliver

    def _sell(self, form: str, item: str, match: Match) -> None:
        """Carry out a sale with its tax."""
        money, paid = self._money(), match.price * match.count
        tax = paid * self.settings.tax // 100
        self.goods.swap(match.seller, {item: match.count}, match.buyer, {money: paid})
        self._transfers += [
            GoodsTransfer(match.seller, match.buyer, {item: match.count}),
            GoodsTransfer(match.buyer, match.seller, {money: paid}),
        ]
        if tax:
            self.goods.move(match.seller, TREASURY, {money: tax})
            self._transfers.append(GoodsTransfer(match.seller, TREASURY, {money: tax}))
        self._trades += 1
        sold = {"buyer": match.buyer, "seller": match.seller, "item": item, "count": match.count, "price": match.price}
        self._entries.append(
            {"what": "trade", "number": self._trades, "form": form, **sold, "money": money, "tax": tax}
        )

    def _drain(self) -> list[Entry]:
        found, self._entries = self._entries, []
        return found


def open_market(members: Sequence[str], settings: MarketSettings, held: Mapping[str, Items]) -> Market:
    """Return a market of these members; `held` is holder -> items, and the treasury and the pool start empty."""
    accounts = {**{name: held.get(name, {}) for name in members}, TREASURY: {}, POOL: {}}
    return Market(tuple(members), settings, Goods(accounts))
