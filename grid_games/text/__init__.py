"""Text interface without I/O: observations as text, and typed answers as actions."""

from __future__ import annotations

from grid_games.text.answers import GridAnswer, GridReply, answer_form, grid_answer, legal, parse
from grid_games.text.plans import PlanReply, describe_situation, goals_text, grid_plan, plan_details, plan_form
from grid_games.text.words import common_rules, describe, rules_of_play

__all__ = [
    "GridAnswer",
    "GridReply",
    "PlanReply",
    "answer_form",
    "common_rules",
    "describe",
    "describe_situation",
    "goals_text",
    "grid_answer",
    "grid_plan",
    "legal",
    "parse",
    "plan_details",
    "plan_form",
    "rules_of_play",
]
