"""The figures: resources and rewards over game time, welfare per condition; SVG text, the same for the same record."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from dilemmas.report import curves, style

style.use_own_cache()

import matplotlib  # noqa: E402 - its font cache must have a place first
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402

from dilemmas.report.comparison import Comparison, Condition, number  # noqa: E402
from dilemmas.report.style import DASHES, MARKERS, Theme  # noqa: E402

WIDTH_IN = 8.4
MAX_ITEMS = 4
"""Columns of the resource figure; the items that pay come first in the scenario."""
MAX_LABEL = 24
"""Characters of a name in a figure."""
MAX_LEVEL = 3
"""More names than this below an axis stand aslant."""

Draw = Callable[[Comparison, Theme], Figure]


def draw_resources(comparison: Comparison, theme: Theme) -> Figure:
    """Items held per player over game time: a row per condition, a column per item."""
    items = comparison.items[:MAX_ITEMS]
    rows = comparison.conditions
    figure = _figure(0.9 + 1.75 * len(rows))
    axes = figure.subplots(len(rows), len(items), sharex=True, sharey="col", squeeze=False)
    for row, condition in enumerate(rows):
        for column, item in enumerate(items):
            panel = axes[row][column]
            for index, player in enumerate(comparison.players):
                _line(
                    panel, curves.curve(condition.runs, curves.held(player, item)), theme.player(index), index, player
                )
            unit = "items held" if column == 0 else ""
            _panel(panel, f"{_words(condition.name)}: {_words(item)}", unit, row == len(rows) - 1)
    axes[0][0].set_xlim(0, _last_time(comparison))
    _legend(figure, axes[0][0])
    return figure


def draw_rewards(comparison: Comparison, theme: Theme) -> Figure:
    """Reward per player over game time, the difference filled; open markers show the payoffs after transfers."""
    rows = comparison.conditions
    columns = 2 if len(rows) > 1 else 1
    lines = -(-len(rows) // columns)
    figure = _figure(0.9 + 2.1 * lines)
    axes = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    panels = [panel for line in axes for panel in line]
    for place, (panel, condition) in enumerate(zip(panels, rows, strict=False)):
        _reward_panel(panel, condition, comparison, theme)
        unit = "emeralds" if place % columns == 0 else ""
        _panel(panel, f"{_words(condition.name)}{_after(condition, comparison)}", unit, place + columns >= len(rows))
    for panel in panels[len(rows) :]:
        panel.set_axis_off()
    panels[0].set_xlim(0, _last_time(comparison))
    _legend(figure, panels[0])
    return figure


def draw_welfare(comparison: Comparison, theme: Theme) -> Figure:
    """Welfare over game time with minimum and maximum, and where it ends, with every run and the 95 % interval."""
    figure = _figure(3.4)
    over_time, at_end = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    for index, condition in enumerate(comparison.conditions):
        _line(over_time, curves.curve(condition.runs, curves.welfare), theme.condition(index), index, condition.name)
        _final_points(at_end, condition, theme, index)
    _panel(over_time, "over game time", "welfare (emeralds)", True)
    _panel(at_end, "at the end", "", False)
    at_end.set_xlabel("condition")
    at_end.set_xticks(range(len(comparison.conditions)), [_words(each.name) for each in comparison.conditions])
    if len(comparison.conditions) > MAX_LEVEL:
        at_end.tick_params(axis="x", rotation=25)
    at_end.set_xlim(-0.6, len(comparison.conditions) - 0.4)
    at_end.grid(axis="x", visible=False)
    if optimum := comparison.published.optimum:
        for panel in (over_time, at_end):
            panel.axhline(optimum, color=theme.faint, linewidth=1, linestyle=(0, (2, 2)), zorder=1)
        at_end.annotate(
            f"best possible: {number(optimum)}", (len(comparison.conditions) - 0.45, optimum),
            xytext=(0, 3), textcoords="offset points", ha="right", va="bottom", fontsize=8, color=theme.faint,
        )  # fmt: skip
    over_time.set_xlim(0, _last_time(comparison))
    over_time.set_ylim(0, 1.1 * max(over_time.get_ylim()[1] / 1.05, comparison.published.optimum or 0))
    if over_time.get_legend_handles_labels()[0]:
        over_time.legend(loc="lower right")
    return figure


FIGURES: Mapping[str, Draw] = {"welfare": draw_welfare, "resources": draw_resources, "rewards": draw_rewards}
"""File name without its end -> how it is drawn."""


def render(draw: Draw, comparison: Comparison, theme: Theme) -> str:
    """The figure as SVG text: no date, no random ids, no text elements."""
    with matplotlib.rc_context(cast(Any, style.settings(theme))):
        buffer = io.StringIO()
        figure = draw(comparison, theme)
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def _figure(height: float) -> Figure:
    figure = Figure(figsize=(WIDTH_IN, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def _line(panel: Axes, curve: curves.Curve | None, colour: str, index: int, label: str) -> None:
    """One curve as steps, with its range when several runs differ."""
    if curve is None:
        return
    if curve.low != curve.high:
        panel.fill_between(curve.times, curve.low, curve.high, step="post", color=colour, alpha=0.16, linewidth=0)
    dashes = DASHES[index % len(DASHES)]
    panel.plot(curve.times, curve.mean, color=colour, linestyle=dashes, drawstyle="steps-post", label=_words(label))


def _reward_panel(panel: Axes, condition: Condition, comparison: Comparison, theme: Theme) -> None:
    drawn = []
    for index, player in enumerate(comparison.players):
        curve = curves.curve(condition.runs, curves.reward(player))
        _line(panel, curve, theme.player(index), index, player)
        if curve is not None:
            drawn.append(curve)
            _payoff_marker(panel, condition, player, curve.times[-1], theme.player(index), index)
    if len(drawn) > 1:
        low = [min(values) for values in zip(*(each.mean for each in drawn), strict=True)]
        high = [max(values) for values in zip(*(each.mean for each in drawn), strict=True)]
        panel.fill_between(drawn[0].times, low, high, step="post", color=theme.difference, alpha=0.2, linewidth=0)


def _after(condition: Condition, comparison: Comparison) -> str:
    """The payoffs in words, for the panel's title."""
    payoffs = [(player, condition.payoff(player)) for player in comparison.players]
    shown = [f"{_words(player)} {number(payoff.mean)}" for player, payoff in payoffs if payoff]
    return f": {', '.join(shown)}" if shown else ""


