"""Checks of a machine before a sweep's first run on Paper, and the cores of its containers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from accord.cli import main
from accord.studies.sweeps.ready import check_machine
from bridge.servers.paper import engine, settings
from common.errors import PrerequisiteError


class Engine:
    """Fake Docker engine with an image and a given amount of memory."""

    def __init__(self, memory_mb: int) -> None:
        self._memory_mb = memory_mb
        self.images = self

    def get(self, name: str) -> str:
        """Return the image."""
        return name

    def info(self) -> dict[str, Any]:
        """Return the machine's resources."""
        return {"MemTotal": self._memory_mb * 2**20}

    def close(self) -> None:
        """Do nothing."""


@pytest.fixture
def accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.EULA_VARIABLE, "true")


def test_nobody_has_accepted_the_eula(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:  # noqa: ANN401
    monkeypatch.delenv(settings.EULA_VARIABLE, raising=False)
    file = tmp_path / "s.yaml"
    file.write_text("scenarios: [double-vein]\nworlds: [mock, paper]\n")
    assert main(["sweep", str(file), "--out", str(tmp_path)]) != 0
    assert "EULA is not accepted" in " ".join(capsys.readouterr().err.split())
    assert not list((tmp_path / "s" / "tasks").iterdir())


@pytest.mark.usefixtures("accepted")
def test_no_engine_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(PrerequisiteError, match="no Docker engine answers"):
        check_machine("paper")


@pytest.mark.usefixtures("accepted")
def test_memory_is_for_all_containers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "open_engine", lambda: Engine(8000))
    check_machine("paper", 2)
    with pytest.raises(PrerequisiteError, match=r"3 Paper servers may use 9216 MB .* has 8000 MB: take --jobs 2"):
        check_machine("paper", 3)
    check_machine("mock", 1000)


def test_a_container_uses_the_cores_of_its_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {4, 5})
    assert settings.pinned_cores(8) == "4,5"
    assert settings.pinned_cores(2) == ""
    assert settings.pinned_cores(5) == ""
