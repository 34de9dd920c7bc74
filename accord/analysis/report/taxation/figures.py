"""Figures of a taxed society, after figure 10 C to H of Project Sid: places, tax paid, before and after the vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import dist

from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report.canvas import Axes, Figure, MaxNLocator
from accord.analysis.report.drawing import label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import Theme
from accord.analysis.report.taxation.findings import PUBLISHED_PERCENT, TaxedRun, TaxedSociety, TaxFindings

SIDES = {"pro": "#d55e00", "anti": "#0072b2", "": "#009e73"}
"""Colours of the influencers' sides, as in the paper: orange and blue."""
MAX_RUNS = 8


def draw_places(found: TaxFindings, theme: Theme) -> Figure:
    """Draw constituents' places out of season and in it, in the first run."""
    run = found.societies[0].runs[0]
    windows = [(season.opens_s, season.closes_s) for season in run.record.seasons]
    figure = new_figure(theme, 3.4 * (2 if theme.narrow else 1))
    panels = panel_grid(figure, 2, theme.columns(2), sharex=True, sharey=True)
    for panel, inside in zip(panels, (False, True), strict=True):
        seen = [
            (name, spot)
            for t_s, at in run.record.places
            if any(low <= t_s <= high for low, high in windows) == inside
            for name, spot in at.items()
        ]
        for name, (x, z) in seen:
            note_datum(panel, name, "place", x, z)
        spots = [spot for _, spot in seen]
        panel.plot([x for x, _ in spots], [z for _, z in spots], linestyle="none", marker="o", markersize=2,
                   color=theme.player(0), alpha=0.25, markeredgewidth=0)  # fmt: skip
        for x, z in run.record.chests.values():
            panel.plot([x], [z], marker="s", markersize=5, color=theme.difference, linestyle="none")
        panel.set_title("in season" if inside else "out of season")
        panel.set_xlabel("x (blocks)")
        near = _near(run, spots)
        note_datum(panel, "in" if inside else "out", "share within 8 blocks of a chest", 0, near)
        panel.annotate(
            f"{100 * near:.0f} % within 8 blocks of a chest", (0.02, 0.98), xycoords="axes fraction", va="top"
        )
    panels[0].set_ylabel("z (blocks)")
    panels[0].invert_yaxis()
    return figure


def _near(run: TaxedRun, spots: Sequence[tuple[float, float]]) -> float:
    """Return the share of places within 8 blocks of a community chest."""
    chests = list(run.record.chests.values())
    return sum(any(dist(spot, at) <= 8 for at in chests) for spot in spots) / len(spots) if spots else 0.0


