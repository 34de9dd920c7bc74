"""Files of generations: a page with curves and lineage, tables as CSV, strategies in words, data as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

from accord.analysis.generations import COOPERATION, MEASURES, PAYOFF, Generation, Generations
from accord.analysis.measures import MeasureSummary
from accord.analysis.report.canvas import Axes, Figure
from accord.analysis.report.curves import Curve
from accord.analysis.report.drawing import draw_legend, draw_line, label_of, new_figure, panel_grid, svg_of
from accord.analysis.report.style import LIGHT, MARKERS, Theme, on_dark_ground
from accord.analysis.report.templating import data_uri, environment
from accord.analysis.report.tournament import SUMMARY, csv_text, summary_cells, write_files
from dilemmas.records.record import to_json

PAGE, DATA = "report.html", "generations.json"
CURVES, LINEAGE = "generations.svg", "lineage.svg"
TABLE, MEMBERS, LESSONS = "generations.csv", "members.csv", "lineage.csv"
TITLES = {PAYOFF: "mean payoff of a member", COOPERATION: "mean cooperation (share given)"}
"""Measure -> title of its curve."""
SHARES = "shares of the population"
CURVES_IN, PLACE_IN = 2.9, 0.22
"""Height of the curves, and of one place in the lineage, in inches."""
MAX_DRAWN = 40
"""Maximum number of generations and of members in the drawn lineage; all are in lineage.csv."""
MAX_TEXTS = 60
"""Maximum number of strategies in words on the page; all are in members.csv."""


@dataclass(frozen=True)
class WrittenStrategy:
    """A strategy in words, for the page."""

    seed: int
    id: str
    generations: int
    """Number of generations in which its member played."""
    text: str


def write_generations(found: Generations, directory: Path) -> Path:
    """Write page, figures, tables and data into the directory; return the page. Raises RecordError."""
    curves = svg_of(partial(draw_curves, found, LIGHT), LIGHT)
    lineage = svg_of(partial(draw_lineage, found, LIGHT), LIGHT)
    texts = strategies(found)
    shown = {
        "found": found,
        "curves": data_uri(curves),
        "curves_dark": data_uri(on_dark_ground(curves)),
        "lineage": data_uri(lineage),
        "lineage_dark": data_uri(on_dark_ground(lineage)),
        "numbers": range(1, found.last + 1),
        "texts": texts[:MAX_TEXTS],
        "left_out": max(0, len(texts) - MAX_TEXTS),
    }
    write_files(
        {
            DATA: to_json(found.to_dict()),
            TABLE: table(found),
            MEMBERS: members(found),
            LESSONS: lessons(found),
            CURVES: curves,
            LINEAGE: lineage,
            PAGE: environment().get_template("generations.html.j2").render(shown),
        },
        directory,
    )
    return directory / PAGE


def table(found: Generations) -> str:
    """Return each measure and each strategy's share by generation, as CSV."""
    rows: list[Sequence[object]] = [["generation", "measure", *SUMMARY]]
    for number in range(1, found.last + 1):
        for measure in MEASURES:
            if (summary := found.summary(measure, number)) is not None:
                rows.append([number, measure, *summary_cells(summary)])
        rows += [[number, f"share of {name}", *summary_cells(found.share(name, number))] for name in found.names]
    return csv_text(rows)


def members(found: Generations) -> str:
    """Return one row for each member and generation, as CSV."""
    head = ["seed", "generation", "member", "kind", "payoff", "cooperation", "mutated", "strategy", "fault"]
    rows = [
        [each.seed, each.number, own.id, own.kind, one.payoff, one.cooperation, int(own.mutated), own.text, one.fault]
        for each in found.generations
        for one in each.members
        for own in [one.member]
    ]
    return csv_text([head, *rows])


def lessons(found: Generations) -> str:
    """Return one row for each member that learned from another one, as CSV."""
    rows = [[each.seed, each.generation, each.learner, each.teacher] for each in found.lessons()]
    return csv_text([["seed", "generation", "learner", "teacher"], *rows])


