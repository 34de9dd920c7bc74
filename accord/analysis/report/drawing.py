"""Shared parts of figures: size, curves with ranges, bars with intervals, labels, and SVG text.

The same record gives the same SVG, byte for byte.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, TypeVar, cast
from weakref import WeakKeyDictionary

from accord.analysis.claims import number
from accord.analysis.measures import MeasureSummary
from accord.analysis.report import curves, style
from accord.analysis.report.canvas import (
    Axes,
    Bbox,
    Figure,
    FigureCanvasSVG,
    MaxNLocator,
    allow_rasterization,
    matplotlib,
)
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import DASHES, MARKERS, Theme

MAX_LABEL = 24
"""Maximum length of a name in a figure, in characters."""
ELISION = "..."
FIGURE_HEIGHT = 1.16
"""Extent of the number on a bar, as a share of the bar's height."""
_PATH = re.compile(r' d="[^"]*"')
_DIGITS = re.compile(r"(\.\d\d)\d+")
SVG_DPI = 72
"""Dots per inch of matplotlib's SVG, regardless of the style."""
TIME = "game time (s)"
TIMES = frozenset({TIME, "round", "step"})
"""Labels of time axes."""
TOO_SHORT = "too short: nothing to show over time"
MIN_EXTENT = 0.1
"""Upper bound of matplotlib's default limits for an axis with only zeros."""
MAX_LEVEL = 3
"""Maximum number of horizontal names below an axis; more names are rotated."""

FindingsT = TypeVar("FindingsT")


@dataclass(frozen=True)
class Datum:
    """One value or interval that a panel shows."""

    series: str
    what: str
    """Kind of value: mean, run, interval, payoff, way and so on."""
    x: float
    y: float
    low: float | None = None
    high: float | None = None


_SHOWN: WeakKeyDictionary[Axes, list[Datum]] = WeakKeyDictionary()


def note_datum(
    panel: Axes, series: str, what: str, x: float, y: float, *, low: float | None = None, high: float | None = None
) -> None:
    """Keep a drawn value for the table beside the figure.

    Args:
        panel: The panel that shows the value.
        series: Name of the curve, bar or dot.
        what: Kind of value, such as "mean" or "run".
        x: Place on the horizontal axis.
        y: Place on the vertical axis.
        low: Lower end of the interval.
        high: Upper end of the interval.
    """
    _SHOWN.setdefault(panel, []).append(Datum(series, what, x, y, low, high))


def shown_in(panel: Axes) -> Sequence[Datum]:
    """Return the values that the panel shows, in drawing order."""
    return _SHOWN.get(panel, [])


def render(figure: SectionFigure[FindingsT], findings: FindingsT, theme: Theme, *, in_rounds: bool = False) -> str:
    """Return the figure as SVG text.

    Args:
        figure: The figure to draw.
        findings: What its section found in the runs.
        theme: Colours and width.
        in_rounds: The players decided in rounds, so time axes count rounds.
    """
    return svg_of(lambda: draw_figure(figure, findings, theme, in_rounds=in_rounds), theme)


def svg_of(make: Callable[[], Figure], theme: Theme) -> str:
    """Return the figure made by `make` as SVG text, without date, random ids or text elements."""
    with matplotlib.rc_context(cast(Any, style.settings(theme))):
        buffer = io.StringIO()
        figure = make()
        lay_out(figure)
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    # Hundredths of a point are invisible, and further digits would double the file.
    return _PATH.sub(lambda path: _DIGITS.sub(r"\1", path[0]), buffer.getvalue())


def lay_out(figure: Figure) -> None:
    """Place the panels of a new figure once; `savefig` would lay out and draw everything again for each format."""
    for panel in figure.axes:
        if panel.axison:
            _bound(panel)
    engine = figure.get_layout_engine()
    if engine is None or not figure.axes:
        return
    dpi, figure.dpi = figure.dpi, SVG_DPI
    engine.execute(figure)
    figure.dpi = dpi
    figure.set_layout_engine(None)


def _bound(panel: Axes) -> None:
    """Set meaningful limits where values have no extent: matplotlib's own would be -0.055 to 0.055."""
    box, siblings = panel.dataLim, panel.get_shared_x_axes().get_siblings(panel)
    if any(each.get_xlabel() in TIMES for each in siblings) and not box.width > 0:
        panel.set_xticks([])
        panel.set_yticks([])
        said = panel.text(0.5, 0.5, TOO_SHORT, transform=panel.transAxes, ha="center", va="center", fontsize="small")
        # Small panels would otherwise be laid out for the width of the text.
        said.set_in_layout(False)
        return
    if box.y0 == box.y1 == 0 and max(map(abs, panel.get_ylim())) < MIN_EXTENT:
        panel.set_ylim(0, 1)
    if box.x0 == box.x1 == 0 and max(map(abs, panel.get_xlim())) < MIN_EXTENT:
        panel.set_xlim(0, 1)


