"""Studies with several jobs: worker processes, one budget, deaths that cost only time, and clean ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.records.digest import digest
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from tests.fakes import jobs
from tests.fakes.json_schema import faults
from tests.fakes.model_players import respond
from voyager_agents.models.fake_server import FakeReply, FakeServer

ROOT = Path(__file__).resolve().parents[4]


def settings(out: Path, **chosen: Any) -> StudySettings:  # noqa: ANN401 - settings of any kind
    return StudySettings("double-vein", **{"world": "fake", "out": out, "jobs": 2, "runs": 2, **chosen})


def logs(directory: Path) -> dict[str, Path]:
    return {str(path.relative_to(directory)): path for path in sorted(directory.rglob("events.jsonl"))}


def digests(directory: Path) -> dict[str, str]:
    return {name: digest(read_events(path)) for name, path in logs(directory).items()}


def pids(directory: Path) -> list[int]:
    return [int(path.read_text()) for path in directory.glob("logs/job-*/pid")]


def is_alive(pid: int) -> bool:
    """Return True if the process runs; a zombie does not count."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def begun(out: Path, workers: int) -> Path:
    """Wait until `workers` workers play, and return the study's directory."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if len(list(out.glob("*/logs/job-*/playing"))) == workers:
            return next(each for each in out.iterdir() if not each.name.startswith("."))
        time.sleep(0.02)
    raise TimeoutError(f"no {workers} workers play")


async def test_side_by_side_is_the_same_as_in_turn(tmp_path: Path) -> None:
    contracts = ("none", "contract-1")
    heard: list[LogLine] = []
    found = await run_study(
        settings(tmp_path / "two", contracts=contracts), listen=heard.append, worlds=jobs.open_willing
    )
    alone = await run_study(settings(tmp_path / "one", contracts=contracts, jobs=1), worlds=jobs.open_willing)
    assert digests(found.directory) == digests(alone.directory)
    assert len(digests(found.directory)) == 4
    seeds = [[run["seed"] for run in condition["runs"]] for condition in found.results]
    assert (found.status, seeds) == ("complete", [[0, 1], [0, 1]])
    assert found.results[1]["summary"]["welfare"] == alone.results[1]["summary"]["welfare"]
    assert sorted(line.kind for line in heard) == sorted(["run_started", "world_ready", "run_ended"] * 4)
    assert len(set(pids(found.directory))) == 2
    assert [pid for pid in pids(found.directory) if is_alive(pid)] == []


async def test_the_run_of_a_worker_that_dies_goes_on_in_another(tmp_path: Path) -> None:
    found = await run_study(settings(tmp_path / "dies"), worlds=jobs.open_deadly)
    whole = await run_study(settings(tmp_path / "whole", jobs=1), worlds=jobs.open_willing)
    assert (found.status, digests(found.directory)) == ("complete", digests(whole.directory))
    resumed = [
        line for path in logs(found.directory).values() for line in read_events(path) if line.kind == "run_resumed"
    ]
    assert len(resumed) == 1


async def test_a_run_that_costs_several_workers_is_lost_to_the_infrastructure(tmp_path: Path) -> None:
    found = await run_study(
        settings(tmp_path, contracts=("contract-1", "none"), runs=1), worlds=jobs.open_always_deadly
    )
    lost, played = found.results
    assert (found.status, lost["status"], played["status"]) == ("infrastructure", "infrastructure", "complete")
    assert lost["reason"].startswith("the worker process has ended by signal 9; see logs/job-")
    assert (lost["welfare"], lost["players"]) == (None, {})
    assert json.loads((found.directory / "contract-1/result.json").read_text()) == lost
    assert faults(lost, json.loads(SCHEMA.read_text(encoding="utf-8"))) == []
    assert [line.kind for line in read_events(found.directory / "contract-1/events.jsonl")][-1] == "run_ended"


async def test_the_budget_is_the_whole_study_s(tmp_path: Path) -> None:
    """The server is slow, so that the workers' calls overlap."""
    limited = {"calls": {"all": 3}}
    async with FakeServer(lambda request: FakeReply(str(respond(request)), delay_s=0.2)) as server:
        asked = settings(
            tmp_path, model="openai/x", base_url=server.base_url, budget=limited, runs=4, contracts=("none",)
        )
        found = await run_study(asked, worlds=jobs.open_willing)
        assert (found.status, len(server.requests)) == ("budget", 3)
        reasons = [run["reason"] for run in found.results[0]["runs"] if run["status"] == "budget"]
        assert set(reasons) == {"the budget --max-calls 3 is reached: give more, and resume the run"}
        more = read_settings(found.directory, budget={"calls": {"all": 8}}, base_url=server.base_url, jobs=1)
        whole = await resume_study(found.directory, more, worlds=jobs.open_willing)
        assert (whole.status, len(server.requests)) == ("complete", 8)


async def test_a_study_that_is_cancelled_leaves_no_process_and_a_whole_record(tmp_path: Path) -> None:
    task = asyncio.create_task(run_study(settings(tmp_path), worlds=jobs.open_endless))
    directory = await asyncio.to_thread(begun, tmp_path, 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [pid for pid in pids(directory) if is_alive(pid)] == []
    result = json.loads((directory / "result.json").read_text())
    assert [(run["status"], run["reason"]) for run in result["runs"]] == [("failed", "interrupted")] * 2
    found = await resume_study(directory, read_settings(directory, jobs=1), worlds=jobs.open_willing)
    assert found.status == "complete"


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that plays an endless study with two jobs."""
    script = (
        "import asyncio, pathlib; from tests.unit.accord.studies.test_jobs import *\n"
        f"asyncio.run(run_study(settings(pathlib.Path({str(tmp_path)!r})), worlds=jobs.open_endless))"
    )
    process = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.DEVNULL)
    yield process
    process.kill()
    process.wait()


async def test_a_study_that_is_killed_takes_its_workers_with_it(
    endless: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    directory = await asyncio.to_thread(begun, tmp_path, 2)
    workers = pids(directory)
    endless.send_signal(signal.SIGKILL)
    endless.wait()
    resumed: StudyResult | None = None
    deadline = time.monotonic() + 60
    while resumed is None and time.monotonic() < deadline:
        # Workers hold the study's lock until they have ended, which prevents concurrent writes.
        with suppress(UsageError):
            resumed = await resume_study(directory, read_settings(directory, jobs=1), worlds=jobs.open_willing)
        await asyncio.sleep(0.05)
    assert resumed is not None
    assert resumed.status == "complete"
    assert [pid for pid in workers if is_alive(pid)] == []


async def test_what_a_worker_lacks_is_told_as_if_there_were_one_process(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match=r"^there is no such world here: build one$"):
        await run_study(settings(tmp_path), worlds=jobs.open_none)


async def test_what_several_jobs_cannot_share_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="port 25565 cannot be shared by 2 jobs; leave out --port or --jobs"):
        settings(tmp_path, port=25565)
    with pytest.raises(UsageError, match="jobs: 0 is not legal; give 1 to 10000"):
        settings(tmp_path, jobs=0)
    with pytest.raises(UsageError, match="worlds that other processes can open too"):
        await run_study(settings(tmp_path), worlds=lambda *_, **__: jobs.Willing(tmp_path))
