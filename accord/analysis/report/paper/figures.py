"""Writes figures for papers: every figure in one and two columns' width, what it shows as CSV, tables, an example."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

# Before matplotlib: its font cache must have a place first.
from accord.analysis.report.drawing import Plot, drawn, lay_out, shown_in
from accord.analysis.report.paper.styles import OWN, Rc, read_style, theme_of

import matplotlib  # isort: skip
from matplotlib.axes import Axes  # isort: skip
from matplotlib.backends.backend_agg import FigureCanvasAgg  # isort: skip
from matplotlib.figure import Figure  # isort: skip

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.paper.latex import escaped, latex_tables
from accord.analysis.report.plots import PLOTS
from dilemmas.errors import UsageError

FORMATS = ("pdf", "svg", "png")
WIDTHS = (3.35, 7.0)
"""Inches of one column and of two, as most two-column papers have them."""
LEAST, MOST = 1.5, 20.0
METADATA: Mapping[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}
"""Nothing of the day or the machine stands in a file."""
DATA = ("panel", "series", "shows", "x", "y", "low", "high")


@dataclass(frozen=True)
class FigureSettings:
    """Which figures are written, and how. Raises UsageError for what nobody can draw."""

    formats: tuple[str, ...] = ("pdf",)
    style: Path | None = None
    """A matplotlib style file over ours."""
    widths: tuple[float, float] = WIDTHS
    """Inches of one column and of two."""

    def __post_init__(self) -> None:
        for name in self.formats:
            if name not in FORMATS:
                raise UsageError(f"--figures {name!r}: choose from {', '.join(FORMATS)}, e.g. --figures pdf,svg")
        for width in self.widths:
            if not LEAST <= width <= MOST:
                raise UsageError(f"--widths {width:g}: give inches from {LEAST:g} to {MOST:g}, e.g. --widths 3.35,7")
        if self.style is not None:
            read_style(self.style)


def paper_files(comparison: Comparison, settings: FigureSettings) -> dict[str, bytes]:
    """Path below the report -> contents of every file for a paper."""
    rc = read_style(settings.style)
    files: dict[str, bytes] = {}
    plots = {name: plot for name, plot in PLOTS.items() if plot.applies(comparison)}
    for name, plot in plots.items():
        for columns, width in enumerate(settings.widths, 1):
            figure, writers = _drawn(plot, comparison, rc, width)
            for form in settings.formats:
                files[f"figures/{name}-{columns}col.{form}"] = writers[form]()
            files[f"figures/{name}.csv"] = _data(figure).encode()
    tables = latex_tables(comparison)
    files.update({f"figures/tables/{name}": text.encode() for name, text in tables.items()})
    files["figures/accord.mplstyle"] = (settings.style or OWN).read_bytes()
    if "pdf" in settings.formats or "png" in settings.formats:
        form = "pdf" if "pdf" in settings.formats else "png"
        files["figures/example.tex"] = _example(plots, list(tables), form, comparison.scenario).encode()
    return files


def _drawn(plot: Plot, comparison: Comparison, rc: Rc, width: float) -> tuple[Figure, dict[str, Any]]:
    """The figure, and for each format what writes it."""

    def writer(form: str) -> Any:  # noqa: ANN401 - a function of no arguments
        def write() -> bytes:
            with matplotlib.rc_context(cast(Any, rc)):
                buffer = io.BytesIO()
                figure.savefig(buffer, format=form, metadata=METADATA[form])
            return buffer.getvalue()

        return write

    with matplotlib.rc_context(cast(Any, rc)):
        figure = drawn(plot.draw, comparison, theme_of(rc, width))
        lay_out(figure)
        FigureCanvasAgg(figure)
    return figure, {form: writer(form) for form in FORMATS}


def _data(figure: Figure) -> str:
    """All that the figure shows, a row each; a bar's x is the name that stands below it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(DATA)
    for panel in figure.axes:
        writer.writerows(_rows(panel))
    return text.getvalue()


def _rows(panel: Axes) -> Iterable[Sequence[object]]:
    head = " ".join(_title(panel).split())
    names = {
        round(tick): label.get_text() for tick, label in zip(panel.get_xticks(), panel.get_xticklabels(), strict=False)
    }
    bars = panel.get_xlabel() in ("condition", "who was hit")
    for each in shown_in(panel):
        x: object = names.get(round(each.x), each.x) if bars else each.x
        series = f"'{each.series}" if each.series[:1] in ("=", "+", "-", "@", "\t", "\r") else each.series
        yield [head, series, each.what, x, each.y, each.low, each.high]


def _title(panel: Axes) -> str:
    return next(
        (title for place in ("left", "center", "right") if (title := panel.get_title(loc=cast(Any, place)))), ""
    )


def _example(plots: Mapping[str, Plot], tables: Sequence[str], form: str, scenario: str) -> str:
    """A two-column article that shows all of it; compiles in this folder with pdflatex."""
    parts = [
        r"\documentclass[twocolumn]{article}", r"\usepackage{booktabs,graphicx}",
        r"\usepackage[margin=0.75in,columnsep=0.3in]{geometry}", r"\usepackage[T1]{fontenc}", r"\usepackage{textcomp}",
        r"\begin{document}", rf"\section*{{{escaped(scenario)}}}",
    ]  # fmt: skip
    for name, plot in plots.items():
        parts += _figure("figure", f"{name}-1col.{form}", r"\columnwidth", plot)
    for name, plot in plots.items():
        parts += _figure("figure*", f"{name}-2col.{form}", r"\textwidth", plot)
    for name in tables:
        caption = escaped(name.removesuffix(".tex").capitalize())
        parts += [
            r"\begin{table*}[tp]\centering", rf"\input{{tables/{name}}}", rf"\caption{{{caption}.}}", r"\end{table*}",
            r"\clearpage",
        ]  # fmt: skip
    return "\n".join([*parts, r"\end{document}", ""])


def _figure(kind: str, file: str, width: str, plot: Plot) -> list[str]:
    caption = escaped(f"{plot.title}. {plot.caption}")
    return [
        rf"\begin{{{kind}}}[tp]\centering", rf"\includegraphics[width={width}]{{{file}}}", rf"\caption{{{caption}}}",
        rf"\end{{{kind}}}", r"\clearpage",
    ]  # fmt: skip