def draw_figure(figure: SectionFigure[FindingsT], findings: FindingsT, theme: Theme, *, in_rounds: bool) -> Figure:
    """Return the drawn figure; with `in_rounds` its time axes are labelled as rounds.

    Args:
        figure: The figure to draw.
        findings: What its section found in the runs.
        theme: Colours and width.
        in_rounds: The players decided in rounds.
    """
    drawn = figure.draw(findings, theme)
    for panel in drawn.axes if in_rounds else ():
        if panel.get_xlabel() == TIME:
            panel.set_xlabel("round")
    return drawn


@contextmanager
def ticks_found_once(panel: Axes) -> Iterator[None]:
    """Find the ticks of a panel and the boxes of their labels once, while nothing in it moves.

    Matplotlib finds them five times to measure a panel and five times to draw it, an eighth of the time of drawing.
    """
    axes: tuple[Any, ...] = (panel.xaxis, panel.yaxis)
    for axis in axes:
        boxes = partial(_boxes_of_labels, axis, {})
        vars(axis).update(_update_ticks=cache(axis._update_ticks), _get_ticklabel_bboxes=boxes)
    try:
        yield
    finally:
        for axis in axes:
            del vars(axis)["_update_ticks"], vars(axis)["_get_ticklabel_bboxes"]


def _boxes_of_labels(axis: Any, known: dict[tuple[int, ...], Any], ticks: Sequence[Any], renderer: Any) -> Any:  # noqa: ANN401
    """Return the boxes of the labels of these ticks, measured at the first call."""
    key = tuple(map(id, ticks))
    if key not in known:
        known[key] = type(axis)._get_ticklabel_bboxes(axis, ticks, renderer)
    return known[key]


class MeasuredPanel(Axes):
    """Panel whose labels are measured once for the layout.

    Matplotlib lays a figure out twice and measures labels each time, which takes a quarter of the time of drawing.
    """

    _margins: tuple[float, float, float, float] | None = None
    """Extent of the labels beyond the panel on the left, below, on the right and above, in pixels."""

    @allow_rasterization  # type: ignore[untyped-decorator] # matplotlib's own
    def draw(self, renderer: Any) -> None:  # noqa: ANN401
        """Draw the panel; see `matplotlib.axes.Axes.draw`."""
        self.apply_aspect()
        with ticks_found_once(self):
            super().draw(renderer)

    def get_tightbbox(self, *given: Any, for_layout_only: bool = False, **options: Any) -> Any:  # noqa: ANN401
        """Return the panel's box with its labels; see `matplotlib.axes.Axes.get_tightbbox`."""
        if not for_layout_only:
            return super().get_tightbbox(*given, **options)
        self.apply_aspect()
        if self._margins is None:
            with ticks_found_once(self):
                whole = super().get_tightbbox(*given, for_layout_only=True, **options)
            if whole is None:
                return None
            inner = self.bbox
            self._margins = inner.x0 - whole.x0, inner.y0 - whole.y0, whole.x1 - inner.x1, whole.y1 - inner.y1
        left, bottom, right, top = self._margins
        return Bbox.from_extents(self.bbox.x0 - left, self.bbox.y0 - bottom, self.bbox.x1 + right, self.bbox.y1 + top)


class ReportFigure(Figure):
    """Figure whose panels are `MeasuredPanel`s."""

    def add_subplot(self, *given: Any, **options: Any) -> Any:  # noqa: ANN401 - as matplotlib gives them
        """Add a panel; see `matplotlib.figure.Figure.add_subplot`."""
        return super().add_subplot(*given, axes_class=MeasuredPanel, **options)


