"""Sweep on `--world paper` with the stand-in: one container per worker, all removed after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docker
import pytest

from accord.studies.sweeps.folder import SweepFolder
from bridge.servers.paper.marks import LABEL
from tests.docker.conftest import ours

pytestmark = pytest.mark.docker

RUNS = 2
PATIENCE_S = 240.0


@pytest.fixture(autouse=True)
def asked_for(image_of: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ACCORD_PAPER_IMAGE", image_of())
    monkeypatch.setenv("ACCORD_EULA", "true")
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "state"))


def ports(engine: docker.DockerClient) -> list[tuple[str, str]]:
    """Return (container, port of this machine) for all our running containers."""
    found: list[Any] = engine.containers.list(filters={"label": LABEL}, ignore_removed=True)
    bound = [(each.name, each.attrs["NetworkSettings"]["Ports"] or {}) for each in found]
    return [(name, pair["HostPort"]) for name, of in bound for pairs in of.values() for pair in pairs or []]


def test_workers_have_containers_of_their_own_and_a_killed_sweep_leaves_none(
    tmp_path: Path, engine: docker.DockerClient
) -> None:
    data = {"name": "paper", "scenarios": ["double-vein"], "worlds": ["paper"], "seeds": RUNS}
    folder = SweepFolder.make(tmp_path / "sweep", {**data, "settings": {"time_limit_s": 8}}, tmp_path)
    command = [sys.executable, "-m", "accord.cli", "sweep", str(folder.path), "--jobs", "2"]

    head = subprocess.Popen(command, start_new_session=True)
    workers: list[int] = []
    try:
        until(lambda: len(ports(engine)) == 4, "two containers with two ports each")
        assert len({port for _, port in ports(engine)}) == 4
        assert len({name for name, _ in ports(engine)}) == 2
        workers = children(head.pid)
    finally:
        # Simulates an exhausted memory, after which nobody can clean up.
        for pid in [head.pid, *workers]:
            os.kill(pid, signal.SIGKILL)
        head.wait()
    assert ours(engine), "nobody is there who could have removed them"

    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"{RUNS} complete" in told.stdout, told
    assert ours(engine) == []
    assert [path.name for part in ("leases", "scratch") for path in (folder.path / part).iterdir()] == []
    assert len(list((folder.path / "tasks").glob("*/*/result.json"))) == RUNS


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def until(there: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < end, what
        time.sleep(0.2)
