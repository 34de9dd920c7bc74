"""Players of grid games (`grid_games`): policies over arrays by name, and language models that play by typed words.

The room of the games is not known here. A player with a policy says only which one; a player by words is shown texts
and answers with a text, and whoever asks it says whether that text is an answer.
"""

from __future__ import annotations

from voyager_agents.grid.players import ArrayPlayer, GridTexts, GridTurn, WordPlayer

__all__ = ["ArrayPlayer", "GridTexts", "GridTurn", "WordPlayer"]
