"""Terminal table of unusable answers by condition, role and model."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from accord.analysis.answers import answer_total, percent
from accord.analysis.report.comparison import Comparison, ConditionRuns
from accord.analysis.report.text import one_line
from accord.cli.tables import table
from dilemmas.records.answers import RoleAnswers

NUMBERS = ("answers", "unreadable", "refused", "cut off", "questions", "no answer")


def show_answers(console: Console, comparison: Comparison) -> None:
    """Print the rates of unusable answers; nothing if all answers were usable."""
    rows = [(condition.name, row) for condition in comparison.conditions for row in _rows(condition)]
    unrecorded = sum(run.answers is None for run in comparison.runs)
    if not any(row.unusable for _, row in rows):
        if unrecorded:
            console.print(f"answers: not recorded by kind in {unrecorded} of {len(comparison.runs)} runs")
        return
    models = list(dict.fromkeys(row.model for _, row in rows))
    shown = table(_caption(models, unrecorded))
    shown.add_column("condition")
    shown.add_column("role", no_wrap=True)
    if len(models) > 1:
        shown.add_column("model")
    for name in NUMBERS:
        shown.add_column(name, justify="right")
    for condition, row in rows:
        head = [condition, row.role, *([row.model] if len(models) > 1 else [])]
        shown.add_row(*(Text(one_line(each)) for each in head), *_numbers(row))
    console.print(shown)


def _rows(condition: ConditionRuns) -> list[RoleAnswers]:
    """Return a row for each model in a role, over all players and runs."""
    keys = list(dict.fromkeys((each.role, each.model) for each in condition.answers))
    return [_sum(condition, *key) for key in keys]


def _sum(condition: ConditionRuns, role: str, model: str) -> RoleAnswers:
    return RoleAnswers("", role, model).plus(
        answer_total(each for each in condition.answers if (each.role, each.model) == (role, model))
    )


def _numbers(row: RoleAnswers) -> list[Text | str]:
    kinds = [percent(part, row.answers) for part in (row.unreadable, row.refused, row.cut_off)]
    without = Text(percent(row.given_up, row.questions), style="yellow" if row.given_up else "")
    return [f"{row.answers:,}", *kinds, f"{row.questions:,}", without]


def _caption(models: list[str], unrecorded: int) -> str:
    parts = [one_line(models[0])] if len(models) == 1 else []
    if unrecorded:
        parts.append(f"{unrecorded} runs not recorded by kind")
    return "; ".join([*parts, "answers by kind; questions left without a usable answer"])
