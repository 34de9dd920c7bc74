"""Figure of deals over time: who with whom, and what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from matplotlib.ticker import MaxNLocator

from accord.analysis.report.canvas import Axes, Figure
from accord.analysis.report.deals.findings import BargainingRun, DealFindings
from accord.analysis.report.deals.tables import TABLES
from accord.analysis.report.drawing import draw_legend, label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import Theme

MAX_ROWS = 15
"""Maximum number of groups of players in a panel, those with the most deals."""
LOOKS: Mapping[str, tuple[str, bool, int | None]] = {
    "offered": ("o", False, None),
    "agreed": ("D", False, None),
    "kept": ("o", True, 1),
    "broken": ("X", True, 2),
    "unread": ("s", False, 2),
}
"""Event in a deal's life -> marker, whether it is filled, and its colour among the conditions' (None: ink)."""
SHIFTS: Mapping[str, float] = {"offered": -0.25, "agreed": 0.0}
OUTCOME = 0.25
"""Shift of a mark from its period: offers stand before it, outcomes at its end."""


def draw_deals(findings: DealFindings, theme: Theme) -> Figure:
    """Draw the deals of the first run of each condition: a row for each group of players, a mark for each event."""
    samples = findings.samples
    most = max(min(MAX_ROWS, len({deal.parties for deal in each.bargains.deals.values()})) for each in samples)
    figure = new_figure(theme, 1.0 + len(samples) * (0.9 + 0.28 * most))
    panels = panel_grid(figure, len(samples), 1, sharex=True)
    present = {mark.what for each in samples for deal in each.bargains.deals.values() for mark in deal.marks}
    for panel, sample in zip(panels, samples, strict=True):
        _draw_run(panel, sample, theme, [what for what in LOOKS if what in present])
    last = max(mark.period for each in samples for deal in each.bargains.deals.values() for mark in deal.marks)
    panels[-1].set_xlim(0.5, last + 0.5)
    panels[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    panels[-1].set_xlabel("period")
    draw_legend(figure, panels[0])
    return figure


def _draw_run(panel: Axes, sample: BargainingRun, theme: Theme, kinds: Sequence[str]) -> None:
    groups: dict[str, Counter[tuple[str, int]]] = {}
    for deal in sample.bargains.deals.values():
        counted = groups.setdefault(_among(deal.parties, list(sample.run.terms)), Counter())
        counted.update((mark.what, mark.period) for mark in deal.marks)
    shown = sorted(groups, key=lambda name: -groups[name].total())[:MAX_ROWS]
    for what in kinds:
        marker, filled, colour = LOOKS[what]
        ink = theme.ink if colour is None else theme.condition(colour)
        marks = [
            (period, row, count)
            for row, name in enumerate(shown)
            for (kind, period), count in groups[name].items()
            if kind == what
        ]
        panel.scatter(
            [period + SHIFTS.get(what, OUTCOME) for period, _, _ in marks],
            [row for _, row, _ in marks],
            marker=marker,
            facecolors=ink if filled else "none",
            edgecolors=ink,
            label=what,
        )
        for period, row, count in marks:
            note_datum(panel, f"{shown[row]}: {what}", "deals", period, count)
    panel.set_title(f"{label_of(sample.run.condition)}, seed {sample.run.seed}")
    panel.set_yticks(range(len(shown)), shown)
    panel.set_ylim(len(shown) - 0.4, -0.6)


def _among(parties: Sequence[str], players: Sequence[str]) -> str:
    """Return the label of a group of players."""
    others = [name for name in players if name not in parties]
    if len(players) > 2 and not others:
        return "all players"
    if len(players) > 4 and len(others) == 1:
        return f"all but {label_of(others[0])}"
    return ", ".join(label_of(name) for name in sorted(parties))


FIGURES: Mapping[str, SectionFigure[DealFindings]] = {
    "deals": SectionFigure(
        "Deals over time",
        "Who made deals with whom in the first run of each condition: offers and agreements before a period, and "
        "whether the deal was kept in it. A period is an episode, or the rounds from one talk to the next.",
        draw_deals,
        applies=lambda findings: any(sample.bargains.deals for sample in findings.samples),
        tables=TABLES[:1],
    )
}
