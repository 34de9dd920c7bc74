"""`accord show`: transcripts in the terminal, for people and for programs."""

from __future__ import annotations

import io
import json
import os
import stat
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from accord.cli.app import app
from accord.cli.pager import paged
from dilemmas.records import events as log
from tests.unit.accord.analysis.report.synthetic import Story, write_run
from voyager_agents import thought_events

HOSTILE = "\x1b[31mred \u202eright [bold]markup[/bold]"


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["show", *arguments])
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Write a run with a plan, a chat line and a call."""
    plan = thought_events.PlanWritten(1, "no plan", "because", HOSTILE, "slowly", ("go", "dig"))
    extra = (
        log.ModelCalled(player="Gizmo", purpose="mind", model="openai/x", number=0, tokens=1200, usd=0.25),
        log.MindTold(player="Gizmo", step=plan),
        log.ChatEvent(sender="Glitch", text="I dig", t_s=3.0),
    )
    directory = write_run(tmp_path / "run", Story(extra=extra))
    call = {
        "player": "Gizmo",
        "role": "mind",
        "number": 0,
        "model": "openai/x",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": f"now {HOSTILE}"}],
        "reply": "a plan",
    }
    (directory / "calls.jsonl").write_text(json.dumps(call) + "\n")
    return directory


def test_a_player_sees_its_own_mind_and_what_it_heard(run: Path) -> None:
    code, out, err = invoke(str(run), "Gizmo")
    assert (code, err) == (0, "")
    assert "double-vein, contract-1, seed 0, on embedded" in out
    assert "plans: \\u001b[31mred \\u202eright [bold]markup[/bold]  [openai/x: 1,200 tokens, $0.2500]" in out
    assert "             - go\n             - dig\n" in out
    assert "Glitch says: I dig" in out
    assert "\nEpisode 1\n" in out
    other = invoke(str(run), "Glitch")[1]
    assert "plans:" not in other
    assert "says: I dig" in other
    assert "Glitch says" not in other


def test_steps_are_filtered(run: Path) -> None:
    for arguments, told in (
        (("--kind", "plan"), ["plans: "]),
        (("--text", "i DIG"), ["says: I dig"]),
        (("--kind", "plan", "--kind", "said"), ["plans: ", "says: I dig"]),
        (("--episode", "2"), []),
    ):
        out = invoke(str(run), *arguments)[1]
        assert [each for each in ("plans: ", "says: I dig") if each in out] == told, arguments
        assert ("no step fits" in out) == (not told)


def test_calls_are_shown_with_their_steps(run: Path) -> None:
    out = invoke(str(run), "Gizmo", "--kind", "plan", "--calls")[1]
    for text in ("call 0 as mind, openai/x", "be brief", "now \\u001b[31mred", "a plan"):
        assert text in out
    (run / "calls.jsonl").unlink()
    assert "calls.jsonl has no text of it" in invoke(str(run), "Gizmo", "--kind", "plan", "--calls")[1]


def test_json_is_one_step_a_line(run: Path) -> None:
    code, out, _ = invoke(str(run), "Gizmo", "--kind", "plan", "--json", "--calls")
    assert code == 0
    (step,) = map(json.loads, out.splitlines())
    assert (step["run"], step["player"], step["kind"], step["episode"]) == (str(run), "Gizmo", "plan", 1)
    assert (step["tokens"], step["usd"]) == (1200, 0.25)
    assert step["title"] == f"plans: {HOSTILE}"
    assert step["calls"][0]["texts"]["reply"] == "a plan"


def test_several_runs_follow_one_another(tmp_path: Path) -> None:
    for seed in (0, 1):
        write_run(tmp_path / f"seed-{seed}", Story(seed=seed))
    out = invoke(str(tmp_path))[1]
    assert out.index("seed 0, on") < out.index("seed 1, on")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("Nobody",), "'Nobody' is no player of that run; choose from Gizmo, Glitch"),
        (("--kind", "dreamt"), "--kind 'dreamt' is no kind of step; choose from saw, recalled"),
        (("--episode", "0"), "--episode 0 is no episode; they count from 1"),
    ],
)
def test_wrong_usage_is_told_in_one_line(run: Path, arguments: tuple[str, ...], told: str) -> None:
    code, out, err = invoke(str(run), *arguments)
    assert (code, out) == (2, "")
    assert told in err
    assert len(err.splitlines()) == 1


def test_what_is_no_run_is_told(tmp_path: Path) -> None:
    assert invoke(str(tmp_path / "none"))[2].startswith("error: no such run")
    write_run(tmp_path / "run", Story())
    (tmp_path / "run/events.jsonl").write_text("")
    assert "that run ended before it began" in invoke(str(tmp_path / "run"))[2]


def pager(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_pager_gets_the_lines_on_a_terminal_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", pager(tmp_path / "pager", f"cat > {tmp_path / 'read'}"))
    terminal = Console(file=io.StringIO(), force_terminal=True)
    with paged(terminal) as console:
        console.print("a line")
    assert (tmp_path / "read").read_text() == "a line\n"
    for file, wanted in ((Console(file=io.StringIO()), True), (terminal, False)):
        with paged(file, wanted=wanted) as console:
            assert console is file


def test_who_leaves_the_pager_early_has_read_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", pager(tmp_path / "pager", "exit 0"))
    written: list[int] = []
    with paged(Console(file=io.StringIO(), force_terminal=True)) as console:
        for number in range(100_000):
            console.print("x" * 100)
            written.append(number)
    assert len(written) < 100_000


def test_without_a_pager_lines_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "no-such-pager-anywhere")
    assert os.environ["PAGER"]
    terminal = Console(file=io.StringIO(), force_terminal=True)
    with paged(terminal) as console:
        assert console is terminal