def strategies(found: Generations) -> list[WrittenStrategy]:
    """Return all strategies in words, those that lived longest first."""
    lives: dict[tuple[int, str], tuple[int, str]] = {}
    for each in found.generations:
        for played in each.members:
            if played.member.text:
                key = each.seed, played.member.id
                lives[key] = lives.get(key, (0, ""))[0] + 1, played.member.text
    told = [WrittenStrategy(seed, member, count, text) for (seed, member), (count, text) in lives.items()]
    return sorted(told, key=lambda each: -each.generations)


def draw_curves(found: Generations, theme: Theme) -> Figure:
    """Draw the measures and the strategies' shares over the generations, with their 95 % intervals."""
    several = len(found.names) > 1
    columns = theme.columns(3 if several else 2)
    figure = new_figure(theme, CURVES_IN * (1 if columns > 1 else 2 + several))
    panels = panel_grid(figure, 2 + several, columns)
    for place, measure in enumerate(MEASURES):
        points = [(number, found.summary(measure, number)) for number in range(1, found.last + 1)]
        known = [(number, summary) for number, summary in points if summary is not None]
        panels[place].set_title(TITLES[measure])
        draw_line(panels[place], _curve(known), theme.ink, 0, measure, straight=True)
    if several:
        panels[2].set_title(SHARES)
        panels[2].set_ylim(-0.02, 1.02)
        for index, name in enumerate(found.names):
            shares = [(number, found.share(name, number)) for number in range(1, found.last + 1)]
            draw_line(panels[2], _curve(shares), theme.player(index), index, name, straight=True)
        draw_legend(figure, panels[2])
    for panel in panels:
        panel.set_xlabel("generation")
    return figure


def _curve(points: Sequence[tuple[int, MeasureSummary]]) -> Curve | None:
    """Return the means with the ends of their intervals; without an interval the mean stands for both."""
    if not points:
        return None
    ends = [summary.ci95 or (summary.mean, summary.mean) for _, summary in points]
    return Curve(
        tuple(float(number) for number, _ in points),
        tuple(summary.mean for _, summary in points),
        tuple(low for low, _ in ends),
        tuple(high for _, high in ends),
    )


def draw_lineage(found: Generations, theme: Theme) -> Figure:
    """Draw the lineage of the first seed: a mark for each member and generation, lines to those it came from."""
    shown = found.of_seed(found.seeds[0])[:MAX_DRAWN]
    height = min(MAX_DRAWN, len(shown[0].members))
    figure = new_figure(theme, 1.2 + PLACE_IN * height)
    panel = figure.subplots()
    places = [_places(each) for each in shown]
    for number, (before, now) in enumerate(pairwise(places), 1):
        for start, end, stays in _lines(before, now, shown[number]):
            colour, style = (theme.ink, "-") if stays else (theme.faint, ":")
            panel.plot((number, number + 1), (-start, -end), color=colour, linestyle=style, linewidth=0.8, zorder=1)
    _draw_members(panel, found, shown, theme)
    panel.set_yticks([])
    panel.set_xlabel("generation")
    panel.set_ylabel("members, the best at the top")
    panel.grid(visible=False)
    draw_legend(figure, panel)
    return figure


def _places(generation: Generation) -> dict[str, int]:
    """Return id -> place by payoff, from 0, of the members that are drawn."""
    ranked = sorted(generation.members, key=lambda each: -each.payoff)[:MAX_DRAWN]
    return {each.member.id: place for place, each in enumerate(ranked)}


def _lines(before: dict[str, int], now: dict[str, int], generation: Generation) -> Iterator[tuple[int, int, bool]]:
    """Yield the places of both ends of a line, and True for a member that survived."""
    for each in generation.members:
        own = each.member
        if own.id not in now:
            continue
        if own.id in before:
            yield before[own.id], now[own.id], True
            continue
        yield from ((before[teacher], now[own.id], False) for teacher in own.parents if teacher in before)


def _draw_members(panel: Axes, found: Generations, shown: Sequence[Generation], theme: Theme) -> None:
    for index, name in enumerate(found.names):
        points = [
            (each.number, -place)
            for each in shown
            for places in [_places(each)]
            for one in each.members
            if one.member.kind == name and (place := places.get(one.member.id)) is not None
        ]
        panel.plot(
            [number for number, _ in points],
            [place for _, place in points],
            linestyle="none",
            marker=MARKERS[index % len(MARKERS)],
            markersize=5,
            color=theme.player(index),
            label=label_of(name),
            zorder=2,
        )
