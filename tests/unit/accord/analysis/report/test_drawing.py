"""Drawing of figures: one layout pass, with the same result as matplotlib's own."""

from __future__ import annotations

import io
from contextlib import nullcontext
from typing import Any

import matplotlib
import pytest
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from accord.analysis.report import drawing, style
from accord.analysis.report.style import LIGHT


def _figure() -> Figure:
    figure = drawing.new_figure(LIGHT, 2.0)
    for index, panel in enumerate(drawing.panel_grid(figure, 2, 2)):
        panel.plot([0, 1000 * (index + 1)], [0, 1], label=f"player {index}")
        drawing.set_titles(panel, "a title", "welfare (emeralds)", lowest=True)
    drawing.draw_legend(figure, figure.axes[0])
    return figure


@pytest.mark.drawn
def test_a_figure_is_laid_out_once_and_as_matplotlib_would(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: Any = style.settings(LIGHT)
    usual = io.StringIO()
    with matplotlib.rc_context(settings):
        figure = _figure()
        before = figure.axes[0].get_position().bounds
        figure.savefig(usual, format="svg", metadata={"Date": None, "Creator": None})
        assert figure.axes[0].get_position().bounds != before
    drawn: list[Figure] = []
    draw = Figure.draw

    def counted(self: Figure, renderer: Any) -> None:  # noqa: ANN401 - matplotlib's own
        drawn.append(self)
        draw(self, renderer)

    monkeypatch.setattr(Figure, "draw", counted)
    monkeypatch.setattr(drawing, "_PATH", drawing.re.compile("(?!)"))
    assert drawing.svg_of(_figure, LIGHT) == usual.getvalue()
    assert len(drawn) == 1


def test_labels_are_measured_once_and_panels_stand_where_matplotlib_puts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: Any = style.settings(LIGHT)
    with matplotlib.rc_context(settings):
        with monkeypatch.context() as plain:
            plain.setattr(drawing, "ReportFigure", Figure)
            usual = _figure()
            drawing.lay_out(usual)
        measured: list[Axes] = []
        measure = Axes.get_tightbbox

        def counted(self: Axes, *given: Any, **options: Any) -> Any:  # noqa: ANN401 - matplotlib's own
            measured.append(self)
            return measure(self, *given, **options)

        monkeypatch.setattr(Axes, "get_tightbbox", counted)
        figure = _figure()
        drawing.lay_out(figure)
    assert measured == figure.axes
    for panel, other in zip(figure.axes, usual.axes, strict=True):
        assert panel.get_position().bounds == pytest.approx(other.get_position().bounds, abs=0.002)


@pytest.mark.drawn
def test_ticks_that_are_found_once_give_the_same_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> tuple[str, int]:
        searches = 0
        update = Axis._update_ticks

        def counted(self: Axis) -> Any:  # noqa: ANN401 - matplotlib's own
            nonlocal searches
            searches += 1
            return update(self)

        with monkeypatch.context() as patch:
            patch.setattr(Axis, "_update_ticks", counted)
            return drawing.svg_of(_figure, LIGHT), searches

    svg, searches = found()
    monkeypatch.setattr(drawing, "ticks_found_once", lambda _: nullcontext())
    usual, more = found()
    assert svg == usual
    assert searches * 2 < more
