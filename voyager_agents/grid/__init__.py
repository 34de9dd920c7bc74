"""Players of grid games: policies over arrays, identified by name, and language models that play by text.

This package does not import `grid_games`. A policy player only names its policy, which the game's mode opens. A text
player receives text observations and answers with text, which its caller parses. A planner answers with plans, which
its caller carries out. A person is shown the game on a page (`SeatedPlayer`).
"""

from __future__ import annotations

from voyager_agents.grid.players import (
    ArrayPlayer,
    GridTexts,
    GridTurn,
    PlanningPlayer,
    PlanTexts,
    PlanTurn,
    ScriptedPlayer,
    SeatedPlayer,
    WordPlayer,
)

__all__ = [
    "ArrayPlayer",
    "GridTexts",
    "GridTurn",
    "PlanTexts",
    "PlanTurn",
    "PlanningPlayer",
    "ScriptedPlayer",
    "SeatedPlayer",
    "WordPlayer",
]
