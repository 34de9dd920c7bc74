"""Players without a model: pure functions that write real programs, so that everything also runs offline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.lazy_imports import lazy_names

if TYPE_CHECKING:
    from voyager_agents.reference.greedy import PlayerState
    from voyager_agents.reference.reference import PLAYERS, Player, ReferenceAgent

__all__ = ["PLAYERS", "Player", "PlayerState", "ReferenceAgent"]

__getattr__ = lazy_names(
    __name__,
    {
        "voyager_agents.reference.greedy": ("PlayerState",),
        "voyager_agents.reference.reference": ("PLAYERS", "Player", "ReferenceAgent"),
    },
)
