from __future__ import annotations

import csv
import io
from pathlib import Path

from dilemmas.report.reader import read_runs
from dilemmas.report.tables import curves_csv, results_csv
from tests.unit.report.synthetic import Story, write_run


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_results_hold_every_player_of_every_run(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(transfer=11, contract="double_vein_1"))
    write_run(tmp_path / "b", Story(seed=1, finished=False))
    first, second, unfinished = rows(results_csv(read_runs([tmp_path])))
    assert (first["player"], first["reward"], first["transfer"], first["payoff"]) == ("Gizmo", "48.0", "-11.0", "37.0")
    assert (second["player"], second["payoff"], second["items"]) == ("Glitch", "41.0", "diamond=6")
    assert (first["welfare"], round(float(first["gini"]), 3)) == ("78.0", 0.051)
    assert (unfinished["status"], unfinished["player"], unfinished["payoff"]) == ("unfinished", "", "")


def test_curves_hold_items_and_reward_over_time(tmp_path: Path) -> None:
    found = rows(curves_csv(read_runs([write_run(tmp_path / "a", Story())])))
    end = {(row["player"], row["quantity"]): row["value"] for row in found if row["game_s"] == "40.0"}
    assert end["Gizmo", "raw_iron"] == "12"
    assert end["Glitch", "diamond"] == "6"
    assert end["Glitch", "reward"] == "30.0"
    assert {row["quantity"] for row in found} == {"raw_iron", "diamond", "reward"}


def test_a_name_is_never_a_formula(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(condition="=1+1", players=("@SUM", "-x")))
    assert {row["player"] for row in rows(results_csv(read_runs([tmp_path])))} == {"'@SUM", "'-x"}
    assert rows(results_csv(read_runs([tmp_path])))[0]["condition"] == "'=1+1"
