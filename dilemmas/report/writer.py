"""Writes a report's files: report.html, plots/*.svg and the tables of `dilemmas.report.tables`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dilemmas.errors import UsageError
from dilemmas.record import write_atomically
from dilemmas.report.comparison import Comparison, compare
from dilemmas.report.drawing import render
from dilemmas.report.page import page
from dilemmas.report.plots import PLOTS
from dilemmas.report.reader import read_runs
from dilemmas.report.style import DARK, LIGHT
from dilemmas.report.tables import tables


@dataclass(frozen=True)
class Report:
    """A written report."""

    html: Path
    comparison: Comparison
    files: tuple[Path, ...]
    """Everything that was written, the page first."""


def write(paths: Sequence[Path], directory: Path) -> Report:
    """What `dilemmas.report.write_report` does."""
    runs = read_runs(paths)
    comparison = compare(runs)
    texts = _texts(comparison)
    try:
        for name, text in texts.items():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(directory / name, text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write the report to {directory}: {reason}; choose a folder with --out") from None
    files = tuple(directory / name for name in texts)
    return Report(files[0], comparison, files)


def _texts(comparison: Comparison) -> dict[str, str]:
    shown = {name: plot for name, plot in PLOTS.items() if plot.applies(comparison)}
    light = {name: render(plot.draw, comparison, LIGHT) for name, plot in shown.items()}
    dark = {name: render(plot.draw, comparison, DARK) for name, plot in shown.items()}
    return {
        "report.html": page(comparison, light, dark),
        **{f"plots/{name}.svg": svg for name, svg in light.items()},
        **tables(comparison),
    }
