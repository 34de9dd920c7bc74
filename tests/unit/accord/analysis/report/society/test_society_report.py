"""Report of a society, from villages that were really played."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import re
from pathlib import Path

import pytest

from accord.analysis.report import read_comparison, write_report
from accord.analysis.report.society.findings import find_societies
from accord.cli.app import run
from accord.studies.study import StudySettings, run_study
from dilemmas.records.results import read_result
from tests.fakes.life import small_village


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play two societies of eight villagers, three runs of 72 seconds each."""
    folder = tmp_path_factory.mktemp("societies")
    path = small_village(folder, people=8, seconds=72)
    settings = StudySettings(str(path), world="mock", contracts=("normal", "ablated"), runs=3, out=folder / "runs")
    return asyncio.run(run_study(settings)).directory


@pytest.fixture(scope="module")
def written(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the report and return its folder."""
    return write_report([study], tmp_path_factory.mktemp("report")).html.parent


def rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text("utf-8").splitlines()))


def test_roles_are_more_and_last_with_social_awareness(study: Path) -> None:
    found: dict[str, list[dict[str, float]]] = {"normal": [], "ablated": []}
    for path in study.rglob("seed-*/result.json"):
        result = read_result(path)
        found[result["condition"]].append(result["village"])
    for measure, apart in (("role_entropy_bits", 0.3), ("role_persistence", 0.05)):
        aware, ablated = ([run[measure] for run in found[name]] for name in ("normal", "ablated"))
        assert len(aware) == len(ablated) == 3
        # The intervals do not overlap: over three seeds, each run of one society lies above each run of the other.
        assert min(aware) > max(ablated), measure
        assert sum(aware) / 3 - sum(ablated) / 3 > apart, measure


def test_the_report_says_what_the_results_say(study: Path, written: Path) -> None:
    results = {
        (each["condition"], str(each["seed"])): each["village"]
        for each in (read_result(path) for path in study.rglob("seed-*/result.json"))
    }
    assert len(results) == 6
    found = rows(written / "role_measures.csv")
    entropies = [each for each in found if each["measure"] == "role_entropy_bits"]
    assert len(entropies) == 6
    for each in entropies:
        assert float(each["value"]) == results[each["condition"], each["seed"]]["role_entropy_bits"]
    for (condition, seed), told in results.items():
        shares = {each["role"]: float(each["share"]) for each in rows(written / "role_shares.csv")
                  if (each["condition"], each["seed"]) == (condition, seed) and float(each["share"])}  # fmt: skip
        assert shares == told["role_shares"]
    page = (written / "report.html").read_text("utf-8")
    assert "bits" in page
    for word in ("Welfare", "Gini", "payoff", "<script"):
        assert word not in page, word
    names = {file.name for file in written.iterdir()}
    assert {"roles.csv", "deeds_by_role.csv", "modules.csv", "role_summary.csv", "lives", "plots"} <= names


def test_the_paths_of_all_players_are_in_the_table(study: Path, written: Path) -> None:
    found = rows(written / "ways.csv")
    players = {name for path in study.rglob("seed-*/result.json") for name in read_result(path)["players"]}
    assert {each["player"] for each in found} == players
    assert max(float(each["game_s"]) for each in found) > 50


def test_every_agent_has_a_page_that_the_report_leads_to(written: Path) -> None:
    page = (written / "report.html").read_text("utf-8")
    pages = sorted(written.glob("lives/*/*.html"))
    assert len(pages) == 6 * 8
    for each in pages:
        assert f'href="{each.relative_to(written)}"' in page
        text = each.read_text("utf-8")
        assert '<tr class="goal">' in text
        assert '<tr class="decision">' in text
        assert '<tr class="deed">' in text
        assert 'href="../../report.html#lives"' in text
        assert 'aria-label="Map of the lives' in text
        minds = re.search(r'href="../../(minds/[^"]+)"', text)
        assert minds is not None
        assert each.stem in (written / minds[1]).read_text("utf-8")
        assert f'href="{minds[1]}"' in page
    assert page.count('aria-label="Map of the lives') == 2


@pytest.mark.drawn
def test_the_same_records_give_the_same_bytes(study: Path, written: Path, tmp_path: Path) -> None:
    write_report([study], tmp_path)
    sums = []
    for folder in (written, tmp_path):
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        sums.append([(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in files])
    assert sums[0] == sums[1]


def test_societies_stand_in_the_order_of_the_file_and_the_terminal_tells_of_roles(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = find_societies(read_comparison([study]))
    assert found is not None
    assert {each.name for each in found.societies} == {"normal", "ablated"}
    assert run(["report", str(study), "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "entropy" in told
    assert "welfare" not in told
