"""Figure of a section's own measures: a panel per measure, a bar per condition."""

from __future__ import annotations

import textwrap

from accord.analysis.report.canvas import Figure
from accord.analysis.report.drawing import draw_bar, label_of, new_figure, panel_grid
from accord.analysis.report.section import GroupMeasures
from accord.analysis.report.style import Theme

LINE = 22
"""Length of a line of a panel's title and unit, in letters."""
HEADROOM = 0.2
"""Room above and below the bars for their numbers, as a share of the panel."""


def draw_group_measures(measured: GroupMeasures, theme: Theme) -> Figure:
    """Draw the measures of each condition: one marker a run, the mean as a bar, its 95 % interval as a line."""
    shown = [name for name in measured.titles if any(group.samples(name) for group in measured.groups)]
    columns = 2 if theme.narrow else 3
    figure = new_figure(theme, 0.5 + 2.3 * -(-max(1, len(shown)) // columns))
    for panel, name in zip(panel_grid(figure, len(shown), columns) if shown else [], shown, strict=True):
        for place, group in enumerate(measured.groups):
            if (summary := group.measure(name)) is not None:
                draw_bar(panel, place, summary, group.samples(name), colour=theme.player(place), index=place,
                         ink=theme.ink, series=group.name)  # fmt: skip
        title, unit = measured.titles[name]
        panel.set_title(textwrap.fill(title, LINE), fontsize="small")
        panel.set_ylabel(textwrap.fill(unit, LINE), fontsize="small")
        labels = [label_of(group.name) for group in measured.groups]
        panel.set_xticks(range(len(labels)), labels, rotation=25, ha="right", rotation_mode="anchor")
        panel.set_xlim(-0.6, len(labels) - 0.4)
        panel.axhline(0, color=theme.faint, linewidth=0.8)
        panel.grid(axis="x", visible=False)
        panel.margins(y=HEADROOM)
        if panel.dataLim.y0 >= 0:
            panel.set_ylim(bottom=0)
    return figure
