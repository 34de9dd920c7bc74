"""Terminal table of models' costs and failures."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from accord.analysis.costs import CostRow, rows, total
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.text import dollars, one_line
from accord.cli.tables import table

NUMBERS = ("calls", "tokens", "price", "retries", "faults")


def show_costs(console: Console, runs: Iterable[ReportedRun]) -> None:
    """Print one table of the costs of all runs, or nothing if no model was called."""
    found = rows([cost for run in runs for cost in run.costs])
    if not found:
        return
    models = list(dict.fromkeys(row.model for row in found))
    shown = table(_caption(models, total(found)))
    for name in ("role", "player"):
        shown.add_column(name, no_wrap=True)
    if len(models) > 1:
        shown.add_column("model")
    for name in NUMBERS:
        shown.add_column(name, justify="right")
    for row in (*found, total(found)):
        whose = [row.role, row.player, *([row.model] if len(models) > 1 else [])]
        style = "bold" if row.role == "all" else ""
        shown.add_row(*(Text(one_line(each)) for each in whose), *_numbers(row), style=style)
    console.print(shown)


def _numbers(row: CostRow) -> list[str]:
    price = "unknown" if row.usd is None else dollars(row.usd)
    return [f"{row.calls:,}", f"{row.tokens:,}", price, f"{row.retries:,}" if row.retries else "-", f"{row.faults}"]


def _caption(models: list[str], all_: CostRow) -> str:
    """Return the table's caption: a single model's name, retries, and calls without an answer."""
    parts = [one_line(models[0])] if len(models) == 1 else []
    if all_.retries:
        parts.append(f"{all_.limited} of {all_.retries} retries after 429, {all_.waited_s:.0f} s between tries")
    if all_.unanswered:
        parts.append(f"{all_.unanswered} calls without an answer")
    if all_.cached:
        parts.append(f"{all_.cached:,} more answers from the cache")
    if all_.escalated:
        parts.append(f"{all_.escalated:,} answers of a cascade's later stages")
    return "; ".join([*parts, "faults: answers of no use"])
