"""Figure of the players' paths over the ground seen from above, a panel for each condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accord.analysis.report.blocks import colour_of
from accord.analysis.report.canvas import Axes, Figure, Line2D, Patch, Rectangle
from accord.analysis.report.comparison import Comparison, ConditionRuns
from accord.analysis.report.drawing import label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.maps import Box, commonest, extent, rectangles, runs_of
from accord.analysis.report.model import ReportedEpisode, ReportedRun, Way
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import DASHES, Theme

MAX_RUNS = 12
"""Maximum number of runs of a condition whose paths are drawn, the lowest seeds first."""
MAX_LANDMARKS = 6
"""Maximum number of blocks in the legend."""
COLUMNS = 3
MAX_HEIGHT = 3.8
"""Maximum height of a panel in inches."""


def last_ways(run: ReportedRun) -> ReportedEpisode | None:
    """Return the last episode with known places, or None."""
    return next((episode for episode in reversed(run.episodes) if episode.ways), None)


def draw_places(comparison: Comparison, theme: Theme) -> Figure:
    """Draw the players' paths in the last episodes: a panel for each condition, a colour for each player."""
    rows = _with_ways(comparison)
    box = _extent([episode for condition in rows for episode in _episodes(condition)])
    columns = 2 if theme.narrow else COLUMNS
    columns = min(columns, len(rows))
    shape = (box[3] - box[1]) / (box[2] - box[0])
    lines = -(-len(rows) // columns)
    base = 1.5 if theme.narrow else 1.0
    figure = new_figure(theme, base + lines * (0.4 + min(MAX_HEIGHT, (theme.width - 1.2) / columns * shape)))
    figure.set_layout_engine("compressed")
    panels = panel_grid(figure, len(rows), columns, sharex=True, sharey=True)
    landmarks: dict[str, None] = {}
    for place, (panel, condition) in enumerate(zip(panels, rows, strict=True)):
        landmarks |= dict.fromkeys(_ground(panel, _episodes(condition)[-1], theme))
        for run in _shown(condition):
            _ways(panel, run, comparison.players, theme, len(_shown(condition)))
        _frame(panel, label_of(condition.name), box, left=place % columns == 0, lowest=place + columns >= len(rows))
    _legend(figure, comparison, list(landmarks)[:MAX_LANDMARKS], theme)
    return figure


def _with_ways(comparison: Comparison) -> list[ConditionRuns]:
    return [condition for condition in comparison.conditions if _episodes(condition)]


def _shown(condition: ConditionRuns) -> Sequence[ReportedRun]:
    return [run for run in condition.scored if last_ways(run)][:MAX_RUNS]


def _episodes(condition: ConditionRuns) -> list[ReportedEpisode]:
    return [episode for run in _shown(condition) if (episode := last_ways(run))]


def _extent(episodes: Sequence[ReportedEpisode]) -> Box:
    """Return the common extent of all panels."""
    boxes = []
    for episode in episodes:
        cells = runs_of(episode.ground)
        boxes.append(extent(cells, commonest(cells), episode.ways))
    west, north, east, south = zip(*boxes, strict=True)
    return (min(west), min(north), max(east), max(south))


def _ground(panel: Axes, episode: ReportedEpisode, theme: Theme) -> list[str]:
    """Draw the ground; return the blocks that are landmarks."""
    cells = runs_of(episode.ground)
    common = commonest(cells)
    blocks = set()
    for block, x, z, wide, high in rectangles(cells):
        blocks.add(block)
        alpha = 0.35 if block == common else 0.85
        panel.add_patch(Rectangle((x, z), wide, high, facecolor=colour_of(block), alpha=alpha, linewidth=0))
    return sorted(blocks - {common})


def _ways(panel: Axes, run: ReportedRun, players: Sequence[str], theme: Theme, runs: int) -> None:
    """Draw the paths of one run, paler the more runs there are."""
    episode = last_ways(run)
    alpha = max(0.35, 1 / runs**0.5)
    for index, player in enumerate(players):
        way: Way = episode.ways.get(player, ()) if episode else ()
        for part in way:
            for t_s, x, z in part:
                note_datum(panel, player, f"{run.name} at {t_s:g} s", x, z)
            xs, zs = [x for _, x, _ in part], [z for _, _, z in part]
            panel.plot(
                xs, zs, color=theme.player(index), linestyle=DASHES[index % len(DASHES)], alpha=alpha, linewidth=1.3
            )
        if way:
            _, x, z = way[0][0]
            panel.plot(
                [x], [z], marker="o", markersize=4, markerfacecolor="white", color=theme.player(index), alpha=alpha
            )
            _, x, z = way[-1][-1]
            panel.plot([x], [z], marker="s", markersize=4, color=theme.player(index), alpha=alpha)


def _frame(panel: Axes, title: str, box: Box, *, left: bool, lowest: bool) -> None:
    west, north, east, south = box
    panel.set_title(title)
    panel.set_xlim(west, east)
    # z grows southwards, and north is at the top.
    panel.set_ylim(south, north)
    panel.set_aspect("equal")
    panel.grid(visible=False)
    if lowest:
        panel.set_xlabel("x (blocks)")
        panel.tick_params(labelbottom=True)
    if left:
        panel.set_ylabel("z (blocks)")


def _legend(figure: Figure, comparison: Comparison, landmarks: Sequence[str], theme: Theme) -> None:
    lines = [
        Line2D([], [], color=theme.player(index), linestyle=DASHES[index % len(DASHES)], label=label_of(player))
        for index, player in enumerate(comparison.players)
    ]
    ends = [
        Line2D(
            [], [], color=theme.ink, marker=marker, markersize=4, markerfacecolor=face, linestyle="none", label=label
        )
        for marker, face, label in (("o", "white", "start"), ("s", theme.ink, "end"))
    ]
    patches = [Patch(color=colour_of(block), label=label_of(block)) for block in landmarks]
    room = 3 if theme.narrow else 6
    figure.legend(handles=[*lines, *ends, *patches], loc="outside lower center", ncols=room)


FIGURES: Mapping[str, SectionFigure[Comparison]] = {
    "places": SectionFigure(
        "Where they were",
        f"The players' ways in the last episode, seen from above, north is up; at most {MAX_RUNS} runs of a condition, "
        "over the ground as it was built. All places are in ways.csv.",
        draw_places,
        lambda comparison: bool(_with_ways(comparison)),
        ("ways.csv",),
    ),
}
"""File name without its ending -> figure."""
