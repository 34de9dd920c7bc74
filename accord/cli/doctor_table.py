"""Terminal table of the roles that `accord doctor --model` asked in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from accord.cli.table_cells import words
from accord.cli.tables import table

if TYPE_CHECKING:
    from accord.doctor.answers import RoleAnswer, RoleRow

STYLES = {"read": "green", "unreadable": "yellow", "refused": "yellow", "cut-off": "yellow"}
"""Outcome -> style; all others are failures."""


def show_roles(console: Console, rows: Sequence[RoleRow]) -> None:
    """Print a table with a row for each question, by family."""
    shown = table("tokens: prompt + answer")
    for name in ("role", "schema", "words"):
        shown.add_column(name, no_wrap=True)
    for name in ("tokens", "s"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("to change")
    for family, own in groupby(rows, key=lambda row: row.question.family):
        shown.add_row(words(family, "bold"))
        for row in own:
            answer = row.answer
            usage = answer.usage
            tokens = f"{usage.prompt_tokens}+{usage.completion_tokens}" if usage.total else "-"
            shown.add_row(
                Text.assemble("  ", words(_name(row))),
                _outcome(row.with_schema),
                _outcome(row.without),
                tokens,
                f"{answer.took_s:.1f}" if answer.outcome != "not asked" else "-",
                words(row.remedy.short),
            )
    console.print(shown)


def _name(row: RoleRow) -> str:
    """Return the part, with its role where that has another name and is set apart by options."""
    role, part = row.question.role, row.question.part
    return part if role == part else f"{part} ({role})"


def _outcome(answer: RoleAnswer | None) -> Text:
    if answer is None:
        return Text("-")
    way = f" ({answer.way})" if answer.way in ("json", "plain-schema") else ""
    return Text(f"{answer.outcome.replace('-', ' ')}{way}", style=STYLES.get(answer.outcome, "red"))
