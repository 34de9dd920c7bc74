"""Letters of usual length, from which estimates and the doctor make their prompts."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.institutions.marketplace import market_question
from contracts.markets.market import MarketSettings, open_market
from voyager_agents.realtime_agent import Letter

ITEMS = ("bread", "carrot", "potato", "oak_log", "cobblestone", "coal", "raw_iron", "white_wool")
HELD = {"emerald": 10, "bread": 12, "oak_log": 9, "coal": 6, "raw_iron": 5, "cobblestone": 40}


def market_letter(player: str, players: Sequence[str]) -> Letter:
    """Return a market's question to a player on a day on which half of the people have posted or ordered something."""
    market = open_market(players, MarketSettings(ITEMS), dict.fromkeys(players, HELD))
    for number, name in enumerate(players[: max(2, len(players) // 2)]):
        item = ITEMS[number % len(ITEMS)]
        market.hear(0.0, name, f'{{"act": "post", "item": "{item}", "price": {number + 2}, "count": 3}}')
        market.hear(0.0, name, f'{{"act": "ask", "item": "coal", "price": {number + 3}, "count": 2}}')
        market.hear(0.0, name, f'{{"act": "swap", "give": {{"coal": 2}}, "want": {{"{item}": 3}}, "to": ""}}')
    text, facts = market_question(market, player, players)
    data = {"part": "market", "kind": "trade", "facts": facts, "form": {"reasoning": "...", "acts": [{"act": "..."}]}}
    return Letter(1, 0.0, "question", text, data, until_s=60.0)
