"""The report of a society, from villages that were really played."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import pytest

from dilemmas.analysis.report import read_comparison, write_report
from dilemmas.analysis.report.society.findings import findings
from dilemmas.cli.app import run
from dilemmas.records.results import read_result
from dilemmas.running.study import StudySettings, run_study
from tests.fakes.life import small_village


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two societies of five, of 70 seconds each."""
    import asyncio

    folder = tmp_path_factory.mktemp("societies")
    path = small_village(folder, people=5, seconds=70)
    settings = StudySettings(str(path), world="mock", contracts=("normal", "ablated"), runs=2, out=folder / "runs")
    return asyncio.run(run_study(settings)).directory


def rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text("utf-8").splitlines()))


def test_the_report_says_what_the_results_say(study: Path, tmp_path: Path) -> None:
    report = write_report([study], tmp_path)
    results = {
        (each["condition"], str(each["seed"])): each["village"]
        for each in (read_result(path) for path in study.rglob("seed-*/result.json"))
    }
    assert len(results) == 4
    found = rows(tmp_path / "role_measures.csv")
    entropies = [each for each in found if each["measure"] == "role_entropy_bits"]
    assert len(entropies) == 4
    for each in entropies:
        assert float(each["value"]) == results[each["condition"], each["seed"]]["role_entropy_bits"]
    for (condition, seed), told in results.items():
        shares = {each["role"]: float(each["share"]) for each in rows(tmp_path / "role_shares.csv")
                  if (each["condition"], each["seed"]) == (condition, seed) and float(each["share"])}  # fmt: skip
        assert shares == told["role_shares"]
    page = report.html.read_text("utf-8")
    assert "bits" in page
    for word in ("Welfare", "Gini", "payoff", "<script"):
        assert word not in page, word
    names = {file.name for file in tmp_path.iterdir()}
    assert {"roles.csv", "deeds_by_role.csv", "modules.csv", "role_summary.csv", "lives", "plots"} <= names


def test_everybodys_ways_are_in_the_table(study: Path, tmp_path: Path) -> None:
    write_report([study], tmp_path)
    found = rows(tmp_path / "ways.csv")
    players = {name for path in study.rglob("seed-*/result.json") for name in read_result(path)["players"]}
    assert {each["player"] for each in found} == players
    assert max(float(each["game_s"]) for each in found) > 50


def test_every_agent_has_a_page_that_the_report_leads_to(study: Path, tmp_path: Path) -> None:
    page = write_report([study], tmp_path).html.read_text("utf-8")
    pages = sorted(tmp_path.glob("lives/*/*.html"))
    assert len(pages) == 4 * 5
    for each in pages:
        assert f'href="{each.relative_to(tmp_path)}"' in page
        text = each.read_text("utf-8")
        assert '<tr class="goal">' in text
        assert '<tr class="decision">' in text
        assert '<tr class="deed">' in text
        assert 'href="../../report.html#lives"' in text


def test_the_same_records_give_the_same_bytes(study: Path, tmp_path: Path) -> None:
    sums = []
    for name in ("one", "two"):
        write_report([study], tmp_path / name)
        files = sorted(file for file in (tmp_path / name).rglob("*") if file.is_file())
        sums.append([hashlib.sha256(file.read_bytes()).hexdigest() for file in files])
    assert sums[0] == sums[1]


def test_societies_stand_in_the_order_of_the_file_and_the_terminal_tells_of_roles(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = findings(read_comparison([study]))
    assert found is not None
    assert {each.name for each in found.societies} == {"normal", "ablated"}
    assert run(["report", str(study), "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "entropy" in told
    assert "welfare" not in told
