"""Figures of Voyager's benchmark, after figures 1 and 7 of its paper: items by iteration, and the covered map."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.canvas import Figure
from accord.analysis.report.drawing import label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import Theme
from accord.analysis.report.trials.findings import TrialFindings
from accord.analysis.report.trials.published import ITEMS, ITEMS_AT

ITERATION = "iteration"


def draw_items(found: TrialFindings, theme: Theme) -> Figure:
    """Draw different items by iteration: a thin line per trial, the mean of each condition, the published number."""
    figure = new_figure(theme, 3.0)
    (panel,) = panel_grid(figure, 1, 1)
    for place, group in enumerate(found.groups):
        colour = theme.condition(place)
        for each in group.runs:
            counts = each.own.curve()
            panel.step(range(1, len(counts) + 1), counts, color=colour, alpha=0.35, linewidth=0.7, where="post")
            for number, count in enumerate(counts, 1):
                note_datum(panel, group.name, f"seed {each.run.seed} {each.player}", number, count)
        mean = group.curve
        panel.step(range(1, len(mean) + 1), mean, color=colour, linewidth=1.8, where="post", label=label_of(group.name))
        for number, value in enumerate(mean, 1):
            note_datum(panel, group.name, "mean", number, value)
    if not found.asked and max(group.max_iterations for group in found.groups) >= ITEMS_AT:
        panel.plot([ITEMS_AT], [ITEMS], marker="x", color=theme.ink, linestyle="none", label="published")
        note_datum(panel, "Voyager", "published", ITEMS_AT, ITEMS)
    panel.set_xlabel(ITERATION)
    panel.set_ylabel("different items")
    panel.set_ylim(bottom=0)
    panel.legend(fontsize="x-small", loc="upper left")
    return figure


def draw_map(found: TrialFindings, theme: Theme) -> Figure:
    """Draw blocks walked and squares of the map seen by iteration, a line per trial."""
    columns = theme.columns(2)
    figure = new_figure(theme, 0.3 + 2.6 * (2 // columns))
    panels = panel_grid(figure, 2, columns)
    for part, (panel, what) in enumerate(zip(panels, ("blocks walked", "squares of 16 x 16 blocks"), strict=True)):
        for place, group in enumerate(found.groups):
            for each in group.runs:
                numbers = [row[0] for row in each.own.covered]
                counts = [row[1 + part] for row in each.own.covered]
                label = label_of(group.name) if each is group.runs[0] else None
                panel.plot(numbers, counts, color=theme.condition(place), linewidth=1.0, label=label)
                for number, count in zip(numbers, counts, strict=True):
                    note_datum(panel, group.name, f"seed {each.run.seed} {each.player}", number, count)
        panel.set_xlabel(ITERATION)
        panel.set_ylabel(what)
        panel.set_ylim(bottom=0)
    panels[0].legend(fontsize="x-small", loc="upper left")
    return figure


FIGURES: Mapping[str, SectionFigure[TrialFindings]] = {
    "items-by-iteration": SectionFigure(
        "Different items by iteration",
        "A thin line per trial, a thick one for the mean of a condition; a trial that is over keeps what it had. The "
        "cross is the published number, where trials are as long as the paper's. As figure 1 of Voyager.",
        draw_items,
        tables=("trial_curves.csv",),
        like=("voyager 1",),
    ),
    "map-covered": SectionFigure(
        "The map that was covered",
        "A line per trial: blocks walked (looked at once a second while programs run; who was moved, as by a death, "
        "did not walk), and squares of the map in which the player was. As figure 7.",
        draw_map,
        tables=("trial_curves.csv",),
        like=("voyager 7",),
    ),
}
"""File name without its ending -> figure, in the page's order."""
