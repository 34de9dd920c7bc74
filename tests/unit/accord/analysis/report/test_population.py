"""Bars of populations: what their intervals are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from accord.analysis.intervals import mean_interval
from accord.analysis.report import read_comparison
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.drawing import shown_in
from accord.analysis.report.standard.population import draw_measures
from accord.analysis.report.style import LIGHT
from tests.unit.accord.analysis.report.synthetic import Story, write_run

SHARES = {"Gizmo": (0.0, 0.03, 0.11, 0.24, 0.9), "Glitch": (0.1, 0.0, 0.0, 0.0, 0.7)}
SEED = 2


def _comparison(run: Path, *, bounded: bool) -> Comparison:
    """Return five runs of one condition in which players have a share each."""
    (found,) = read_comparison([run]).runs
    runs = []
    for number, shares in enumerate(zip(*SHARES.values(), strict=True)):
        known = {("lean", name): share for name, share in zip(SHARES, shares, strict=True)}
        known["lean", ""] = sum(shares) / 2
        bounds = dict.fromkeys(known, (0.0, 1.0) if bounded else (-float("inf"), float("inf")))
        runs.append(replace(found, seed=SEED + number, figures=known, bounds=bounds, gathered={"lean": "mean"}))
    whole = read_comparison([run])
    return replace(whole, conditions=(replace(whole.conditions[0], runs=tuple(runs)),))


@pytest.mark.parametrize("bounded", [True, False])
def test_the_bar_of_all_players_has_the_interval_of_the_table(bounded: bool, tmp_path: Path) -> None:
    comparison = _comparison(write_run(tmp_path / "run", Story(condition="none")), bounded=bounded)
    panels = draw_measures(comparison, LIGHT).axes
    (bar,) = [each for panel in panels for each in shown_in(panel) if each.what == "mean"]
    known = comparison.conditions[0].measure("lean")
    wide = mean_interval([(one + other) / 2 for one, other in zip(*SHARES.values(), strict=True)], SEED)
    assert known is not None
    assert known.ci95 is not None
    assert wide is not None
    assert wide[0] < 0
    assert wide[1] > 1
    assert (bar.y, bar.low, bar.high) == (known.mean, *known.ci95)
    assert known.ci95 == ((0, 1) if bounded else wide)


@pytest.mark.parametrize("near", [0.0, 2.0])
def test_a_share_of_nothing_has_no_panel(near: float, tmp_path: Path) -> None:
    whole = read_comparison([write_run(tmp_path / "run", Story(condition="none"))])
    (run,) = whole.runs
    known = {
        (name, player): value
        for player in ("", *SHARES)
        for name, value in (("takes", 3.0), ("last_apple_moves", near / 2), ("last_apple_near", near))
    }
    run = replace(run, figures=known, bounds=dict.fromkeys(known, (0.0, float("inf"))))
    comparison = replace(whole, conditions=(replace(whole.conditions[0], runs=(run,)),))
    titles = [panel.get_title() for panel in draw_measures(comparison, LIGHT).axes]
    assert any("takes" in each for each in titles)
    assert any("last apple" in each for each in titles) == (near > 0)
