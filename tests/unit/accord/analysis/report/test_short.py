"""Figures of runs that are too short for a curve or contain only zeros, without axes from -0.04 to 0.04."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from matplotlib.figure import Figure

from accord.analysis.report.drawing import TIME, TOO_SHORT, new_figure, svg_of
from accord.analysis.report.style import LIGHT


def made(draw: Callable[[Figure], None]) -> Figure:
    figures: list[Figure] = []

    def make() -> Figure:
        figures.append(new_figure(LIGHT, 2))
        draw(figures[0])
        return figures[0]

    svg_of(make, LIGHT)
    return figures[0]


@pytest.mark.parametrize("times", [[], [0.0], [5.0, 5.0]])
def test_a_curve_of_one_moment_says_that_it_is_too_short(times: list[float]) -> None:
    def draw(figure: Figure) -> None:
        upper, lower = figure.subplots(2, 1, sharex=True)
        for panel in (upper, lower):
            panel.plot(times, times)
        lower.set_xlabel(TIME)

    for panel in made(draw).axes:
        assert [text.get_text() for text in panel.texts] == [TOO_SHORT]
        assert (len(panel.get_xticks()), len(panel.get_yticks())) == (0, 0)


def test_small_panels_are_not_laid_out_for_the_text() -> None:
    def draw(figure: Figure) -> None:
        for panel in figure.subplots(2, 8).flat:
            panel.set_xlabel(TIME)

    # With visible labels, matplotlib would warn that no room is left for the panels.
    assert len(made(draw).axes) == 16


def test_zeros_alone_have_an_axis_from_0_to_1_and_other_values_their_own() -> None:
    def draw(figure: Figure) -> None:
        zeros, bars, values, shares = figure.subplots(1, 4)
        zeros.plot([0, 10], [0, 0])
        zeros.set_xlabel(TIME)
        bars.bar([0, 1], [0, 0])
        values.plot([0, 10], [-0.02, 0.03])
        shares.barh([0, 1], [0, 0])
        shares.set_xlim(left=0)

    zeros, bars, values, shares = made(draw).axes
    assert zeros.get_ylim() == bars.get_ylim() == shares.get_xlim() == (0, 1)
    assert len(zeros.texts) == 0
    assert values.get_ylim()[0] < 0 < values.get_ylim()[1] < 0.1
