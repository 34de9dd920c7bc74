"""Typed acts on a market. The actor is the member that was asked, never a name in the text."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, ValidationError

from common.answers.reading import MAX_ANSWER, Strict, first_problem, json_of
from contracts.errors import Refused

Name = Annotated[str, Field(min_length=1, max_length=40)]
Count = Annotated[int, Field(ge=1, le=10_000)]
Price = Annotated[int, Field(ge=1, le=1_000_000)]
Bundle = Annotated[dict[Name, Count], Field(max_length=8)]


class MarketAct(Strict):
    """Base class of acts."""

    act: str


class Post(MarketAct):
    """A posted price: anybody may buy up to `count` of the item at it. It replaces the member's price of the item."""

    item: Name
    price: Price
    count: Count


class Buy(MarketAct):
    """A purchase at a posted price of at most `price`."""

    seller: Name
    item: Name
    price: Price
    count: Count


class BidOrder(MarketAct):
    """An order to buy in the double auction."""

    item: Name
    price: Price
    count: Count


class AskOrder(MarketAct):
    """An order to sell in the double auction."""

    item: Name
    price: Price
    count: Count


class Swap(MarketAct):
    """An offer to barter; `to` an empty name offers it to everybody."""

    give: Bundle
    want: Bundle
    to: str = Field(default="", max_length=40)


class Take(MarketAct):
    """Consent to an offer to barter."""

    offer: int


class Withdraw(MarketAct):
    """Withdrawal of all own prices, orders and offers."""


class Issue(MarketAct):
    """New money, by the office that issues it."""

    to: Name
    count: Count


class Insure(MarketAct):
    """Payment of the pool's premium for one period."""


FORMS = {
    "stalls": ("post", "buy"),
    "auction": ("bid", "ask"),
    "barter": ("swap", "take"),
}
"""Form of trade -> its acts."""
ACTS: dict[str, type[MarketAct]] = {
    "post": Post,
    "buy": Buy,
    "bid": BidOrder,
    "ask": AskOrder,
    "swap": Swap,
    "take": Take,
    "withdraw": Withdraw,
    "issue": Issue,
    "insure": Insure,
}
SUMMARIES = {
    "post": '{"act": "post", "item": ITEM, "price": p, "count": n}: sell up to n of your items at p MONEY each',
    "buy": '{"act": "buy", "seller": NAME, "item": ITEM, "price": p, "count": n}: buy at a posted price of at most p',
    "bid": '{"act": "bid", "item": ITEM, "price": p, "count": n}: an order to buy at p MONEY each or less',
    "ask": '{"act": "ask", "item": ITEM, "price": p, "count": n}: an order to sell at p MONEY each or more',
    "swap": '{"act": "swap", "give": {ITEM: n}, "want": {ITEM: n}, "to": NAME or ""}: an offer to barter',
    "take": '{"act": "take", "offer": NUMBER}: accept an offer to barter',
    "withdraw": '{"act": "withdraw"}: withdraw your prices, orders and offers',
    "issue": '{"act": "issue", "to": NAME, "count": n}: print n MONEY and hand it to a member',
    "insure": '{"act": "insure"}: pay the premium of the insurance pool for one period',
}
"""Act -> its form in prompts; MONEY stands for the money."""


def read_act(text: str) -> MarketAct:
    """Return the act in an answer. Raises Refused for an answer that is none."""
    if len(text) > MAX_ANSWER:
        raise Refused("long", f"it has {len(text)} characters: {MAX_ANSWER} are read")
    try:
        data = json_of(text)
    except ValueError as error:
        raise Refused("form", f"it is no JSON object: {error}") from None
    kind = data.get("act") if isinstance(data, dict) else None
    shape = ACTS.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise Refused("act", f"act: {str(kind)[:40]!r} is not legal; choose one of {', '.join(ACTS)}")
    try:
        return shape.model_validate(data)
    except ValidationError as error:
        raise Refused("form", first_problem(error)) from None
