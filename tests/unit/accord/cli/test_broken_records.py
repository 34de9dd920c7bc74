"""Damaged records and full disks: one line of error each, never an internal error."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accord.cli.app import app
from accord.cli.error_handling import explain
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from dilemmas.errors import RecordError
from dilemmas.records.record import read_events
from tests.fakes.world import FakeWorld, FakeWorlds, Script

BRIEF = Script()


def played(tmp_path: Path, *conditions: str) -> StudyResult:
    settings = StudySettings("double-vein", conditions or ("none",), world="fake", out=tmp_path / "runs")
    return asyncio.run(run_study(settings, worlds=FakeWorlds(FakeWorld([BRIEF] * 2))))


def told(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code in (1, 2)
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "internal error" not in result.stderr
    assert "Traceback" not in result.stderr
    return result.stderr


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"\xff\xfe\x00garbage", "not an event of a run"),
        (os.urandom(0) + bytes(range(128, 256)), "not an event of a run"),
        (b"[" * 50_000, "not an event of a run"),
        (b'{"seq": 1, "kind": "chat", "tick": 1, "time": 1e999, "data": {}}', "1e999 is no finite number"),
        (b'{"seq": 1, "kind": "chat", "tick": 1, "time": NaN, "data": {}}', "NaN is no finite number"),
        (b'{"seq": 1, "kind": "chat", "data": []}', "not an event of a run"),
        (b"7", "not an event of a run"),
    ],
)
def test_a_line_that_is_no_event_is_told_by_its_number(tmp_path: Path, line: bytes, words: str) -> None:
    found = played(tmp_path)
    log = found.directory / "events.jsonl"
    first, rest = log.read_bytes().split(b"\n", 1)
    log.write_bytes(first + b"\n" + line + b"\n" + rest)
    said = told("report", str(found.directory))
    assert "events.jsonl, line 2" in said
    assert words in said
    with pytest.raises(RecordError, match=r"events\.jsonl, line 2"):
        asyncio.run(resume_study(found.directory, read_settings(found.directory), worlds=FakeWorlds()))


def test_a_torn_last_line_is_no_fault_even_within_a_letter(tmp_path: Path) -> None:
    found = played(tmp_path)
    log = found.directory / "events.jsonl"
    whole = list(read_events(log))
    log.write_bytes(log.read_bytes() + '{"seq": 99, "text": "\u00e9'.encode()[:-1])
    assert list(read_events(log)) == whole


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace('"welfare": 0.0', '"welfare": 1e999'), "1e999 is no finite number"),
        (lambda text: text.replace('"welfare": 0.0', '"welfare": NaN'), "NaN is no finite number"),
        (lambda text: text.replace('"welfare": 0.0', '"welfare": 1' + "0" * 400), "not the result of a run"),
        (lambda text: "[" * 50_000, "nested too deeply"),
        (lambda text: "7", "holds int, not a result"),
        (lambda text: json.dumps(json.loads(text) | {"players": {"Gizmo": 3}}), "not the result of a run"),
        (lambda text: json.dumps(json.loads(text) | {"players": [3]}), "not the result of a run"),
        (lambda text: json.dumps(json.loads(text) | {"usage": [3]}), "not the result of a run"),
        (lambda text: json.dumps(json.loads(text) | {"usage": {"calls": "many"}}), "not the result of a run"),
    ],
)
def test_a_result_that_is_none_is_told(tmp_path: Path, change: object, words: str) -> None:
    found = played(tmp_path)
    path = found.directory / "result.json"
    before = path.read_text()
    path.write_text(change(before))  # type: ignore[operator]
    assert path.read_text() != before
    said = told("report", str(found.directory))
    assert "result.json" in said
    assert words in said


@pytest.mark.parametrize(
    "text",
    ["a: " + "[" * 5000, "\x00", "settings: 7", "settings: {scenario: x}", "settings: {scenario: x, contracts: 7}",
     "settings: {scenario: x, contracts: [y], runs: many}", "- 1"],
)  # fmt: skip
def test_a_config_that_is_none_is_told(tmp_path: Path, text: str) -> None:
    found = played(tmp_path)
    (found.directory / "config.yaml").write_text(text)
    assert "give" in told("resume", str(found.directory)) or "settings: not those of a study" in told(
        "resume", str(found.directory)
    )


@pytest.mark.parametrize("after", range(0, 12))
def test_a_disk_that_fills_up_is_told_with_several_conditions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    sync, left = os.fsync, [after]

    def full(file: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(file)

    monkeypatch.setattr(os, "fsync", full)
    try:
        played(tmp_path, "none", "contract-1")
    except RecordError as error:
        code, line = explain(error)
        assert (code, "No space left on device" in line, "cannot write" in line) == (1, True, True)
    assert left[0] >= 0 or after < 12


def test_a_full_disk_is_told_wherever_it_is_met() -> None:
    code, line = explain(OSError(errno.ENOSPC, "No space left on device", "/runs/x"))
    assert (code, line) == (1, "no space left on device (/runs/x): make room or choose another folder")
    assert "internal error" in explain(OSError(errno.EBADF, "Bad file descriptor"))[1]
