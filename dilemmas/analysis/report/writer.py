"""Writes a report's files: report.html, plots/*.svg, the tables of `dilemmas.analysis.report.tables`, and, where
wanted, figures for a paper (`dilemmas.analysis.report.paper`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dilemmas.analysis.report.comparison import Comparison, compare
from dilemmas.analysis.report.drawing import render
from dilemmas.analysis.report.minds import Links, write_minds
from dilemmas.analysis.report.page import environment, page
from dilemmas.analysis.report.paper.figures import FigureSettings, paper_files
from dilemmas.analysis.report.plots import PLOTS
from dilemmas.analysis.report.reader import find_runs, read_runs
from dilemmas.analysis.report.style import LIGHT, on_dark_ground
from dilemmas.analysis.report.tables import tables
from dilemmas.analysis.validity import Treatment
from dilemmas.errors import UsageError
from dilemmas.records.record import write_atomically

PHONE_IN = 4.3
"""Inches that a figure is wide where the page is as narrow as a phone: its letters can be read there."""


@dataclass(frozen=True)
class Report:
    """A written report."""

    html: Path
    comparison: Comparison
    files: tuple[Path, ...]
    """Everything that was written, the page first."""


def write(
    paths: Sequence[Path],
    directory: Path,
    figures: FigureSettings | None = None,
    policy: Treatment | None = None,
) -> Report:
    """What `dilemmas.analysis.report.write_report` does."""
    runs = read_runs(paths, policy)
    comparison = compare(runs)
    try:
        minds, pages = write_minds(runs, find_runs(paths), directory, environment())
        texts: dict[str, str | bytes] = {**_texts(comparison, minds)}
        texts.update(paper_files(comparison, figures) if figures else {})
        for name, text in texts.items():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(text, bytes):
                (directory / name).write_bytes(text)
            else:
                write_atomically(directory / name, text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write the report to {directory}: {reason}; choose a folder with --out") from None
    files = (*(directory / name for name in texts), *pages)
    return Report(files[0], comparison, files)


def _texts(comparison: Comparison, minds: Links) -> dict[str, str]:
    shown = {name: plot for name, plot in PLOTS.items() if plot.applies(comparison)}
    light = {name: render(plot.draw, comparison, LIGHT) for name, plot in shown.items()}
    phone = replace(LIGHT, width=PHONE_IN)
    dresses = {
        "light": light,
        "light-phone": {name: render(plot.draw, comparison, phone) for name, plot in shown.items()},
    }
    dresses |= {
        dress.replace("light", "dark"): {name: on_dark_ground(svg) for name, svg in drawn.items()}
        for dress, drawn in dresses.items()
    }
    return {
        "report.html": page(comparison, dresses, minds),
        **{f"plots/{name}.svg": svg for name, svg in light.items()},
        **tables(comparison),
    }
