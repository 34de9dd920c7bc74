"""Figures for papers: each in the width of one and of two columns, its values as CSV, tables, and an example."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from accord.analysis.report.canvas import Axes, Figure, FigureCanvasAgg, FuncFormatter, matplotlib
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.drawing import draw_figure, lay_out, shown_in
from accord.analysis.report.paper.latex import escaped, latex_tables
from accord.analysis.report.paper.settings import FORMATS, FigureSettings
from accord.analysis.report.paper.styles import OWN, Rc, read_style, theme_of
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.sections import FoundSection

METADATA: Mapping[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}
"""Metadata without date and machine, so that equal records give equal files."""
DATA = ("panel", "series", "shows", "x", "y", "low", "high")


@dataclass(frozen=True)
class Plot:
    """Figure together with what its section found in the runs."""

    figure: SectionFigure[Any]
    findings: Any


def plots_of(found: Sequence[FoundSection]) -> dict[str, Plot]:
    """Return the figures of all sections that have something to show, by file name without its ending."""
    return {name: Plot(figure, each.findings) for each in found for name, figure in each.figures().items()}


def paper_files(comparison: Comparison, found: Sequence[FoundSection], settings: FigureSettings) -> dict[str, bytes]:
    """Return every file for a paper: path relative to the report -> contents.

    Args:
        comparison: The runs.
        found: The leading section, then its parts.
        settings: Formats, style and widths.
    """
    rc = read_style(settings.style)
    files: dict[str, bytes] = {}
    plots = plots_of(found)
    for name, plot in plots.items():
        for columns, width in enumerate(settings.widths, 1):
            figure, writers = _drawn(plot, rc, width, in_rounds=comparison.in_rounds)
            for form in settings.formats:
                files[f"figures/{name}-{columns}col.{form}"] = writers[form]()
            files[f"figures/{name}.csv"] = _data(figure).encode()
    tables = latex_tables(comparison, found)
    files.update({f"figures/tables/{name}": text.encode() for name, text in tables.items()})
    files["figures/accord.mplstyle"] = (settings.style or OWN).read_bytes()
    if "pdf" in settings.formats or "png" in settings.formats:
        form = "pdf" if "pdf" in settings.formats else "png"
        files["figures/example.tex"] = _example(plots, list(tables), form, comparison.scenario).encode()
    return files


def _drawn(plot: Plot, rc: Rc, width: float, *, in_rounds: bool) -> tuple[Figure, dict[str, Any]]:
    """Return the figure, and for each format a function that writes it."""

    def writer(form: str) -> Any:  # noqa: ANN401 - a function of no arguments
        def write() -> bytes:
            with matplotlib.rc_context(cast(Any, rc)):
                buffer = io.BytesIO()
                figure.savefig(buffer, format=form, metadata=METADATA[form])
            return buffer.getvalue()

        return write

    with matplotlib.rc_context(cast(Any, rc)):
        figure = draw_figure(plot.figure, plot.findings, theme_of(rc, width), in_rounds=in_rounds)
        lay_out(figure)
        FigureCanvasAgg(figure)
    return figure, {form: writer(form) for form in FORMATS}


def _data(figure: Figure) -> str:
    """Return the values of the figure as CSV, a row each; a bar's x is the name below it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(DATA)
    for panel in figure.axes:
        writer.writerows(_rows(panel))
    return text.getvalue()


def _rows(panel: Axes) -> Iterable[Sequence[object]]:
    head = " ".join(_title(panel).split())
    names: dict[int, str] = {}
    if isinstance(panel.xaxis.get_major_formatter(), FuncFormatter):
        labels = zip(panel.get_xticks(), panel.get_xticklabels(), strict=False)
        names = {round(tick): label.get_text() for tick, label in labels}
    for each in shown_in(panel):
        x: object = names.get(round(each.x), each.x)
        series = f"'{each.series}" if each.series[:1] in ("=", "+", "-", "@", "\t", "\r") else each.series
        yield [head, series, each.what, x, each.y, each.low, each.high]


def _title(panel: Axes) -> str:
    return next(
        (title for place in ("left", "center", "right") if (title := panel.get_title(loc=cast(Any, place)))), ""
    )


def _example(plots: Mapping[str, Plot], tables: Sequence[str], form: str, scenario: str) -> str:
    """Return a two-column article that shows all figures and tables; it compiles in its folder with pdflatex."""
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
    caption = escaped(f"{plot.figure.title}. {plot.figure.caption}")
    return [
        rf"\begin{{{kind}}}[tp]\centering", rf"\includegraphics[width={width}]{{{file}}}", rf"\caption{{{caption}}}",
        rf"\end{{{kind}}}", r"\clearpage",
    ]  # fmt: skip
