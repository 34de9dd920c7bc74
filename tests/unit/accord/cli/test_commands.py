from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from accord.cli import main
from accord.cli.app import app
from accord.doctor.machine import DoctorCheck
from accord.studies.status.study_progress import StudyProgress
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import VARIANTS, scenario_names
from tests.unit.accord.analysis.report.synthetic import GREEDY, Story, write_run


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_without_a_word_the_help_is_shown() -> None:
    code, out, _ = invoke()
    assert code == 0
    for command in ("run", "report", "scenarios", "doctor"):
        assert command in out


def test_main_gives_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "0.1.0\n"
    assert main(["nothing"]) == 2
    assert capsys.readouterr().err.startswith("error: No such command 'nothing'")


def test_scenarios_for_programs_and_people() -> None:
    code, out, _ = invoke("scenarios", "--json")
    found = json.loads(out)
    assert (code, [each["name"] for each in found]) == (0, scenario_names())
    conditions = {each["name"]: list(each["conditions"]) for each in found}
    assert conditions["cleanup"][:3] == ["none", "contract-1", "contract-2"]
    assert Path(found[0]["file"]).is_file()
    assert "double-vein" in invoke("scenarios")[1]


def test_a_variant_is_a_row_and_no_name_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    whole = json.loads(invoke("scenarios", "--json")[1])
    lines = invoke("scenarios")[1].splitlines()
    assert max(map(len, lines)) <= 80
    shown = [line.split()[0] for line in lines if line.strip()]
    for entry in whole:
        assert shown.count(entry["name"]) == 1
    named = [condition for entry in whole for condition in entry["conditions"] if entry["name"] not in VARIANTS]
    assert [word for word in shown if word in named] == named
    assert any("commons-harvest-bots" in line and "as commons-harvest, but: " in line for line in lines)


def test_report_puts_several_runs_into_one(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(condition="none", items=GREEDY))
    write_run(tmp_path / "b", Story(transfer=11, contract="double_vein_1"))
    write_run(tmp_path / "c", Story(seed=1, status="infrastructure"))
    runs = [str(tmp_path / name) for name in "abc"]
    code, out, err = invoke("report", *runs, "--out", str(tmp_path / "out"))
    assert (code, err) == (0, "")
    assert "not counted: c: infrastructure" in out
    assert "In these runs welfare was" in out
    code, out, _ = invoke("report", *runs, "--json")
    assert code == 0
    assert json.loads(out)["report"] == str(tmp_path / "a" / "report.html")


@pytest.mark.parametrize("status", ["failed", "infrastructure"])
def test_a_run_that_came_to_nothing_is_shown_as_that_and_not_as_numbers(status: str, tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(condition="none", status=status))
    code, out, _ = invoke("report", str(tmp_path / "a"))
    assert code == 1
    row = next(line for line in out.splitlines() if line.split()[:2] == ["none", "0/1"])
    assert row.split() == ["none", "0/1", status, "-", "-", "-", "-"]
    assert "No run was finished" in out
    assert not any(
        line.startswith("none,") and "welfare" in line for line in (tmp_path / "a/summary.csv").read_text().splitlines()
    )
    write_run(tmp_path / "b", Story())
    assert invoke("report", str(tmp_path / "a"), str(tmp_path / "b"))[0] == (1 if status == "failed" else 0)


def test_names_in_tables_are_not_markup(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(condition="[bold]x", players=("[red]A", "\x1b[31mB")))
    code, out, _ = invoke("report", str(tmp_path / "a"))
    assert code == 0
    assert "[bold]x" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(("state", "code"), [("ok", 0), ("warn", 0), ("info", 0), ("fail", 1)])
def test_doctor_is_a_line_a_check(state: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def examine(out: Path) -> list[DoctorCheck]:
        return [DoctorCheck("Node", state, f"wrong, for {out}", "run make setup")]  # type: ignore[arg-type]

    async def nothing(**asked: bool) -> list[DoctorCheck]:
        return []

    monkeypatch.setattr("accord.doctor.machine.examine", examine)
    monkeypatch.setattr("accord.doctor.paper.paper_checks", nothing)
    monkeypatch.setattr("accord.doctor.paper.server_checks", nothing)
    assert invoke("doctor", "--out", "x") == (code, f"{state:<5}Node: wrong, for x -> run make setup\n", "")
    found, out, _ = invoke("doctor", "--json")
    assert found == code
    assert json.loads(out)[0]["remedy"] == "run make setup"


def test_progress_on_a_terminal_tells_address_and_ends(tmp_path: Path) -> None:
    ready = log.WorldReady(address="127.0.0.1:25599", version="1.20.4", reused=False, wall_ms=1.0)
    good = Story(transfer=11, contract="double_vein_1", extra=(ready,))
    bad = replace(good, seed=1, status="failed", extra=(), source="x")
    console = Console(force_terminal=True, record=True, width=200, file=(tmp_path / "screen").open("w"))
    with StudyProgress(console, 2, announce=False) as progress:
        for place, story in enumerate((good, bad)):
            for line in read_events(write_run(tmp_path / str(place), story) / "events.jsonl"):
                progress.hear(line)
    console.file.close()
    shown = console.export_text()
    assert "to watch: join 127.0.0.1:25599 with Minecraft 1.20.4" in shown
    assert "done contract-1, seed 0 (1 of 2): Gizmo 37, Glitch 41" in shown
    assert "failed contract-1, seed 1 (2 of 2): no reason" in shown


def test_progress_tells_of_every_player_whatever_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(StudyProgress, "note", lambda _, text: said.append(text))
    progress = StudyProgress(Console(quiet=True), 1, announce=False)
    poor, rich = (log.Holdings(items={}, mined={}, reward=value) for value in (0.0, 12.0))
    for event in (
        log.EpisodeStarted(attempt=1),
        log.StateSeen(t_s=0.0, players={"Gizmo": poor, "Glitch": poor}),
        log.StateSeen(t_s=3.0, players={"Glitch": rich}),
    ):
        progress.hear(log.LogLine(0, None, 0.0, 1, event))
    assert said[-1].endswith("playing, 3 s of game time: Gizmo 0, Glitch 12")
