"""Files of an atlas: a page with 12 x 12 maps, the maps as a figure, tables as CSV, data as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from accord.analysis.atlas import MEASURES, Atlas, AtlasPlay, SeatRound, map_order
from accord.analysis.measures import MeasureSummary
from accord.analysis.report.canvas import Figure, LinearSegmentedColormap
from accord.analysis.report.drawing import label_of, new_figure, svg_of
from accord.analysis.report.style import LIGHT, Theme, on_dark_ground
from accord.analysis.report.templating import data_uri, environment
from accord.analysis.report.tournament import SUMMARY, csv_text, summary_cells, write_files
from dilemmas.records.record import to_json
from voyager_agents.stage_games.atlas import LAYER_NAMES, OrdinalGame, patterns

PAGE, DATA, FIGURE = "report.html", "atlas.json", "maps.svg"
GAMES, AGENTS, PLAYS, EQUILIBRIA = "games.csv", "agents.csv", "plays.csv", "equilibria.csv"
TITLES = {
    "cooperation": "cooperation",
    "own_best": "choice of the own best outcome",
    "equilibrium": "equilibrium play",
    "consistency": "consistency under relabelling",
    "foresight": "accuracy of beliefs about the partner",
    "reflection": "accuracy of beliefs about the partner's beliefs",
}
"""Measure -> title of its map."""
SHORT = {
    "cooperation": "cooperation", "own_best": "own best", "equilibrium": "equilibrium", "consistency": "consistency",
    "foresight": "beliefs", "reflection": "beliefs, 2nd",
}  # fmt: skip
"""Measure -> title in the figure and in tables."""
MAP_IN = 1.5
"""Height of a row of maps in the figure, in inches."""
MISSING = "x"
"""Letter for a player that made no choice, in plays.csv."""


@dataclass(frozen=True)
class MapCell:
    """One game on a map of the page."""

    x: int
    y: int
    value: float | None
    """0 to 1; None without a value."""
    told: str
    """Text that the page shows when the cell is pointed at."""


@dataclass(frozen=True)
class AtlasMap:
    """A measure of one agent in all games."""

    measure: str
    title: str
    cells: tuple[MapCell, ...]


def write_atlas(found: Atlas, directory: Path) -> Path:
    """Write page, figure, tables and data into the directory; return the page. Raises RecordError."""
    light = svg_of(partial(draw, found, LIGHT), LIGHT)
    shown = {
        "found": found,
        "measures": [(measure, SHORT[measure]) for measure in MEASURES if found.has(measure)],
        "maps": [
            (name, [map_of(found, name, each) for each in MEASURES if found.whole(name, each)]) for name in found.names
        ],
        "patterns": [each.name for each in patterns()],
        "layers": LAYER_NAMES,
        "light": data_uri(light),
        "dark": data_uri(on_dark_ground(light)),
    }
    texts = {
        DATA: to_json(found.to_dict()),
        AGENTS: agents(found),
        GAMES: by_game(found),
        PLAYS: plays(found),
        FIGURE: light,
        PAGE: environment().get_template("atlas.html.j2").render(shown),
    }
    if found.answers:
        texts[EQUILIBRIA] = equilibria(found)
    write_files(texts, directory)
    return directory / PAGE


def agents(found: Atlas) -> str:
    """Return each measure of each agent over all games, as CSV."""
    rows = [
        [name, measure, *summary_cells(summary)]
        for name in found.names
        for measure, summary in [("score", found.score(name)), *((each, found.whole(name, each)) for each in MEASURES)]
        if summary is not None
    ]
    return csv_text([["agent", "measure", *SUMMARY], *rows])


def by_game(found: Atlas) -> str:
    """Return each measure of each agent as row player of each game, as CSV."""
    rows = [
        [name, game.id, game.name, game.layer, len(game.equilibria), measure, *summary_cells(summary)]
        for name in found.names
        for game in _all_games()
        for measure in MEASURES
        if (summary := found.cell(name, measure, game.id)) is not None
    ]
    return csv_text([["agent", "game", "name", "layer", "pure_equilibria", "measure", *SUMMARY], *rows])


def plays(found: Atlas) -> str:
    """Return one row for each play, as CSV; choices are by their place in the presentation of the atlas."""
    head = [
        "game", "labels", "story", "row", "column", "seed", "row_choices", "column_choices", "row_expects",
        "column_expects", "row_score", "column_score", "invalid",
    ]  # fmt: skip
    return csv_text([head, *(_play_row(each) for each in found.plays)])


def _play_row(play: AtlasPlay) -> list[object]:
    parts = [[each[seat] for each in play.rounds] for seat in (0, 1)]
    choices = ["".join(map(_letter, (part.choice for part in own))) for own in parts]
    expected = [_expectations(own) for own in parts]
    form = play.presentation
    head = [play.game, form.labels, form.story, *play.pair, play.seed]
    return [*head, *choices, *expected, *play.scores, int(play.invalid)]


def _expectations(parts: list[SeatRound]) -> str:
    """Return what a player expected of its partner in each round; empty if it never expected anything."""
    found = [part.expects for part in parts]
    return "" if all(each is None for each in found) else "".join(map(_letter, found))


def _letter(place: int | None) -> str:
    return MISSING if place is None else str(place)


def equilibria(found: Atlas) -> str:
    """Return TMGBench's measures of each agent that was asked for equilibria, as CSV."""
    rows = []
    for each in found.answers:
        told = [
            ("perfect_accuracy_rate", each.perfect),
            *((f"perfect_accuracy_rate_{count}", rate) for count, rate in each.by_count.items()),
            ("inconsistency_degree", each.inconsistency),
            *([] if each.bias is None else [("bias_degree", each.bias)]),
        ]
        rows += [[each.agent, each.asked, measure, *summary_cells(summary)] for measure, summary in told]
    return csv_text([["agent", "answers", "measure", *SUMMARY[:-1], "games"], *rows])


