"""Figures of progression, after figures 4 and 5 of Project Sid: items over time, all together, the tree of items."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.canvas import Axes, Figure
from accord.analysis.report.drawing import TIME, label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.progress.findings import PUBLISHED_AT_S, PUBLISHED_MEAN, ProgressFindings, ProgressGroup
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import Theme
from dilemmas.scenarios.progression.tree import depths, parents

ROWS = range(46, 121, 2)
"""Candidate numbers of items in a column of the tree; the smallest that leaves room for all names is used."""
LETTERS = 356
"""Width of the tree in letters."""
NAME_SIZE, HEAD_SIZE = 3.2, 4.5
"""Font sizes of an item's name and of a layer's head, in points."""
HEAD = 16
"""Width of a layer's head, in letters of a name."""
BETWEEN = 4
"""Space between the longest name of a column and the next column, in letters."""


def draw_over_time(found: ProgressFindings, theme: Theme) -> Figure:
    """Draw each agent's items, the runs' mean with its interval, the best agent, and the published mean as a cross."""
    columns = theme.columns(min(3, len(found.groups)))
    figure = new_figure(theme, 0.3 + 2.6 * -(-len(found.groups) // columns))
    for place, (panel, group) in enumerate(
        zip(panel_grid(figure, len(found.groups), columns, sharey=True), found.groups, strict=True)
    ):
        _agents(panel, group, theme)
        panel.set_title(label_of(group.name))
        panel.set_xlabel(TIME)
        panel.set_ylim(bottom=0)
        if place % columns == 0:
            panel.set_ylabel("different items")
    return figure


def _agents(panel: Axes, group: ProgressGroup, theme: Theme) -> None:
    for run in group.runs:
        for name, curve in run.curves.items():
            panel.plot(run.progress.times, curve, color=theme.faint, alpha=0.35, linewidth=0.6)
            for t_s, count in zip(run.progress.times, curve, strict=True):
                note_datum(panel, name, "run", t_s, count)
    times = [t_s for t_s, _, _ in group.over_time]
    means = [each for _, each, _ in group.over_time]
    for t_s, each, best in group.over_time:
        low, high = each.ci95 or (None, None)
        note_datum(panel, group.name, "mean", t_s, each.mean, low=low, high=high)
        note_datum(panel, group.name, "best", t_s, best)
    lows = [each.ci95[0] if each.ci95 else each.mean for each in means]
    highs = [each.ci95[1] if each.ci95 else each.mean for each in means]
    panel.fill_between(times, lows, highs, color=theme.player(0), alpha=0.25, linewidth=0)
    uncertain = any(each.uncertain for each in means) and not any(each.ci95 for each in means)
    label = "mean (too few runs for an interval)" if uncertain else "mean of the runs"
    panel.plot(times, [each.mean for each in means], color=theme.player(0), linewidth=1.8, label=label)
    panel.plot(times, [best for _, _, best in group.over_time], color=theme.player(1), linewidth=1.2, label="best")
    if times[-1] >= PUBLISHED_AT_S:
        panel.plot(
            [PUBLISHED_AT_S], [PUBLISHED_MEAN], marker="x", color=theme.ink, linestyle="none", label="published mean"
        )
        note_datum(panel, "Project Sid", "published", PUBLISHED_AT_S, PUBLISHED_MEAN)
    panel.legend(fontsize="x-small", loc="upper left")


def draw_together(found: ProgressFindings, theme: Theme) -> Figure:
    """Draw the items of all agents together, a line for each run."""
    figure = new_figure(theme, 2.8)
    (panel,) = panel_grid(figure, 1, 1)
    for place, group in enumerate(found.groups):
        for run in group.runs:
            times = run.progress.times
            counts = run.progress.together_counts(times)
            panel.plot(
                times, counts, color=theme.player(place), label=label_of(group.name) if run is group.runs[0] else None
            )
            for t_s, count in zip(times, counts, strict=True):
                note_datum(panel, group.name, "run", t_s, count)
    panel.set_xlabel(TIME)
    panel.set_ylabel("different items")
    panel.set_ylim(bottom=0)
    panel.legend(fontsize="x-small", loc="upper left")
    return figure


def draw_tree(found: ProgressFindings, theme: Theme) -> Figure:
    """Draw all items that any agent held: a column per step from bare hands, lines from their ingredients."""
    deep = depths()
    layers: dict[int, list[str]] = {}
    for item in sorted(found.reached):
        layers.setdefault(deep.get(item, 1), []).append(item)
    at: dict[str, tuple[float, float]] = {}
    x = 0.0
    heads: dict[int, float] = {}
    rows = next((each for each in ROWS if sum(map(_room, _columns(layers, each))) <= LETTERS), ROWS[-1])
    for layer, items in _columns(layers, rows):
        heads.setdefault(layer, x)
        at.update({item: (x, float(row)) for row, item in enumerate(items)})
        x += _room((layer, items))
    longest = min(rows, max(map(len, layers.values()), default=1))
    figure = new_figure(theme, 1.0 + 0.13 * longest)
    (panel,) = panel_grid(figure, 1, 1)
    _branches(panel, at, found, theme, {item: layer for layer, items in layers.items() for item in items})
    total = {layer: sum(1 for each in deep.values() if each == layer) for layer in set(deep.values())}
    for layer, head in heads.items():
        panel.annotate(
            f"{layer}: {len(layers[layer])} of {total.get(layer, 0)}", (head, -1.2), fontsize=HEAD_SIZE, color=theme.ink
        )
    panel.set_xlim(-2, max(LETTERS, x))
    panel.set_ylim(longest + 0.5, -2.2)
    panel.set_xticks([])
    panel.set_yticks([])
    panel.grid(visible=False)
    return figure


def _columns(layers: Mapping[int, list[str]], rows: int) -> list[tuple[int, list[str]]]:
    """Return the columns of the tree as (layer, items from top to bottom)."""
    return [
        (layer, items[start : start + rows])
        for layer, items in sorted(layers.items())
        for start in range(0, len(items), rows)
    ]


def _room(column: tuple[int, list[str]]) -> int:
    """Return the width of a column in letters, including that of its head."""
    return max(HEAD, *map(len, column[1])) + BETWEEN


def _branches(
    panel: Axes, at: Mapping[str, tuple[float, float]], found: ProgressFindings, theme: Theme, depth: Mapping[str, int]
) -> None:
    agents = sum(len(run.progress.firsts) for group in found.groups for run in group.runs)
    for item, (x, y) in at.items():
        for part in parents(item, found.reached):
            if part in at:
                panel.plot([at[part][0], x], [at[part][1], y], color=theme.grid, linewidth=0.3, zorder=1)
        held = sum(group.holders[item] for group in found.groups)
        note_datum(panel, item, "agents", depth[item], held)
        shade = 0.25 + 0.75 * held / max(1, agents)
        panel.plot([x], [y], marker="o", markersize=2.5, color=theme.player(0), alpha=shade, linestyle="none", zorder=2)
        panel.annotate(
            item.replace("_", " "), (x, y), (3, -1.5), textcoords="offset points", fontsize=NAME_SIZE, color=theme.ink
        )


FIGURES: Mapping[str, SectionFigure[ProgressFindings]] = {
    "items-over-time": SectionFigure(
        "Different items over time",
        "A thin line per agent, which shows the spread of agents; the mean of the runs, shaded its 95 % interval over "
        "runs (none for fewer than five), and the best agent at each time. The cross is the published mean after 30 "
        "minutes. As figure 5 A of Project Sid.",
        draw_over_time,
        tables=("item_counts.csv",),
        like=("sid 5 A",),
    ),
    "items-together": SectionFigure(
        "Items of all together",
        "A line per run: items that anybody had held by then. As figure 5 B.",
        draw_together,
        tables=("items_together.csv",),
        like=("sid 5 B",),
    ),
    "item-tree": SectionFigure(
        "The tree of items",
        "What anybody held, by steps from bare hands (a tool, a station, a recipe or a fire is one), with lines from "
        "what it was made of; the darker, the more agents held it. Above each column: how many of the items that "
        "many steps away were reached. As figure 4.",
        draw_tree,
        tables=("items.csv",),
        like=("sid 4",),
    ),
}
"""File name without its ending -> figure, in the page's order."""
