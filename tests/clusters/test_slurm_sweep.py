"""A sweep as a job array on a real Slurm cluster of this machine; skipped with the reason where Slurm is not installed.

Run it by hand: `pytest tests/clusters/test_slurm_sweep.py` as root, with Debian's slurmctld, slurmd, slurm-client,
slurm-wlm-basic-plugins and munge. It takes some minutes, since Slurm waits before it gives up a node.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from accord.studies.sweeps.engine import open_engine
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.slurm import write_job
from accord.studies.sweeps.sweep import run_sweep
from tests.clusters.slurm_cluster import SlurmCluster, missing
from tests.clusters.support import logs, until

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

RUNS = 12


@pytest.fixture(scope="module")
def cluster() -> Iterator[SlurmCluster]:
    with tempfile.TemporaryDirectory(prefix="accord-slurm-") as name, SlurmCluster(Path(name) / "cluster") as made:
        yield made


def sweep(place: Path) -> SweepFolder:
    data = {"name": "runs", "scenarios": ["double-vein"], "seeds": RUNS, "settings": {"time_limit_s": 30}}
    return SweepFolder.make(place, data, place.parent)


def done(folder: SweepFolder) -> int:
    return sum(folder.is_done(each) for each in folder.tasks)


def playing(folder: SweepFolder) -> list[int]:
    """Processes that name the sweep's folder: `accord task`, srun, the script; and what they have started."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdecimal() and int(each.name) != os.getpid():
            try:
                words = (each / "cmdline").read_text() + (each / "environ").read_text(errors="replace")
            except OSError:
                continue
            if str(folder.path) in words or "SLURM_JOB_NAME=runs" in words:
                found.append(int(each.name))
    return found


def collected(folder: SweepFolder, tmp_path: Path) -> None:
    """`accord sweep FOLDER` writes the table; every run is there once, as in a local sweep; nothing is left behind."""
    command = [sys.executable, "-m", "accord.cli", "sweep", str(folder.path), "--jobs", "2"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert f"{RUNS} complete" in told
    assert len((folder.path / "results.csv").read_text().splitlines()) == RUNS + 1
    assert [path.name for part in ("leases", "scratch") for path in (folder.path / part).iterdir()] == []
    until(lambda: not playing(folder), f"processes are left: {playing(folder)}")


async def test_elements_cancelled_submitted_again_and_a_node_that_dies(cluster: SlurmCluster, tmp_path: Path) -> None:
    calm, wild = sweep(tmp_path / "calm"), sweep(tmp_path / "wild")
    await run_sweep(calm, open_engine("local", jobs=2), lambda *_: None)
    script = write_job(wild, jobs=2, cpus=1)

    first = cluster.submit(script)
    until(lambda: bool(playing(wild)), "nothing was begun")
    until(lambda: any((wild.path / "leases").iterdir()), "no task was begun")
    cluster.say("scancel", f"{first}_0")
    until(lambda: done(wild) > 1, "nothing ended")
    cluster.say("scancel", first)
    cluster.until_done()
    until(lambda: not playing(wild), f"processes outlive their job: {playing(wild)}")
    assert 0 < done(wild) < RUNS

    cluster.submit(script)
    until(lambda: any((wild.path / "leases").iterdir()), "no task was begun again")
    cluster.kill_node("n1")
    until(lambda: cluster.state("n1").startswith("DOWN"), "Slurm has not noticed that the node is gone")
    cluster.start_node("n1")
    cluster.until_done()

    collected(wild, tmp_path)
    assert logs(wild.path) == logs(calm.path)
