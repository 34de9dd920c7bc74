"""Figure of drives over time."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.canvas import Figure
from accord.analysis.report.drawing import draw_legend, label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.drives.findings import DriveFindings
from accord.analysis.report.drives.tables import COURSE_S, TABLE
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import Theme

MAX_RUNS = 6
"""Maximum number of conditions in the figure."""


def draw_drives(findings: DriveFindings, theme: Theme) -> Figure:
    """Draw the mean level of each drive over time, in the first run of each condition."""
    samples = findings.samples[:MAX_RUNS]
    figure = new_figure(theme, 0.7 + 1.7 * len(samples))
    panels = panel_grid(figure, len(samples), 1, sharex=True)
    for panel, sample in zip(panels, samples, strict=True):
        for place, (drive, course) in enumerate(sample.history.course(COURSE_S).items()):
            times, levels = [time for time, _ in course], [level for _, level in course]
            panel.plot(times, levels, color=theme.condition(place), label=label_of(drive))
            for time, level in course:
                note_datum(panel, drive, "level", time, level)
        panel.set_title(f"{label_of(sample.run.condition)}, seed {sample.run.seed}")
        panel.set_ylabel("level")
        panel.set_ylim(bottom=0, top=1)
    panels[-1].set_xlabel("seconds")
    draw_legend(figure, panels[0])
    return figure


FIGURES: Mapping[str, SectionFigure[DriveFindings]] = {
    "drives": SectionFigure(
        "Drives over time",
        "Mean level of all villagers, from 0 (content) to 1, in the first runs: hunger by the food bar, shelter by "
        "being outside at night, safety by mobs and health, company by the nearness of others.",
        draw_drives,
        tables=(TABLE,),
    ),
}
