"""The mixed model equals statsmodels' and, where all seeds are shared, the paired t test; bad fits have no p."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import mixedlm

from accord.analysis.mixed_model import MISSING, fit_mixed_model
from accord.analysis.plan import AnalysisPlan
from accord.analysis.report.comparison import Comparison, compare
from accord.analysis.report.reader import read_runs
from accord.analysis.report.tables import run_tables
from accord.analysis.statistics import contrasts
from accord.cli import main
from accord.studies.settings import StudySettings
from common.errors import PrerequisiteError
from tests.unit.accord.analysis.report.synthetic import Story, write_run

Values = dict[int, float]


def made_up(seeds: int = 8, effect: float = 30.0) -> tuple[Values, Values]:
    """Return values of two conditions with a large difference between seeds."""
    generator = random.Random(7)
    worlds = {seed: generator.gauss(500, 60) for seed in range(seeds)}
    first, second = ({seed: world + generator.gauss(0, 20) for seed, world in worlds.items()} for _ in "ab")
    return {seed: value + effect for seed, value in first.items()}, second


def test_with_all_seeds_shared_it_is_the_paired_t_test() -> None:
    first, second = made_up()
    found = fit_mixed_model(first, second)
    expected = stats.ttest_rel([*first.values()], [*second.values()])
    assert (found.runs, found.seeds, found.problem) == (16, 8, "")
    assert found.p == pytest.approx(float(expected.pvalue), rel=1e-3)
    assert found.ci95 == pytest.approx(tuple(expected.confidence_interval()), rel=1e-3)
    mirrored = fit_mixed_model(second, first)
    assert mirrored.difference == pytest.approx(-(found.difference or 0))


def test_runs_without_a_partner_count_and_statsmodels_gives_the_same() -> None:
    first, second = made_up()
    for seed in (0, 1):
        del second[seed]
    first[20] = 640.0
    found = fit_mixed_model(first, second)
    rows = [(value, 1, seed) for seed, value in first.items()] + [(value, 0, seed) for seed, value in second.items()]
    frame = pd.DataFrame(rows, columns=["y", "first", "seed"])
    expected = mixedlm("y ~ first", frame, groups=frame["seed"]).fit(reml=True)
    assert found.difference == pytest.approx(expected.params["first"], rel=1e-3)
    t = expected.params["first"] / expected.bse["first"]
    # 15 runs of 9 seeds: 15 - 9 - 1 degrees of freedom within seeds.
    assert found.p == pytest.approx(2 * stats.t.sf(abs(t), 5), rel=1e-3)
    assert (found.runs, found.seeds) == (15, 9)


@pytest.mark.parametrize(
    ("first", "second", "problem"),
    [
        # The two runs of a seed lie further apart than those of different seeds.
        ([1.0, 9.0, 2.0, 8.0, 5.0], [9.0, 1.5, 8.0, 2.0, 6.0], "singular fit|did not converge"),
        ([5.0, 6.0, 9.0], [4.0, 5.0, 8.0], "all differences between runs of equal seeds are the same"),
        ([0.3, 0.6, 0.9], [0.2, 0.5, 0.8], "all differences between runs of equal seeds are the same"),
        ([5.0], [4.0], "fewer than two shared seeds"),
    ],
)
def test_a_bad_fit_is_told_and_has_no_p(first: list[float], second: list[float], problem: str) -> None:
    found = fit_mixed_model(dict(enumerate(first)), dict(enumerate(second)))
    assert (found.difference, found.ci95, found.p) == (None, None, None)
    assert any(part in found.problem for part in problem.split("|"))


def test_few_shared_seeds_have_a_p_without_an_interval() -> None:
    found = fit_mixed_model(*made_up(seeds=4))
    assert found.p is not None
    assert found.ci95 is None


def test_the_plan_asks_for_it_and_its_p_is_corrected_in_the_family() -> None:
    key = ("welfare", "")
    first, second = made_up()
    third, _ = made_up(effect=90.0)
    samples = {name: {key: [*values.values()]} for name, values in (("a", first), ("b", second), ("c", third))}
    seeds = {name: {key: [*first]} for name in samples}
    plan = AnalysisPlan().tested_by(paired=False, mixed=True)
    found = contrasts(samples, seeds=seeds, plan=plan)
    between = found[0]
    assert between.paired is not None
    assert between.paired.mixed == fit_mixed_model(first, second)
    tested = [each.paired.mixed.p for each in found if each.paired and each.paired.mixed and each.paired.mixed.p]
    # a and c differ by a constant, which is no test: the family has two.
    assert len(tested) == 2
    assert min(each.mixed_p_holm for each in found if each.mixed_p_holm) == pytest.approx(2 * min(tested))
    assert between.evidence(paired=True) == (
        between.paired.mixed.difference, between.paired.mixed.ci95, between.mixed_p_holm,
    )  # fmt: skip
    assert all(each.paired and each.paired.mixed is None for each in contrasts(samples, seeds=seeds))


def compared(folder: Path, first: list[int], second: list[int]) -> Comparison:
    for condition, values in (("none", second), ("contract-1", first)):
        for seed, iron in enumerate(values):
            items = {"Gizmo": {"raw_iron": iron}, "Glitch": {"raw_iron": 0}}
            write_run(folder / f"{condition}-{seed}", Story(condition=condition, seed=seed, items=items))
    return compare(read_runs([folder], mixed=True))


def test_sentence_and_table_hold_the_fit(tmp_path: Path) -> None:
    found = compared(tmp_path, [12, 31, 23, 44, 7, 52], [10, 30, 20, 40, 5, 50])
    (contrast,) = [each for each in found.contrasts if each.key == ("welfare", "")]
    sentence = found.sentence()
    assert "Higher welfare under contract-1" in sentence
    assert ", 6 and 6 runs, mixed model." in sentence
    assert found.unfitted == ""
    header, *rows = [line.split(",") for line in run_tables(found)["comparisons.csv"].splitlines()]
    row = next(dict(zip(header, row, strict=True)) for row in rows if "welfare" in row)
    assert float(row["mixed_p_holm"]) == contrast.mixed_p_holm
    assert contrast.to_dict()["paired"]["mixed"]["seeds"] == 6  # type: ignore[index]


def test_a_bad_fit_is_in_the_sentence_and_beside_the_tests(tmp_path: Path) -> None:
    found = compared(tmp_path, [11, 31, 21, 41], [10, 30, 20, 40])
    why = "all differences between runs of equal seeds are the same"
    assert f"(mixed model: {why}, so no test)" in found.sentence()
    assert f"The mixed model has no p for welfare, none and contract-1 ({why})" in found.unfitted
    assert found.unfitted in found.warnings


def test_without_statsmodels_one_line_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(tmp_path / "a", Story())
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    with pytest.raises(PrerequisiteError, match="pip install 'statsmodels>=0"):
        StudySettings("double-vein", mixed=True)
    assert main(["report", str(tmp_path), "--mixed"]) != 0
    assert MISSING in " ".join(capsys.readouterr().err.split())
    # A record that declares the model is read, and says why it has no p.
    assert fit_mixed_model({1: 1.0, 2: 3.0, 3: 9.0}, {1: 2.0, 2: 2.0, 3: 7.0}).problem == MISSING
