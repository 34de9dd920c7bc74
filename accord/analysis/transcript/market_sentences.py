"""Sentences for the steps of a market and of devices of games."""

from __future__ import annotations

from collections.abc import Mapping

MARKET_SENTENCES: Mapping[tuple[str, str], str] = {
    ("market", "market_days"): "market days are every {every} steps; money: {money}",
    ("market", "market_opened"): "the market opens with {people}",
    ("market", "market_closed"): "the market closes; Gini coefficient of wealth {gini}",
    ("market", "endowed"): "{who} gets {count} {item}: {why}",
    ("market", "order"): "{who} orders to {side} {count} {item} at {price}; {filled} traded at once",
    ("market", "posted"): "{who} offers {count} {item} at {price} each",
    ("market", "offered"): "{who} offers {give} for {want}",
    ("market", "trade"): "{buyer} buys {count} {item} from {seller} at {price} {money} each",
    ("market", "barter"): "{other} takes {gives} from {one} for {takes}",
    ("market", "undone"): "the trade of {count} {item} from {seller} to {buyer} is undone: {why}",
    ("market", "refused"): "an act of {who} is refused: {why}",
    ("market", "no_answer"): "{who} gives no answer at the market: {why}",
    ("market", "withdrawn"): "{who} withdraws {prices} prices, {orders} orders and {offers} offers",
    ("market", "issued"): "{who} issues {count} {item} to {to}",
    ("market", "premium"): "{who} pays the premium of the pool",
    ("market", "payout"): "the pool pays {who} {count}: {why}",
    ("market", "loss"): "the pool pays {who} nothing: {why}",
    ("mediator", "carried_out"): "{who} plays {carried}: {why}",
    ("commitments", "carried_out"): "{who} plays {carried}: {why}",
}
"""(institution, step) -> its sentence; `barter` is a trade without a price."""
