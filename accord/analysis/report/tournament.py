"""Files of a tournament: a page, the ranking as a figure, both tables as CSV, data as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from accord.analysis.measures import MeasureSummary
from accord.analysis.report.canvas import Figure
from accord.analysis.report.drawing import label_of, new_figure, svg_of
from accord.analysis.report.style import LIGHT, Theme, on_dark_ground
from accord.analysis.report.templating import data_uri, environment
from accord.analysis.tournament import Tournament
from dilemmas.errors import RecordError
from dilemmas.records.record import to_json, write_atomically

PAGE, DATA, RANKING, PAIRS, FIGURE = "report.html", "tournament.json", "ranking.csv", "pairs.csv", "ranking.svg"
LINE_IN = 0.3
"""Height of the figure for each player, in inches."""
SUMMARY = ("mean", "se", "ci95_low", "ci95_high", "seeds")


def write_tournament(found: Tournament, directory: Path) -> Path:
    """Write page, figure, tables and data into the directory; return the page. Raises RecordError."""
    light = svg_of(partial(draw, found, LIGHT), LIGHT)
    shown = {"found": found, "light": data_uri(light), "dark": data_uri(on_dark_ground(light))}
    texts = {
        DATA: to_json(found.to_dict()),
        RANKING: ranking(found),
        PAIRS: pairs(found),
        FIGURE: light,
        PAGE: environment().get_template("tournament.html.j2").render(shown),
    }
    write_files(texts, directory)
    return directory / PAGE


def write_files(texts: Mapping[str, str], directory: Path) -> None:
    """Write file name -> text into a directory, which is made. Raises RecordError."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_atomically(directory / name, text)
    except OSError as error:
        raise RecordError(
            f"cannot write to {directory}: {error.strerror}; make room, or choose another --out"
        ) from None


def ranking(found: Tournament) -> str:
    """Return the ranking as CSV, best player first."""
    head = ["place", "name", *SUMMARY, "won", "games", "cooperation", "above_next"]
    head += ["best_response_gap", "exploitability"]
    rows = [
        [
            *(each.place, each.name, *summary_cells(each.score), each.won, each.games, each.cooperation, each.ahead),
            *(each.gap, each.exploitability),
        ]
        for each in found.standings
    ]
    return csv_text([head, *rows])


def pairs(found: Tournament) -> str:
    """Return the mean payoff of a round for each ordered pair of players, as CSV."""
    rows = [
        [one, other, *summary_cells(score)]
        for one in found.names
        for other in found.names
        if (score := found.against(one, other)) is not None
    ]
    return csv_text([["name", "against", *SUMMARY], *rows])


def draw(found: Tournament, theme: Theme) -> Figure:
    """Draw the scores with their intervals, best player at the top."""
    standings = found.standings
    figure = new_figure(theme, 0.9 + LINE_IN * len(standings))
    panel = figure.subplots()
    places = range(len(standings), 0, -1)
    means = [each.score.mean for each in standings]
    reach = [_reach(each.score) for each in standings]
    error = [[each[side] for each in reach] for side in (0, 1)]
    panel.errorbar(means, list(places), xerr=error, color=theme.player(0), marker="o", linestyle="none", capsize=3)
    panel.set_yticks(list(places), [label_of(each.name) for each in standings])
    panel.set_xlabel("what a round brought")
    return figure


def _reach(summary: MeasureSummary) -> tuple[float, float]:
    low, high = summary.ci95 or (summary.mean, summary.mean)
    return max(0.0, summary.mean - low), max(0.0, high - summary.mean)


def summary_cells(summary: MeasureSummary) -> list[object]:
    """Return a summary as the cells of a table with the columns `SUMMARY`."""
    low, high = summary.ci95 or (None, None)
    return [summary.mean, summary.se, low, high, summary.n]


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV; None is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow(["" if cell is None else cell for cell in row])
    return out.getvalue()
