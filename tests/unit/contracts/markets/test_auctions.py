"""Order books, competitive prices, and reference traders with given values (Smith 1962; Gode and Sunder 1993)."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import Refused
from contracts.markets import Match, OrderBook, Trader, alpha, competition, play_auction

VALUES = range(325, 50, -25)
COSTS = range(75, 350, 25)
SMITH = [
    *(Trader(f"Buyer{number}", "buy", (value,)) for number, value in enumerate(VALUES)),
    *(Trader(f"Seller{number}", "sell", (cost,)) for number, cost in enumerate(COSTS)),
]
"""Smith's symmetric market, as in Cliff and Bruten: eleven values and costs that meet at 200."""


def test_orders_trade_by_price_and_then_by_time_at_the_price_that_waited() -> None:
    book = OrderBook()
    assert book.place("Ann", "sell", 9, 2) == []
    assert book.place("Bea", "sell", 7) == []
    assert book.place("Cem", "sell", 7) == []
    assert (book.place("Dan", "buy", 5), book.spread) == ([], 2)
    assert book.place("Eva", "buy", 9, 3) == [
        Match("Eva", "Bea", 7, 1, 2),
        Match("Eva", "Cem", 7, 1, 3),
        Match("Eva", "Ann", 9, 1, 1),
    ]
    assert [(each.trader, each.count) for each in book.asks] == [("Ann", 1)]
    assert [each.trader for each in book.cancel("Dan")] == ["Dan"]
    assert book.spread is None


def test_a_new_order_replaces_the_own_one_and_never_trades_with_it() -> None:
    book = OrderBook()
    book.place("Ann", "sell", 9)
    book.place("Ann", "sell", 8)
    assert [each.price for each in book.asks] == [8]
    with pytest.raises(Refused, match="your own order at 8"):
        book.place("Ann", "buy", 8)
    for price in (0, -1, True, 2_000_000):
        with pytest.raises(Refused, match="whole number"):
            book.place("Bea", "buy", price)


def test_an_order_that_can_no_longer_be_delivered_leaves_the_book() -> None:
    stock = {"Ann": 0, "Bea": 1, "Cem": 5}

    def deliver(match: Match) -> int:
        stock[match.seller] -= match.count
        return match.count

    book = OrderBook(able=lambda trader, side, price: stock[trader], deliver=deliver)
    book.place("Ann", "sell", 3)
    book.place("Bea", "sell", 4, 3)
    assert book.place("Cem", "buy", 4, 2) == [Match("Cem", "Bea", 4, 1, 2)]
    assert (book.asks, [(each.trader, each.count) for each in book.bids]) == ((), [("Cem", 1)])


@given(
    st.lists(
        st.tuples(st.sampled_from("ABCD"), st.sampled_from(["buy", "sell"]), st.integers(1, 9), st.integers(1, 5)),
        max_size=40,
    )
)
def test_a_book_is_never_crossed_and_no_order_gets_a_worse_price_than_its_own(orders: list) -> None:
    book = OrderBook()
    for trader, side, price, count in orders:
        try:
            made = book.place(trader, side, price, count)
        except Refused:
            continue
        assert sum(each.count for each in made) <= count
        for each in made:
            assert each.buyer != each.seller
            assert each.price <= price if side == "buy" else each.price >= price
        assert book.spread is None or book.spread > 0
        assert [each.price for each in book.bids] == sorted((each.price for each in book.bids), reverse=True)
        assert [each.price for each in book.asks] == sorted(each.price for each in book.asks)


def test_the_competitive_price_is_where_demand_meets_supply() -> None:
    known = competition(VALUES, COSTS)
    assert (known.count, known.low, known.high, known.surplus) == (6, 200, 200, 750)
    between = competition([10, 8], [2, 4])
    assert (between.count, between.low, between.high, between.surplus) == (2, 4, 8, 12)
    with pytest.raises(ValueError, match="nothing is traded"):
        competition([1], [2])
    assert alpha([], 200) is None
    assert alpha([190, 210], 200) == pytest.approx(5)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=6), st.lists(st.integers(1, 30), min_size=1, max_size=6))
def test_at_each_competitive_price_supply_equals_demand(values: list[int], costs: list[int]) -> None:
    if max(values) < min(costs):
        return
    known = competition(values, costs)
    assert known.low <= known.high
    for price in (known.low, known.high):
        assert sum(value > price for value in values) <= known.count <= sum(value >= price for value in values)
        assert sum(cost < price for cost in costs) <= known.count <= sum(cost <= price for cost in costs)


SEEDS = range(6)


def test_adaptive_traders_converge_to_the_competitive_price() -> None:
    plays = [play_auction(SMITH, "zip", periods=10, seed=seed) for seed in SEEDS]
    first = fmean(play[0].alpha or 0 for play in plays)
    for play in plays:
        last = play[-3:]
        assert all(each.alpha is not None and each.alpha < 6 for each in last)
        assert fmean(price for each in last for price in each.prices) == pytest.approx(200, rel=0.05)
    end = fmean(each.alpha or 0 for play in plays for each in play[-3:])
    assert end < 3 < 8 < first
    assert fmean(each.efficiency for play in plays for each in play[-3:]) > 0.98


def test_a_budget_alone_makes_random_traders_efficient() -> None:
    held = [each for seed in SEEDS for each in play_auction(SMITH, "zi-c", periods=10, seed=seed)]
    free = [each for seed in SEEDS for each in play_auction(SMITH, "zi-u", periods=10, seed=seed)]
    assert fmean(each.efficiency for each in held) > 0.93
    assert fmean(each.efficiency for each in free) < 0.3
    assert fmean(price for each in held for price in each.prices) == pytest.approx(200, rel=0.1)
    assert fmean(each.alpha or 0 for each in held) < 30 < fmean(each.alpha or 0 for each in free)


def test_a_play_repeats_with_its_seed_and_differs_with_another() -> None:
    one, same, other = (play_auction(SMITH, "zip", periods=2, seed=seed) for seed in (1, 1, 2))
    assert one == same != other
    with pytest.raises(ValueError, match="'clever' is not known; choose one of zi-u, zi-c, zip"):
        play_auction(SMITH, "clever", periods=1, seed=0)
