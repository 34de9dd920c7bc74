"""Figures of populations: reward per head, and measures that only one scenario has, such as attacks in Commons Harvest.

They correspond to figures 3 to 10 of the paper on generative agents in Melting Pot (docs/results.md).
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from accord.analysis.claims import number
from accord.analysis.figures import EACH, MEAN, SUM, TOGETHER, gathered_as
from accord.analysis.intervals import SHARES
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report import curves
from accord.analysis.report.canvas import Figure, Patch
from accord.analysis.report.comparison import Comparison, ConditionRuns
from accord.analysis.report.drawing import (
    condition_axis,
    draw_bar,
    draw_legend,
    draw_line,
    label_of,
    last_time,
    new_figure,
    note_datum,
    panel_grid,
    set_titles,
)
from accord.analysis.report.grid.findings import game_of
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import Theme

HITS_ON = "hits_on_"
"""Prefix of measures that count an attacker's hits on the player whose lower-case name follows."""
RATIOS: Mapping[str, tuple[str, str]] = {
    "moves toward the last apple of a tree": ("last_apple_moves", "last_apple_near"),
}
"""Title of a share -> (counted measure, measure that it is a share of); both are summed over the players."""
PARTS = {part for pair in RATIOS.values() for part in pair}
MANY = 3
"""Minimum number of players for which the reward per head is clearer than individual curves."""
COLUMNS = 2
NARROW_TITLE = 22
"""Length of a title's line in narrow panels, in characters."""
UNITS = {SUM: "a run, sum of players", MEAN: "a run, mean of players", EACH: "a run, each player"}
"""Way to aggregate a measure -> label of its axis."""
HEADROOM = 1.22
"""Height of a panel of bars as a share of its highest value, with room for the numbers above bars."""
ALL = "all players"


