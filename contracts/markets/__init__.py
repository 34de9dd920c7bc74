"""Markets: stalls with posted prices, double auctions, barter, money, taxes and insurance pools.

They know no world and no model: goods are whole items of holders, acts are typed, and entries tell each step.
"""

from __future__ import annotations

from contracts.markets.acts import MarketAct, read_act
from contracts.markets.competition import Competition, alpha, competition
from contracts.markets.goods import Goods
from contracts.markets.market import POOL, TREASURY, GoodsTransfer, Market, MarketSettings, open_market
from contracts.markets.measures import MarketTally, tally_of
from contracts.markets.orders import LimitOrder, Match, OrderBook
from contracts.markets.pools import InsurancePool, PoolSettings
from contracts.markets.traders import AuctionPeriod, Trader, play_auction

__all__ = [
    "POOL",
    "TREASURY",
    "AuctionPeriod",
    "Competition",
    "Goods",
    "GoodsTransfer",
    "InsurancePool",
    "LimitOrder",
    "Market",
    "MarketAct",
    "MarketSettings",
    "MarketTally",
    "Match",
    "OrderBook",
    "PoolSettings",
    "Trader",
    "alpha",
    "competition",
    "open_market",
    "play_auction",
    "read_act",
    "tally_of",
]