def draw_agents(found: TaxFindings, theme: Theme) -> Figure:
    """Draw tax by constituent and season, in the first run of each condition; the mean in black."""
    shown = found.societies[:MAX_RUNS]
    columns = theme.columns(min(3, len(shown)))
    figure = new_figure(theme, 2.5 * -(-len(shown) // columns) + 0.2)
    for place, (panel, each) in enumerate(
        zip(panel_grid(figure, len(shown), columns, sharey=True), shown, strict=True)
    ):
        _agents(panel, each.runs[0], theme)
        panel.set_title(label_of(each.name))
        _season_axis(panel, found, theme)
        if place % columns == 0:
            panel.set_ylabel("tax paid (%)")
    return figure


def _agents(panel: Axes, run: TaxedRun, theme: Theme) -> None:
    seasons = run.record.seasons
    for index, player in enumerate(run.record.voters):
        points = [(each.number, each.shares[player]) for each in seasons if player in each.shares]
        numbers, shares = [number for number, _ in points], [share for _, share in points]
        panel.plot(numbers, shares, color=theme.player(index), alpha=0.4, linewidth=0.8)
        for number, share in points:
            note_datum(panel, player, "tax paid", number, share)
    # Constituents of one run are not independent: their lines show the spread, and their mean has no interval.
    told = [(each.number, replace(summarize(list(each.shares.values())), ci95=None)) for each in seasons if each.shares]
    _band(panel, told, theme.ink, "mean", run.run.condition)


def _band(panel: Axes, told: Sequence[tuple[int, MeasureSummary]], colour: str, label: str, series: str) -> None:
    """Draw means over the seasons with their intervals."""
    for season, each in told:
        low, high = each.ci95 or (None, None)
        note_datum(panel, series, label, season, each.mean, low=low, high=high)
    numbers = [season for season, _ in told]
    lows = [each.ci95[0] if each.ci95 else each.mean for _, each in told]
    highs = [each.ci95[1] if each.ci95 else each.mean for _, each in told]
    panel.fill_between(numbers, lows, highs, color=colour, alpha=0.18, linewidth=0)
    panel.plot(numbers, [each.mean for _, each in told], color=colour, linewidth=1.8, label=label_of(series))


def _season_axis(panel: Axes, found: TaxFindings, theme: Theme) -> None:
    if found.adopted_after:
        panel.axvline(found.adopted_after + 0.5, color=theme.faint, linestyle="--", linewidth=1)
    panel.axhline(20, color=theme.faint, linewidth=0.7)
    panel.set_xlabel("tax season")
    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.set_ylim(bottom=0)


def draw_conditions(found: TaxFindings, theme: Theme) -> Figure:
    """Draw tax by season, mean over the runs with its 95 % interval, a panel for each kind of condition."""
    kinds = found.kinds
    columns = theme.columns(min(4, len(kinds)))
    figure = new_figure(theme, 2.8 * -(-len(kinds) // columns))
    panels = panel_grid(figure, len(kinds), columns, sharey=True)
    for place, (panel, (kind, societies)) in enumerate(zip(panels, kinds.items(), strict=True)):
        for each in societies:
            _band(panel, each.seasons, SIDES[each.side], "mean", each.name)
            _published(panel, each, found)
        panel.set_title(label_of(kind))
        _season_axis(panel, found, theme)
        panel.legend(fontsize="x-small", loc="lower left", frameon=False)
        if place % columns == 0:
            panel.set_ylabel("tax paid (%)")
    return figure


def _published(panel: Axes, society: TaxedSociety, found: TaxFindings) -> None:
    """Draw the numbers of the paper's text, a cross before and after the vote."""
    before, after = PUBLISHED_PERCENT.get(society.name, (None, None))
    cut = found.adopted_after or 5
    for value, season in ((before, (cut + 1) / 2), (after, cut + (cut + 1) / 2)):
        if value is not None:
            note_datum(panel, society.name, "published", season, value)
            panel.plot([season], [value], marker="x", markersize=7, color=SIDES[society.side], linestyle="none")


def draw_exposure(found: TaxFindings, theme: Theme) -> Figure:
    """Draw every constituent of every run: arguments heard before the vote, and the direction of its ballot."""
    figure = new_figure(theme, 3.0)
    panel = panel_grid(figure, 1, 1)[0]
    for place, society in enumerate(found.societies):
        points = [
            (run.record.exposure(name), lean)
            for run in society.runs
            for name in run.record.voters
            if (lean := run.record.lean(name)) is not None
        ]
        shift = 0.05 * (place - (len(found.societies) - 1) / 2)
        for x, y in points:
            note_datum(panel, society.name, "constituent", x, y)
        panel.plot([x for x, _ in points], [y + shift for _, y in points], linestyle="none",
                   marker="os^DvPX"[place % 7], markersize=4, alpha=0.5, color=SIDES[society.side],
                   label=label_of(society.name))  # fmt: skip
    panel.set_xlabel("arguments of influencers heard before the vote")
    panel.set_yticks([-1, 0, 1], ["for less", "both", "for more"])
    panel.set_ylim(-1.5, 1.5)
    figure.legend(loc="outside upper center", ncols=2 if theme.narrow else 4, fontsize="small", frameon=False)
    return figure


FIGURES: Mapping[str, SectionFigure[TaxFindings]] = {
    "tax-by-condition": SectionFigure(
        "Tax before and after the vote",
        "The mean of the runs by season, shaded its 95 % interval; dashed: the law that was voted on takes effect; a "
        "thin line at 20 %; crosses: the paper's numbers, where its text gives some. As figure 10 F, G and H.",
        draw_conditions,
        tables=("tax_seasons.csv",),
        like=("sid 10 F", "sid 10 G", "sid 10 H"),
    ),
    "tax-by-agent": SectionFigure(
        "Tax by constituent",
        "The first run of each condition. A line per constituent; the thick one is their mean, without an interval "
        "since constituents of one run are not independent. As figure 10 D and E.",
        draw_agents,
        tables=("tax_paid.csv",),
        like=("sid 10 D", "sid 10 E"),
    ),
    "places-in-season": SectionFigure(
        "Where constituents are",
        "Every five seconds of the first run, out of season and in it; squares are community chests. As figure 10 C.",
        draw_places,
        tables=("tax_places.csv",),
        like=("sid 10 C",),
    ),
    "exposure-and-votes": SectionFigure(
        "Exposure and votes",
        "Every constituent of every run: how often it heard an influencer before it voted, and whether its ballot "
        "wants the law to ask for more or for less. The paper does not show this.",
        draw_exposure,
        tables=("votes.csv",),
    ),
}
"""File name without its ending -> figure, in the page's order."""
LAW_FIGURES = {"exposure-and-votes": FIGURES["exposure-and-votes"]}
"""The figures of a law that taxes nobody."""