def draw_per_capita(comparison: Comparison, theme: Theme) -> Figure:
    """Draw the reward per head over game time: a panel for each part of the population, a curve per condition."""
    groups = comparison.groups or {ALL: comparison.players}
    columns = theme.columns(len(groups))
    figure = new_figure(theme, 1.0 + 2.2 * -(-len(groups) // columns))
    panels = panel_grid(figure, len(groups), columns, sharex=True, sharey=True)
    for panel, (group, players) in zip(panels, groups.items(), strict=True):
        for index, condition in enumerate(comparison.conditions):
            found = curves.curve(_with(condition, players), curves.per_capita(players))
            draw_line(panel, found, theme.condition(index), index, condition.name)
        unit = f"{comparison.unit} per head" if panel is panels[0] else ""
        set_titles(panel, f"{label_of(group)}s" if comparison.groups else ALL, unit, True)
    panels[0].set_xlim(0, last_time(comparison))
    panels[0].set_ylim(bottom=0)
    draw_legend(figure, panels[0])
    return figure


def _with(condition: ConditionRuns, players: Sequence[str]) -> Sequence[ReportedRun]:
    """Return the runs in which these players take part."""
    return [run for run in condition.runs if set(players) <= set(run.players)]


def draw_measures(comparison: Comparison, theme: Theme) -> Figure:
    """Draw a panel per measure: a bar per condition and part of the population, every run as a marker."""
    names = [name for name in comparison.own_measures if name not in PARTS and not name.startswith(HITS_ON)]
    single = comparison.each_measures
    names += single
    groups = comparison.groups or {ALL: comparison.players}
    # A share of nothing would be an empty panel.
    shares = [
        title
        for title, parts in RATIOS.items()
        if set(parts) <= set(comparison.own_measures)
        and any(_share(condition, title, comparison.players) for condition in comparison.conditions)
    ]
    players = {player: (player,) for player in comparison.players}
    columns = COLUMNS
    figure = new_figure(theme, 0.9 + 2.4 * -(-(len(names) + len(shares)) // columns))
    panels = panel_grid(figure, len(names) + len(shares), columns)
    for place, panel in enumerate(panels):
        highest = 0.0
        title = names[place] if place < len(names) else shares[place - len(names)]
        for index, condition in enumerate(comparison.conditions):
            parts = players if title in single else groups
            for part, (group, named) in enumerate(parts.items()):
                drawn = _counts(condition, title, named) if title in names else _share(condition, title, named)
                width = 0.62 / len(parts)
                centre = index + (part - (len(parts) - 1) / 2) * 1.15 * width
                colour = theme.player(part) if len(parts) > 1 else theme.condition(index)
                if drawn:
                    values, summary = drawn
                    highest = max(highest, *values)
                    draw_bar(
                        panel,
                        centre,
                        summary,
                        values,
                        width=width,
                        colour=colour,
                        index=part,
                        ink=theme.ink,
                        series=group,
                    )
        shown = label_of(title) if title in names else textwrap.fill(title, NARROW_TITLE if theme.narrow else 99)
        set_titles(panel, shown, UNITS[comparison.gathered(title)] if title in names else "share", False)
        condition_axis(panel, comparison)
        # For zeros alone, matplotlib would show an axis of hundredths.
        panel.set_ylim(0, HEADROOM * highest if highest else 1)
    shown_parts = [f"{label_of(group)}s" for group in groups] if comparison.groups else list(players) if single else []
    if shown_parts:
        patches = [Patch(color=theme.player(part), alpha=0.5) for part in range(len(shown_parts))]
        figure.legend(patches, shown_parts, loc="outside upper right", ncols=min(4, len(shown_parts)))
    return figure


Drawn = tuple[Sequence[float], MeasureSummary]
"""The value of each run, and their summary."""


def _counts(condition: ConditionRuns, measure: str, players: Sequence[str]) -> Drawn | None:
    """Return the measure of these players, aggregated in the run's way; None if no run has it.

    The interval of all players equals the one in result.json: it has the same seed and is cut to the same values.
    """
    found = []
    for run in condition.scored:
        known = [(measure, player) for player in players if (measure, player) in run.figures]
        if not known:
            continue
        how = run.gathered.get(measure, SUM)
        parts = ([run.figures[key] for key in known], *zip(*(run.bounds[key] for key in known), strict=True))
        found.append([gathered_as(SUM if how == EACH else how, part) or 0.0 for part in parts])
    if not found:
        return None
    values, lows, highs = zip(*found, strict=True)
    return values, summarize(values, condition.runs[0].seed).cut_to((min(lows), max(highs)))


def _share(condition: ConditionRuns, title: str, players: Sequence[str]) -> Drawn | None:
    """Return the share in each run in which there was anything to count; None without such a run."""
    counted, of = (
        [sum(run.figure(measure, player) or 0.0 for player in players) for run in condition.scored]
        for measure in RATIOS[title]
    )
    values = [part / whole for part, whole in zip(counted, of, strict=True) if whole]
    return (values, summarize(values, condition.runs[0].seed).cut_to(SHARES)) if values else None


def draw_hits(comparison: Comparison, theme: Theme) -> Figure:
    """Draw hits between players, mean number a run: a panel per condition, a bar per target, in pieces by attacker."""
    columns = theme.columns(COLUMNS)
    figure = new_figure(theme, 0.9 + 2.2 * -(-len(comparison.conditions) // columns))
    panels = panel_grid(figure, len(comparison.conditions), columns, sharey=True)
    for panel, condition in zip(panels, comparison.conditions, strict=True):
        everybody = sum(_hits(condition, attacker, target) for attacker in comparison.players
                        for target in comparison.players)  # fmt: skip
        for place, target in enumerate(comparison.players):
            base = 0.0
            for index, attacker in enumerate(comparison.players):
                height = _hits(condition, attacker, target)
                panel.bar(place, height, 0.6, bottom=base, color=theme.player(index), alpha=0.75,
                          label=label_of(attacker) if place == 0 else None)  # fmt: skip
                note_datum(panel, attacker, "hits", place, height)
                base += height
            if base:
                shown = f"{number(base)} ({base / everybody:.0%})"
                panel.annotate(shown, (place, base), (0, 3), textcoords="offset points", ha="center", fontsize="small")
        set_titles(panel, label_of(condition.name), "hits a run", False)
        panel.set_xticks(range(len(comparison.players)), [label_of(player) for player in comparison.players])
        panel.set_xlabel("who was hit")
        panel.grid(axis="x", visible=False)
        panel.margins(y=0.18)
    draw_legend(figure, panels[0])
    return figure


def _hits(condition: ConditionRuns, attacker: str, target: str) -> float:
    found = condition.measure(f"{HITS_ON}{target.lower()}", attacker)
    return found.mean if found else 0.0


def _anybody_hit(comparison: Comparison) -> bool:
    hits = [name for name in comparison.own_measures if name.startswith(HITS_ON)]
    found = [condition.measure(name, TOGETHER) for condition in comparison.conditions for name in hits]
    return any(each.mean for each in found if each)


FIGURES: Mapping[str, SectionFigure[Comparison]] = {
    "per-capita": SectionFigure(
        "Reward per head",
        "The mean reward of a player over game time, before transfers. Mean of the runs; the shade reaches from the "
        "lowest to the highest run.",
        draw_per_capita,
        lambda comparison: len(comparison.players) >= MANY,
        ("curves.csv",),
        like=(
            "commons 3",
            "commons 6",
            "commons 7",
            "adasociety 3 A",
            "adasociety 3 B",
            "adasociety 10 A",
            "adasociety 11 A",
            "adasociety 12 A",
            "adasociety 13 A",
            "adasociety 14 A",
        ),
    ),
    "measures": SectionFigure(
        "What they did",
        "The scenario's own measures; the axis says whether a run's figure is the players' sum, their mean, or each "
        "player's own. One marker a run, the bar is the mean of the runs, the line its 95 % interval, if it has one.",
        draw_measures,
        lambda comparison: (
            any(not name.startswith(HITS_ON) for name in (*comparison.own_measures, *comparison.each_measures))
            and not game_of(comparison)
        ),
        ("runs.csv", "summary.csv"),
        like=("commons 4", "commons 5", "commons 8", "commons 9"),
    ),
    "hits": SectionFigure(
        "Who hit whom",
        "Effective attacks, mean of the runs: each bar is a target, its pieces are the attackers; in parentheses the "
        "share of all hits in that condition.",
        draw_hits,
        _anybody_hit,
        ("summary.csv",),
        like=("commons 10",),
    ),
}
"""File name without its ending -> figure."""
