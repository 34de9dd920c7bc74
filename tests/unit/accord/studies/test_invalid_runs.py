"""Runs with refused verdicts or only failing programs, counted and shown wherever their numbers appear."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from accord.analysis.replication import CallOverlap, SentCalls, call_overlap
from accord.analysis.report import read_comparison, write_report
from accord.analysis.report.comparison import compare
from accord.analysis.report.reader import read_runs
from accord.analysis.validity import Verdicts
from accord.cli.show import show_comparison
from accord.studies.settings import StudySettings
from accord.studies.study import StudyResult, read_settings, resume_study, run_study
from bridge.types import ProgramOutcome
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults
from tests.fakes.mock_models import programs, skilled, verdict
from tests.fakes.model_players import role
from tests.fakes.world import FakeWorld, FakeWorlds, Script
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.models.faults import WRONG

RULES = json.loads(SCHEMA.read_text(encoding="utf-8"))
RUNS, REFUSED = 10, 3


def refusing(respond: Callable[[Request], FakeReply | str], verdicts: int) -> Callable[[Request], FakeReply | str]:
    """Return a model whose first `verdicts` verdicts are unreadable, at every retry."""
    asked: Counter[str] = Counter()

    def answer(request: Request) -> FakeReply | str:
        if role(request) != "judge":
            return respond(request)
        asked["verdicts"] += "That answer cannot be used" not in request.messages[-1]["content"]
        return WRONG["refusal"] if asked["verdicts"] <= verdicts else respond(request)

    return answer


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Play ten runs under contract 1, three of them without a verdict. Played once; tests must not write into it."""
    return asyncio.run(_refused(tmp_path_factory.mktemp("refused")))


async def _refused(out: Path) -> StudyResult:
    async with FakeServer(refusing(skilled(await programs()), REFUSED)) as server:
        settings = StudySettings(
            "double-vein", ("none", "contract-1"), world="mock", runs=RUNS, out=out, model="openai/x",
            base_url=server.base_url, time_limit_s=60,
        )  # fmt: skip
        return await run_study(settings)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def shown(study: StudyResult) -> str:
    """Return the output in the terminal."""
    text = io.StringIO()
    show_comparison(Console(file=text, width=100), read_comparison([study.directory]), "Report", study.directory)
    return " ".join(text.getvalue().split())


def test_thirty_percent_refused_verdicts_show_at_every_place(refused: StudyResult, tmp_path: Path) -> None:
    study = refused
    result = json.loads((study.directory / "result.json").read_text())
    assert faults(result, RULES) == []
    of_contract = result["conditions"]["contract-1"]
    assert of_contract["summary"]["complete"] == RUNS - REFUSED
    assert of_contract["summary"]["transfer.Glitch"]["mean"] == 11.0
    assert of_contract["verdicts"] == {"given": 10, "invalid": 3, "asked_again": 3, "too_much": 0, "too_little": 0}
    apart = of_contract["invalid"]
    assert (apart["policy"], apart["runs"], apart["verdict"], apart["programs"]) == ("apart", 3, 3, 0)
    assert apart["summary"]["transfer.Glitch"]["mean"] == 0.0
    assert "invalid" not in result["conditions"]["none"]
    assert {tuple(each["invalid"]) for each in result["comparisons"]} == {(0, 3)}
    assert [run.get("invalid") for run in of_contract["runs"]] == ["verdict"] * 3 + [None] * 7

    report = write_report([study.directory], tmp_path)
    told = "3 of 10 verdicts (30 %) could not be read"
    assert told in shown(study)
    assert "3/10" in shown(study)
    page = report.html.read_text(encoding="utf-8")
    figures = page.count("<figure>")
    assert figures >= 3
    # In the lede, below the tables of conditions, differences and equality, and below each figure.
    assert page.count(told) >= figures + 4
    assert page.count("unreadable verdict; 1 of 1 verdicts unreadable") >= REFUSED
    of_runs = [row for row in rows(tmp_path / "runs.csv") if row["condition"] == "contract-1"]
    assert {row["invalid"] for row in of_runs if row["seed"] in ("0", "1", "2")} == {"verdict"}
    assert {row["invalid_verdicts"] for row in of_runs} == {"0", "1"}
    summary = [row for row in rows(tmp_path / "summary.csv") if row["condition"] == "contract-1"]
    assert {row["counted"]: (row["n"], row["invalid_verdicts"], row["verdicts"]) for row in summary} == {
        "yes": ("7", "3", "10"),
        "apart": ("3", "3", "3"),
    }
    assert {(row["invalid_first"], row["invalid_second"]) for row in rows(tmp_path / "comparisons.csv")} == {("0", "3")}
    assert {row["invalid"] for row in rows(tmp_path / "curves.csv")} <= {"", "verdict"}


@pytest.mark.parametrize(("invalid", "counted", "mean"), [("exclude", 7, 11.0), ("zero", 10, 7.7)])
async def test_invalid_runs_are_left_out_or_counted_where_asked_for(
    refused: StudyResult, tmp_path: Path, invalid: str, counted: int, mean: float
) -> None:
    # The setting changes only how invalid runs are counted, so the played runs can be reused.
    directory = tmp_path / "study"
    shutil.copytree(refused.directory, directory)
    config = directory / "config.yaml"
    said = config.read_text(encoding="utf-8")
    assert said.count("invalid: apart\n") == 1
    config.write_text(said.replace("invalid: apart\n", f"invalid: {invalid}\n"), encoding="utf-8")
    # A hand-edited record loses its trust, so the endpoint must be allowed again.
    (endpoint,) = re.findall(r"base_url: (\S+)", said)
    kept = read_settings(directory, allowed=(endpoint,))
    assert kept.invalid == invalid
    study = await resume_study(directory, kept, worlds=FakeWorlds(FakeWorld([])))
    result = json.loads((study.directory / "result.json").read_text())
    assert faults(result, RULES) == []
    summary = result["conditions"]["contract-1"]["summary"]
    assert (summary["complete"], summary["transfer.Glitch"]["mean"]) == (counted, pytest.approx(mean))
    assert result["conditions"]["contract-1"]["invalid"]["policy"] == invalid
    assert "3 of 10 verdicts (30 %) could not be read" in shown(study)
    # The report follows the study's setting unless it is given another one.
    report = compare(read_runs([study.directory]))
    contract = report.conditions[1]
    assert (len(contract.scored), contract.apart) == (counted, None)
    other = compare(read_runs([study.directory], "apart")).conditions[1]
    assert (len(other.scored), other.apart is not None) == (7, True)


