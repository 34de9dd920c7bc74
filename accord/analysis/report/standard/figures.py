"""Figures of every scenario: welfare, resources, blocks of the world, rewards, reputation."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.claims import number
from accord.analysis.report import curves
from accord.analysis.report.canvas import Axes, Figure
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
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import MARKERS, Theme

MAX_ITEMS = 4
"""Maximum number of columns of the resource figure; items that pay come first in the scenario."""
MAX_TITLE = 2
"""Maximum number of players whose payoffs fit into a panel's title."""


def draw_welfare(comparison: Comparison, theme: Theme) -> Figure:
    """Draw welfare over game time with minimum and maximum, and at the end, with every run and the 95 % interval."""
    figure = new_figure(theme, 5.4 if theme.narrow else 3.6)
    over_time, at_end = (
        figure.subplots(2, 1, sharey=True) if theme.narrow else figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    )
    best = comparison.published.optimum or 0
    for index, condition in enumerate(comparison.conditions):
        draw_line(
            over_time, curves.curve(condition.scored, curves.welfare), theme.condition(index), index, condition.name
        )
        if summary := condition.measure("welfare"):
            values = condition.samples["welfare", ""]
            draw_bar(
                at_end,
                index,
                summary,
                values,
                colour=theme.condition(index),
                index=index,
                ink=theme.ink,
                series=condition.name,
                line_at=best,
            )
    set_titles(over_time, "over game time", f"welfare ({comparison.unit})", True)
    set_titles(at_end, "at the end", "", False)
    condition_axis(at_end, comparison)
    if optimum := comparison.published.optimum:
        for panel in (over_time, at_end):
            panel.axhline(optimum, color=theme.faint, linewidth=1, linestyle=(0, (2, 2)), zorder=1)
        # At the left of curves, which start low; beside the bars it would cover their labels.
        over_time.annotate(
            f"best possible: {number(optimum)}", (0, optimum),
            xytext=(3, 3), textcoords="offset points", ha="left", va="bottom", fontsize="small", color=theme.faint,
        )  # fmt: skip
        note_datum(over_time, "best possible", "reference", 0, optimum)
    over_time.set_xlim(0, last_time(comparison))
    over_time.set_ylim(0, 1.12 * max(over_time.get_ylim()[1] / 1.05, best))
    draw_legend(figure, over_time)
    return figure


def draw_resources(comparison: Comparison, theme: Theme) -> Figure:
    """Draw the items held by each player over game time: a row per condition, a column per item."""
    items = comparison.items[:MAX_ITEMS]
    rows = comparison.conditions
    figure = new_figure(theme, 0.9 + 1.75 * len(rows))
    axes = figure.subplots(len(rows), len(items), sharex=True, sharey="col", squeeze=False)
    for row, condition in enumerate(rows):
        for column, item in enumerate(items):
            panel = axes[row][column]
            for index, player in enumerate(comparison.players):
                found = curves.curve(condition.scored, curves.held(player, item))
                draw_line(panel, found, theme.player(index), index, player)
            unit = "items held" if column == 0 else ""
            between = ":\n" if theme.narrow else ": "
            set_titles(panel, f"{label_of(condition.name)}{between}{label_of(item)}", unit, row == len(rows) - 1)
    axes[0][0].set_xlim(0, last_time(comparison))
    draw_legend(figure, axes[0][0])
    return figure


