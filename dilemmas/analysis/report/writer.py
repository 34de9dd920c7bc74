"""Writes a report's files: report.html, plots/*.svg and the tables of `dilemmas.analysis.report.tables`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dilemmas.analysis.report.comparison import Comparison, compare
from dilemmas.analysis.report.drawing import render
from dilemmas.analysis.report.page import page
from dilemmas.analysis.report.plots import PLOTS
from dilemmas.analysis.report.reader import read_runs
from dilemmas.analysis.report.style import DARK, LIGHT
from dilemmas.analysis.report.tables import tables
from dilemmas.analysis.validity import Treatment
from dilemmas.errors import UsageError
from dilemmas.records.record import write_atomically


@dataclass(frozen=True)
class Report:
    """A written report."""

    html: Path
    comparison: Comparison
    files: tuple[Path, ...]
    """Everything that was written, the page first."""


def write(paths: Sequence[Path], directory: Path, policy: Treatment | None = None) -> Report:
    """What `dilemmas.analysis.report.write_report` does."""
    runs = read_runs(paths, policy)
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
