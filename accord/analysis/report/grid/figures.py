"""Figures of grid games: scores beside the paper's, completion of events, degrees, and the society over the steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accord.analysis.claims import number
from accord.analysis.report import curves
from accord.analysis.report.canvas import Figure
from accord.analysis.report.comparison import Comparison, ConditionRuns
from accord.analysis.report.drawing import (
    condition_axis,
    draw_bar,
    draw_legend,
    draw_line,
    label_of,
    new_figure,
    note_datum,
    panel_grid,
)
from accord.analysis.report.grid.findings import COMPLETION, EDGES, NODES, TOGETHER, WHICH, game_of, published_scores
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import DASHES, Theme

HEADROOM = 1.25


def draw_scores(comparison: Comparison, theme: Theme) -> Figure:
    """Draw individual reward and fairness: a bar per condition; at the left the printed scores as lines."""
    figure = new_figure(theme, 3.4)
    panels = panel_grid(figure, 2, 2)
    for panel, measure in zip(panels, ("score", "fairness"), strict=True):
        _bars(comparison, theme, panel, measure)
    left = panels[0]
    for index, (who, (mean, _)) in enumerate(published_scores(comparison).items()):
        note_datum(left, who, "published", 0, mean)
        left.axhline(mean, color=theme.faint, linestyle=DASHES[index % len(DASHES)], linewidth=0.9,
                     label=f"{who} {mean:.4g}")  # fmt: skip
    left.set_title("individual reward")
    left.set_ylabel("share of the oracle's")
    panels[1].set_title("fairness")
    draw_legend(figure, left)
    return figure


def draw_completion(comparison: Comparison, theme: Theme) -> Figure:
    """Draw the runs of each event over the oracle's: a panel per event, a bar per condition."""
    names = [name for name in comparison.own_measures if name.startswith(COMPLETION)]
    columns = 2 if theme.narrow else 4
    figure = new_figure(theme, 0.6 + 2.3 * -(-len(names) // columns))
    for place, (panel, name) in enumerate(zip(panel_grid(figure, len(names), columns), names, strict=True)):
        _bars(comparison, theme, panel, name)
        panel.set_title(label_of(name.removeprefix(COMPLETION)))
        panel.set_ylabel("share of the plan" if place % columns == 0 else "")
    return figure


def _degrees_of(comparison: Comparison) -> list[tuple[str, str]]:
    """Return (kind of node, kind of degree) of the degrees that were measured; none without a scored run."""
    there = set(comparison.own_measures)
    return [(node, which) for node in NODES for which in WHICH if f"{node}_{which}" in there]


def draw_degrees(comparison: Comparison, theme: Theme) -> Figure:
    """Draw degrees at the end: a panel per kind of node and of degree, a bar per condition."""
    shown = _degrees_of(comparison)
    columns = 2 if theme.narrow else 4
    figure = new_figure(theme, 0.6 + 2.3 * -(-len(shown) // columns))
    for panel, (node, which) in zip(panel_grid(figure, len(shown), columns), shown, strict=True):
        _bars(comparison, theme, panel, f"{node}_{which}")
        panel.set_title(f"{NODES[node].lower()}, {which.replace('_', ' ')}", fontsize="small")
    return figure


def _bars(comparison: Comparison, theme: Theme, panel, measure: str) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    highest = 0.0
    for index, condition in enumerate(comparison.conditions):
        values = list(condition.samples.get((measure, ""), ()))
        found = condition.measure(measure)
        if found is not None:
            highest = max(highest, *values)
            colour = theme.condition(index)
            draw_bar(
                panel,
                index,
                found,
                values,
                width=0.6,
                colour=colour,
                index=index,
                ink=theme.ink,
                series=condition.name,
            )
    condition_axis(panel, comparison)
    panel.set_xlabel("")
    panel.set_ylim(bottom=0, top=HEADROOM * highest or 1)


def draw_society(comparison: Comparison, theme: Theme) -> Figure:
    """Draw the society over the steps: edges between agents, and pairs that share a group. A curve per condition."""
    columns = theme.columns(2)
    figure = new_figure(theme, 0.8 + 2.5 * (2 // columns))
    panels = panel_grid(figure, 2, columns, sharex=True)
    for place, (panel, title) in enumerate(zip(panels, (EDGES, TOGETHER), strict=True), 1):
        for index, condition in enumerate(comparison.conditions):
            draw_line(panel, curves.mean_curve(_steps(condition, place)), theme.condition(index), index, condition.name)
        panel.set_title(title)
        panel.set_xlabel("step")
        panel.set_ylim(bottom=0)
    draw_legend(figure, panels[0])
    return figure


def _steps(condition: ConditionRuns, place: int) -> Sequence[Sequence[tuple[float, float]]]:
    """Return (step, value) of each run, up to its end."""
    found = []
    for run in condition.runs:
        if run.grid is not None and run.grid.begun is not None and run.grid.society:
            points = [(float(each[0]), float(each[place])) for each in run.grid.society]
            found.append([*points, (float(run.grid.begun.steps), points[-1][1])])
    return found


def draw_exchanges(comparison: Comparison, theme: Theme) -> Figure:
    """Draw exchanged units by role of giver and taker: mean number a run, a bar per condition."""
    ways = _ways(comparison)
    figure = new_figure(theme, 0.8 + 0.5 * max(2, len(ways)) * (0.5 + 0.16 * len(comparison.conditions)))
    (panel,) = panel_grid(figure, 1, 1)
    height = 0.8 / len(comparison.conditions)
    for index, condition in enumerate(comparison.conditions):
        for place, way in enumerate(ways):
            mean = _mean(condition, way)
            at = place + (index - (len(comparison.conditions) - 1) / 2) * height
            note_datum(panel, condition.name, way, at, mean)
            panel.barh(at, mean, height * 0.92, color=theme.condition(index), alpha=0.7,
                       label=label_of(condition.name) if not place else None)  # fmt: skip
            panel.annotate(number(mean), (mean, at), (3, 0), textcoords="offset points", va="center", fontsize="small")
    panel.set_yticks(range(len(ways)), ["\n".join(label_of(part) for part in way.split(": ")) for way in ways])
    panel.set_ylim(len(ways) - 0.5, -0.5)
    panel.set_xlabel("units a run")
    panel.grid(axis="y", visible=False)
    draw_legend(figure, panel)
    return figure


def _way(roles: Mapping[str, str], giver: str, taker: str, resource: str) -> str:
    return f"{resource}: {roles[giver]} to {roles[taker]}"


def _ways(comparison: Comparison) -> list[str]:
    found: dict[str, int] = {}
    for run in comparison.runs:
        if run.grid is not None and run.grid.begun is not None:
            for (giver, taker, resource), count in run.grid.exchanges.items():
                way = _way(run.grid.begun.roles, giver, taker, resource)
                found[way] = found.get(way, 0) + count
    return sorted(found, key=lambda way: (-found[way], way))[:12]


def _mean(condition: ConditionRuns, way: str) -> float:
    """Return the mean number of units a run between these roles."""
    plays = [run.grid for run in condition.runs if run.grid is not None and run.grid.begun is not None]
    whole = 0
    for play in plays:
        assert play.begun is not None
        roles = play.begun.roles
        whole += sum(count for key, count in play.exchanges.items() if _way(roles, *key) == way)
    return whole / len(plays) if plays else 0.0


def _is_grid(comparison: Comparison) -> bool:
    return bool(game_of(comparison))


FIGURES: Mapping[str, SectionFigure[Comparison]] = {
    "grid-scores": SectionFigure(
        "Individual reward and fairness",
        "Left: the mean individual reward as a share of an agent's part of the oracle's total; the lines are what the "
        "paper printed for this game (tables 2, 3 and 8). Right: fairness, 1 - Gini. One marker a run, the bar is the "
        "mean, the line its 95 % interval, if it has one.",
        draw_scores,
        _is_grid,
        ("grid_score.csv", "grid_fairness.csv"),
        like=("adasociety 7", "adasociety 8", "adasociety table 2", "adasociety table 3", "adasociety table 8"),
    ),
    "grid-completion": SectionFigure(
        "Completion of events",
        "How often each event was run, over how often the oracle's plan runs it.",
        draw_completion,
        lambda comparison: any(name.startswith(COMPLETION) for name in comparison.own_measures),
        ("grid_completion.csv",),
        like=(
            "adasociety 9 B",
            "adasociety 10 D",
            "adasociety 11 D",
            "adasociety 12 D",
            "adasociety 13 D",
            "adasociety 14 D",
        ),
    ),
    "grid-degrees": SectionFigure(
        "Degrees",
        "Degrees of the social graph's nodes at the end: average and maximum, in and out. A group counts its members.",
        draw_degrees,
        lambda comparison: bool(_degrees_of(comparison)),
        ("grid_degrees.csv",),
        like=("adasociety table 9",),
    ),
    "grid-society": SectionFigure(
        "The society over time",
        "Left: who shows whom what it sees, counted as edges. Right: pairs that are in a group together. Mean of the "
        "runs; the shade reaches from the lowest to the highest run.",
        draw_society,
        _is_grid,
        ("grid_society.csv",),
    ),
    "grid-exchanges": SectionFigure(
        "Who gave what to whom",
        "Units that one player dropped and another picked up, by their roles: mean number a run, the commonest first.",
        draw_exchanges,
        lambda comparison: bool(_ways(comparison)),
        ("grid_exchanges.csv", "grid_reward.csv"),
    ),
}
"""File name without its ending -> figure."""
