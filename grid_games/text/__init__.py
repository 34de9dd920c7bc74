"""Text interface without I/O: observations as text, and typed answers as actions."""

from __future__ import annotations

from grid_games.text.answers import GridAnswer, GridReply, answer_form, grid_answer, legal, parse
from grid_games.text.words import common_rules, describe, rules_of_play

__all__ = [
    "GridAnswer",
    "GridReply",
    "answer_form",
    "common_rules",
    "describe",
    "grid_answer",
    "legal",
    "parse",
    "rules_of_play",
]
