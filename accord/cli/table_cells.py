"""Cells of terminal tables. Names come from records and are never parsed as markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from accord.analysis.report.text import one_line

if TYPE_CHECKING:
    from accord.analysis.measures import MeasureSummary


def words(text: str, style: str = "") -> Text:
    """Return the text as one line, never parsed as markup."""
    return Text(one_line(text), style=style)


def spread(summary: MeasureSummary | None, digits: int = 2, moved: MeasureSummary | None = None) -> Text:
    """Return the mean and, if runs differ, the 95 % interval on the line below."""
    if summary is None:
        return Text("-")
    from accord.analysis.claims import number

    mean = summary.mean
    shown = number(round(mean, 1)) if abs(mean) >= 100 else f"{mean:.{digits}f}".rstrip("0").rstrip(".")
    if moved is not None and moved.mean:
        shown += f" ({moved.mean:+.3g})"
    if summary.ci95 is None or summary.ci95[0] == summary.ci95[1]:
        return Text(shown)
    low, high = summary.ci95
    # A dash as separator leaves room in 80 columns, but next to a minus sign it would be misread.
    between = " to " if low < 0 else "\N{EN DASH}"
    return Text.assemble(shown, (f"\n{_short(low)}{between}{_short(high)}", "dim"))


def _short(value: float) -> str:
    """Return a number with as many decimals as fit a narrow column."""
    from accord.analysis.claims import number

    return number(round(value, 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0))
