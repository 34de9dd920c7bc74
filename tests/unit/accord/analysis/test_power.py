"""Number of runs that decide: known figures, the smallest numbers, and what cannot be estimated."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from accord.analysis.power import LEAST, LEAST_PAIRS, estimate_power
from accord.analysis.statistics import LEVEL, compare_samples
from accord.cli import main
from dilemmas.errors import MeasureError
from tests.unit.accord.analysis.report.synthetic import Story, write_run


def standard(n: int) -> dict[int, float]:
    """Return n values with a standard deviation of 1."""
    values = [float(each) for each in range(n)]
    deviation = (n * (n + 1) / 12) ** 0.5
    return {seed: value / deviation for seed, value in enumerate(values)}


@pytest.mark.parametrize(("effect", "runs"), [(0.5, 64), (0.8, 26), (0.2, 394)])
def test_the_numbers_are_those_of_tables(effect: float, runs: int) -> None:
    """Runs of each side for a power of 80 % (Cohen 1988, table 2.4.1, and G*Power)."""
    found = estimate_power({"none": standard(20)}, effect)
    assert (found.runs, found.deviation, found.degrees) == (runs, pytest.approx(1), 19)
    assert (found.paired_deviation, found.pairs) == (None, None)


def test_pairs_need_fewer_runs_where_seeds_decide_most() -> None:
    noise = random.Random(1)
    one = {seed: 10.0 * seed for seed in range(8)}
    other = {seed: value + noise.gauss(3, 1) for seed, value in one.items()}
    found = estimate_power({"none": one, "c": other}, 3)
    assert found.pairs is not None
    assert found.runs is not None
    assert LEAST_PAIRS <= found.pairs < 10 < found.runs


def test_never_fewer_runs_than_an_exact_test_needs() -> None:
    assert estimate_power({"none": standard(5)}, 100).runs == LEAST
    lowest = compare_samples([0.0, 0.1, 0.2, 0.3], [9.0, 9.1, 9.2, 9.3]).p
    assert lowest is not None
    assert lowest < LEVEL


def test_an_unknown_or_missing_variance_is_told() -> None:
    with pytest.raises(MeasureError, match="two runs or more"):
        estimate_power({"none": {0: 1.0}}, 1)
    with pytest.raises(MeasureError, match="one run of each decides"):
        estimate_power({"none": {0: 1.0, 1: 1.0}}, 1)
    assert estimate_power({"none": standard(5)}, 1e-6).runs is None


def test_the_command_estimates_from_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(4):
        write_run(tmp_path / str(seed), Story(seed=seed, items={"Gizmo": {"raw_iron": 1 + seed}, "Glitch": {}}))
    assert main(["power", str(tmp_path), "--difference", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deviation"] == pytest.approx(4 * (5 / 3) ** 0.5)
    assert main(["power", str(tmp_path), "--difference", "2"]) == 0
    assert "welfare: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--difference", "0"], "error: --difference: 0 is not legal; give a finite number above 0"),
        (["--difference", "inf"], "error: --difference: inf is not legal; give a finite number above 0"),
        (["--difference", "1", "--power", "1"], "error: --power: 1 is not legal; give a number between 0 and 1"),
        (["--difference", "1", "--measure", "joy"], "error: --measure: 'joy' is not in these runs; choose one of "),
        (["--difference", "1"], "no condition has two runs or more"),
    ],
)
def test_bad_input_has_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], line: str
) -> None:
    write_run(tmp_path / "run", Story())
    assert main(["power", str(tmp_path), *options]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert line in told[0]
