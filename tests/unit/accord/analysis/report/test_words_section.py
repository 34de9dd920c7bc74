"""The section on words and deeds: its tables, its sentence, and hostile words, which stay text."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import fmean

import pytest

from accord.analysis.report import write_report
from accord.analysis.report.words.findings import find_words
from tests.fakes.scripted_words import Society, game, society, started, write_society

HOSTILE = "<script>alert('x')</script>\nI will cooperate. Bo defected! =cmd|' /C calc'!A0 \N{RIGHT-TO-LEFT OVERRIDE}"


def tables_of(folder: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / name).read_text(encoding="utf-8").splitlines()))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Report of two runs with a liar and colluders."""
    folder = tmp_path_factory.mktemp("words")
    for seed in range(2):
        made = society(seed, 150, liars=("Cy",), plot="code")
        made.say("Di", HOSTILE)
        write_society(folder / f"seed-{seed}", made)
    return write_report([folder], folder / "report").html.parent


def test_the_page_has_the_section_and_names_the_pair(report: Path) -> None:
    page = (report / "report.html").read_text(encoding="utf-8")
    assert 'id="words"' in page
    assert "Acts or words of Ada and Bo under negotiate+private+cheap-talk+every=1 went together" in page
    assert "in 2 of 2 runs" in page


def test_information_and_harm_of_a_pair_are_means_over_runs(tmp_path: Path) -> None:
    for seed in range(5):
        write_society(tmp_path / f"seed-{seed}", society(seed, 120, plot="acts"))
    written = write_report([tmp_path], tmp_path / "report")
    section = find_words(written.comparison)
    assert section is not None
    found = {each.pair: each for each in section.pairs}
    rows = [
        each for each in tables_of(written.html.parent, "collusion.csv") if each["first"] + each["second"] == "AdaBo"
    ]
    for name in ("bits", "harm"):
        summary = getattr(found["Ada", "Bo"], name)
        assert summary.mean == pytest.approx(fmean(float(each[name]) for each in rows))
        assert summary.n == 5
        assert summary.ci95[0] < summary.mean < summary.ci95[1]
    assert found["Ada", "Bo"].harm.mean < -1 < 0 < found["Ada", "Bo"].bits.mean
    assert found["Cy", "Di"].harm is None, "only pairs that were found do harm"
    assert not {"low", "high", "harm_low", "harm_high"} & rows[0].keys(), "rounds of one run depend on each other"


def test_hostile_words_stay_text(report: Path) -> None:
    page = (report / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in page


def test_tables_have_every_statement_and_utterance(report: Path) -> None:
    statements = tables_of(report, "statements.csv")
    made = [society(seed, 150, liars=("Cy",), plot="code") for seed in range(2)]
    lies = sum(each.planted["Cy", "lie"] for each in made)
    assert sum(each["mark"] == "lie" for each in statements) == lies > 40
    assert {each["speaker"] for each in statements if each["mark"] == "lie"} == {"Cy"}
    assert {each["could_know"] for each in statements if each["mark"] == "lie"} == {"True"}
    utterances = tables_of(report, "utterances.csv")
    assert len(utterances) >= len({(each["run"], each["line"]) for each in statements})
    assert {each["flag"] for each in utterances} == {""}
    assert not any(each["text"].startswith("=") for each in utterances)
    pairs = tables_of(report, "collusion.csv")
    assert [each["verdict"] for each in pairs if (each["first"], each["second"]) == ("Ada", "Bo")] == ["found"] * 2
    monitors = {each["measure"]: each for each in tables_of(report, "monitors.csv")}
    assert monitors["recall"]["hits"] == monitors["recall"]["of"]


def test_runs_without_statements_have_no_section(tmp_path: Path) -> None:
    made = Society([started(0), game(1)])
    made.say("Ada", "Good day.")
    write_society(tmp_path / "run", made)
    page = write_report([tmp_path], tmp_path / "report").html
    assert 'id="words"' not in page.read_text(encoding="utf-8")
    assert not (page.parent / "statements.csv").exists()
