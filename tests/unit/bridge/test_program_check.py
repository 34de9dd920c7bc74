"""Check of programs before an episode: the bot hosts' parser in a process of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge import program_check
from bridge.errors import HostError
from bridge.mock.trial import try_policy
from bridge.program_check import ProgramChecker, SyntaxFault
from bridge.programs import MAX_SOURCE
from bridge.types import ProgramOutcome

FINE = "async function f (bot) { bot.chat('hi \u2028 \U0001f600') }"


@pytest.fixture
def checker() -> Iterator[ProgramChecker]:
    made = ProgramChecker()
    yield made
    made.close()


def test_a_program_is_fine_or_has_a_fault_with_its_place(checker: ProgramChecker) -> None:
    assert checker.check(FINE) is None
    assert checker.check("async function f (bot) {\n  let a = ;\n}") == SyntaxFault("Unexpected token", 2, 11)
    assert checker.check("'\ud800'") is None
    assert checker.check("") is None


def test_hostile_sources_cost_bounded_time_and_a_named_fault(checker: ProgramChecker) -> None:
    assert checker.check("(" * MAX_SOURCE) == SyntaxFault("the program is nested too deeply")
    many = checker.check("x" * (5 * MAX_SOURCE))
    assert many is not None
    assert f"at most {MAX_SOURCE} are accepted" in many.message


@pytest.mark.parametrize("source", [FINE, "import x from 'y'", "async function f (bot) { using a = 1 }", "return 1"])
def test_the_check_says_what_the_host_says(source: str, checker: ProgramChecker, tmp_path: Path) -> None:
    played = try_policy(source, log_dir=tmp_path).result
    fault = checker.check(source)
    assert (played.outcome == ProgramOutcome.SYNTAX) == (fault is not None)
    if fault is not None:
        assert played.error is not None
        assert (played.error.message, played.error.line) == (fault.message, fault.line)


def test_a_process_that_is_lost_is_started_again(checker: ProgramChecker) -> None:
    assert checker.check(FINE) is None
    assert checker._process is not None
    os.kill(checker._process.pid, signal.SIGKILL)
    checker._process.wait()
    assert checker.check("let") is None


def test_a_process_that_never_answers_is_given_up(
    checker: ProgramChecker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    silent = tmp_path / "silent.js"
    silent.write_text("process.exit(1)")
    monkeypatch.setattr(program_check, "SCRIPT", silent)
    monkeypatch.setattr(program_check, "FLAGS", ())
    with pytest.raises(HostError, match="ended 2 times without an answer"):
        checker.check(FINE)


def test_closing_ends_the_process_and_another_starts_when_it_is_needed(checker: ProgramChecker) -> None:
    assert checker.check(FINE) is None
    first = checker._process
    assert first is not None
    checker.close()
    assert first.poll() is not None
    assert checker.check(FINE) is None
    assert checker._process is not first
