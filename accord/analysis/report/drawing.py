"""What all figures share: their size, curves with ranges, bars with intervals, labels; SVG text, the same for the same
record.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast
from weakref import WeakKeyDictionary

from accord.analysis.report import curves, style

style.use_own_cache()

import matplotlib  # noqa: E402 - its font cache must have a place first
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402

from accord.analysis.measures import MeasureSummary  # noqa: E402
from accord.analysis.report.comparison import Comparison, number  # noqa: E402
from accord.analysis.report.style import DASHES, MARKERS, Theme  # noqa: E402

MAX_LABEL = 24
"""Characters of a name in a figure."""
ELISION = "..."
FIGURE_HEIGHT = 1.16
"""How high the figure on a bar reaches, as a share of the bar's height."""
_PATH = re.compile(r' d="[^"]*"')
_DIGITS = re.compile(r"(\.\d\d)\d+")
SVG_DPI = 72
"""Matplotlib's SVG has so many dots in an inch, whatever the style says."""
TIME = "game time (s)"
TIMES = frozenset({TIME, "round", "step"})
"""Labels of axes along which time goes."""
TOO_SHORT = "too short: nothing to show over time"
NOTHING = 0.1
"""Matplotlib's own axes for zeros alone reach less far."""
MAX_LEVEL = 3
"""More names than this below an axis stand aslant."""

Draw = Callable[[Comparison, Theme], Figure]


@dataclass(frozen=True)
class Datum:
    """One thing that a panel shows."""

    series: str
    what: str
    """mean | run | interval | payoff | way and so on."""
    x: float
    y: float
    low: float | None = None
    high: float | None = None


_SHOWN: WeakKeyDictionary[Axes, list[Datum]] = WeakKeyDictionary()


def note(panel: Axes, series: str, what: str, x: float, y: float, low: float | None = None,
         high: float | None = None) -> None:  # fmt: skip
    """Keep what is drawn, for the table beside the figure."""
    _SHOWN.setdefault(panel, []).append(Datum(series, what, x, y, low, high))


def shown_in(panel: Axes) -> Sequence[Datum]:
    """What the panel shows, in the order it was drawn."""
    return _SHOWN.get(panel, [])


@dataclass(frozen=True)
class Plot:
    """One figure of the report."""

    title: str
    caption: str
    draw: Draw
    applies: Callable[[Comparison], bool] = lambda _: True
    """Whether there is anything to show in it."""


Told = TypeVar("Told")
"""What the figures of one kind of report are drawn from."""


@dataclass(frozen=True)
class PlotOf(Generic[Told]):
    """One figure of a report of another kind."""

    title: str
    caption: str
    draw: Callable[[Told, Theme], Figure]

    def svg(self, found: Told, theme: Theme) -> str:
        """The figure as SVG text."""
        return svg_of(lambda: self.draw(found, theme), theme)


def render(draw: Draw, comparison: Comparison, theme: Theme) -> str:
    """The figure as SVG text."""
    return svg_of(lambda: drawn(draw, comparison, theme), theme)


def svg_of(make: Callable[[], Figure], theme: Theme) -> str:
    """The figure that `make` makes as SVG text: no date, no random ids, no text elements."""
    with matplotlib.rc_context(cast(Any, style.settings(theme))):
        buffer = io.StringIO()
        figure = make()
        lay_out(figure)
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    # A hundredth of a point is less than anybody sees, and more digits are half of the file.
    return _PATH.sub(lambda path: _DIGITS.sub(r"\1", path[0]), buffer.getvalue())


def lay_out(figure: Figure) -> None:
    """Place the panels of a new figure. `savefig` would draw all of it once more just for that, for each format."""
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
    """Give a panel axes that mean something where its values have no extent: matplotlib's would be -0.055 to 0.055."""
    box, siblings = panel.dataLim, panel.get_shared_x_axes().get_siblings(panel)
    if any(each.get_xlabel() in TIMES for each in siblings) and not box.width > 0:
        panel.set_xticks([])
        panel.set_yticks([])
        said = panel.text(0.5, 0.5, TOO_SHORT, transform=panel.transAxes, ha="center", va="center", fontsize="small")
        # Small panels would be laid out for the width of the text.
        said.set_in_layout(False)
        return
    if box.y0 == box.y1 == 0 and max(map(abs, panel.get_ylim())) < NOTHING:
        panel.set_ylim(0, 1)
    if box.x0 == box.x1 == 0 and max(map(abs, panel.get_xlim())) < NOTHING:
        panel.set_xlim(0, 1)