def _payoff_marker(panel: Axes, condition: Condition, player: str, time: float, colour: str, index: int) -> None:
    """Where the player stands after the transfers."""
    payoff = condition.payoff(player)
    if payoff is None:
        return
    marker = MARKERS[index % len(MARKERS)]
    panel.plot([time], [payoff.mean], marker=marker, markersize=7, markerfacecolor="none", markeredgewidth=1.6,
               color=colour, linestyle="none", clip_on=False, zorder=5)  # fmt: skip


def _final_points(panel: Axes, condition: Condition, theme: Theme, index: int) -> None:
    summary = condition.measure("welfare")
    if summary is None:
        return
    colour = theme.condition(index)
    values = [run.measures["welfare"] for run in condition.scored if "welfare" in run.measures]
    panel.bar(index, summary.mean, width=0.62, color=colour, alpha=0.28, linewidth=0)
    panel.hlines(summary.mean, index - 0.31, index + 0.31, color=colour, linewidth=2.2)
    if len(values) > 1:
        panel.plot(_spread(index, len(values)), values, linestyle="none", marker=MARKERS[index % len(MARKERS)],
                   markersize=4, markerfacecolor="none", color=colour)  # fmt: skip
    if summary.ci95:
        panel.vlines(index, *summary.ci95, color=theme.ink, linewidth=1.4)
    panel.annotate(number(summary.mean), (index, 0), (0, 4), textcoords="offset points", ha="center", va="bottom")


def _spread(centre: float, count: int) -> Sequence[float]:
    """Places side by side, so that equal values can be counted."""
    return [centre + (place - (count - 1) / 2) * min(0.09, 0.5 / count) for place in range(count)]


def _panel(panel: Axes, title: str, unit: str, lowest: bool) -> None:
    panel.set_title(title)
    panel.set_ylabel(unit)
    if lowest:
        panel.set_xlabel("game time (s)")
        panel.tick_params(labelbottom=True)
    panel.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))


def _last_time(comparison: Comparison) -> float:
    """Where the time axes end, in seconds: the end of the longest run, with room for its marker."""
    times = [sample.game_s for run in comparison.runs for sample in curves.samples_of(run)]
    return 1.03 * max(times, default=1.0) or 1.0


def _legend(figure: Figure, panel: Axes) -> None:
    handles, labels = panel.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside upper right", ncols=len(labels))


def _words(text: str) -> str:
    """A name as a label: short, and only letters that every font has."""
    shown = "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in text.replace("_", " "))
    return shown if len(shown) <= MAX_LABEL else f"{shown[: MAX_LABEL - 3]}..."
