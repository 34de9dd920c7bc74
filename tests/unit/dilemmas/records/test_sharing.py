"""manifest.json, `accord verify` and `accord export`: changes are reported, and shared records hold no key."""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

import accord
from accord.cli import main
from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from accord.studies.verifying import replay, verify
from dilemmas.errors import UsageError
from dilemmas.records.bundle import export
from dilemmas.records.manifest import differences, manifest, read_manifest
from tests.fakes.model_players import respond, role
from voyager_agents.models.fake_server import FakeServer

MOOD = """
from voyager_agents.piano.module import Module, Result, When

MODULE = Module(
    name="mood", reads=(), writes=("mood",), when=When(every_s=5), slots={"mood": str}, first={"mood": "calm"},
    rule=lambda view: Result({"mood": "gay"}),
)
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a short study of two conditions."""
    out = tmp_path_factory.mktemp("shared")
    both = ["none", "contract-1"]
    return accord.study("double-vein", both, world="mock", time_limit_s=2, out=out, report=False, progress=False).path


@pytest.fixture
def study(played: Path, tmp_path: Path) -> Path:
    """Return a copy that a test may change."""
    return Path(shutil.copytree(played, tmp_path / "study"))


def wrong(study: Path) -> dict[str, str]:
    return {each.question: each.told for each in verify(study) if each.ok is False}


def test_a_manifest_says_what_was_played_and_hashes_every_file(study: Path) -> None:
    told = read_manifest(study)
    assert told == manifest(study)
    assert told["scenario"] == {"name": "double-vein", "version": 1}
    assert (told["world"], told["seeds"], told["conditions"]) == ("mock", [0], ["none", "contract-1"])
    assert [(each["path"], each["status"]) for each in told["runs"]] == [
        ("contract-1", "complete"),
        ("none", "complete"),
    ]
    assert {"config.yaml", "result.json", "none/events.jsonl", "none/episodes/1/policies/Gizmo.js"} <= set(
        told["files"]
    )
    assert all(len(each["sha256"]) == 64 for each in told["files"].values())
    assert [each.ok for each in verify(study)] == [True] * 5


def test_a_report_and_logs_are_no_part_of_the_record(study: Path) -> None:
    (study / "report.html").write_text("new")
    (study / "logs" / "more.log").write_text("new")
    assert differences(study, read_manifest(study)["files"]) == []


def test_changes_of_a_record_are_reported(study: Path) -> None:
    result = study / "none" / "result.json"
    result.write_text(result.read_text().replace('"welfare": ', '"welfare": 1', 1))
    (study / "contract-1" / "calls.jsonl").unlink()
    (study / "contract-1" / "episodes" / "2").mkdir()
    (study / "contract-1" / "episodes" / "2" / "inventories.json").write_text("{}")
    found = wrong(study)
    files = found["all files are there, and are what they were"]
    assert "contract-1/calls.jsonl is missing" in files
    assert "contract-1/episodes/2/inventories.json was not there when the record was made" in files
    assert "none/result.json is not what it was" in files
    assert found["results are those of the logs"] == "none: result.json is not what the log says"
    assert "logs are whole" not in found


def test_a_truncated_log_or_a_gap_is_reported(study: Path) -> None:
    for run, keep in (("none", slice(0, -1)), ("contract-1", slice(1, None))):
        log = study / run / "events.jsonl"
        log.write_text("\n".join(log.read_text().splitlines()[keep]) + "\n")
    assert wrong(study)["logs are whole"] == (
        "contract-1: events.jsonl has 1 where 0 belongs; none: events.jsonl has no end: the run was interrupted"
    )


async def test_a_replay_gives_the_same_or_says_where_it_does_not(study: Path) -> None:
    assert (await replay(study)).ok is True
    log = study / "none" / "events.jsonl"
    log.write_text(log.read_text().replace('"t_s": 1.0', '"t_s": 1.5', 1))
    found = await replay(study)
    assert found.ok is False
    assert found.told.startswith("none: line ")


