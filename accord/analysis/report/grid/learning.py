"""Figure of learning curves, after figures 3 C and 10 B to 14 B of AdaSociety, with published results beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accord.analysis.report import curves
from accord.analysis.report.canvas import Axes, EngFormatter, Figure, MaxNLocator
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.drawing import draw_legend, draw_line, label_of, new_figure, note_datum, panel_grid, svg_of
from accord.analysis.report.grid import published
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import DASHES, LIGHT, Theme
from grid_games.learning_curves import LearningCurve

LEARNED = "learned"
"""Social behaviour of a policy that was trained on the whole game, as the paper's are."""
DYNAMIC = "dynamic"
"""The structure of Social Structure whose convergence the paper prints."""


def curves_svg(learned: Sequence[LearningCurve], theme: Theme = LIGHT) -> str:
    """Return the figure of learning curves as SVG text, without any run.

    Args:
        learned: Curves of any learners, games and seeds, at least one.
        theme: Colours and width.
    """
    return svg_of(lambda: draw_curves(learned, theme), theme)


def draw_learning(comparison: Comparison, theme: Theme) -> Figure:
    """Draw the learning curves of the runs' players."""
    return draw_curves(comparison.learning, theme)


def draw_curves(learned: Sequence[LearningCurve], theme: Theme) -> Figure:
    """Draw score over steps of training: a panel per game or structure, a curve per learner."""
    panels: dict[str, list[LearningCurve]] = {}
    for each in learned:
        panels.setdefault(each.structure or each.game, []).append(each)
    columns = theme.columns(min(3, len(panels)))
    figure = new_figure(theme, 0.8 + 2.4 * -(-len(panels) // columns))
    drawn = panel_grid(figure, len(panels), columns, sharey=True)
    learners = list(dict.fromkeys(_series(each) for each in learned))
    for place, (panel, (name, found)) in enumerate(zip(drawn, panels.items(), strict=True)):
        for index, learner in enumerate(learners):
            steps = [[(float(p.steps), p.score) for p in each.points] for each in found if _series(each) == learner]
            draw_line(panel, curves.mean_curve(steps), theme.condition(index), index, learner, straight=True)
        _published(panel, found, theme)
        panel.set_title(label_of(name))
        # Millions of steps, written out, would overlap in a column.
        panel.xaxis.set_major_locator(MaxNLocator(nbins=5))
        panel.xaxis.set_major_formatter(EngFormatter(sep=""))
        panel.set_xlabel("steps of training")
        panel.set_ylabel("share of the oracle's" if place % columns == 0 else "")
        panel.set_ylim(bottom=0)
    draw_legend(figure, drawn[0])
    return figure


def _series(curve: LearningCurve) -> str:
    return curve.learner if curve.social == LEARNED else f"{curve.learner}, {curve.social}"


def _published(panel: Axes, found: Sequence[LearningCurve], theme: Theme) -> None:
    """Draw what the paper prints for these learners: scores as lines across, steps to converge as lines upwards."""
    last = max(each.points[-1].steps for each in found)
    of_game = published.SCORES.get(found[0].game, {})
    steps = published.CONVERGENCE.get(found[0].game, {}) if found[0].structure in ("", DYNAMIC) else {}
    for index, who in enumerate(dict.fromkeys(each.learner for each in found)):
        dashes = DASHES[(index + 1) % len(DASHES)]
        if who in of_game:
            note_datum(panel, who, "published", 0, of_game[who][0])
            panel.axhline(of_game[who][0], color=theme.faint, linestyle=dashes, linewidth=0.9,
                          label=f"{who}, published")  # fmt: skip
        if who in steps and steps[who][1] * 1e6 <= last:
            note_datum(panel, who, "published steps", steps[who][1] * 1e6, 0)
            panel.axvline(steps[who][1] * 1e6, color=theme.faint, linestyle=dashes, linewidth=0.9)


FIGURES: Mapping[str, SectionFigure[Comparison]] = {
    "learning-curves": SectionFigure(
        "Learning curves",
        "Score of the episodes of each round of training, from the files that were given: mean of the seeds, the shade "
        "reaches from the lowest to the highest seed. Lines across: what the paper printed for the learner (table 2); "
        "lines upwards: the steps after which it had converged (table 10), where training was as long.",
        draw_learning,
        lambda comparison: bool(comparison.learning),
        ("grid_learning.csv",),
        like=(
            "adasociety 3 C",
            "adasociety 10 B",
            "adasociety 11 B",
            "adasociety 12 B",
            "adasociety 13 B",
            "adasociety 14 B",
        ),
    ),
}
"""File name without its ending -> figure."""
