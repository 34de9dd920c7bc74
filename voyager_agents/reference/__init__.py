"""Players without a model: pure functions that write real policies, so that everything runs offline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from voyager_agents.reference.greedy import PlayerState
    from voyager_agents.reference.reference import PLAYERS, Player, ReferenceAgent

__all__ = ["PLAYERS", "Player", "PlayerState", "ReferenceAgent"]

_REFERENCE = "voyager_agents.reference.reference"
_PLACES = {
    "PLAYERS": f"{_REFERENCE}:PLAYERS",
    "Player": f"{_REFERENCE}:Player",
    "ReferenceAgent": f"{_REFERENCE}:ReferenceAgent",
    "PlayerState": "voyager_agents.reference.greedy:PlayerState",
    # Former name, for packages that were written with it.
    "State": "voyager_agents.reference.greedy:PlayerState",
}
__getattr__ = lazy_attributes(__name__, _PLACES)