async def test_programs_that_all_break_off_stop_no_study_and_count_where_asked_for(tmp_path: Path) -> None:
    broken = Script(ends={"Gizmo": (1, ProgramOutcome.THREW), "Glitch": (2, ProgramOutcome.THREW)})
    fine = Script(ends={"Gizmo": (1, ProgramOutcome.RETURNED), "Glitch": (2, ProgramOutcome.RETURNED)})
    settings = StudySettings("double-vein", ("none",), world="fake", runs=3, out=tmp_path)
    study = await run_study(settings, worlds=FakeWorlds(FakeWorld([broken, fine, fine])))
    (condition,) = study.results
    assert [(run["status"], run.get("invalid")) for run in condition["runs"]] == [
        ("failed", "programs"), ("complete", None), ("complete", None),
    ]  # fmt: skip
    assert (study.status, condition["summary"]["complete"], condition["invalid"]["programs"]) == ("failed", 2, 1)
    assert faults(json.loads((study.directory / "result.json").read_text()), RULES) == []
    assert "1 of 3 runs with programs that all broke off" in shown(study)
    zero = compare(read_runs([study.directory], "zero")).conditions[0]
    assert len(zero.scored) == 3
    # The outcome could not change, so resuming plays no run again.
    resumed = await resume_study(study.directory, read_settings(study.directory), worlds=FakeWorlds(FakeWorld([])))
    assert resumed.results[0]["summary"] == condition["summary"]


async def test_a_judge_that_pays_too_little_is_flagged_as_one_that_pays_too_much(tmp_path: Path) -> None:
    def biased(amount: int) -> Callable[[Request], FakeReply | str]:
        def answer(request: Request) -> FakeReply | str:
            if role(request) == "judge":
                return verdict(request).replace('"amount": 11', f'"amount": {amount}')
            return usual(request)

        return answer

    usual = skilled(await programs())
    for amount, kind, moved in ((5, "too little", 5.0), (40, "too much", 11.0)):
        async with FakeServer(biased(amount)) as server:
            settings = StudySettings(
                "double-vein", ("contract-1",), world="mock", out=tmp_path / kind, model="openai/x",
                base_url=server.base_url, time_limit_s=60,
            )  # fmt: skip
            (result,) = (await run_study(settings)).results
        (found,) = result["verdict"]["deviations"]
        assert found == {
            "term": "gizmo-pays-glitch", "payer": "Gizmo", "payee": "Glitch", "kind": kind, "due": 11.0,
            "claimed": float(amount), "moved": moved,
        }  # fmt: skip
        assert result["players"]["Glitch"]["transfer"] == moved
        counts = Verdicts.from_dict(result["verdicts"])
        assert (counts.too_little, counts.too_much) == (int(kind == "too little"), int(kind == "too much"))
        assert any(not each["ok"] and each["kind"] == "transfer" for each in result["verdict"]["findings"])


@pytest.mark.parametrize(
    ("runs", "found"),
    [
        ([(0, SentCalls(2, ("a", "b"))), (1, SentCalls(2, ("a", "b")))], CallOverlap(2, 4, 4, 1)),
        ([(0, SentCalls(2, ("a", "b"))), (1, SentCalls(2, ("a", "c")))], CallOverlap(2, 4, 2, 0)),
        ([(0, SentCalls(3, ("a", "b"))), (1, SentCalls(3, ("a", "b")))], CallOverlap(2, 6, 4, 0)),
        ([(0, SentCalls(2, ("a", "a"))), (1, SentCalls(1, ("b",)))], CallOverlap(2, 3, 0, 0)),
        ([(0, SentCalls(2)), (1, SentCalls(2))], CallOverlap(2, 4, 0, 0)),
    ],
)
def test_what_seeds_have_in_common(runs: list[tuple[int, SentCalls]], found: CallOverlap) -> None:
    assert call_overlap(runs) == found
    assert bool(found.words) == bool(found.shared)


@pytest.mark.parametrize("sampling", [{"temperature": "0"}, {"temperature": "0.7", "seed": "run"}])
async def test_runs_with_equal_prompts_and_answers_are_told_at_any_temperature(
    tmp_path: Path, sampling: dict[str, str]
) -> None:
    async with FakeServer(skilled(await programs())) as server:
        settings = StudySettings(
            "double-vein", ("none",), world="mock", runs=3, out=tmp_path, model="openai/x", base_url=server.base_url,
            sampling=sampling, time_limit_s=60,
        )  # fmt: skip
        study = await run_study(settings)
    words = "none: 6 of 6 model calls repeat prompt and answer of another run; 2 of 3 runs repeat another one whole"
    assert words in shown(study)
    page = write_report([study.directory], study.directory).html.read_text(encoding="utf-8")
    assert "Pseudo-replication: none" in page
