"""A sweep in a network folder, played by several machines of which one dies; skipped where GlusterFS is not there.

Run it by hand: `pytest tests/clusters/test_network_folder.py` as root, with Debian's glusterfs-server and
glusterfs-client. It takes about three minutes, since a lease of a machine that died is free after one.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from accord.studies.sweeps.engine import open_engine
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.sweep import run_sweep
from tests.clusters.machines import NetworkFolder, missing
from tests.clusters.support import logs, until

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

RUNS = 40
ACCORD = str(Path(sys.executable).with_name("accord"))


@pytest.fixture(scope="module")
def network() -> Iterator[NetworkFolder]:
    with tempfile.TemporaryDirectory(prefix="accord-net-") as name, NetworkFolder(Path(name)) as made:
        yield made


async def test_machines_share_a_sweep_and_what_a_dead_one_had_begun_is_played_by_another(
    network: NetworkFolder, tmp_path: Path
) -> None:
    data = {"name": "runs", "scenarios": ["double-vein"], "seeds": RUNS, "settings": {"time_limit_s": 20}}
    alone = SweepFolder.make(tmp_path / "alone", data, tmp_path)
    await run_sweep(alone, open_engine("local", jobs=2), lambda *_: None)
    file = tmp_path / "sweep.yaml"
    file.write_text(alone.path.joinpath("sweep.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    shared, disk = str(network.path / "runs"), network.brick / "runs"
    written = network.machine("m0", ACCORD, "sweep", str(file), "--out", str(network.path), "--engine", "slurm")
    assert written.wait() == 0

    first = network.machine("m1", ACCORD, "task", shared, "0", "--every", "1")
    second = network.machine("m2", ACCORD, "task", shared, "0", "--every", "1")
    until(lambda: len(logs(disk)) >= RUNS // 4, "a quarter of the runs")
    second.kill()
    second.wait()
    first.wait()
    assert len(logs(disk)) >= RUNS - 1, "the one that lives plays all but what the dead one had"

    until(
        lambda: network.machine("m3", ACCORD, "task", shared, "0", "--every", "1").wait() == 0, "the dead one's lease"
    )
    assert logs(disk) == logs(alone.path)
    assert list((disk / "leases").iterdir()) == list((disk / "scratch").iterdir()) == []
