"""Figures 6 and 7 of Project Sid from a record: perceived beside true sentiments, and their effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import cos, pi, sin
from statistics import fmean, stdev

from accord.analysis.claims import number
from accord.analysis.report.canvas import Axes, Figure, Line2D, LineCollection
from accord.analysis.report.drawing import TIME, label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.group_bars import draw_group_measures
from accord.analysis.report.perception.findings import PerceptionFindings, PerceptionGroup, PerceptionRun
from accord.analysis.report.perception.published import TABLES
from accord.analysis.report.section import GroupMeasures, SectionFigure
from accord.analysis.report.style import Theme
from dilemmas.scenarios.perception.measures import BINS, FIGURE_MIN_OBSERVERS, MIN_OBSERVERS, degrees, people, table
from dilemmas.scenarios.societies.regression import Fit, fit

WARM, COLD = "#d62728", "#3b6fb6"
"""Colours of positive and negative sentiments, as in the paper."""
SCALE = (-0.4, 10.4)
"""Limits of axes for sentiments from 0 to 10."""


def _panels(found: PerceptionFindings, theme: Theme, height: float, **shared: bool) -> tuple[Figure, list[Axes]]:
    """Return a panel for every condition."""
    columns = theme.columns(min(3, len(found.groups)))
    figure = new_figure(theme, 0.5 + height * -(-len(found.groups) // columns))
    panels = panel_grid(figure, len(found.groups), columns, **shared)
    for panel, group in zip(panels, found.groups, strict=True):
        panel.set_title(label_of(group.name))
    return figure, panels


def _spread(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard error."""
    return fmean(values), stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def draw_sentiments(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw the perceived sentiment of each speaker over time: mean of the runs with standard error; the true one
    dashed."""
    figure, panels = _panels(found, theme, 2.7, sharey=True)
    speakers = _speakers(found)
    for panel, group in zip(panels, found.groups, strict=True):
        for place, name in enumerate(speakers):
            _sentiment(panel, group, name, theme.player(place))
        panel.set_xlabel(TIME)
        panel.set_ylim(*SCALE)
    panels[0].set_ylabel("sentiment, 0 (hate) to 10 (love)")
    handles = [Line2D([], [], color=theme.player(place)) for place in range(len(speakers))]
    handles.append(Line2D([], [], color=theme.ink, linestyle="--", linewidth=1))
    figure.legend(handles, [*map(label_of, speakers), "true"], loc="outside upper center", ncols=4)
    return figure


def _speakers(found: PerceptionFindings) -> list[str]:
    """Return the speakers in the order of the scenario."""
    told = {name for run in found.runs for name in run.recomputed["speakers"]}
    return [name for name in found.comparison.players if name in told]


def _sentiment(panel: Axes, group: PerceptionGroup, name: str, colour: str) -> None:
    at: dict[float, list[tuple[float, float]]] = {}
    for run in group.runs:
        for speaker, t_s, true, felt in run.recomputed["curve"]["rows"]:
            if speaker == name:
                at.setdefault(t_s, []).append((true, felt))
    # A mean without some of the runs would show which runs are missing rather than a change of opinion.
    times = [t_s for t_s, told in sorted(at.items()) if len(told) == len(group.runs)]
    spreads = [_spread([felt for _, felt in at[t_s]]) for t_s in times]
    for t_s, (mean, error) in zip(times, spreads, strict=True):
        note_datum(panel, name, "perceived", t_s, mean, low=mean - error, high=mean + error)
        note_datum(panel, name, "true", t_s, at[t_s][0][0])
    lows, highs = [mean - error for mean, error in spreads], [mean + error for mean, error in spreads]
    panel.fill_between(times, lows, highs, color=colour, alpha=0.2, linewidth=0)
    panel.plot(times, [mean for mean, _ in spreads], color=colour)
    panel.plot(times, [at[t_s][0][0] for t_s in times], color=colour, linestyle="--", linewidth=1)


def draw_measures(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw the measures of each condition."""
    return draw_group_measures(GroupMeasures(found.measures, found.groups), theme)


def draw_food(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw each guest's food over the chef's sentiment: means of the runs with standard errors, runs as dots."""

    def rows(group: PerceptionGroup) -> Iterable[tuple[str, float, float]]:
        return [(each.of, each.felt, float(count)) for each, count in group.guests]

    figure = _guests(found, theme, rows, "food on perceived sentiment")
    figure.axes[0].set_ylabel("pieces of food")
    for panel in figure.axes:
        panel.set_xlabel("the chef's sentiment")
        panel.set_ylim(bottom=-0.5)
    return figure


def draw_guests(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw the chef's sentiment for each guest over the guest's sentiment for the chef."""

    def rows(group: PerceptionGroup) -> Iterable[tuple[str, float, float]]:
        return [(each.of, each.true, each.felt) for each, _ in group.guests]

    figure = _guests(found, theme, rows, "perceived sentiment on the true one")
    figure.axes[0].set_ylabel("the chef's sentiment")
    for panel in figure.axes:
        panel.plot([0, 10], [0, 10], color=theme.faint, linewidth=0.8, linestyle=":")
        panel.set_xlabel("what the guest feels")
        panel.set_ylim(*SCALE)
    return figure


def _guests(
    found: PerceptionFindings,
    theme: Theme,
    rows: Callable[[PerceptionGroup], Iterable[tuple[str, float, float]]],
    line: str,
) -> Figure:
    figure, panels = _panels(found, theme, 2.7, sharey=True)
    guests = {each.of for group in found.groups for each, _ in group.guests}
    names = [name for name in found.comparison.players if name in guests]
    for panel, group in zip(panels, found.groups, strict=True):
        told = list(rows(group))
        for place, name in enumerate(names):
            own = [(x, y) for who, x, y in told if who == name]
            if own:
                _mean_dot(panel, name, own, theme.player(place))
        _line(panel, group.pooled[line], theme.ink)
        panel.set_xlim(*SCALE)
    handles = [Line2D([], [], color=theme.player(place), marker="o", linestyle="none") for place in range(len(names))]
    figure.legend(handles, [label_of(name) for name in names], loc="outside upper center", ncols=4)
    return figure


def _mean_dot(panel: Axes, name: str, own: Sequence[tuple[float, float]], colour: str) -> None:
    """Draw runs as faint dots, and their mean with standard errors in both directions."""
    for x, y in own:
        note_datum(panel, name, "run", x, y)
    (x, x_error), (y, y_error) = _spread([each[0] for each in own]), _spread([each[1] for each in own])
    note_datum(panel, name, "mean", x, y, low=y - y_error, high=y + y_error)
    panel.plot([each[0] for each in own], [each[1] for each in own], linestyle="none", marker=".", markersize=4,
               color=colour, alpha=0.45)  # fmt: skip
    panel.errorbar([x], [y], xerr=[x_error], yerr=[y_error], marker="o", markersize=6, color=colour, capsize=2)


def _line(panel: Axes, found: Fit | None, colour: str) -> None:
    """Draw a regression line from 0 to 10, with its statistics."""
    if found is None:
        return
    ends = [found.intercept, found.intercept + 10 * found.slope]
    panel.plot([0, 10], ends, color=colour, linewidth=1)
    r = "none" if found.r is None else number(found.r)
    low, high = found.slopes[0.95]
    note_datum(panel, "line", "slope", found.intercept, found.slope, low=low, high=high)
    told = f"r {r}, slope {number(round(found.slope, 2) or 0.0)}, n {found.n}"
    panel.annotate(told, (0.03, 0.98), xycoords="axes fraction", va="top", fontsize="small")


def draw_likeability(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw perceived over true likeability of people with five observers or more; the published line dashed."""
    figure, panels = _panels(found, theme, 2.9, sharey=True)
    for place, (panel, group) in enumerate(zip(panels, found.groups, strict=True)):
        everybody = [each for each in people(group.runs[0].perceived) if each.observers >= FIGURE_MIN_OBSERVERS]
        for each in everybody:
            note_datum(panel, each.name, "person", each.true, each.felt)
        panel.plot([each.true for each in everybody], [each.felt for each in everybody], linestyle="none", marker="o",
                   markersize=4, color=theme.player(place), alpha=0.7)  # fmt: skip
        _line(panel, fit([each.true for each in everybody], [each.felt for each in everybody]), theme.ink)
        if group.name in TABLES:
            printed = TABLES[group.name][FIGURE_MIN_OBSERVERS]
            ends = [printed.intercept, printed.intercept + 10 * printed.slope]
            panel.plot([0, 10], ends, color=theme.faint, linestyle="--", linewidth=1)
            low, high = printed.ci95
            note_datum(panel, "published", "slope", printed.intercept, printed.slope, low=low, high=high)
        panel.set_xlim(*SCALE)
        panel.set_ylim(*SCALE)
        panel.set_xlabel("true likeability")
    panels[0].set_ylabel("perceived likeability")
    return figure


def draw_observers(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw slope and correlation by minimum number of observers, with 95 % intervals; published ones as crosses."""
    figure = new_figure(theme, 2.9 * (2 if theme.narrow else 1))
    panels = panel_grid(figure, 2, theme.columns(2))
    for place, group in enumerate(found.groups):
        told = table(people(group.runs[0].perceived))
        shift = 0.12 * (place - (len(found.groups) - 1) / 2)
        colour = theme.player(place)
        for panel, values in zip(panels, (_slopes(told), _correlations(told)), strict=True):
            for least, value, low, high in values:
                note_datum(panel, group.name, "value", least, value, low=low, high=high)
                panel.vlines(least + shift, low, high, color=colour, linewidth=1)
            panel.plot([each[0] + shift for each in values], [each[1] for each in values], marker="o", markersize=3,
                       linewidth=0.8, color=colour, label=label_of(group.name))  # fmt: skip
        for least, row in TABLES.get(group.name, {}).items():
            for panel, value in zip(panels, (row.slope, row.r), strict=True):
                note_datum(panel, group.name, "published", least, value)
                panel.plot([least + shift], [value], marker="x", markersize=5, color=colour, linestyle="none")
    for panel, title in zip(panels, ("slope", "Pearson's r"), strict=True):
        panel.set_title(title)
        panel.set_xlabel("minimum number of observers")
        panel.set_xticks(list(MIN_OBSERVERS))
        panel.axhline(0, color=theme.faint, linewidth=0.8)
    panels[1].set_ylim(-1.05, 1.05)
    handles, labels = panels[0].get_legend_handles_labels()
    handles.append(Line2D([], [], marker="x", color=theme.ink, linestyle="none"))
    figure.legend(handles, [*labels, "published"], loc="outside upper center", ncols=4)
    return figure


_Values = list[tuple[int, float, float, float]]


def _slopes(told: Mapping[int, Fit | None]) -> _Values:
    return [(least, each.slope, *each.slopes[0.95]) for least, each in told.items() if each is not None]


def _correlations(told: Mapping[int, Fit | None]) -> _Values:
    return [
        (least, each.r, *(each.r95 or (each.r, each.r)))
        for least, each in told.items()
        if each is not None and each.r is not None
    ]


def draw_accuracy(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw the slope over time, a line for each run."""
    figure = new_figure(theme, 2.8)
    panel = panel_grid(figure, 1, 1)[0]
    for place, group in enumerate(found.groups):
        for run in group.runs:
            rows = [(t_s, slope) for t_s, slope, _ in run.recomputed["slope_over_time"]["rows"] if slope is not None]
            for t_s, slope in rows:
                note_datum(panel, group.name, "run", t_s, slope)
            panel.plot([t_s for t_s, _ in rows], [slope for _, slope in rows], color=theme.player(place),
                       label=label_of(group.name) if run is group.runs[0] else None)  # fmt: skip
    panel.axhline(0, color=theme.faint, linewidth=0.8)
    panel.set_xlabel(TIME)
    panel.set_ylabel("slope")
    figure.legend(loc="outside upper center", ncols=3)
    return figure


def draw_graph(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw sentiments in the first run as a graph: people in a circle by true likeability, warm edges red."""
    figure, panels = _panels(found, theme, 2.9)
    for panel, group in zip(panels, found.groups, strict=True):
        _graph(panel, group.runs[0], theme)
    figure.legend([Line2D([], [], color=WARM), Line2D([], [], color=COLD)], ["above 5", "below 5"],
                  loc="outside upper center", ncols=2)  # fmt: skip
    return figure


def _graph(panel: Axes, run: PerceptionRun, theme: Theme) -> None:
    truth = run.perceived.truth
    assert truth is not None
    order = sorted(truth.likeability, key=lambda name: (truth.likeability[name], name))
    turn = 2 * pi / max(1, len(order))
    at = {name: (sin(turn * place), cos(turn * place)) for place, name in enumerate(order)}
    felt = sorted(run.perceived.felt.items(), key=lambda each: abs(each[1] - 5))
    for (observer, other), value in felt:
        note_datum(panel, observer, other, truth.likeability[other], value)
    # matplotlib refuses an empty list of opacities, and in a short run nobody may have met anybody.
    if felt:
        panel.add_collection(
            LineCollection(
                [(at[observer], at[other]) for (observer, other), _ in felt],
                colors=[WARM if value >= 5 else COLD for _, value in felt],
                alpha=[min(1.0, 0.05 + abs(value - 5) / 6) for _, value in felt],
                linewidths=0.5,
            )
        )
    panel.plot([x for x, _ in at.values()], [y for _, y in at.values()], linestyle="none", marker="o", markersize=3,
               color=theme.ink)  # fmt: skip
    panel.set_xlim(-1.1, 1.1)
    panel.set_ylim(-1.1, 1.1)
    panel.set_aspect("equal")
    panel.set_axis_off()


def draw_degrees(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw the number of people who know somebody over its extroversion."""
    figure, panels = _panels(found, theme, 2.7, sharey=True)
    for place, (panel, group) in enumerate(zip(panels, found.groups, strict=True)):
        rows = degrees(group.runs[0].perceived)
        for name, share, count in rows:
            note_datum(panel, name, "person", share, count)
        panel.plot([share for _, share, _ in rows], [count for _, _, count in rows], linestyle="none", marker="o",
                   markersize=4, color=theme.player(place), alpha=0.7)  # fmt: skip
        if (line := fit([share for _, share, _ in rows], [float(count) for _, _, count in rows])) is not None:
            panel.plot([0, 1], [line.intercept, line.intercept + line.slope], color=theme.ink, linewidth=1)
            r = "none" if line.r is None else number(line.r)
            panel.annotate(f"r {r}, n {line.n}", (0.03, 0.98), xycoords="axes fraction", va="top", fontsize="small")
        panel.set_xlabel("extroversion")
    panels[0].set_ylabel("in-degree")
    panels[0].set_ylim(bottom=-1)
    return figure


def draw_differences(found: PerceptionFindings, theme: Theme) -> Figure:
    """Draw the difference between the two directions of each pair."""
    figure, panels = _panels(found, theme, 2.4, sharey=True)
    for place, (panel, group) in enumerate(zip(panels, found.groups, strict=True)):
        counts = group.runs[0].recomputed["differences"]
        for low, count in enumerate(counts):
            note_datum(panel, group.name, "pairs", low, count)
        panel.bar([low + 0.5 for low in range(BINS)], counts, width=0.92, color=theme.player(place), alpha=0.75)
        panel.set_xlabel("difference of sentiments")
        panel.set_xlim(0, 10)
        panel.grid(axis="x", visible=False)
    panels[0].set_ylabel("pairs")
    return figure


_MEASURED = SectionFigure[PerceptionFindings](
    "Conditions beside each other",
    "One marker a run, the bar is the mean, the line its 95 % interval, if it has one.",
    draw_measures,
    tables=("perception_measures.csv", "perception_summary.csv"),
)
FIGURES: Mapping[str, Mapping[str, SectionFigure[PerceptionFindings]]] = {
    "room": {
        "sentiments": SectionFigure(
            "Perceived sentiment over time",
            "What the agent thinks that each speaker feels for it: the mean of the runs, shaded its standard error; "
            "dashed the truth, as the script has it. As figure 6 B and C of Project Sid.",
            draw_sentiments,
            tables=("sentiments.csv",),
            like=("sid 6 B", "sid 6 C"),
        ),
        "perception-measures": _MEASURED,
    },
    "chef": {
        "food": SectionFigure(
            "Food by the chef's sentiment",
            "Pieces of food that came to each guest, as the server shows, on the chef's sentiment for it at the end. "
            "Dots are runs, the large ones their means with standard errors; the line is a regression over all runs. "
            "As figure 6 E of Project Sid.",
            draw_food,
            tables=("food.csv",),
            like=("sid 6 E",),
        ),
        "guests": SectionFigure(
            "The chef's sentiment by what guests feel",
            "What the chef thinks of each guest at the end on what that one feels for the chef, as its persona has it; "
            "on the dotted line it is the same.",
            draw_guests,
            tables=("food.csv",),
        ),
        "perception-measures": _MEASURED,
    },
    "town": {
        "sentiment-graph": SectionFigure(
            "Who feels what for whom",
            "People in a circle, the most likeable to the left of the top; an edge for each sentiment of the first run "
            "at its end, the stronger the darker. As figure 7 A of Project Sid.",
            draw_graph,
            tables=("ties.csv",),
            like=("sid 7 A",),
        ),
        "likeability": SectionFigure(
            "Perceived and true likeability",
            f"A dot for each who is known by {FIGURE_MIN_OBSERVERS} others or more, at the end of the first run; "
            "dashed the published line. As figure 7 B.",
            draw_likeability,
            tables=("likeability.csv",),
            like=("sid 7 B",),
        ),
        "observers": SectionFigure(
            "By minimum number of observers",
            "Slope and correlation of the first run with 95 % intervals. As tables 1 and 2.",
            draw_observers,
            tables=("regressions.csv",),
            like=("sid table 1", "sid table 2"),
        ),
        "accuracy": SectionFigure(
            "Accuracy over time",
            f"The slope of perceived on true likeability of those with {FIGURE_MIN_OBSERVERS} observers or more. "
            "As figure 7 C.",
            draw_accuracy,
            tables=("slopes.csv",),
            like=("sid 7 C",),
        ),
        "degrees": SectionFigure(
            "Ties and extroversion",
            "How many know somebody, on how extroverted it is, in the first run. As figure 7 D.",
            draw_degrees,
            tables=("degrees.csv",),
            like=("sid 7 D",),
        ),
        "differences": SectionFigure(
            "Two directions of a pair",
            "How far apart the sentiments of two are who know each other, in the first run. As figure 7 E.",
            draw_differences,
            tables=("differences.csv",),
            like=("sid 7 E",),
        ),
        "perception-measures": _MEASURED,
    },
}
"""Study -> file name without its ending -> figure, in the page's order."""