def new_figure(theme: Theme, height: float) -> Figure:
    """Return an empty figure of the theme's width; `height` is in inches for letters of the page's size."""
    size = (theme.width, height * float(matplotlib.rcParams["font.size"]) / 9)
    figure = ReportFigure(figsize=size, layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def panel_grid(figure: Figure, count: int, columns: int, **shared: Any) -> list[Axes]:  # noqa: ANN401 - matplotlib's own
    """Return `count` panels in rows of `columns`; left-over places of the last row stay empty."""
    rows = -(-count // columns)
    panels = [panel for row in figure.subplots(rows, columns, squeeze=False, **shared) for panel in row]
    for panel in panels[count:]:
        panel.set_axis_off()
    return panels[:count]


def draw_line(
    panel: Axes, curve: curves.Curve | None, colour: str, index: int, label: str, *, straight: bool = False
) -> None:
    """Draw one curve as steps, with its range when several runs differ.

    Args:
        panel: The panel to draw in.
        curve: The curve, or None for nothing.
        colour: Colour of the curve and of its range.
        index: Place of the curve among those of the panel; decides its dashes.
        label: Name in the legend.
        straight: True to join the values by straight lines, where no value holds until the next one.
    """
    if curve is None:
        return
    for x, y, low, high in zip(curve.times, curve.mean, curve.low, curve.high, strict=True):
        note_datum(panel, label, "mean", x, y, low=low, high=high)
    curve = curve if straight else curve.bends()
    if curve.low != curve.high:
        step: Literal["post"] | None = None if straight else "post"
        panel.fill_between(curve.times, curve.low, curve.high, step=step, color=colour, alpha=0.16, linewidth=0)
    drawn, dashes = "default" if straight else "steps-post", DASHES[index % len(DASHES)]
    panel.plot(curve.times, curve.mean, color=colour, linestyle=dashes, drawstyle=drawn, label=label_of(label))


def draw_bar(
    panel: Axes,
    place: float,
    summary: MeasureSummary,
    values: Sequence[float],
    *,
    colour: str,
    index: int,
    ink: str,
    series: str,
    width: float = 0.62,
    line_at: float = 0,
) -> None:
    """Draw the mean as a bar with its number, every run as a marker, and the 95 % interval as a line.

    Args:
        panel: The panel to draw in.
        place: Centre of the bar on the horizontal axis.
        summary: Mean and interval.
        values: One value a run.
        colour: Colour of bar and markers.
        index: Place of the bar among those of the panel; decides its marker.
        ink: Colour of the interval.
        series: Name in the table beside the figure.
        width: Width of the bar.
        line_at: Height of a line across the panel; a number that the line would cross stands above the line.
    """
    low, high = summary.ci95 or (None, None)
    note_datum(panel, series, "mean", place, summary.mean, low=low, high=high)
    for value in values:
        note_datum(panel, series, "run", place, value)
    panel.bar(place, summary.mean, width=width, color=colour, alpha=0.28, linewidth=0)
    panel.hlines(summary.mean, place - width / 2, place + width / 2, color=colour, linewidth=2.2)
    if len(values) > 1:
        panel.plot(_spread(place, len(values), width), values, linestyle="none", marker=MARKERS[index % len(MARKERS)],
                   markersize=4, markerfacecolor="none", color=colour)  # fmt: skip
    if summary.ci95:
        panel.vlines(place, *summary.ci95, color=ink, linewidth=1.4)
    top = max(*values, summary.mean, *(summary.ci95 or ()))
    if top < line_at < FIGURE_HEIGHT * top:
        top = line_at
    panel.annotate(number(summary.mean), (place, top), (0, 7), textcoords="offset points", ha="center", va="bottom")


def _spread(centre: float, count: int, width: float) -> Sequence[float]:
    """Return horizontal offsets that keep equal values apart."""
    return [centre + (place - (count - 1) / 2) * min(0.15, 0.8 / count) * width for place in range(count)]


def condition_axis(panel: Axes, comparison: Comparison) -> None:
    """Write the conditions' names below a panel of bars."""
    count = len(comparison.conditions)
    panel.set_xlabel("condition")
    labels = [label_of(each.name) for each in comparison.conditions]
    panel.set_xticks(range(count), labels)
    if count > MAX_LEVEL:
        panel.set_xticks(range(count), labels, rotation=25, ha="right", rotation_mode="anchor")
    panel.set_xlim(-0.6, count - 0.4)
    panel.grid(axis="x", visible=False)


def set_titles(panel: Axes, title: str, unit: str, lowest: bool) -> None:
    """Set title and unit of a panel, and the time axis of the lowest row.

    Args:
        panel: The panel.
        title: Its title.
        unit: Label of its vertical axis.
        lowest: The panel is in the lowest row, which shows the time axis.
    """
    panel.set_title(title)
    panel.set_ylabel(unit)
    if lowest:
        panel.set_xlabel(TIME)
        panel.tick_params(labelbottom=True)
    panel.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))


def last_time(comparison: Comparison) -> float:
    """Return the end of the time axes, in seconds: that of the longest run, with room for its marker."""
    times = [sample.t_s for run in comparison.runs for sample in curves.samples_of(run)]
    return 1.03 * max(times, default=1.0) or 1.0


def draw_legend(figure: Figure, panel: Axes) -> None:
    """Draw one legend above all panels."""
    handles, labels = panel.get_legend_handles_labels()
    if handles:
        room = 5 if figure.get_figwidth() > style.NARROW else 3
        figure.legend(handles, labels, loc="outside upper right", ncols=min(len(labels), room))


def label_of(text: str, most: int = MAX_LABEL) -> str:
    """Return a name as a label: at most `most` characters, and only those that every font has.

    A long name loses its middle, since conditions that are crossed with factors begin alike.
    """
    shown = "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in text.replace("_", " "))
    if len(shown) <= most:
        return shown
    kept = most - len(ELISION)
    return f"{shown[: kept // 2]}{ELISION}{shown[-(kept - kept // 2) :]}"
