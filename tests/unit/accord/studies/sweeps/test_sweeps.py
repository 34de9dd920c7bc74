"""Sweeps played by all engines: every run once, with results equal to an undisturbed sweep, even if an engine dies."""

from __future__ import annotations

import asyncio
import contextlib
import csv
import errno
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report.sweep import write_sweep_report
from accord.cli import main
from accord.studies.sweeps import folder as places
from accord.studies.sweeps import slurm
from accord.studies.sweeps.engine import open_engine
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.kept_worlds import KeptWorlds
from accord.studies.sweeps.lease import TaskLease, acquire_lease
from accord.studies.sweeps.local import LocalEngine, shares
from accord.studies.sweeps.player import TaskPlayer
from accord.studies.sweeps.sweep import check_models, open_sweep, run_sweep
from accord.studies.sweeps.task import play_task
from bridge.errors import InfrastructureError
from bridge.worlds import open_world
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.digest import digest
from dilemmas.records.locking import Holder
from dilemmas.records.record import read_events

SWEEP = """
name: small
scenarios: [double-vein]
conditions: [none, contract-1]
seeds: 2
grid: {time_limit_s: [4, 8]}
"""
TASKS = 8
PAIR = SWEEP.replace("seeds: 2", "seeds: 1").replace("[4, 8]", "[4]")
"""Smaller sweep of two tasks, for properties independent of their number."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(SWEEP)
    return path


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    path = tmp_path / "pair.yaml"
    path.write_text(PAIR)
    return path


def logs(folder: SweepFolder, tasks: int = TASKS) -> dict[str, str]:
    """Return task -> hash of its log. Check that each task has exactly one run."""
    found = list((folder.path / "tasks").glob("*/*/events.jsonl"))
    assert len(found) == tasks
    return {each.parent.name: digest(read_events(each)) for each in found}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> SweepFolder:
    """Play the whole sweep without disturbance. Tests must not write into it."""
    path = tmp_path_factory.mktemp("sweep")
    (path / "small.yaml").write_text(SWEEP)
    folder = open_sweep(path / "small.yaml", path)

    async def play() -> None:
        worlds = KeptWorlds(path / "logs")
        try:
            for index in range(TASKS):
                # The last task uses a world of its own, which compares kept worlds with a fresh one.
                made = worlds if index < TASKS - 1 else open_world
                assert await play_task(folder, index, worlds=made) == "complete"
        finally:
            await worlds.close()

    asyncio.run(play())
    return folder


@pytest.fixture(scope="module")
def undisturbed(played: SweepFolder) -> dict[str, str]:
    return logs(played)


async def test_worlds_that_stay_up_change_nothing(file: Path, tmp_path: Path, undisturbed: dict[str, str]) -> None:
    folder = open_sweep(file, tmp_path / "out")
    worlds = KeptWorlds(tmp_path / "logs")
    pids = set()

    def watched(name: str, **given: Any) -> Any:  # noqa: ANN401
        return worlds(name, **given)

    for index in random.Random(1).sample(range(TASKS), TASKS):
        assert await play_task(folder, index, worlds=watched) == "complete"
        pids.add(next(iter(worlds._free.values())).pid)  # type: ignore[attr-defined]
    await worlds.close()
    assert len(pids) == 1
    assert logs(folder) == undisturbed


async def test_a_task_that_has_ended_is_not_played_again(file: Path, tmp_path: Path) -> None:
    folder = open_sweep(file, tmp_path / "out")
    opened: list[int] = []

    def counted(name: str, **given: Any) -> Any:  # noqa: ANN401
        opened.append(given["seed"])
        return open_world(name, **given)

    assert [await play_task(folder, 0, worlds=counted) for _ in range(3)] == ["complete"] * 3
    assert len(opened) == 1


async def test_the_lease_of_a_worker_that_was_killed_after_its_run_is_removed(pair: Path, tmp_path: Path) -> None:
    folder = open_sweep(pair, tmp_path / "out")
    assert await play_task(folder, 0) == "complete"
    kept = logs(folder, 1)
    left = [folder.path / "leases" / f"{folder.tasks[0].id}.1", folder.path / "scratch" / folder.tasks[0].id / "run"]
    left[0].write_text(json.dumps(asdict(replace(Holder.here(), pid=2**22 + 1))))
    left[1].mkdir(parents=True)
    await run_sweep(folder, LocalEngine(1), lambda index, outcome: None)
    assert {name: log for name, log in logs(folder, 2).items() if name in kept} == kept
    assert not list((folder.path / "leases").iterdir())
    assert not list((folder.path / "scratch").iterdir())


async def test_a_task_that_somebody_else_plays_is_left_alone(file: Path, tmp_path: Path) -> None:
    folder = open_sweep(file, tmp_path / "out")
    lease = acquire_lease(folder.lease(folder.tasks[0]))
    assert lease is not None
    assert await play_task(folder, 0) == "busy"
    lease.close()
    assert await play_task(folder, 0) == "complete"


async def test_workers_that_are_killed_cost_nothing_but_time(
    file: Path, tmp_path: Path, undisturbed: dict[str, str]
) -> None:
    folder, chance = open_sweep(file, tmp_path / "out"), random.Random(3)
    heard: list[int] = []

    def hear(index: int, outcome: str) -> None:
        assert outcome == "complete"
        heard.append(index)
        if len(heard) in (1, 4):
            os.kill(chance.choice(workers_of(os.getpid())), signal.SIGKILL)

    result = await run_sweep(folder, LocalEngine(2), hear)
    assert sorted(heard) == list(range(TASKS))
    assert result.statuses == {"complete": TASKS}
    assert logs(folder) == undisturbed
    assert not list((folder.path / "leases").iterdir())
    assert not list((folder.path / "scratch").iterdir())
    assert workers_of(os.getpid()) == []


async def test_the_sweep_is_killed_and_another_engine_goes_on(
    file: Path, tmp_path: Path, undisturbed: dict[str, str]
) -> None:
    head = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "accord.cli", "sweep", str(file), "--jobs", "2", "--out", str(tmp_path / "out"),
        stderr=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    home = tmp_path / "out" / "small" / "tasks"
    await until(lambda: head.returncode is not None or len(list(home.glob("*/*/result.json"))) >= 3)
    assert head.returncode is None, "the sweep has ended by itself"
    workers = workers_of(head.pid)
    below = [each for worker in workers for each in children_of(worker)]
    assert workers
    assert below
    head.kill()
    await head.wait()
    await until(lambda: not any(is_running(pid) for pid in [*workers, *below]))
    folder = open_sweep(tmp_path / "out" / "small", tmp_path)
    async with TaskPlayer(folder.path) as player:
        for index in range(TASKS):
            assert await player.play(index) == "complete"
    assert logs(folder) == undisturbed


async def until(holds: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    while not holds():  # noqa: ASYNC110 - another process says so by its files only
        await asyncio.sleep(0.02)


def is_running(pid: int) -> bool:
    """Return True if the process runs; a zombie does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of(pid: int) -> list[int]:
    """Return the running child processes of a process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            told = path.read_text().rpartition(")")[2].split()
            if told[1] == str(pid) and told[0] != "Z":
                found.append(int(path.parent.name))
    return found


def ray_folders(pids: set[int]) -> set[Path]:
    """Return the folders of these processes' Ray cluster, without those of other clusters on this machine."""
    words = " ".join(map(words_of, pids))
    return {Path(found) for found in re.findall(r"/[^\s=:,\"']*?accord-ray-\w+", words)}


