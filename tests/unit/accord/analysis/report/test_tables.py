from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from accord.analysis.report.comparison import compare
from accord.analysis.report.reader import read_runs
from accord.analysis.report.tables import run_tables
from tests.unit.accord.analysis.report.synthetic import GREEDY, Story, write_run

Rows = list[dict[str, str]]


def written(folder: Path) -> dict[str, Rows]:
    found = run_tables(compare(read_runs([folder])))
    return {name: list(csv.DictReader(io.StringIO(text))) for name, text in found.items()}


def only(rows: Rows, **values: str) -> dict[str, str]:
    """Return the single row with these values."""
    (row,) = (row for row in rows if all(row[key] == value for key, value in values.items()))
    return row


def test_runs_hold_every_figure_of_every_run_in_a_row_of_its_own(tmp_path: Path) -> None:
    write_run(
        tmp_path / "a", Story(transfer=11, contract="double_vein_1", measures={"hits": {"Gizmo": 2, "Glitch": 1}})
    )
    write_run(tmp_path / "b", Story(seed=1, finished=False))
    rows = written(tmp_path)["runs.csv"]
    for player, measure, value in (
        ("", "welfare", "78.0"), ("Gizmo", "reward", "48.0"), ("Gizmo", "transfer", "-11.0"),
        ("Glitch", "payoff", "41.0"), ("Glitch", "held.diamond", "6"), ("Gizmo", "hits", "2.0"), ("", "hits", "3.0"),
    ):  # fmt: skip
        assert only(rows, seed="0", player=player, measure=measure)["value"] == value
    unfinished = only(rows, seed="1")
    assert (unfinished["run"], unfinished["status"], unfinished["measure"]) == ("b", "unfinished", "")


def test_the_summary_is_that_of_the_runs(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(seed=0))
    write_run(tmp_path / "b", Story(seed=1, items=GREEDY))
    write_run(tmp_path / "c", Story(seed=2, status="infrastructure"))
    row = only(written(tmp_path)["summary.csv"], measure="welfare", player="")
    assert (row["n"], row["mean"], row["min"], row["max"]) == ("2", "73.5", "69.0", "78.0")
    assert (row["ci95_low"], row["ci95_high"]) == ("", "")
    assert written(tmp_path / "a")["summary.csv"][0]["se"] == ""


def test_comparisons_name_both_sides_and_the_corrected_test(tmp_path: Path) -> None:
    for seed in range(3):
        items = {**GREEDY, "Glitch": {"raw_iron": 3 - seed}}
        write_run(tmp_path / f"none-{seed}", Story(condition="none", seed=seed, items=items))
        write_run(tmp_path / f"one-{seed}", Story(seed=seed, transfer=11))
        write_run(tmp_path / f"two-{seed}", Story(condition="contract-2", seed=seed, transfer=9))
    rows = written(tmp_path)["comparisons.csv"]
    row = only(rows, first="none", second="contract-1", measure="welfare")
    assert (row["n_first"], row["n_second"], row["mean_first"], row["mean_second"]) == ("3", "3", "66.0", "78.0")
    assert (row["difference"], row["p"], row["ci95_low"], row["cliffs_delta"]) == ("-12.0", "0.1", "", "-1.0")
    assert float(row["hedges_g"]) == pytest.approx(-12 / 4.5**0.5 * 0.7979, abs=1e-3)
    # Of the three pairs, one does not vary and is no test.
    assert float(row["p_holm"]) == pytest.approx(0.2)
    assert (row["pairs"], row["paired_p"]) == ("3", "0.25")
    assert only(rows, first="contract-1", second="contract-2", measure="welfare")["p"] == ""
    assert only(rows, first="contract-1", second="contract-2", measure="payoff", player="Gizmo")["difference"] == "-2.0"
    assert not [row for row in rows if row["measure"] == "wall_s"]


def test_curves_hold_items_reward_and_the_world_over_time(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(world={"iron_ore": 12}))
    rows = written(tmp_path)["curves.csv"]
    end = {(row["player"], row["quantity"]): row["value"] for row in rows if row["game_s"] == "40.0"}
    assert end["Gizmo", "raw_iron"] == "12"
    assert end["Glitch", "diamond"] == "6"
    assert end["Glitch", "reward"] == "30.0"
    assert end["", "iron_ore"] == "6"
    assert {row["quantity"] for row in rows} == {"raw_iron", "diamond", "reward", "iron_ore"}


def test_a_name_is_never_a_formula(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(condition="=1+1", players=("@SUM", "-x")))
    for name, rows in written(tmp_path).items():
        assert {row["player"] for row in rows} <= {"", "'@SUM", "'-x"}, name
        assert {row["condition"] for row in rows if "condition" in row} <= {"'=1+1"}, name