def draw_world(comparison: Comparison, theme: Theme) -> Figure:
    """Draw the blocks in the world over game time: a panel per block, a curve per condition."""
    blocks = comparison.blocks[:MAX_ITEMS]
    columns = theme.columns(min(2, len(blocks)))
    figure = new_figure(theme, 0.9 + 2.3 * -(-len(blocks) // columns))
    panels = panel_grid(figure, len(blocks), columns, sharex=True)
    for place, (panel, block) in enumerate(zip(panels, blocks, strict=True)):
        for index, condition in enumerate(comparison.conditions):
            found = curves.curve(condition.scored, curves.standing(block))
            draw_line(panel, found, theme.condition(index), index, condition.name)
        set_titles(panel, label_of(block), "blocks" if place % columns == 0 else "", place + columns >= len(blocks))
        panel.set_ylim(bottom=0)
    panels[0].set_xlim(0, last_time(comparison))
    draw_legend(figure, panels[0])
    return figure


def draw_rewards(comparison: Comparison, theme: Theme) -> Figure:
    """Draw each player's reward over game time, the difference filled; open markers show payoffs after transfers."""
    rows = comparison.conditions
    columns = theme.columns(2 if len(rows) > 1 else 1)
    figure = new_figure(theme, 0.9 + 2.1 * -(-len(rows) // columns))
    panels = panel_grid(figure, len(rows), columns, sharex=True, sharey=True)
    for place, (panel, condition) in enumerate(zip(panels, rows, strict=True)):
        _reward_panel(panel, condition, comparison, theme)
        unit = comparison.unit if place % columns == 0 else ""
        set_titles(
            panel, f"{label_of(condition.name)}{_after(condition, comparison)}", unit, place + columns >= len(rows)
        )
    panels[0].set_xlim(0, last_time(comparison))
    draw_legend(figure, panels[0])
    return figure


def _reward_panel(panel: Axes, condition: ConditionRuns, comparison: Comparison, theme: Theme) -> None:
    drawn = []
    for index, player in enumerate(comparison.players):
        curve = curves.curve(condition.scored, curves.reward(player))
        draw_line(panel, curve, theme.player(index), index, player)
        if curve is not None:
            drawn.append(curve)
            _payoff_marker(panel, condition, player, curve.times[-1], theme.player(index), index)
    if len(drawn) > 1:
        low = [min(values) for values in zip(*(each.mean for each in drawn), strict=True)]
        high = [max(values) for values in zip(*(each.mean for each in drawn), strict=True)]
        panel.fill_between(drawn[0].times, low, high, step="post", color=theme.difference, alpha=0.2, linewidth=0)


def draw_reputation(comparison: Comparison, theme: Theme) -> Figure:
    """Draw each player's reputation over the rounds: a panel per condition whose councils judged promises."""
    rows = _with_reputation(comparison)
    columns = theme.columns(2 if len(rows) > 1 else 1)
    figure = new_figure(theme, 0.9 + 2.1 * -(-len(rows) // columns))
    panels = panel_grid(figure, len(rows), columns, sharex=True, sharey=True)
    for place, (panel, condition) in enumerate(zip(panels, rows, strict=True)):
        for index, player in enumerate(comparison.players):
            draw_line(panel, curves.reputation(condition.scored, player), theme.player(index), index, player)
        lowest = place + columns >= len(rows)
        set_titles(panel, label_of(condition.name), "reputation" if place % columns == 0 else "", lowest)
        if lowest:
            panel.set_xlabel("round")
        # A score lies between 0 and 1, so integer ticks alone would give no scale.
        panel.set_yticks((0, 0.25, 0.5, 0.75, 1))
    panels[0].set_xlim(left=0)
    panels[0].set_ylim(0, 1)
    draw_legend(figure, panels[0])
    return figure


def _with_reputation(comparison: Comparison) -> list[ConditionRuns]:
    return [
        condition
        for condition in comparison.conditions
        if any(curves.reputation(condition.scored, player) for player in comparison.players)
    ]


def _after(condition: ConditionRuns, comparison: Comparison) -> str:
    """Return the payoffs in words, for the panel's title."""
    if len(comparison.players) > MAX_TITLE:
        return ""
    payoffs = [(player, condition.measure("payoff", player)) for player in comparison.players]
    shown = [f"{label_of(player)} {number(payoff.mean)}" for player, payoff in payoffs if payoff]
    return f": {', '.join(shown)}" if shown else ""


def _payoff_marker(panel: Axes, condition: ConditionRuns, player: str, time: float, colour: str, index: int) -> None:
    """Draw the player's payoff after transfers."""
    payoff = condition.measure("payoff", player)
    if payoff is None:
        return
    low, high = payoff.ci95 or (None, None)
    note_datum(panel, player, "payoff", time, payoff.mean, low=low, high=high)
    marker = MARKERS[index % len(MARKERS)]
    panel.plot([time], [payoff.mean], marker=marker, markersize=7, markerfacecolor="none", markeredgewidth=1.6,
               color=colour, linestyle="none", clip_on=False, zorder=5)  # fmt: skip


FIGURES: Mapping[str, SectionFigure[Comparison]] = {
    "welfare": SectionFigure(
        "Welfare",
        "All players' rewards together. Left: over game time, mean of the runs; the shade goes from the lowest to the "
        "highest run. Right: where it ends; one marker a run, the bar is the mean, the line its 95 % interval, "
        "if it has one.",
        draw_welfare,
        tables=("curves.csv", "runs.csv", "summary.csv"),
        like=("contracts 4",),
    ),
    "resources": SectionFigure(
        "Resources",
        "Items that each player holds over game time, as the server says. Mean of the runs; the shade reaches from the "
        "lowest to the highest run.",
        draw_resources,
        lambda comparison: bool(comparison.items),
        ("curves.csv",),
        like=("contracts 7",),
    ),
    "world": SectionFigure(
        "The world",
        "What stands in the world over game time, of the blocks that the scenario's laws depend on. Mean of the runs; "
        "the shade reaches from the lowest to the highest run.",
        draw_world,
        lambda comparison: bool(comparison.blocks),
        ("curves.csv",),
        like=("commons 6",),
    ),
    "rewards": SectionFigure(
        "Rewards",
        "What the items are worth to who holds them, before transfers; the difference between the players is filled in "
        "red. Open markers: payoffs after the contract's transfers.",
        draw_rewards,
        tables=("curves.csv", "summary.csv"),
        like=("contracts 10", "contracts 11"),
    ),
    "reputation": SectionFigure(
        "Reputation",
        "From promises and rules that the council found kept and broken: (kept + 1) / (kept + broken + 2), over the "
        "rounds of the last episode. Mean of the runs; the shade reaches from the lowest to the highest run.",
        draw_reputation,
        lambda comparison: bool(_with_reputation(comparison)),
        ("reputation.csv",),
        like=("commons 11",),
    ),
}
"""File name without its ending -> figure, in the page's order."""
