"""Reports whose runs are read by workers, equal to reports written by one process."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from accord.analysis.report import worker_pool, write_report
from accord.analysis.report.reader import find_runs, read_runs
from accord.analysis.report.worker_pool import InProcessPool, ProcessPool, pool_for
from dilemmas.errors import RecordError
from tests.unit.accord.analysis.report.synthetic import Story, write_run


def doubled(number: int) -> int:
    if number > 2:
        raise RecordError(f"{number} is too much")
    return 2 * number


def ended(parent: int) -> str:
    """Kill the worker that runs this; return a word in the parent process."""
    if os.getpid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done here"


def test_results_come_back_in_order() -> None:
    pool = ProcessPool(2)
    try:
        assert pool.map(doubled, [(each,) for each in (2, 0, 1)]) == [4, 0, 2]
        assert pool.map(doubled, []) == []
        with pytest.raises(RecordError, match=r"^4 is too much$"):
            pool.map(doubled, [(each,) for each in (1, 4, 5, 3)])
        assert pool.map(doubled, [(1,)]) == [2], "they go on after a failure"
    finally:
        pool.close_workers()


def test_work_of_a_killed_worker_is_done_by_the_parent() -> None:
    pool = ProcessPool(1)
    try:
        assert pool.map(ended, [(os.getpid(),), (os.getpid(),)]) == ["done here", "done here"]
    finally:
        pool.close_workers()


def test_only_long_logs_start_workers(tmp_path: Path) -> None:
    for seed in range(2):
        write_run(tmp_path / f"seed-{seed}", Story(seed=seed))
    runs = find_runs([tmp_path])
    with pool_for(runs) as pool:
        assert isinstance(pool, InProcessPool)
    with pool_for([], min_bytes=0) as pool:
        assert isinstance(pool, InProcessPool)


@pytest.mark.usefixtures("helped")
def test_a_worker_writes_the_transcripts_of_a_single_run_meanwhile(tmp_path: Path) -> None:
    run = write_run(tmp_path / "one", Story())
    with pool_for(find_runs([run])) as pool:
        assert isinstance(pool, ProcessPool)
        begun = pool.begin(doubled, [(1,), (4,)])
        with pytest.raises(RecordError, match=r"^4 is too much$"):
            begun()
        assert pool.begin(doubled, [(1,)])() == [2]
    assert any("minds/run-1" in str(each) for each in write_report([run], tmp_path / "report").files)


@pytest.fixture
def helped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use two workers, regardless of the machine's cores and the logs' lengths."""
    monkeypatch.setattr(worker_pool, "MIN_BYTES", 0)
    monkeypatch.setattr(worker_pool, "_cores", lambda: 2)


def test_workers_write_the_same_report(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    for seed in range(3):
        write_run(tmp_path / "study" / f"seed-{seed}", Story(seed=seed, transfer=seed))
    alone = write_report([tmp_path / "study"], tmp_path / "alone")
    request.getfixturevalue("helped")
    with pool_for(find_runs([tmp_path / "study"])) as pool:
        assert isinstance(pool, ProcessPool)
    together = write_report([tmp_path / "study"], tmp_path / "together")
    assert [each.relative_to(tmp_path / "alone") for each in alone.files] == [
        each.relative_to(tmp_path / "together") for each in together.files
    ]
    assert any("minds/run-3" in str(each) for each in together.files)
    for one, other in zip(alone.files, together.files, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


@pytest.mark.usefixtures("helped")
def test_an_unreadable_record_is_an_error_in_one_line(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story())
    broken = write_run(tmp_path / "b", Story(seed=1)) / "events.jsonl"
    broken.write_text("{}\n" + broken.read_text())
    with pytest.raises(RecordError, match=r"b/events\.jsonl, line 1: not an event of a run"):
        read_runs([tmp_path])
