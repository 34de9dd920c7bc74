"""Cells of the terminal's tables. Names come from records, so nothing of them is read as markup."""

from __future__ import annotations

from rich.text import Text

from accord.analysis.measures import MeasureSummary
from accord.analysis.report.comparison import number
from accord.analysis.report.text import one_line


def words(text: str, style: str = "") -> Text:
    """Text that is shown as it is."""
    return Text(one_line(text), style=style)


def spread(summary: MeasureSummary | None, digits: int = 2, moved: MeasureSummary | None = None) -> Text:
    """The mean; under it the 95 % interval, where there are several runs that differ."""
    if summary is None:
        return Text("-")
    mean = summary.mean
    shown = number(round(mean, 1)) if abs(mean) >= 100 else f"{mean:.{digits}f}".rstrip("0").rstrip(".")
    if moved is not None and moved.mean:
        shown += f" ({moved.mean:+.3g})"
    if summary.ci95 is None or summary.ci95[0] == summary.ci95[1]:
        return Text(shown)
    low, high = summary.ci95
    # A dash leaves room in 80 columns; beside a minus it would be read as one.
    between = " to " if low < 0 else "\N{EN DASH}"
    return Text.assemble(shown, (f"\n{_short(low)}{between}{_short(high)}", "dim"))


def _short(value: float) -> str:
    """As many decimals as a narrow column has room for."""
    return number(round(value, 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0))
