"""`accord --world paper` as a separate process: Ctrl-C at each stage, SIGKILL, and a server that stays up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docker
import pytest

from bridge.servers.paper.sweep import sweep_stale
from tests.docker.conftest import ours

pytestmark = pytest.mark.docker

ACCORD = Path(sys.executable).with_name("accord")
Run = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def accord(image_of: Callable[..., str], tmp_path: Path) -> Iterator[Run]:
    """Return a function that starts `accord ARGUMENTS`; remaining processes are killed at the end."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, mode: str = "normal") -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "ACCORD_PAPER_IMAGE": image_of(mode),
            "ACCORD_EULA": "true",
            "ACCORD_STATE": str(tmp_path / "state"),
        }
        process = subprocess.Popen(
            [str(ACCORD), *arguments],
            env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def until(true: Callable[[], Any], seconds: float = 300.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.05)


def has_written(folder: Path, kind: str) -> bool:
    return any(f'"kind":"{kind}"' in file.read_text().replace(" ", "") for file in folder.rglob("events.jsonl"))


@pytest.mark.parametrize("stage", ["container", "world_ready", "policies_started"])
def test_ctrl_c_at_each_stage_of_a_run_leaves_nothing(
    accord: Run, engine: docker.DockerClient, tmp_path: Path, stage: str
) -> None:
    process = accord("run", "double-vein", "--world", "paper", "--no-report")
    until(lambda: has_written(tmp_path, stage) if stage != "container" else ours(engine))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130, said
    assert "interrupted" in said
    assert ours(engine) == []


def test_ctrl_c_while_a_server_comes_up_leaves_nothing(accord: Run, engine: docker.DockerClient) -> None:
    process = accord("server", "up", "--world", "paper", mode="never-ready")
    until(lambda: ours(engine))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130, said
    assert ours(engine) == []


def test_leftovers_of_a_killed_run_are_removed_by_the_next_one(accord: Run, engine: docker.DockerClient) -> None:
    process = accord("run", "double-vein", "--world", "paper", mode="never-ready")
    until(lambda: len(ours(engine)) == 2)
    process.kill()
    process.communicate()
    left = ours(engine)
    assert len(left) == 2
    assert sorted(sweep_stale(engine)) == sorted(left)


def test_leftovers_of_a_killed_server_up_are_removed_by_their_own_state_folder_only(
    accord: Run, engine: docker.DockerClient, tmp_path: Path
) -> None:
    process = accord("server", "up", "--world", "paper", mode="never-ready")
    until(lambda: len(ours(engine)) == 2)
    process.kill()
    process.communicate()
    assert sweep_stale(engine) == []
    assert len(sweep_stale(engine, str(tmp_path / "state"))) == 2


def test_a_server_stays_up_until_it_is_stopped(accord: Run, engine: docker.DockerClient, tmp_path: Path) -> None:
    def ask(*arguments: str) -> tuple[int, str, str]:
        process = accord("server", *arguments)
        out, error = process.communicate(timeout=300)
        return process.returncode, out, error

    code, out, error = ask("up", "--world", "paper", "--memory", "1024", "--json")
    assert code == 0, error
    up = json.loads(out)
    password = json.loads((tmp_path / "state/paper.json").read_text())["password"]
    try:
        assert (tmp_path / "state/paper.json").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
        code, out, _ = ask("status", "--json")
        (status,) = json.loads(out)
        assert (code, status["state"], status["port"], status["in_use"]) == (0, "up", up["port"], False)
        assert password not in out
        assert ask("command", "list")[1].startswith("There are 0 of a max of ")
        code, out, _ = ask("command", "--json", "setblok 0 0 0 stone")
        assert (code, json.loads(out)["refused"]) == (1, True)
        code, _, error = ask("up", "--world", "paper")
        assert code == 1
        assert "is up already at 127.0.0.1:" in error
        following = accord("server", "logs", "-f")
        assert following.stdout is not None
        seen = iter(following.stdout.readline, "")
        assert any("Done (" in line for line in seen)
        assert password not in ask("logs")[1]
    finally:
        code, out, error = ask("down")
    assert (code, out) == (0, "the paper server is down\n")
    assert following.wait(10) == 0, "following ends with the server"
    assert ours(engine) == []
    assert ask("status")[1] == "no server is up: 'accord server up' starts one\n"
    assert not list((tmp_path / "state").glob("*.json"))
