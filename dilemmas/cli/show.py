"""What people see in the terminal: tables and lines. Names come from records, so nothing of them is read as markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dilemmas.measures import Summary
from dilemmas.report.comparison import Comparison, Condition, number
from dilemmas.report.text import one_line


def table() -> Table:
    """A table in the house style."""
    return Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)


def words(text: str, style: str = "") -> Text:
    """Text that is shown as it is."""
    return Text(one_line(text), style=style)


def comparison_table(comparison: Comparison) -> Table:
    """A line per condition: welfare, Gini, payoffs with what the contract moved, game time; fits into 80 columns."""
    shown = table()
    intervals = "; below: 95 % interval" if comparison.repeated else ""
    shown.caption = f"emeralds; in parentheses: moved by the contract{intervals}"
    shown.caption_justify = "left"
    shown.add_column("condition", no_wrap=True)
    for name in ("runs", "welfare", "Gini"):
        shown.add_column(name, justify="right")
    for player in comparison.players:
        shown.add_column(words(player), justify="right")
    shown.add_column("time", justify="right")
    for condition in comparison.conditions:
        shown.add_row(*_condition_row(condition, comparison.players))
    return shown


def _condition_row(condition: Condition, players: Sequence[str]) -> list[Text | str]:
    seconds = condition.measure("game_s")
    return [
        words(condition.name, "bold"),
        f"{len(condition.scored)}/{len(condition.runs)}",
        _spread(condition.measure("welfare")),
        _spread(condition.measure("gini"), 3),
        *(_spread(condition.payoff(player), 2, condition.transfer(player)) for player in players),
        f"{seconds.mean:.0f} s" if seconds else "-",
    ]


def _spread(summary: Summary | None, digits: int = 2, moved: Summary | None = None) -> Text:
    """The mean; under it the 95 % interval, where there are several runs that differ."""
    if summary is None:
        return Text("-")
    shown = f"{summary.mean:.{digits}f}".rstrip("0").rstrip(".")
    if moved is not None and moved.mean:
        shown += f" ({moved.mean:+.4g})"
    if summary.ci95 is None or summary.ci95[0] == summary.ci95[1]:
        return Text(shown)
    low, high = summary.ci95
    return Text.assemble(shown, (f"\n{number(round(low, 2))}..{number(round(high, 2))}", "dim"))


def show_comparison(console: Console, comparison: Comparison, label: str, path: Path) -> None:
    """The table, the sentence, and where the rest is."""
    console.print(comparison_table(comparison))
    console.print(words(comparison.sentence()), soft_wrap=not console.is_terminal)
    console.print(Text.assemble(f"{label}: ", (str(path), "bold")), soft_wrap=True)


def show_estimate(console: Console, found: Mapping[str, Any]) -> None:
    """What a study would ask of its models (`dilemmas.estimate.expect`): at least and at most."""
    shown = table()
    for name in ("role", "model"):
        shown.add_column(name)
    for name in ("calls", "tokens", "USD"):
        shown.add_column(name, justify="right")
    for each in found["roles"]:
        shown.add_row(words(each["role"], "bold"), words(each["model"]), *_bounds(each))
    shown.add_row("all", "", *_bounds(found), style="bold")
    console.print(shown)
    _tell_unpriced(console, found["unpriced"])


def _bounds(entry: Mapping[str, Any]) -> list[str]:
    least, most = entry["least"], entry["most"]
    counts = [f"{least[key]:,} to {most[key]:,}" for key in ("calls", "tokens")]
    known = least["usd"] is not None and most["usd"] is not None
    return [*counts, f"{least['usd']:.4f} to {most['usd']:.4f}" if known else "unknown"]


def show_unpriced(console: Console, runs: Iterable[Mapping[str, Any]]) -> None:
    """Say which models were called without a known price, if any were."""
    _tell_unpriced(console, sorted({name for run in runs for name in (run.get("usage") or {}).get("unpriced", ())}))


def _tell_unpriced(console: Console, models: Sequence[str]) -> None:
    if models:
        line = f"no price is known for {', '.join(models)}: tokens only (give --prices FILE to know dollars)"
        console.print(words(line), soft_wrap=True)
