from __future__ import annotations

from pathlib import Path

from accord.analysis.report import curves, read_comparison
from accord.analysis.report.reader import read_runs
from accord.analysis.report.standard.figures import FIGURES
from accord.analysis.report.style import LIGHT
from dilemmas.records import events as log
from tests.unit.accord.analysis.report.synthetic import GREEDY, Story, write_run


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


def council(*judged: tuple[int, str, str]) -> tuple[log.CouncilEntry, ...]:
    """Return the events of a council of Gizmo and Glitch with these verdicts on promises: (round, verdict, player)."""
    entries: list[log.Json] = [
        {"what": "council", "round": 1, "members": ["Gizmo", "Glitch"]},
        *({"what": what, "round": number, "player": player} for number, what, player in judged),
        {"what": "game_over", "round": 9},
    ]
    return tuple(log.CouncilEntry(entry=entry) for entry in entries)


def test_reputation_over_the_rounds_is_what_promises_make_it(tmp_path: Path) -> None:
    told = council((3, "kept", "Gizmo"), (3, "broken", "Glitch"), (5, "kept", "Gizmo"))
    write_run(tmp_path / "a", Story(seed=0, extra=told))
    write_run(tmp_path / "b", Story(seed=1, extra=council((4, "broken", "Gizmo"))))
    runs = read_runs([tmp_path])
    found = curves.reputation(runs[:1], "Gizmo")
    assert found is not None
    assert (found.times, found.mean) == ((0, 3, 5, 9), (1 / 2, 2 / 3, 3 / 4, 3 / 4))
    both = curves.reputation(runs, "Gizmo")
    assert both is not None
    assert (both.low[-1], both.high[-1]) == (1 / 3, 3 / 4)
    assert curves.reputation(runs, "Bob") is None
    assert curves.reputation(read_runs([write_run(tmp_path / "c", Story(extra=council()))]), "Gizmo") is None


def test_reputation_is_the_judgement_where_a_model_judges(tmp_path: Path) -> None:
    told = [
        log.CouncilEntry(entry={"what": "judged", "round": number, "player": "Gizmo", "score": score, "why": "w"})
        for number, score in ((6, 0.3), (11, 0.9))
    ]
    (run,) = read_runs([write_run(tmp_path / "a", Story(extra=(*council((3, "kept", "Gizmo")), *told)))])
    assert curves.standings(run, "Gizmo") == ([6.0, 11.0, 11.0], [0.3, 0.9, 0.9])
    assert curves.standings(run, "Glitch") is None


def test_the_reputation_figure_is_there_where_promises_were_judged(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(extra=council((3, "kept", "Gizmo"))))
    write_run(tmp_path / "b", Story())
    judged, without = (read_comparison([tmp_path / name]) for name in ("a", "b"))
    plot = FIGURES["reputation"]
    assert plot.applies(judged)
    assert not plot.applies(without)
    panel = plot.draw(judged, LIGHT).axes[0]
    assert {str(each.get_label()): each.get_ydata()[-1] for each in panel.lines} == {"Gizmo": 2 / 3, "Glitch": 1 / 2}
