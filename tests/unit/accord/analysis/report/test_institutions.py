"""The report's section on institutions: measures, tables, the figure, and the law with its changes."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, cast

import pytest

from accord.analysis.report import write_report
from accord.analysis.report.institutions.findings import CivicRun, sentence_of
from accord.analysis.report.institutions.record import InstitutionRecord
from accord.studies.study import StudySettings, run_study
from dilemmas.records import events as log


def step(part: str, what: str, who: str = "", t_s: float = 1.0, **data: Any) -> log.InstitutionActed:  # noqa: ANN401
    return log.InstitutionActed(t_s=t_s, part=part, what=what, who=who, data=data)


def civic(*events: log.Event) -> CivicRun:
    record = InstitutionRecord()
    for event in events:
        record.add_event(event)
    return CivicRun(cast(Any, None), record)


def law(t_s: float, *says: str) -> log.InstitutionActed:
    return step("law", "law_in_force", t_s=t_s, clauses=[{"says": each} for each in says])


SANCTION = {"by": "Bob", "clause": "spare", "fined": 4.0, "held": 0, "banished": False}


def test_corruption_is_measured_by_what_guards_decided() -> None:
    found = civic(
        step("law", "breach", "Ann"), step("law", "breach", "Ann"), step("law", "breach", "Cid"),
        step("guards", "sanctioned", "Ann", charge="C1", **SANCTION), step("guards", "audited", "Ann", false=False),
        step("guards", "sanctioned", "Cid", charge="C2", **SANCTION), step("guards", "audited", "Cid", false=True),
        step("guards", "bribe_taken", "Bob", offender="Ann", amount=3.0),
        step("guards", "let_go", "Bob", offender="Cid"),
    )  # fmt: skip
    assert found.values == {
        "breaches": 3, "sanctioned": 2, "fines": 8, "bribes": 3, "false": 0.5, "let_go": 0.5, "bribed": 0.25,
    }  # fmt: skip


def test_trials_elections_and_cycles_are_counted_and_shares_of_nothing_left_out() -> None:
    found = civic(
        step("court", "appointed", "Ann", powers=["judge"]),
        step("elections", "cycle", office="guard", members=["Ann", "Bob", "Cid"]),
        step("elections", "elected", "Ann", office="guard"), step("elections", "elected", "Bob", office="judge"),
        step("elections", "recall", "Ann", passed=True),
    )  # fmt: skip
    assert found.values == {
        "breaches": 0, "trials": 0, "unenforced": 0, "elections": 2, "cycles": 0.5, "recalled": 1,
    }  # fmt: skip


def test_the_law_is_shown_with_what_went_out_of_force() -> None:
    found = civic(law(0, "keep peace", "spare trees"), law(20, "spare trees", "pay tax"))
    assert list(found.clauses) == [
        (0.0, ["keep peace", "spare trees"], []),
        (20.0, ["spare trees", "pay tax"], ["keep peace"]),
    ]


def test_times_are_rounds_or_seconds() -> None:
    program = log.PolicyWritten(player="Ann", author="x", source="", file="f", attempt=1)
    assert (civic(law(0)).record.unit, civic(program, law(0)).record.unit) == ("round", "second")


def test_only_the_last_episode_counts() -> None:
    assert civic(step("law", "breach", "Ann"), log.EpisodeStarted(attempt=2)).values == {"breaches": 0}


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (step("law", "breach", "Ann", clause="spare", witnesses=[]), "Ann breaks the law spare, seen by nobody"),
        (
            step("court", "tried", "Ann", by="Bob", judge="", guilty=True, clause="spare"),
            "Ann, charged by Bob, is found guilty by the record: ",
        ),
        (step("guards", "payment", "Ann", payee="treasury", due=4.0, paid=1.5), "Ann pays 1.5 of 4 to treasury: "),
        (
            step("market", "trade", "Ann", buyer="Ann", seller="Bob", item="coal", count=2, price=3, money="emerald"),
            "Ann buys 2 coal from Bob at 3 emerald each",
        ),
        (
            step("market", "trade", "Ann", one="Bob", gives={"coal": 2}, other="Ann", takes={"bread": 1}),
            "Ann takes coal 2 from Bob for bread 1",
        ),
        # Steps of parts that this version does not know, and steps without their fields.
        (step("market", "sold", "Ann", price=3), "market: sold Ann: price 3"),
        (step("court", "tried", "Ann"), "court: tried Ann"),
    ],
)
def test_every_step_has_a_sentence(event: log.InstitutionActed, words: str) -> None:
    assert sentence_of(event) == words


@pytest.mark.drawn
async def test_a_report_shows_institutions(tmp_path: Path) -> None:
    vary = {f"institution.{name}": ("on",) for name in ("guards", "elections")}
    found = await run_study(
        StudySettings(
            "commons-harvest-law", world="mock", agents="deterred-harvester", time_limit_s=15, vary=vary, out=tmp_path
        )
    )
    write_report([found.directory], tmp_path / "report")
    page = (tmp_path / "report" / "report.html").read_text()
    assert "How it was counted" in page
    assert "leave at least 6 apples on every tree (fine of 4, held for 3 steps)" in page
    assert (tmp_path / "report" / "plots" / "institutions.svg").exists()
    with (tmp_path / "report" / "institutions.csv").open() as table:
        rows = list(csv.DictReader(table))
    assert {row["institution"] for row in rows} == {"law", "elections", "guards"}
    with (tmp_path / "report" / "ballots.csv").open() as table:
        assert {row["voter"] for row in csv.DictReader(table)} == {"Laura", "Pedro", "Marta"}