def drawn(draw: Draw, comparison: Comparison, theme: Theme) -> Figure:
    """The figure, with rounds on its time axes where players decided in rounds."""
    figure = draw(comparison, theme)
    for panel in figure.axes if comparison.in_rounds else ():
        if panel.get_xlabel() == TIME:
            panel.set_xlabel("round")
    return figure


def new_figure(theme: Theme, height: float) -> Figure:
    """A figure of the theme's width; `height` is for letters of the page's size."""
    figure = Figure(figsize=(theme.width, height * float(matplotlib.rcParams["font.size"]) / 9), layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def grid(figure: Figure, count: int, columns: int, **shared: Any) -> list[Axes]:  # noqa: ANN401 - matplotlib's own
    """So many panels in rows of `columns`; places that are left over stay empty."""
    rows = -(-count // columns)
    panels = [panel for row in figure.subplots(rows, columns, squeeze=False, **shared) for panel in row]
    for panel in panels[count:]:
        panel.set_axis_off()
    return panels[:count]


def line(panel: Axes, curve: curves.Curve | None, colour: str, index: int, label: str) -> None:
    """One curve as steps, with its range when several runs differ."""
    if curve is None:
        return
    for x, y, low, high in zip(curve.times, curve.mean, curve.low, curve.high, strict=True):
        note(panel, label, "mean", x, y, low, high)
    curve = curve.bends()
    if curve.low != curve.high:
        panel.fill_between(curve.times, curve.low, curve.high, step="post", color=colour, alpha=0.16, linewidth=0)
    dashes = DASHES[index % len(DASHES)]
    panel.plot(curve.times, curve.mean, color=colour, linestyle=dashes, drawstyle="steps-post", label=words(label))


def bar(panel: Axes, place: float, width: float, values: Sequence[float], summary: MeasureSummary, colour: str,
        index: int, ink: str, line_at: float = 0, series: str = "") -> None:  # fmt: skip
    """The mean as a bar with its figure, every run as a marker, the 95 % interval as a line.

    Where a line across the panel at `line_at` would go through the figure, the figure stands above the line.
    """
    low, high = summary.ci95 or (None, None)
    note(panel, series, "mean", place, summary.mean, low, high)
    for value in values:
        note(panel, series, "run", place, value)
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
    """Places side by side, so that equal values can be counted."""
    return [centre + (place - (count - 1) / 2) * min(0.15, 0.8 / count) * width for place in range(count)]


def condition_axis(panel: Axes, comparison: Comparison) -> None:
    """The conditions' names below a panel of bars."""
    count = len(comparison.conditions)
    panel.set_xlabel("condition")
    labels = [words(each.name) for each in comparison.conditions]
    panel.set_xticks(range(count), labels)
    if count > MAX_LEVEL:
        panel.set_xticks(range(count), labels, rotation=25, ha="right", rotation_mode="anchor")
    panel.set_xlim(-0.6, count - 0.4)
    panel.grid(axis="x", visible=False)


def dress(panel: Axes, title: str, unit: str, lowest: bool) -> None:
    """Title, unit, and the time axis of the lowest row."""
    panel.set_title(title)
    panel.set_ylabel(unit)
    if lowest:
        panel.set_xlabel(TIME)
        panel.tick_params(labelbottom=True)
    panel.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))


def last_time(comparison: Comparison) -> float:
    """Where the time axes end, in seconds: the end of the longest run, with room for its marker."""
    times = [sample.t_s for run in comparison.runs for sample in curves.samples_of(run)]
    return 1.03 * max(times, default=1.0) or 1.0


def legend(figure: Figure, panel: Axes) -> None:
    """One legend above all panels."""
    handles, labels = panel.get_legend_handles_labels()
    if handles:
        room = 5 if figure.get_figwidth() > style.NARROW else 3
        figure.legend(handles, labels, loc="outside upper right", ncols=min(len(labels), room))


def words(text: str) -> str:
    """A name as a label: short, and only letters that every font has. A long one loses its middle: conditions
    that are crossed with factors begin alike.
    """
    shown = "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in text.replace("_", " "))
    if len(shown) <= MAX_LABEL:
        return shown
    kept = MAX_LABEL - len(ELISION)
    return f"{shown[: kept // 2]}{ELISION}{shown[-(kept - kept // 2) :]}"
