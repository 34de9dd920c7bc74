"""`accord model` with the stand-in engine: serve, status, stop, and its messages about wrong input."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from accord.cli.app import run
from tests.fakes import engine
from voyager_agents.models.local import settings as engine_settings


@pytest.fixture(autouse=True)
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(engine.__file__).parent), *sys.path]))
    monkeypatch.setattr(engine_settings, "engine_version", lambda: "0")
    monkeypatch.setattr("voyager_agents.models.local.settings.engine_version", lambda: "0")
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF and so on")
    yield file
    assert run(["model", "stop"]) == 0


def test_an_engine_stays_up_between_commands(weights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*arguments: str) -> object:
        assert run(["model", *arguments, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    served = told("serve", str(weights), "--local", "threads=1")
    assert isinstance(served, dict)
    assert served["kept"]
    assert served["threads"] == 1
    assert told("serve", str(weights), "--local", "threads=1") == served
    assert told("status") == [{**served, "answers": True}]
    assert told("stop") == [{**served, "kept": False}]
    assert told("status") == []


def test_wrong_input_is_one_line(weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.gguf"
    other.write_text("text")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments, code, said in (
            (["--port", "0"], 2, "port 0 is not legal; give one from 1 to 65535"),
            (["--port", port], 1, f"port {port} on 127.0.0.1 cannot be used (Address already in use): choose another"),
            (["--local", "slots=many"], 1, "local: slots=many is not legal; give a whole number from 1 to 64"),
        ):
            assert run(["model", "serve", str(weights), *arguments]) == code
            error = capsys.readouterr().err
            assert said in error
            assert len(error.strip().splitlines()) == 1
    assert run(["model", "serve", str(other)]) == 1
    assert "is no GGUF file (it begins with b'text')" in capsys.readouterr().err
    assert run(["model", "status"]) == 0
    assert "no engine is up" in capsys.readouterr().out