async def test_a_study_with_models_is_repeated_from_its_recorded_answers_to_the_byte(tmp_path: Path) -> None:
    """Check with models that vary and differ by role; the repetition has no endpoint."""
    program = "```javascript\nasync function rest (bot) { await bot.waitForTicks(20) }\n```"
    async with FakeServer(lambda asked: program if role(asked) == "action" else respond(asked)) as server:
        settings = StudySettings(
            "double-vein", ("negotiate",), world="mock", out=tmp_path, time_limit_s=4, model="openai/usual",
            models={"judge": "openai/strict"}, vary={"model": ("openai/a", "openai/b")}, base_url=server.base_url,
        )  # fmt: skip
        first = await run_study(settings)
    assert first.status == "complete"
    assert {each.ok for each in [*verify(first.directory), await replay(first.directory)]} == {True}
    assert {len(each["action"]) for each in read_manifest(first.directory)["prompts"].values()} == {64}


async def test_a_world_with_a_clock_of_its_own_cannot_be_repeated(study: Path) -> None:
    config = study / "config.yaml"
    config.write_text(config.read_text().replace("world: mock", "world: embedded"))
    found = await replay(study)
    assert (found.ok, "no two runs are the same" in found.told) == (None, True)


def test_own_modules_and_prompts_are_hashed_and_a_change_is_reported(tmp_path: Path) -> None:
    module = tmp_path / "mood.py"
    module.write_text(MOOD)
    ran = accord.run(
        "village", "normal", world="mock", time_limit_s=1, out=tmp_path / "runs", progress=False,
        agents_options={"modules": str(module)},
    )  # fmt: skip
    told = read_manifest(ran.path)
    assert told["own_files"] == {str(module): hashlib.sha256(MOOD.encode()).hexdigest()}
    assert [each.ok for each in verify(ran.path)] == [True] * 5
    module.write_text(f"{MOOD}# other")
    assert verify(ran.path)[-1].told == f"{module} is not what it was"
    module.unlink()
    assert verify(ran.path)[-1].told == f"{module} is gone"
    assert verify(ran.path)[-1].ok is None


def test_the_command_says_no_by_its_exit_code(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(study), "--json"]) == 0
    assert [each["ok"] for each in json.loads(capsys.readouterr().out)] == [True] * 5
    (study / "none" / "contract.json").write_text("{}")
    assert main(["verify", str(study)]) == 1
    assert main(["verify", str(study / "none")]) == 2
    assert "has no manifest.json" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["zip", "tar.gz"])
def test_a_bundle_has_the_same_bytes_each_time_and_can_be_verified(study: Path, tmp_path: Path, suffix: str) -> None:
    (study / "report.html").write_text("<p>report</p>")
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    names = export([study], first, "0")
    export([study], second, "0")
    assert first.read_bytes() == second.read_bytes()
    assert {"README.txt", "study/manifest.json", "study/report.html", "study/none/events.jsonl"} <= set(names)
    assert not any("logs/" in name or name.endswith("wall.json") for name in names)
    if suffix == "zip":
        zipfile.ZipFile(first).extractall(tmp_path / "out")
    else:
        with tarfile.open(first) as archive:
            archive.extractall(tmp_path / "out", filter="data")
    assert [each.ok for each in verify(tmp_path / "out" / "study")] == [True] * 5


def test_no_key_is_shared(study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = study / "none" / "calls.jsonl"
    calls.write_text('{"text": "my key is sk-abcdefghijklmnopqrstuvwx"}\n')
    with pytest.raises(UsageError, match=r"study/none/calls\.jsonl holds what looks like an API key"):
        export([study], tmp_path / "a.zip", "0")
    calls.write_text('{"text": "plain-secret-4711"}\n')
    export([study], tmp_path / "a.zip", "0")
    monkeypatch.setenv("OTHER_API_KEY", "plain-secret-4711")
    with pytest.raises(UsageError, match="holds what looks like an API key"):
        export([study], tmp_path / "b.zip", "0")
    assert not (tmp_path / "b.zip").exists()


def test_a_refused_export_is_one_line(study: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"ends in \.zip or \.tar\.gz"):
        export([study], tmp_path / "a.rar", "0")
    with pytest.raises(UsageError, match="two studies are called 'study'"):
        export([study, study], tmp_path / "a.zip", "0")
    with pytest.raises(UsageError, match=r"has no manifest\.json"):
        export([tmp_path], tmp_path / "a.zip", "0")