def below(pid: int) -> list[int]:
    """Return all running descendants of a process."""
    return [each for child in children_of(pid) for each in (child, *below(child))]


def of_ray() -> list[int]:
    """Return the processes that Ray has started, without other children such as Python's resource tracker."""
    own = [each for each in children_of(os.getpid()) if re.search(r"/ray/|ray::|accord-ray-", words_of(each))]
    return [each for first in own for each in (first, *below(first))]


def words_of(pid: int) -> str:
    """Return the command line of a process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return ""


def workers_of(pid: int) -> list[int]:
    """Return the running workers of the local engine started by a process."""
    return [each for each in children_of(pid) if "sweeps.serve" in words_of(each)]


async def test_a_full_disk_loses_nothing(
    file: Path, tmp_path: Path, undisturbed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = open_sweep(file, tmp_path / "out")
    rename: Callable[..., None] = places._rename_new

    def full(source: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(places, "_rename_new", full)
    with pytest.raises(RecordError, match="No space left on device; make room"):
        await play_task(folder, 0)
    monkeypatch.setattr(places, "_rename_new", rename)
    assert not folder.is_done(folder.tasks[0])
    async with TaskPlayer(folder.path) as player:
        assert [await player.play(index) for index in range(2)] == ["complete"] * 2
    assert logs(folder, 2) == {task.id: undisturbed[task.id] for task in folder.tasks[:2]}


async def test_scratch_of_the_machine_is_used_and_left_clean(
    file: Path, tmp_path: Path, undisturbed: dict[str, str]
) -> None:
    folder = open_sweep(file, tmp_path / "out")
    node = tmp_path / "node"
    async with TaskPlayer(folder.path, node) as player:
        for index in (0, TASKS - 1):
            assert await player.play(index) == "complete"
    assert len(list(node.iterdir())) == 1
    assert logs(folder, 2) == {task.id: undisturbed[task.id] for task in (folder.tasks[0], folder.tasks[-1])}
    assert not list(node.glob("*/*"))


async def test_the_table_has_every_run_with_parameters_and_measures(
    file: Path, tmp_path: Path, played: SweepFolder
) -> None:
    folder = open_sweep(file, tmp_path / "out")
    for task in folder.tasks[:-1]:
        shutil.copytree(played.home(task), folder.home(task))
    first = folder.home(folder.tasks[0]) / "result.json"
    measures = {"cooperation": {"": 0.5, "Gizmo": 1.0}}
    first.write_text(json.dumps({**json.loads(first.read_text()), "measures": measures}))
    result = await run_sweep(folder, NoEngine(), lambda *_: None)
    assert result.statuses == {"complete": TASKS - 1, "pending": 1}
    with result.tables[0].open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [int(row["task"]) for row in rows] == list(range(TASKS))
    assert (rows[0]["cooperation"], rows[0]["cooperation.Gizmo"]) == ("0.5", "1.0")
    for row, task in zip(rows, folder.tasks, strict=True):
        assert (row["condition"], row["seed"], row["time_limit_s"]) == (
            task.condition, str(task.seed), str(task.parameters["time_limit_s"]),
        )  # fmt: skip
        told = folder.result(task)
        assert row["welfare"] == ("" if told is None else str(told["welfare"]))
        assert row["payoff.Gizmo"] == ("" if told is None else str(told["players"]["Gizmo"]["payoff"]))
    pandas = pytest.importorskip("pyarrow.parquet", reason="extra `parquet` is not installed")
    table = pandas.read_table(result.tables[1])
    assert table.num_rows == TASKS
    assert table.column("welfare").to_pylist()[0] == float(rows[0]["welfare"])
    page = write_sweep_report(folder.path)
    assert "welfare by time_limit_s" in page.read_text()
    assert (folder.path / "plots" / "welfare-by-time_limit_s.svg").exists()


async def test_what_a_lost_machine_has_begun_goes_on_elsewhere(
    file: Path, tmp_path: Path, undisturbed: dict[str, str]
) -> None:
    folder = open_sweep(file, tmp_path / "out")
    task, node = folder.tasks[0], tmp_path / "node"

    def broken(name: str, **given: Any) -> Any:  # noqa: ANN401
        raise InfrastructureError("no world today")

    assert await play_task(folder, 0, worlds=broken, scratch=node) == "infrastructure"
    assert not list(node.glob("*/*"))
    begun = folder.path / "scratch" / task.id / "run"
    there = json.dumps(asdict(Holder("another", "cluster-7", "boot", 1, "1", "n")))
    (begun / "lock.json").write_text(there)
    lease = folder.lease(task).with_name(f"{task.id}.1")
    lease.write_text(there)
    assert await play_task(folder, 0) == "busy"
    os.utime(lease, (1, 1))
    assert await play_task(folder, 0) == "complete"
    assert task.id in undisturbed
    assert not list((folder.path / "scratch").iterdir())
    assert not list((folder.path / "leases").iterdir())


async def test_who_lost_its_lease_while_it_played_brings_nothing_home(file: Path, tmp_path: Path) -> None:
    folder = open_sweep(file, tmp_path / "out")
    taken: list[TaskLease | None] = []

    def slow(name: str, **given: Any) -> Any:  # noqa: ANN401
        # Meanwhile another machine finds the lease without heartbeats and takes the task over.
        os.utime(folder.lease(folder.tasks[0]).with_name(f"{folder.tasks[0].id}.1"), (1, 1))
        taken.append(acquire_lease(folder.lease(folder.tasks[0])))
        return open_world(name, **given)

    assert await play_task(folder, 0, worlds=slow) == "busy"
    assert not folder.is_done(folder.tasks[0])
    (other,) = taken
    assert other is not None
    other.close()
    assert await play_task(folder, 0) == "complete"


class NoEngine:
    """Engine that plays nothing."""

    async def play(self, *_: object) -> None:
        """Do nothing."""


async def test_ray_plays_the_same_and_leaves_nothing(
    file: Path,
    tmp_path: Path,
    undisturbed: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("ray", reason="extra `ray` is not installed")
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = open_sweep(file, tmp_path / "out")
    begun: set[int] = set()
    folders: set[Path] = set()

    def hear(_: int, outcome: str) -> None:
        assert outcome == "complete"
        if not begun:
            begun.update(of_ray())
            actors = [each for each in begun if words_of(each).startswith("ray::_Actor")]
            folders.update(ray_folders(begun))
            assert all(each.is_dir() for each in folders)
            os.kill(actors[0], signal.SIGKILL)

    result = await run_sweep(folder, open_engine("ray", jobs=2), hear)
    assert result.complete
    assert logs(folder) == undisturbed
    assert not list((folder.path / "leases").iterdir())
    assert begun
    await until(lambda: not any(is_running(each) for each in begun))
    assert folders
    assert not any(each.exists() for each in folders)
    assert not (tmp_path / ".ray").exists()
    assert not [name for name in os.environ if name.startswith("RAY_AUTH")]
    assert capsys.readouterr().out == ""


def test_slurm_gets_a_job_array_that_plays_every_task_once(file: Path, tmp_path: Path) -> None:
    folder = open_sweep(file, tmp_path / "out")
    script = slurm.write_job(folder, jobs=5, hours=0.5, scratch=tmp_path / "node").read_text()
    assert f"--every 5 --scratch {tmp_path / 'node'}\n" in script
    assert "#SBATCH --array=0-4%5\n" in script
    assert "#SBATCH --time=30\n" in script
    assert '"$SLURM_ARRAY_TASK_ID" --every 5' in script
    with pytest.raises(UsageError, match="hours: 0 is not legal"):
        slurm.write_job(folder, jobs=5, hours=0)
    srun = tmp_path / "bin" / "srun"
    srun.parent.mkdir()
    srun.write_text('#!/bin/bash\n[ "$1" = --cpu-bind=cores ] && shift && exec "$@"\n')
    srun.chmod(0o755)
    environment = {**os.environ, "PATH": f"{srun.parent}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": "1"}
    subprocess.run([folder.path / slurm.SCRIPT], env=environment, check=True, cwd=Path.cwd())
    assert [folder.is_done(task) for task in folder.tasks] == [index % 5 == 1 for index in range(TASKS)]


async def test_a_budget_in_dollars_needs_prices_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "for-tests")
    data = {"name": "dear", "scenarios": ["double-vein"], "models": ["openai/nobody-knows"]}
    folder = SweepFolder.make(tmp_path / "dear", {**data, "budget": {"usd": 1}}, tmp_path)
    for budget, measure in (({}, "usd"), ({"tokens": 5}, "usd")):
        with pytest.raises(UsageError, match=f"no price is known for openai/nobody-knows, so --max-{measure} cannot"):
            await run_sweep(folder, open_engine("local", jobs=1), lambda *_: None, budget=budget)
    assert not list((folder.path / "tasks").iterdir())
    await check_models(SweepFolder.make(tmp_path / "free", data, tmp_path))


def test_the_command_line(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(file), "--dry-run"]) == 0
    assert "small: 8 tasks (2 conditions x 2 points x 2 seeds)" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()
    file.write_text(PAIR)
    assert main(["sweep", str(file), "--jobs", "2", "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().out
    assert "2 complete" in told
    assert main(["report", str(tmp_path / "out" / "small")]) == 0
    assert main(["sweep", str(tmp_path / "out" / "small")]) == 0
    file.write_text(PAIR + "budget: {calls: 5}\n")
    assert main(["sweep", str(file), "--out", str(tmp_path / "out")]) == 0
    assert SweepFolder.open(tmp_path / "out" / "small").spec.budget == {"calls": 5}
    file.write_text(PAIR.replace("seeds: 1", "seeds: 4"))
    assert main(["sweep", str(file), "--out", str(tmp_path / "out")]) == 2
    assert "holds another sweep" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["sweep", "nothing.yaml"], "nothing.yaml is neither a sweep's file nor its folder"),
        (["sweep", "small.yaml", "--jobs", "0"], "--jobs 0 is not legal"),
        (
            ["sweep", "small.yaml", "--engine", "cloud"],
            "--engine 'cloud' is not legal; choose one of local, ray, slurm",
        ),
        (["sweep", "small.yaml", "--address", "auto"], "--address auto is for --engine ray"),
        (["sweep", "small.yaml", "--engine", "slurm", "--max-usd", "1"], "--max-usd does not reach Slurm's jobs"),
        (["sweep", "small.yaml", "--max-calls", "0"], "--max-calls 0 is not legal"),
        (["task", ".", "0"], ". is no sweep; give the folder that 'accord sweep' has written"),
    ],
)
def test_wrong_usage_is_one_line(
    arguments: list[str], line: str, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(file.parent)
    assert main(arguments) == 2
    assert line in capsys.readouterr().err.replace("\n", " ")


def test_cores_are_shared_out_where_there_are_enough() -> None:
    assert shares([0, 1, 2, 3, 4], 2) == [[0, 1], [2, 3, 4]]
    assert shares([0, 1], 2) == []
    assert shares(range(8), 1) == []
