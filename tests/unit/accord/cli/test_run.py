from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import accord.studies.study
from accord.cli.app import app
from bridge.errors import ServerError
from common.errors import PrerequisiteError
from dilemmas.records import events as log
from tests.unit.accord.analysis.report.synthetic import Story
from tests.unit.accord.cli.fakes import FakeStudy

RUN = ["run", "double-vein"]


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> FakeStudy:
    fake = FakeStudy()
    monkeypatch.setattr(accord.studies.study, "run_study", fake)
    return fake


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_several_conditions_give_one_table_and_one_report(study: FakeStudy, tmp_path: Path) -> None:
    code, out, err = invoke(*RUN, "--contract", "none", "--contract", "contract-1", "--out", str(tmp_path))
    assert (code, err) == (0, "")
    assert "contract-1" in out
    assert "In these runs welfare was 69 emeralds under none and 78 under contract-1 (a single run has no test)." in out
    assert f"Report: {tmp_path}/study/report.html" in out
    assert (tmp_path / "study" / "report.html").is_file()
    assert study.settings is not None
    assert study.settings.contracts == ("none", "contract-1")


def test_every_option_reaches_the_study(study: FakeStudy, tmp_path: Path) -> None:
    options = (
        "--world embedded --runs 3 --seed 7 --episodes 2 --player Gizmo=greedy --model openai/a "
        "--model-for judge=openai/b --base-url http://127.0.0.1:1/v1 --rounds 4 --time-limit 60 "
        "--port 25566 --no-report"
    )
    code, out, _ = invoke(*RUN, *options.split(), "--out", str(tmp_path))
    assert code == 0
    assert out.endswith(f"Record: {tmp_path}/study\n")
    asked = study.settings
    assert asked is not None
    assert (asked.runs, asked.seed, asked.episodes, asked.rounds, asked.port) == (3, 7, 2, 4, 25566)
    assert (asked.players, asked.models) == ({"Gizmo": "greedy"}, {"judge": "openai/b"})
    assert (asked.model, asked.base_url, asked.time_limit_s) == ("openai/a", "http://127.0.0.1:1/v1", 60)
    assert not (tmp_path / "study" / "report.html").exists()


def test_json_is_all_that_is_on_standard_output(study: FakeStudy, tmp_path: Path) -> None:
    code, out, err = invoke(*RUN, "--json", "--contract", "contract-1", "--out", str(tmp_path))
    assert (code, err) == (0, "")
    assert json.loads(out)["conditions"]["contract-1"]["welfare"] == 78


def test_a_run_that_failed_is_told_and_exits_with_1(study: FakeStudy, tmp_path: Path) -> None:
    study.story = Story(status="infrastructure")
    code, out, err = invoke(*RUN, "--json", "--out", str(tmp_path))
    assert code == 1
    assert json.loads(out)["status"] == "infrastructure"
    assert err == "error: none, seed 0: infrastructure: see events.jsonl\n"


def test_keep_open_says_so_where_nobody_can_join(study: FakeStudy, tmp_path: Path) -> None:
    code, _, err = invoke(*RUN, "--keep-open", "--no-report", "--out", str(tmp_path))
    assert (code, study.held) == (0, True)
    assert err == "this world has no address to join: nothing is kept open\n"


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (PrerequisiteError("port 25565 on 127.0.0.1 is taken: choose another"), 1, "port 25565 on 127.0.0.1 is taken"),
        (ServerError("the server ended\nin two lines"), 1, "the server ended in two lines"),
        (KeyboardInterrupt(), 130, "interrupted: all that was started has been ended"),
        (asyncio.CancelledError(), 143, "terminated: all that was started has been ended"),
        (ZeroDivisionError("oops"), 1, "internal error: ZeroDivisionError: oops; run it again with --debug"),
        (ExceptionGroup("tasks", [ServerError("lost")]), 1, "lost"),
    ],
)
def test_errors_are_one_line_and_an_exit_code(study: FakeStudy, error: BaseException, code: int, line: str) -> None:
    study.error = error
    found, out, err = invoke(*RUN)
    assert (found, out) == (code, "")
    assert err.removeprefix("error: ").startswith(line)
    assert err.count("\n") == 1


def test_only_debug_shows_a_traceback(study: FakeStudy) -> None:
    study.error = ServerError("lost")
    assert "Traceback" not in invoke(*RUN)[2]
    for arguments in (("--debug", *RUN), (*RUN, "--debug")):
        code, _, err = invoke(*arguments)
        assert (code, err.count("Traceback")) == (1, 1)


def test_control_characters_in_errors_are_spelt_out(study: FakeStudy) -> None:
    study.error = ServerError("bad \x1b[2J [red]name[/red]")
    assert invoke(*RUN)[2] == "error: bad \\u001b[2J [red]name[/red]\n"


def test_progress_is_quiet_where_nobody_looks(study: FakeStudy, tmp_path: Path) -> None:
    study.story = Story(extra=(log.WorldReady(address="127.0.0.1:1", version="1.20.4", reused=False, wall_ms=1.0),))
    assert invoke(*RUN, "--no-report", "--out", str(tmp_path))[2] == ""
