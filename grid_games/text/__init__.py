"""Text interface without I/O: observations as text, and typed answers as actions."""

from __future__ import annotations

from grid_games.text.answers import GridAnswer, legal, parse, typed
from grid_games.text.words import describe, rules_of_play

__all__ = ["GridAnswer", "describe", "legal", "parse", "rules_of_play", "typed"]
