from __future__ import annotations

from pathlib import Path

from dilemmas.report import curves
from dilemmas.report.reader import read_runs
from tests.unit.report.synthetic import GREEDY, Story, write_run


def test_curves_are_mean_and_range_over_runs(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(seed=0))
    write_run(tmp_path / "b", Story(seed=1, items=GREEDY))
    found = curves.curve(read_runs([tmp_path]), curves.held("Gizmo", "raw_iron"))
    assert found is not None
    assert (found.times[0], found.times[-1]) == (0, 40)
    assert (found.low[-1], found.mean[-1], found.high[-1]) == (9, 10.5, 12)
    assert (found.low[0], found.high[0]) == (0, 0)


def test_a_run_that_ended_earlier_keeps_its_last_value(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(seed=0, game_s=10))
    write_run(tmp_path / "b", Story(seed=1, game_s=100))
    found = curves.curve(read_runs([tmp_path]), curves.reward("Gizmo"))
    assert found is not None
    at_20 = found.times.index(20)
    assert (found.low[at_20], found.high[at_20]) == (8, 48)


def test_welfare_is_the_sum_of_rewards(tmp_path: Path) -> None:
    found = curves.curve(read_runs([write_run(tmp_path / "a", Story())]), curves.welfare)
    assert found is not None
    assert found.mean[-1] == 78


def test_no_samples_no_curve() -> None:
    assert curves.curve([], curves.welfare) is None
