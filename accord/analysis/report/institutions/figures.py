"""Figure of institutions over time: breaches, sanctions, bribes, trials, and who held which office."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from matplotlib.ticker import MaxNLocator

from accord.analysis.report.canvas import Axes, Figure
from accord.analysis.report.drawing import label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.institutions.findings import CivicFindings, CivicRun, short_condition
from accord.analysis.report.institutions.tables import TABLES
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import Theme

ROWS: Mapping[str, str] = {
    "breach": "breaches",
    "let_go": "let go",
    "bribe_taken": "bribes",
    "charged": "charges",
    "tried": "trials",
    "sanctioned": "sanctions",
    "elected": "elections",
    "recall": "recall votes",
}
"""Kind of step -> label of its row."""
MAX_TITLE = 60
"""Maximum length of a condition in a title, in characters."""
MAX_RUNS = 8
"""Maximum number of conditions in the figure."""


def draw_institutions(findings: CivicFindings, theme: Theme) -> Figure:
    """Draw the steps of the first run of each condition: a row for each kind, a mark for each time with steps."""
    samples = findings.samples[:MAX_RUNS]
    present = [what for what in ROWS if any(any(each.record.of(what)) for each in samples)]
    figure = new_figure(theme, 0.6 + len(samples) * (0.5 + 0.22 * len(present)))
    panels = panel_grid(figure, len(samples), 1, sharex=True)
    for panel, sample in zip(panels, samples, strict=True):
        _draw_run(panel, sample, present, theme)
    panels[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    panels[-1].set_xlabel(findings.samples[0].record.unit)
    return figure


def _draw_run(panel: Axes, sample: CivicRun, present: list[str], theme: Theme) -> None:
    for row, what in enumerate(present):
        counts = Counter(step.t_s for step in sample.record.of(what))
        colour = theme.condition(2 if what in ("breach", "bribe_taken", "let_go") else 1)
        panel.scatter(list(counts), [row] * len(counts), s=[10.0 * count for count in counts.values()], color=colour)
        for time, count in counts.items():
            note_datum(panel, ROWS[what], "steps", time, count)
    panel.set_title(f"{label_of(short_condition(sample.run.condition), MAX_TITLE)}, seed {sample.run.seed}")
    panel.set_yticks(range(len(present)), [ROWS[what] for what in present])
    panel.set_ylim(len(present) - 0.4, -0.6)


FIGURES: Mapping[str, SectionFigure[CivicFindings]] = {
    "institutions": SectionFigure(
        "Institutions over time",
        "Steps of institutions in the first run of each condition; the area of a mark is the number of steps at that "
        "time. Breaches are those in the world's record, seen by anybody or not.",
        draw_institutions,
        applies=lambda findings: any(any(each.record.of(*ROWS)) for each in findings.samples),
        tables=TABLES[:1],
    )
}
