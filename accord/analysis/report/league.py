"""Files of a league: a page, the ranking as a figure, tables as CSV, and `league.json` with hashes for verification."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from accord.analysis.league import CENTRE, League, LeagueGame
from accord.analysis.report.canvas import Figure
from accord.analysis.report.drawing import label_of, new_figure, svg_of
from accord.analysis.report.style import LIGHT, Theme, on_dark_ground
from accord.analysis.report.templating import data_uri, environment
from accord.analysis.report.tournament import LINE_IN, csv_text, summary_cells, write_files
from dilemmas.errors import RecordError
from dilemmas.records.manifest import digest
from dilemmas.records.record import to_json, write_atomically

FORMAT = 1
PAGE, DATA, GAMES, RANKING, RETURNS, FIGURE = (
    "report.html", "league.json", "games.csv", "ranking.csv", "returns.csv", "ranking.svg",
)  # fmt: skip
OWN = (PAGE, GAMES, RANKING, RETURNS, FIGURE)
"""Files that are made from the results."""
GAME_COLUMNS = (
    "scenario", "seed", "player", "seats", "focal", "background", "welfare", "gini", "exploitability", "record",
    "invalid",
)  # fmt: skip
BETWEEN = ";"
"""Separator of seats."""


def write_league(found: League, directory: Path, files: Iterable[Path], players: Mapping[str, str]) -> Path:
    """Write page, figure, tables and data into the league's folder; return the page. Raises RecordError.

    Args:
        found: The results.
        directory: The league's folder.
        files: Files of the league and of its records, whose hashes are published.
        players: Focal player -> hash of the files that it plays by.
    """
    light = svg_of(partial(draw, found, LIGHT), LIGHT)
    shown = {"found": found, "light": data_uri(light), "dark": data_uri(on_dark_ground(light)), "players": players}
    texts = {
        GAMES: games_csv(found.games),
        RANKING: ranking_csv(found),
        RETURNS: returns_csv(found),
        FIGURE: light,
        PAGE: environment().get_template("league.html.j2").render(shown),
    }
    write_files(texts, directory)
    told = {
        "format": FORMAT,
        "versions": {"accord": metadata.version("accord-mc")},
        "league": found.to_dict(),
        "players": {name: players.get(name) for name in found.players},
        "files": hashes([*files, *(directory / name for name in OWN)], directory),
    }
    try:
        write_atomically(directory / DATA, to_json(told))
    except OSError as error:
        raise RecordError(f"cannot write {directory / DATA}: {error.strerror}; make room for it") from None
    return directory / PAGE


def hashes(files: Iterable[Path], directory: Path) -> dict[str, dict[str, Any]]:
    """Return path in the directory -> bytes and SHA-256 of each file, in order of paths."""
    return {
        path.relative_to(directory).as_posix(): {"bytes": path.stat().st_size, "sha256": digest([path])}
        for path in sorted(files)
    }


def games_csv(games: Iterable[LeagueGame]) -> str:
    """Return one row per game, as CSV. The inverse is `read_games`."""
    rows = [
        [
            *(each.scenario, each.seed, each.player, BETWEEN.join(each.seats), each.focal, each.background),
            *(each.welfare, each.gini, each.exploitability, each.record, int(each.invalid)),
        ]
        for each in games
    ]
    return csv_text([GAME_COLUMNS, *rows])


def read_games(text: str) -> list[LeagueGame]:
    """Return the games of a table. Raises ValueError for a table of another form."""
    head, *rows = csv.reader(io.StringIO(text))
    if tuple(head) != GAME_COLUMNS:
        raise ValueError("other columns")
    found = []
    for scenario, seed, player, seats, focal, background, welfare, gini, exploitability, record, bad in rows:
        numbers = [float(each) if each else None for each in (focal, background, welfare, gini, exploitability)]
        if numbers[0] is None or numbers[2] is None or not all(each is None or math.isfinite(each) for each in numbers):
            raise ValueError("a number is missing")
        own = tuple(seats.split(BETWEEN))
        found.append(
            LeagueGame(
                scenario,
                int(seed),
                player,
                own,
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                numbers[4],
                record,
                bad == "1",
            )
        )
    return found


def ranking_csv(found: League) -> str:
    """Return the ranking as CSV, best player first."""
    head = ["place", "player", "rating", "ci95_low", "ci95_high", "scenarios_ci95_low", "scenarios_ci95_high"]
    head += ["above_next", "normalized", "normalized_ci95_low", "normalized_ci95_high", "welfare", "gini"]
    head += ["exploitability", "games"]
    rows: list[Sequence[object]] = [
        [
            *(each.place, each.name, each.rating, *(each.interval or (None, None)), *(each.wide or (None, None))),
            *(each.ahead, each.normalized, *(each.normalized_interval or (None, None)), each.welfare, each.gini),
            *(each.exploitability, each.games),
        ]
        for each in found.standings
    ]
    return csv_text([head, *rows])


def returns_csv(found: League) -> str:
    """Return the focal per-capita return of each player in each scenario, as CSV."""
    head = ["scenario", "game", "mode", "focal", "players", "player", "mean", "se", "ci95_low", "ci95_high", "seeds"]
    rows = [
        [
            *(each.name, each.game, each.mode, each.focal, each.players, name, *summary_cells(summary)),
            *(found.normalized_in(each.name, name), *_beside(found, each.name, name)),
        ]
        for each in found.scenarios
        for name in found.players
        if (summary := found.summary(each.name, name)) is not None
    ]
    return csv_text([[*head, "normalized", "background", "welfare", "gini", "exploitability"], *rows])


def _beside(found: League, scenario: str, player: str) -> list[float | None]:
    """Return the means of the other values of a player in a scenario."""
    summaries = (
        found.summary(scenario, player, value)
        for value in (
            lambda game: game.background,
            lambda game: game.welfare,
            lambda game: game.gini,
            lambda game: game.exploitability,
        )
    )
    return [None if each is None else each.mean for each in summaries]


def draw(found: League, theme: Theme) -> Figure:
    """Draw the ratings with their intervals over seeds (thick) and over scenarios (thin), best player at the top."""
    standings = found.standings
    figure = new_figure(theme, 0.9 + LINE_IN * len(standings))
    panel = figure.subplots()
    places = range(len(standings), 0, -1)
    panel.axvline(CENTRE, color=theme.ink, linewidth=0.6, linestyle=":")
    for place, each in zip(places, standings, strict=True):
        if each.wide is not None:
            panel.plot(each.wide, [place, place], color=theme.player(0), linewidth=0.8)
        if each.interval is not None:
            panel.plot(each.interval, [place, place], color=theme.player(0), linewidth=2.4)
    panel.plot([each.rating for each in standings], list(places), color=theme.player(0), marker="o", linestyle="none")
    panel.set_yticks(list(places), [label_of(each.name) for each in standings])
    panel.set_xlabel("rating")
    return figure
