"""Files of a study of contributions: a page with a figure, tables as CSV, data as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from accord.analysis.measures import MeasureSummary
from accord.analysis.report.canvas import Figure
from accord.analysis.report.drawing import draw_legend, label_of, new_figure, svg_of
from accord.analysis.report.style import LIGHT, MARKERS, Theme, on_dark_ground
from accord.analysis.report.templating import data_uri, environment
from accord.analysis.report.tournament import SUMMARY, csv_text, summary_cells, write_files
from accord.analysis.shapley import Coalition, Shapley
from dilemmas.records.record import to_json

PAGE, DATA, FIGURE = "report.html", "shapley.json", "contributions.svg"
PLAYERS, COALITIONS, ORDERS = "contributions.csv", "coalitions.csv", "orders.csv"
LINE_IN = 0.42
"""Height of the figure for each player, in inches."""
MAX_SHOWN = 64
"""Maximum number of coalitions on the page; all are in coalitions.csv."""
JOINT = "+"
NOBODY = "nobody"


def write_shapley(found: Shapley, directory: Path) -> Path:
    """Write page, figure, tables and data into the directory; return the page. Raises RecordError."""
    light = svg_of(partial(draw, found, LIGHT), LIGHT)
    ranked = sorted(found.played, key=len)
    shown = {
        "found": found,
        "light": data_uri(light),
        "dark": data_uri(on_dark_ground(light)),
        "coalitions": [(coalition_name(found, each), float(found.value(each))) for each in ranked[:MAX_SHOWN]],
        "left_out": max(0, len(ranked) - MAX_SHOWN),
    }
    texts = {
        DATA: to_json(found.to_dict()),
        PLAYERS: contributions(found),
        COALITIONS: coalitions(found),
        FIGURE: light,
        PAGE: environment().get_template("shapley.html.j2").render(shown),
    }
    if found.blocks:
        texts[ORDERS] = orders(found)
    write_files(texts, directory)
    return directory / PAGE


def coalition_name(found: Shapley, coalition: Coalition) -> str:
    """Return a coalition's members in the order of the players."""
    return JOINT.join(player for player in found.players if player in coalition) or NOBODY


def contributions(found: Shapley) -> str:
    """Return each player's contribution and account, as CSV; the last columns are empty unless welfare is shared."""
    head = ["player", "plays", "stand_in", *SUMMARY[:-1], "n", "reward", "transfer", "payoff"]
    gap_columns = [f"payoff_less_contribution_{name}" for name in SUMMARY[:-1]]
    rows: list[Sequence[object]] = [[*head, *gap_columns]]
    for player in found.players:
        gap = found.gaps.get(player)
        paid = [None] * len(gap_columns) if gap is None else summary_cells(gap)[:-1]
        cells = summary_cells(found.summaries[player])
        rows.append([player, *found.kinds[player], *cells, *found.accounts[player].means, *paid])
    return csv_text(rows)


def coalitions(found: Shapley) -> str:
    """Return the value of each coalition with each seed, as CSV."""
    rows = [
        [coalition_name(found, coalition), len(coalition), seed, float(value)]
        for coalition, values in found.played.items()
        for seed, value in zip(found.seeds, values, strict=True)
    ]
    return csv_text([["coalition", "players", "seed", found.measure], *rows])


def orders(found: Shapley) -> str:
    """Return the drawn orders, as CSV."""
    rows = [[number, ">".join(order)] for number, block in enumerate(found.blocks, 1) for order in block]
    return csv_text([["block", "order"], *rows])


def draw(found: Shapley, theme: Theme) -> Figure:
    """Draw each player's contribution with its interval, beside its reward and its payoff."""
    figure = new_figure(theme, 1.2 + LINE_IN * len(found.players))
    panel = figure.subplots()
    places = list(range(len(found.players), 0, -1))
    means = [found.summaries[player].mean for player in found.players]
    reach = [_reach(found.summaries[player]) for player in found.players]
    error = [[each[side] for each in reach] for side in (0, 1)]
    panel.axvline(0, color=theme.faint, linewidth=0.8)
    panel.errorbar(
        means, places, xerr=error, color=theme.player(0), marker=MARKERS[0], linestyle="none", capsize=3, label="adds"
    )
    if found.compares_pay:
        for index, name in enumerate(("reward", "payoff"), 1):
            values = [found.accounts[player].means[0 if name == "reward" else 2] for player in found.players]
            heights = [place - 0.16 * index for place in places]
            panel.plot(values, heights, color=theme.player(index), marker=MARKERS[index], linestyle="none", label=name)
        draw_legend(figure, panel)
    panel.set_ylim(0.4, len(found.players) + 0.6)
    panel.set_yticks(places, [label_of(player) for player in found.players])
    panel.set_xlabel(label_of(found.measure))
    return figure


def _reach(summary: MeasureSummary) -> tuple[float, float]:
    low, high = summary.ci95 or (summary.mean, summary.mean)
    return max(0.0, summary.mean - low), max(0.0, high - summary.mean)
