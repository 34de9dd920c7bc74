"""Players without a model: pure functions that write real policies, so that the whole way runs offline."""

from __future__ import annotations

from voyager_agents.reference.bargainer import bargain, forecast, prospects
from voyager_agents.reference.follower import follower, keeps_pickaxe, poacher
from voyager_agents.reference.greedy import PlayerState, greedy
from voyager_agents.reference.reference import PLAYERS, Player, ReferenceAgent

__all__ = [
    "PLAYERS",
    "Player",
    "PlayerState",
    "ReferenceAgent",
    "bargain",
    "follower",
    "forecast",
    "greedy",
    "keeps_pickaxe",
    "poacher",
    "prospects",
]
