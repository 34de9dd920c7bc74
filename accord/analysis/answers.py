"""Answers of models over several runs: rows by condition, role and player, totals, and rates in words."""

from __future__ import annotations

from collections.abc import Iterable

from accord.analysis.model_rows import sum_by_role
from dilemmas.records.answers import RoleAnswers
from voyager_agents.roles import NOT_DECIDING

KINDS = {"unreadable": "unreadable", "refused": "refused", "cut_off": "cut off"}
"""Field of `RoleAnswers` -> kind of unusable answers, in words."""


def answer_rows(answers: Iterable[RoleAnswers]) -> list[RoleAnswers]:
    """Return sums by role, player and model in the order of the roles; with many players by role and model."""
    return sum_by_role(answers, lambda role, player, model: RoleAnswers(player, role, model), RoleAnswers.plus)


def answer_total(answers: Iterable[RoleAnswers]) -> RoleAnswers:
    """Return the sum of all."""
    found = RoleAnswers("", "all", "")
    for each in answers:
        found = found.plus(each)
    return found


def decisions(answers: Iterable[RoleAnswers]) -> list[RoleAnswers]:
    """Return the answers in roles that decide something for a player."""
    return [each for each in answers if each.role not in NOT_DECIDING]


def percent(part: int, whole: int) -> str:
    """Return a share in percent with at most one decimal; a dash for a share of nothing."""
    if not whole:
        return "\N{EN DASH}"
    return f"{100 * part / whole:.1f}".removesuffix(".0") + " %"


def rates_in_words(answers: Iterable[RoleAnswers]) -> str:
    """Return the rates of unusable answers and of questions without an answer; empty if all answers were usable."""
    found = answer_total(answers)
    if not found.unusable:
        return ""
    counts = {what: getattr(found, key) for key, what in KINDS.items()}
    kinds = ", ".join(f"{percent(count, found.answers)} {what}" for what, count in counts.items() if count)
    without = f"{found.given_up} of {found.questions} questions without an answer"
    return f"{found.unusable} of {found.answers} answers unusable ({kinds}), {without}"
