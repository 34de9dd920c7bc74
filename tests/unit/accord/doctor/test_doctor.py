from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from accord.doctor import machine as doctor
from bridge.errors import ServerError
from bridge.types import Address
from common.errors import PrerequisiteError
from voyager_agents.models.local.gguf import ModelHeader
from voyager_agents.models.local.settings import EngineOptions, EngineSpec


class FakeWorld:
    """World that starts, or fails with an error."""

    address = Address("127.0.0.1", 25599)

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.joined: list[str] = []
        self.closed = False

    async def __aenter__(self) -> Self:
        if self.error is not None:
            raise self.error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closed = True

    async def connect(self, names: list[str]) -> None:
        self.joined += names


def opens(world: FakeWorld) -> Callable[..., Any]:
    return lambda name, *, seed, log_dir: world


async def test_a_world_that_starts_is_ok_and_closed() -> None:
    world = FakeWorld()
    (found,) = await doctor.world_check(opens(world))
    assert (found.state, world.joined, world.closed) == ("ok", ["Doctor"], True)
    assert "a bot joined 127.0.0.1:25599 and left again" in found.found


async def test_a_world_that_does_not_start_says_why() -> None:
    (found,) = await doctor.world_check(opens(FakeWorld(ServerError("it ended"))))
    assert (found.state, found.found) == ("fail", "it ended")
    assert found.remedy


async def test_no_world_is_tried_while_something_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing() -> None:
        raise PrerequisiteError("the JavaScript packages are not installed in /x: run `make setup`")

    monkeypatch.setattr(doctor, "check_packages", missing)
    world = FakeWorld()
    found = {check.name: check for check in await doctor.examine(tmp_path, opens(world))}
    packages = found["JavaScript packages"]
    assert (packages.state, packages.remedy) == ("fail", "run `make setup`")
    assert found["embedded world"].state == "info"
    assert not world.joined


def test_this_machine_has_what_tests_need() -> None:
    assert [
        check.state
        for check in (doctor.python_check(), doctor.node_check(), doctor.packages_check(), doctor.isolates_check())
    ] == ["ok"] * 4


def test_a_missing_node_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise PrerequisiteError("Node is not installed (x is missing): run `make setup`")

    monkeypatch.setattr(doctor, "node_binary", missing)
    assert doctor.node_check() == doctor.DoctorCheck(
        "Node", "fail", "Node is not installed (x is missing)", "run `make setup`"
    )
    assert doctor.isolates_check().state == "fail"


def test_isolated_vm_that_does_not_load_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "ROOT", tmp_path)
    found = doctor.isolates_check()
    assert found.state == "fail"
    assert "Cannot find module 'isolated-vm'" in found.found


def test_a_taken_game_port_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server((doctor.HOST, 0)) as taken:
        monkeypatch.setattr(doctor, "GAME_PORT", taken.getsockname()[1])
        assert doctor.ports_check().state == "info"
    assert doctor.ports_check().state == "ok"


def test_the_runs_folder_is_not_made(tmp_path: Path) -> None:
    assert doctor.folder_check(tmp_path / "a" / "b").state == "ok"
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    found = doctor.folder_check(tmp_path / "file")
    assert (found.state, found.remedy) == ("fail", "choose another folder with --out, or make this one writable")


def test_little_memory_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "MEMORY_MB", 10**9)
    assert doctor.memory_check().state == "warn"


def test_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "secret" not in repr(doctor.key_check())
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "not set" in doctor.key_check().found


def test_the_local_model_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voyager_agents.models.local.settings.ENGINE", "package_that_nobody_has")
    found = doctor.local_model_check()
    assert (found.state, found.found) == ("info", "its engine (package_that_nobody_has) is not installed")
    assert found.remedy.startswith("only for --model local: run `make setup-local`")


def test_the_local_model_that_does_not_fit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")
    spec = EngineSpec(file, EngineOptions())
    monkeypatch.setattr("voyager_agents.models.local.settings.engine_version", lambda: "0")
    monkeypatch.setattr("voyager_agents.models.local.settings.local_spec", lambda _: spec)
    monkeypatch.setattr("voyager_agents.models.local.gguf.read_header", lambda _: ModelHeader(9 * 10**9, 8192, 0))
    monkeypatch.setattr("voyager_agents.models.local.memory.free_memory", lambda: 6 * 10**9)
    found = doctor.local_model_check()
    assert found.state == "warn"
    assert found.found.endswith("; needs 9.3 GB, and 6.0 GB are free")
    monkeypatch.setattr("voyager_agents.models.local.memory.free_memory", lambda: None)
    assert doctor.local_model_check().state == "ok"