def map_of(found: Atlas, agent: str, measure: str) -> AtlasMap:
    """Return the map of a measure of an agent."""
    cells = [
        MapCell(x, y, None if summary is None else summary.mean, _told(game, summary))
        for y, row in enumerate(map_order())
        for x, game in enumerate(row)
        for summary in [found.cell(agent, measure, game.id)]
    ]
    return AtlasMap(measure, TITLES[measure], tuple(cells))


def _told(game: OrdinalGame, summary: MeasureSummary | None) -> str:
    head = f"{game.id} {game.name}"
    if summary is None:
        return f"{head}: no value"
    ends = "" if summary.ci95 is None else f" [{summary.ci95[0]:.2f}, {summary.ci95[1]:.2f}]"
    return f"{head}: {summary.mean:.2f}{ends}, {summary.n} seeds"


def _all_games() -> Iterator[OrdinalGame]:
    for row in reversed(map_order()):
        yield from row


def draw(found: Atlas, theme: Theme) -> Figure:
    """Draw all maps: a row for each agent, a column for each measure."""
    measures = [each for each in MEASURES if found.has(each)]
    figure = new_figure(theme, 0.5 + MAP_IN * len(found.names))
    panels = figure.subplots(len(found.names), len(measures), squeeze=False)
    clear = f"{theme.player(0)}00"
    shades = LinearSegmentedColormap.from_list("shares", [clear, theme.player(0)]).with_extremes(bad=theme.grid)
    for row, name in enumerate(found.names):
        for column, measure in enumerate(measures):
            panel = panels[row][column]
            values = [[_value(found.cell(name, measure, game.id)) for game in line] for line in map_order()]
            drawn = panel.imshow(values, cmap=shades, vmin=0, vmax=1, interpolation="nearest")
            panel.set_xticks([])
            panel.set_yticks([])
            panel.axhline(5.5, color=theme.ink, linewidth=0.6)
            panel.axvline(5.5, color=theme.ink, linewidth=0.6)
            if not row:
                panel.set_title(SHORT[measure])
            if not column:
                panel.set_ylabel(label_of(name))
    figure.colorbar(drawn, ax=panels, ticks=(0, 1))
    return figure


def _value(summary: MeasureSummary | None) -> float:
    return float("nan") if summary is None else summary.mean
