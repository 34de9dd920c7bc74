"""Learning curves: written by a learner, read back, drawn beside the runs with the paper's numbers."""

from __future__ import annotations

import asyncio
import csv
import re
from pathlib import Path

import pytest

from accord.analysis.report import read_comparison
from accord.analysis.report.drawing import shown_in
from accord.analysis.report.grid.findings import with_learning_curves
from accord.analysis.report.grid.learning import FIGURES, curves_svg, draw_curves
from accord.analysis.report.grid.published import CONVERGENCE
from accord.analysis.report.grid.tables import grid_tables
from accord.analysis.report.paper.figures import paper_files
from accord.analysis.report.paper.settings import FigureSettings
from accord.analysis.report.sections import found_sections
from accord.analysis.report.style import LIGHT
from accord.cli import main
from dilemmas.errors import UsageError
from grid_games import GridError
from grid_games.learning_curves import HEAD, CurvePoint, LearningCurve, curve_file, read_curves, write_curves
from tests.unit.dilemmas.scenarios.ada.scene import played


def curve(seed: int = 0, structure: str = "isolation", **more: str) -> LearningCurve:
    """Return a made-up curve that learns more with a higher seed."""
    points = tuple(CurvePoint(steps * 4000, 100.0 * steps, 0.1 * steps + 0.02 * seed) for steps in (1, 2, 3))
    named = {"learner": "PPO", "game": "ada-social-structure", "social": "learned", **more}
    return LearningCurve(structure=structure, seed=seed, points=points, **named)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study")
    return asyncio.run(
        played("ada-social-structure", out, agents="random", contracts=("isolation",), time_limit_s=8)
    ).directory


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = curve_file(tmp_path / "alone.npz")
    assert path.name == "alone.curve.csv"
    curves = [curve(0), curve(1), curve(0, "dynamic", learner="RecPPO")]
    write_curves(path, curves)
    assert read_curves(path) == curves


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no learning curve; its first line has to be learner,game"),
        ("a,b\n1,2\n", "is no learning curve"),
        (f"{','.join(HEAD)}\n", "with rows below it"),
        (f"{','.join(HEAD)}\nPPO,g,,alone,0,10,1\n", "line 2: 'PPO,g,,alone,0,10,1' is no point"),
        (f"{','.join(HEAD)}\nPPO,g,,alone,0,ten,1,1\n", "line 2: .* is no point"),
        (f"{','.join(HEAD)}\nPPO,g,,alone,0,10,1,nan\n", "line 2: a return has to be a finite number, not 1, nan"),
        (f"{','.join(HEAD)}\nPPO,g,,alone,0,{10**400},1,1\n", "line 2: 1000.* steps are not legal; give 0 to"),
        (f"{','.join(HEAD)}\n" + 2 * "PPO,g,,alone,0,10,1,1\n", "line 3: 10 steps do not follow the row before"),
    ],
)
def test_a_file_that_is_no_curve_is_refused_in_one_line(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(GridError, match=why) as refused:
        read_curves(path)
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GridError, match="cannot be read"):
        read_curves(tmp_path / "none.csv")


def test_curves_of_another_game_or_twice_the_same_are_refused(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    comparison = read_comparison([runs])
    other, own = tmp_path / "other.csv", tmp_path / "own.csv"
    write_curves(other, [curve(game="ada-contract")])
    write_curves(own, [curve()])
    with pytest.raises(UsageError, match="its game is ada-contract, but these runs play ada-social-structure"):
        with_learning_curves(comparison, [other])
    with pytest.raises(UsageError, match="two files hold the same learner, game and seed"):
        with_learning_curves(comparison, [own, own])
    assert main(["report", str(runs), "--out", str(tmp_path), "--learning-curve", str(tmp_path / "none.csv")]) == 2
    assert "none.csv: cannot be read" in " ".join(capsys.readouterr().err.split())


@pytest.mark.drawn
def test_the_figure_shows_the_mean_of_the_seeds_and_what_the_paper_prints(runs: Path, tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    far = LearningCurve("PPO", "ada-social-structure", "dynamic", "learned", 0, (CurvePoint(7_000_000, 9.0, 0.5),))
    write_curves(path, [curve(0), curve(1), far])
    comparison = with_learning_curves(read_comparison([runs]), [path])
    files = paper_files(comparison, found_sections(comparison), FigureSettings(formats=("svg",)))
    assert {"figures/learning-curves-1col.svg", "figures/learning-curves-2col.svg"} <= set(files)
    shown = files["figures/learning-curves-1col.svg"].decode()
    # Numbers of steps written out would overlap.
    assert {"12k", "6M"} <= set(re.findall(r">([0-9]+[kM])<", shown))
    assert "0000<" not in shown
    rows = list(csv.DictReader(files["figures/learning-curves.csv"].decode().splitlines()))
    isolation = [row for row in rows if row["panel"] == "isolation"]
    table = list(csv.DictReader(grid_tables(comparison)["grid_learning.csv"].splitlines()))
    for row in isolation:
        scores = [float(each["score"]) for each in table
                  if (each["structure"], float(each["steps"])) == ("isolation", float(row["x"]))]  # fmt: skip
        assert len(scores) == 2
        assert float(row["y"]) == pytest.approx(sum(scores) / 2)
        assert (float(row["low"]), float(row["high"])) == (min(scores), max(scores))
    assert [row["shows"] for row in isolation] == ["mean"] * 3
    converged = next(row for row in rows if row["shows"] == "published steps")
    assert (converged["panel"], float(converged["x"])) == (
        "dynamic",
        1e6 * CONVERGENCE["ada-social-structure"]["PPO"][1],
    )


def test_curves_are_drawn_without_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[6] / "examples"))
    import curves

    one, two, out = tmp_path / "one.curve.csv", tmp_path / "two.curve.csv", tmp_path / "curves.svg"
    write_curves(one, [curve(0), curve(1)])
    write_curves(two, [curve(0, "dynamic", learner="RecPPO")])
    curves.main([str(one), str(two), "--out", str(out)])
    assert "3 curves" in capsys.readouterr().out
    learned = read_curves(one) + read_curves(two)
    assert out.read_text() == curves_svg(learned)
    figure = draw_curves(learned, LIGHT)
    assert [panel.get_title() for panel in figure.axes] == ["isolation", "dynamic"]
    means = [(each.series, each.x, each.y) for panel in figure.axes for each in shown_in(panel) if each.what == "mean"]
    assert means[:2] == [("PPO", 4000, pytest.approx(0.11)), ("PPO", 8000, pytest.approx(0.21))]
    assert {name for name, _, _ in means} == {"PPO", "RecPPO"}
    with pytest.raises(GridError, match="two files hold the same learner, game and seed"):
        curves.main([str(one), str(one), "--out", str(out)])
    with pytest.raises(GridError, match=r"--out .*none/a.svg: cannot be written \(no such file"):
        curves.main([str(one), "--out", str(tmp_path / "none" / "a.svg")])


def test_without_files_there_is_no_figure(runs: Path) -> None:
    comparison = read_comparison([runs])
    assert not FIGURES["learning-curves"].applies(comparison)
    assert "grid_learning.csv" not in grid_tables(comparison)
